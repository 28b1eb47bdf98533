// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: arithmetic, membership, items, slices and attributes, as Python does them.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

using Kind = JinjaExprKind;

[[noreturn]] void overflow() {
    throw JinjaError{"OverflowError: an integer is larger than 64 bit"};
}

std::string_view op_sign(Kind op) {
    switch (op) {
    case Kind::add:
        return "+";
    case Kind::subtract:
        return "-";
    case Kind::multiply:
        return "*";
    case Kind::divide:
        return "/";
    case Kind::floor_divide:
        return "//";
    case Kind::modulo:
        return "%";
    default:
        return "** or pow()";
    }
}

JinjaValue integer_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) {
        if (base == 0)
            throw JinjaError{"ZeroDivisionError: 0.0 cannot be raised to a negative power"};
        return JinjaValue(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    std::int64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
            overflow();
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
            overflow();
    }
    return JinjaValue(result);
}

JinjaValue integer_arithmetic(Kind op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    const bool divides = op == Kind::divide || op == Kind::floor_divide || op == Kind::modulo;
    if (divides && b == 0)
        throw JinjaError{op == Kind::divide ? "ZeroDivisionError: division by zero"
                                            : "ZeroDivisionError: integer division or modulo by zero"};
    switch (op) {
    case Kind::add:
        if (__builtin_add_overflow(a, b, &result))
            overflow();
        return JinjaValue(result);
    case Kind::subtract:
        if (__builtin_sub_overflow(a, b, &result))
            overflow();
        return JinjaValue(result);
    case Kind::multiply:
        if (__builtin_mul_overflow(a, b, &result))
            overflow();
        return JinjaValue(result);
    case Kind::divide:
        return JinjaValue(static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b)));
    case Kind::power:
        return integer_power(a, b);
    default:
        break;
    }
    if (b == -1) { // the one division that overflows
        if (op == Kind::modulo)
            return JinjaValue(std::int64_t{0});
        if (__builtin_sub_overflow(std::int64_t{0}, a, &result))
            overflow();
        return JinjaValue(result);
    }
    const bool rounds_down = a % b != 0 && (a < 0) != (b < 0);
    if (op == Kind::floor_divide)
        return JinjaValue(a / b - (rounds_down ? 1 : 0));
    return JinjaValue(a % b + (rounds_down ? b : 0));
}

JinjaValue float_arithmetic(Kind op, double a, double b) {
    const bool divides = op == Kind::divide || op == Kind::floor_divide || op == Kind::modulo;
    if (divides && b == 0)
        throw JinjaError{op == Kind::divide ? "ZeroDivisionError: float division by zero"
                                            : "ZeroDivisionError: float floor division by zero"};
    const double remainder = divides ? std::fmod(a, b) : 0;
    const bool rounds_down = remainder != 0 && (remainder < 0) != (b < 0);
    switch (op) {
    case Kind::add:
        return JinjaValue(a + b);
    case Kind::subtract:
        return JinjaValue(a - b);
    case Kind::multiply:
        return JinjaValue(a * b);
    case Kind::divide:
        return JinjaValue(a / b);
    case Kind::floor_divide:
        return JinjaValue(std::round((a - remainder) / b) - (rounds_down ? 1 : 0));
    case Kind::modulo:
        return JinjaValue(remainder == 0 ? std::copysign(0.0, b) : remainder + (rounds_down ? b : 0));
    default:
        if (a == 0 && b < 0)
            throw JinjaError{"ZeroDivisionError: 0.0 cannot be raised to a negative power"};
        if (a < 0 && b != std::floor(b))
            throw JinjaError{"TypeError: a complex number is no value of a template"};
        return JinjaValue(std::pow(a, b));
    }
}

JinjaText escape_markup(const JinjaText& text) {
    JinjaText out;
    for (std::size_t i = 0; i < text.bytes.size(); ++i) {
        switch (text.bytes[i]) {
        case '&':
            out.append("&amp;");
            break;
        case '<':
            out.append("&lt;");
            break;
        case '>':
            out.append("&gt;");
            break;
        case '\'':
            out.append("&#39;");
            break;
        case '"':
            out.append("&#34;");
            break;
        default:
            out.append(text, i, i + 1);
        }
    }
    return out;
}

JinjaValue join_texts(JinjaEvaluator& evaluator, const JinjaText& a, const JinjaText& b) {
    const bool markup = a.markup || b.markup;
    JinjaText text = markup && !a.markup ? escape_markup(a) : a;
    evaluator.check_text_size(a.bytes.size() + b.bytes.size());
    text.append(markup && !b.markup ? escape_markup(b) : b);
    text.markup = markup;
    return evaluator.make(std::move(text));
}

JinjaValue repeat(JinjaEvaluator& evaluator, const JinjaValue& sequence, std::int64_t count) {
    const auto times = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    if (sequence.is_text()) {
        const JinjaText& unit = sequence.as_text();
        if (!unit.bytes.empty() && times > JinjaLimits::kMaxTextBytes / unit.bytes.size())
            evaluator.check_text_size(JinjaLimits::kMaxTextBytes + 1);
        JinjaText text;
        text.markup = unit.markup;
        for (std::size_t i = 0; i < times && !unit.bytes.empty(); ++i)
            text.append(unit);
        return evaluator.make(std::move(text));
    }
    const auto& unit = sequence.as_list()->items;
    if (!unit.empty() && times > static_cast<std::size_t>(JinjaLimits::kMaxRange) / unit.size())
        throw JinjaError{fmt::format("MemoryError: a list is longer than {} items", JinjaLimits::kMaxRange)};
    std::vector<JinjaValue> items;
    for (std::size_t i = 0; i < times && !unit.empty(); ++i)
        items.insert(items.end(), unit.begin(), unit.end());
    evaluator.charge(static_cast<std::int64_t>(items.size()));
    return sequence.as_list()->kind == JinjaListKind::tuple ? JinjaValue::tuple(std::move(items))
                                                            : JinjaValue::list(std::move(items));
}

bool is_plain_sequence(const JinjaValue& value) {
    return value.is_list() &&
        (value.as_list()->kind == JinjaListKind::list || value.as_list()->kind == JinjaListKind::tuple);
}

JinjaValue join_lists(JinjaEvaluator& evaluator, const JinjaList& a, const JinjaList& b) {
    std::vector<JinjaValue> items = a.items;
    items.insert(items.end(), b.items.begin(), b.items.end());
    evaluator.charge(static_cast<std::int64_t>(items.size() / 4));
    return a.kind == JinjaListKind::tuple ? JinjaValue::tuple(std::move(items)) : JinjaValue::list(std::move(items));
}

JinjaValue missing(const JinjaValue& object, std::string_view name) {
    if (object.is_undefined())
        throw JinjaError{object.undefined_why()};
    const std::string owner = object.is_null() ? "'None'" : fmt::format("'{} object'", jinja_type_name(object));
    return JinjaValue::undefined(fmt::format("UndefinedError: {} has no attribute '{}'", owner, name));
}

/// Bounds of a Python slice over `size` items.
struct SliceRange {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t step;
};

SliceRange slice_range(std::int64_t size, const JinjaValue& begin, const JinjaValue& end, const JinjaValue& step) {
    const std::int64_t stride = step.is_null() ? 1 : jinja_integer(step);
    if (stride == 0)
        throw JinjaError{"ValueError: slice step cannot be zero"};
    const std::int64_t low = stride > 0 ? 0 : -1;
    const std::int64_t high = stride > 0 ? size : size - 1;
    const auto clamp = [&](const JinjaValue& value, std::int64_t absent) {
        if (value.is_null())
            return absent;
        const std::int64_t index = jinja_integer(value);
        return std::clamp(index < 0 ? std::max(index, -size - 1) + size : index, low, high);
    };
    return {clamp(begin, stride > 0 ? low : high), clamp(end, stride > 0 ? high : low), stride};
}

template <class Take>
void for_slice(const SliceRange& range, Take take) {
    for (std::int64_t i = range.begin; range.step > 0 ? i < range.end : i > range.end;) {
        take(static_cast<std::size_t>(i));
        if (__builtin_add_overflow(i, range.step, &i))
            return;
    }
}

} // namespace

std::int64_t jinja_integer(const JinjaValue& value) {
    if (value.is_undefined())
        throw JinjaError{value.undefined_why()};
    if (!value.is_integral())
        throw JinjaError{
            fmt::format("TypeError: '{}' object cannot be interpreted as an integer", jinja_type_name(value))};
    return value.as_int();
}

JinjaValue jinja_arithmetic(
    JinjaEvaluator& evaluator, JinjaExprKind op, const JinjaValue& left, const JinjaValue& right) {
    if (left.is_undefined() || right.is_undefined()) {
        if (op != Kind::modulo || !left.is_text()) // "..." % undefined formats an empty text
            throw JinjaError{(left.is_undefined() ? left : right).undefined_why()};
    }
    if (left.is_integral() && right.is_integral())
        return integer_arithmetic(op, left.as_int(), right.as_int());
    if (left.is_number() && right.is_number())
        return float_arithmetic(op, left.as_double(), right.as_double());
    if (op == Kind::add && left.is_text() && right.is_text())
        return join_texts(evaluator, left.as_text(), right.as_text());
    if (op == Kind::add && is_plain_sequence(left) && is_plain_sequence(right) &&
        left.as_list()->kind == right.as_list()->kind)
        return join_lists(evaluator, *left.as_list(), *right.as_list());
    if (op == Kind::multiply && right.is_integral() && (left.is_text() || is_plain_sequence(left)))
        return repeat(evaluator, left, right.as_int());
    if (op == Kind::multiply && left.is_integral() && (right.is_text() || is_plain_sequence(right)))
        return repeat(evaluator, right, left.as_int());
    if (op == Kind::modulo && left.is_text())
        return evaluator.make(jinja_percent_format(left.as_text(), right));
    if (op == Kind::add && left.is_text())
        throw JinjaError{
            fmt::format("TypeError: can only concatenate str (not \"{}\") to str", jinja_type_name(right))};
    throw JinjaError{fmt::format("TypeError: unsupported operand type(s) for {}: '{}' and '{}'", op_sign(op),
        jinja_type_name(left), jinja_type_name(right))};
}

bool jinja_contains(const JinjaValue& container, const JinjaValue& item) {
    if (container.is_text()) {
        if (!item.is_text())
            throw JinjaError{
                fmt::format("TypeError: 'in <string>' requires string as left operand, not {}", jinja_type_name(item))};
        return container.as_text().bytes.find(item.as_text().bytes) != std::string::npos;
    }
    if (container.is_map())
        return container.as_map()->find(item) != nullptr;
    if (container.is_list() && container.as_list()->kind != JinjaListKind::generator) {
        const auto& items = container.as_list()->items;
        return std::any_of(
            items.begin(), items.end(), [&](const JinjaValue& other) { return jinja_equal(item, other); });
    }
    if (!container.is_undefined() && !container.is_list())
        throw JinjaError{fmt::format("TypeError: argument of type '{}' is not iterable", jinja_type_name(container))};
    const std::vector<JinjaValue> items = jinja_iterate(container);
    return std::any_of(items.begin(), items.end(), [&](const JinjaValue& other) { return jinja_equal(item, other); });
}

JinjaValue jinja_slice(
    const JinjaValue& object, const JinjaValue& begin, const JinjaValue& end, const JinjaValue& step) {
    if (object.is_text()) {
        const JinjaText& text = object.as_text();
        const std::vector<std::size_t> offsets = utf8_offsets(text.bytes);
        const SliceRange range = slice_range(static_cast<std::int64_t>(offsets.size()) - 1, begin, end, step);
        if (range.step == 1)
            return JinjaValue(range.begin < range.end ? text.slice(offsets[static_cast<std::size_t>(range.begin)],
                                                            offsets[static_cast<std::size_t>(range.end)])
                                                      : JinjaText());
        JinjaText out;
        for_slice(range, [&](std::size_t i) { out.append(text, offsets[i], offsets[i + 1]); });
        return JinjaValue(std::move(out));
    }
    if (object.is_list() && object.as_list()->is_sequence()) {
        const JinjaList& list = *object.as_list();
        std::vector<JinjaValue> items;
        for_slice(slice_range(static_cast<std::int64_t>(list.items.size()), begin, end, step),
            [&](std::size_t i) { items.push_back(list.items[i]); });
        return list.kind == JinjaListKind::tuple ? JinjaValue::tuple(std::move(items))
                                                 : JinjaValue::list(std::move(items));
    }
    if (object.is_undefined())
        throw JinjaError{object.undefined_why()};
    throw JinjaError{fmt::format("TypeError: '{}' object is not subscriptable", jinja_type_name(object))};
}

JinjaValue jinja_attribute(JinjaEvaluator& evaluator, const JinjaValue& object, std::string_view name) {
    if (object.is_undefined())
        throw JinjaError{object.undefined_why()};
    if (object.is_object())
        return object.as_object()->attribute(evaluator, name);
    JinjaValue method = jinja_method(object, name);
    if (!method.is_undefined())
        return method;
    if (object.is_map()) {
        if (const JinjaValue* value = object.as_map()->find(name); value != nullptr)
            return *value;
    }
    return missing(object, name);
}

JinjaValue jinja_item(JinjaEvaluator& evaluator, const JinjaValue& object, const JinjaValue& key) {
    if (object.is_undefined())
        throw JinjaError{object.undefined_why()};
    if (object.is_map() && !(key.is_list() && key.as_list()->kind != JinjaListKind::tuple) && !key.is_map()) {
        if (const JinjaValue* value = object.as_map()->find(key); value != nullptr)
            return *value;
    } else if (key.is_integral() && (object.is_text() || (object.is_list() && object.as_list()->is_sequence()))) {
        if (object.is_text())
            evaluator.charge(static_cast<std::int64_t>(object.as_text().bytes.size() / 256));
        const std::size_t num_items =
            object.is_text() ? utf8_count(object.as_text().bytes) : object.as_list()->items.size();
        const auto size = static_cast<std::int64_t>(num_items);
        const std::int64_t index = key.as_int() < 0 ? key.as_int() + size : key.as_int();
        if (index < 0 || index >= size)
            return missing(object, std::to_string(key.as_int()));
        if (object.is_list())
            return object.as_list()->items[static_cast<std::size_t>(index)];
        return jinja_slice(object, JinjaValue(index), JinjaValue(index + 1), JinjaValue());
    }
    if (!key.is_text())
        return missing(object, jinja_repr(key).bytes);
    if (object.is_object())
        return object.as_object()->attribute(evaluator, key.as_text().bytes);
    JinjaValue method = jinja_method(object, key.as_text().bytes);
    return method.is_undefined() ? missing(object, key.as_text().bytes) : method;
}

} // namespace vitrine::engine
