// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the tests of `is`.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace vitrine::engine {
namespace {

using Value = JinjaValue;
using Args = std::vector<JinjaValue>;

const Value& argument(const Args& args) {
    if (args.empty())
        throw JinjaError{"TypeError: the test needs an argument"};
    return args[0];
}

bool is_sequence(const Value& value) { // has len() and items by index
    return value.is_text() || value.is_map() || value.is_undefined() ||
        (value.is_list() && value.as_list()->is_sequence());
}

bool is_iterable(const Value& value) {
    return value.is_text() || value.is_map() || value.is_list() || value.is_undefined();
}

template <int kRemainder>
bool has_parity(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& /*args*/) {
    return (jinja_integer(value) & 1) == kRemainder;
}

bool divisible(JinjaEvaluator& evaluator, const Value& value, const Args& args) {
    const Value rest = jinja_arithmetic(evaluator, JinjaExprKind::modulo, value, argument(args));
    return !rest.truthy();
}

template <bool kUpper>
bool has_case(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& /*args*/) {
    const std::string bytes = jinja_str(value).bytes;
    bool has_cased = false;
    for (std::size_t i = 0; i < bytes.size(); i += utf8_length_at(bytes, i)) {
        const char32_t c = utf8_decode_at(bytes, i);
        if (kUpper ? is_lower(c) : is_upper(c))
            return false;
        has_cased = has_cased || (kUpper ? is_upper(c) : is_lower(c));
    }
    return has_cased;
}

bool is_same(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    const Value& other = argument(args);
    if (value.data().index() != other.data().index())
        return false;
    if (value.is_list())
        return value.as_list() == other.as_list();
    return value.is_map() ? value.as_map() == other.as_map() : jinja_equal(value, other);
}

/// A test that looks at the value only.
template <bool (*kPredicate)(const Value&)>
bool plain(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& /*args*/) {
    return kPredicate(value);
}

bool is_defined(const Value& v) {
    return !v.is_undefined();
}
bool is_undefined(const Value& v) {
    return v.is_undefined();
}
bool is_none(const Value& v) {
    return v.is_null();
}
bool is_string(const Value& v) {
    return v.is_text();
}
bool is_mapping(const Value& v) {
    return v.is_map();
}
bool is_number(const Value& v) {
    return v.is_number() || v.is_big();
}
bool is_integer(const Value& v) {
    return v.is_int() || v.is_big();
}
bool is_float(const Value& v) {
    return v.is_float();
}
bool is_boolean(const Value& v) {
    return v.is_bool();
}
bool is_true(const Value& v) {
    return v.is_bool() && v.truthy();
}
bool is_false(const Value& v) {
    return v.is_bool() && !v.truthy();
}
bool is_callable(const Value& v) {
    return v.is_object() && v.as_object()->callable();
}
bool is_escaped(const Value& v) {
    return v.is_text() && v.as_text().markup;
}

bool equals(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    return jinja_equal(value, argument(args));
}
bool differs(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    return !jinja_equal(value, argument(args));
}
bool is_less(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    return jinja_less(value, argument(args));
}
bool is_greater(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    return jinja_less(argument(args), value, ">");
}
bool is_at_most(JinjaEvaluator& evaluator, const Value& value, const Args& args) {
    return is_less(evaluator, value, args) || equals(evaluator, value, args);
}
bool is_at_least(JinjaEvaluator& evaluator, const Value& value, const Args& args) {
    return is_greater(evaluator, value, args) || equals(evaluator, value, args);
}
bool is_in(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& args) {
    return jinja_contains(argument(args), value);
}
bool is_filter_name(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& /*args*/) {
    return jinja_find_filter(jinja_str(value).bytes) != nullptr;
}
bool is_test_name(JinjaEvaluator& /*evaluator*/, const Value& value, const Args& /*args*/) {
    return jinja_find_test(jinja_str(value).bytes) != nullptr;
}

} // namespace

JinjaTest jinja_find_test(std::string_view name) {
    static const std::unordered_map<std::string_view, JinjaTest> table = {
        {"defined", plain<is_defined>},
        {"undefined", plain<is_undefined>},
        {"none", plain<is_none>},
        {"string", plain<is_string>},
        {"mapping", plain<is_mapping>},
        {"sequence", plain<is_sequence>},
        {"iterable", plain<is_iterable>},
        {"number", plain<is_number>},
        {"integer", plain<is_integer>},
        {"float", plain<is_float>},
        {"boolean", plain<is_boolean>},
        {"true", plain<is_true>},
        {"false", plain<is_false>},
        {"callable", plain<is_callable>},
        {"escaped", plain<is_escaped>},
        {"odd", has_parity<1>},
        {"even", has_parity<0>},
        {"divisibleby", divisible},
        {"upper", has_case<true>},
        {"lower", has_case<false>},
        {"sameas", is_same},
        {"filter", is_filter_name},
        {"test", is_test_name},
        {"==", equals},
        {"eq", equals},
        {"equalto", equals},
        {"!=", differs},
        {"ne", differs},
        {"<", is_less},
        {"lt", is_less},
        {"lessthan", is_less},
        {"<=", is_at_most},
        {"le", is_at_most},
        {">", is_greater},
        {"gt", is_greater},
        {"greaterthan", is_greater},
        {">=", is_at_least},
        {"ge", is_at_least},
        {"in", is_in},
    };
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

} // namespace vitrine::engine
