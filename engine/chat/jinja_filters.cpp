// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: filters on single values; those on sequences are in jinja_sequence_filters.cpp.
#include "engine/chat/jinja_filters.h"

#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_strings.h"
#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <unordered_map>

namespace vitrine::engine {
namespace {

using Value = JinjaValue;
using Args = JinjaArgs;

Value length(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    static_cast<void>(jinja_bind("length", args, {}));
    std::size_t size = 0;
    if (input.is_text())
        size = utf8_count(input.as_text().bytes);
    else if (input.is_map())
        size = input.as_map()->entries.size();
    else if (input.is_list() && input.as_list()->kind != JinjaListKind::generator)
        size = input.as_list()->items.size();
    else if (!input.is_undefined())
        throw JinjaError{fmt::format("TypeError: object of type '{}' has no len()", jinja_type_name(input))};
    return Value(static_cast<std::int64_t>(size));
}

Value trim(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("trim", args, {"chars"});
    const bool has_chars = bound[0] && !bound[0]->is_null();
    const JinjaText chars = has_chars ? jinja_str(*bound[0]) : JinjaText();
    return evaluator.make(text_strip(jinja_str(input), has_chars ? &chars : nullptr, true, true));
}

Value to_string(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    static_cast<void>(jinja_bind("string", args, {}));
    return input.is_text() ? input : evaluator.make(jinja_str(input));
}

Value safe(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    JinjaText text = jinja_str(input);
    text.markup = true;
    return evaluator.make(std::move(text));
}

Value escape(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    const JinjaText text = jinja_str(input);
    if (text.markup)
        return input;
    JinjaText empty;
    empty.markup = true;
    return jinja_arithmetic(evaluator, JinjaExprKind::add, Value(empty), Value(text)); // joins, escaping the right side
}

Value default_value(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    const auto bound = jinja_bind("default", args, {"default_value", "boolean"});
    const bool replaces = input.is_undefined() || (bound[1] && bound[1]->truthy() && !input.truthy());
    return replaces ? bound[0].value_or(Value::text("")) : input;
}

template <TextCase kCase>
Value change_case(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    static_cast<void>(jinja_bind("case", args, {}));
    return evaluator.make(text_case(jinja_str(input), kCase));
}

/// jinja2's title: a word begins after white space, hyphen or an opening bracket.
Value title(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    const JinjaText text = jinja_str(input);
    JinjaText out;
    bool at_start = true;
    for (std::size_t i = 0; i < text.bytes.size();) {
        const std::size_t size = utf8_length_at(text.bytes, i);
        const char32_t c = utf8_decode_at(text.bytes, i);
        const bool separates =
            is_space(c) || (c < 0x80 && std::string_view("-({[<").find(static_cast<char>(c)) != std::string_view::npos);
        out.append(text_case(text.slice(i, i + size), at_start ? TextCase::upper : TextCase::lower));
        at_start = separates;
        i += size;
    }
    return evaluator.make(std::move(out));
}

Value replace(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("replace", args, {"old", "new", "count"});
    if (!bound[0] || !bound[1])
        throw JinjaError{"TypeError: replace needs 2 arguments"};
    return evaluator.make(text_replace(jinja_str(input), jinja_str(*bound[0]), jinja_str(*bound[1]),
        bound[2] && !bound[2]->is_null() ? jinja_integer(*bound[2]) : -1));
}

Value indent(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("indent", args, {"width", "first", "blank"});
    if (!input.is_text())
        throw JinjaError{fmt::format("TypeError: indent needs a str, not '{}'", jinja_type_name(input))};
    JinjaText step(std::string(4, ' '));
    if (bound[0] && bound[0]->is_text())
        step = bound[0]->as_text();
    else if (bound[0])
        step = JinjaText(
            std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(jinja_integer(*bound[0]), 0, 10'000)), ' '));
    const bool first = bound[1] && bound[1]->truthy();
    const bool blank = bound[2] && bound[2]->truthy();
    JinjaText text = input.as_text();
    text.append("\n"); // as jinja2: keeps a last empty line
    const std::vector<JinjaText> lines = text_lines(text, false);
    JinjaText out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0)
            out.append("\n");
        if (i == 0 ? first : blank || !lines[i].bytes.empty())
            out.append(step);
        out.append(lines[i]);
        if (out.bytes.size() > JinjaLimits::kMaxTextBytes)
            break; // make() reports it
    }
    return evaluator.make(std::move(out));
}

Value to_integer(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    const auto bound = jinja_bind("int", args, {"default", "base"});
    if (input.is_undefined())
        throw JinjaError{input.undefined_why()};
    const Value fallback = bound[0].value_or(Value(std::int64_t{0}));
    if (input.is_integral() || input.is_big())
        return input.is_big() ? input : Value(input.as_int());
    if (input.is_float())
        return std::fabs(input.as_double()) < 9.2e18 ? Value(static_cast<std::int64_t>(input.as_double())) : fallback;
    if (!input.is_text())
        return fallback;
    std::string digits = text_strip(input.as_text(), nullptr, true, true).bytes;
    std::erase(digits, '_');
    const int base = bound[1] ? static_cast<int>(std::clamp<std::int64_t>(jinja_integer(*bound[1]), 2, 36)) : 10;
    char* end = nullptr;
    errno = 0;
    const long long whole = std::strtoll(digits.c_str(), &end, base);
    if (!digits.empty() && *end == '\0' && errno == 0)
        return Value(static_cast<std::int64_t>(whole));
    const double number = std::strtod(digits.c_str(), &end);
    const bool is_number = !digits.empty() && *end == '\0' && digits.find_first_of("xX") == std::string::npos;
    return is_number && std::fabs(number) < 9.2e18 ? Value(static_cast<std::int64_t>(number)) : fallback;
}

Value to_float(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    const auto bound = jinja_bind("float", args, {"default"});
    if (input.is_undefined())
        throw JinjaError{input.undefined_why()};
    if (input.is_number())
        return Value(input.as_double());
    const std::string digits = input.is_text() ? text_strip(input.as_text(), nullptr, true, true).bytes : std::string();
    char* end = nullptr;
    const double number = std::strtod(digits.c_str(), &end);
    const bool is_number = !digits.empty() && *end == '\0' && digits.find_first_of("xX") == std::string::npos;
    return is_number ? Value(number) : bound[0].value_or(Value(0.0));
}

Value absolute(JinjaEvaluator& /*evaluator*/, const Value& input, Args& /*args*/) {
    if (input.is_float())
        return Value(std::fabs(input.as_double()));
    const std::int64_t value = jinja_integer(input);
    if (value == std::numeric_limits<std::int64_t>::min())
        throw JinjaError{"OverflowError: an integer is larger than 64 bit"};
    return Value(value < 0 ? -value : value);
}

Value round_number(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    const auto bound = jinja_bind("round", args, {"precision", "method"});
    if (!input.is_number())
        throw JinjaError{fmt::format("TypeError: round needs a number, not '{}'", jinja_type_name(input))};
    const std::int64_t precision = bound[0] ? jinja_integer(*bound[0]) : 0;
    const std::string method = bound[1] ? jinja_str(*bound[1]).bytes : "common";
    const double scale = std::pow(10.0, static_cast<double>(precision));
    if (method == "ceil" || method == "floor") {
        const double scaled = input.as_double() * scale;
        return Value((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
    }
    if (method != "common")
        throw JinjaError{"FilterArgumentError: method must be common, ceil or floor"};
    if (input.is_integral() && precision >= 0)
        return Value(input.as_int());
    if (precision >= 0 && precision < 300) // the decimal rounding of printf is Python's
        return Value(std::strtod(fmt::format("{:.{}f}", input.as_double(), precision).c_str(), nullptr));
    return Value(std::nearbyint(input.as_double() * scale) / scale);
}

Value to_json(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("tojson", args, {"ensure_ascii", "indent", "separators", "sort_keys"});
    JinjaJsonOptions options;
    options.ensure_ascii = bound[0] && bound[0]->truthy();
    options.sort_keys = bound[3] && bound[3]->truthy();
    if (bound[1] && !bound[1]->is_null()) {
        options.has_indent = true;
        options.item_separator = ",";
        options.indent = bound[1]->is_text()
            ? bound[1]->as_text().bytes
            : std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(jinja_integer(*bound[1]), 0, 1'000)), ' ');
    }
    if (bound[2] && !bound[2]->is_null()) {
        const std::vector<Value> separators = jinja_iterate(*bound[2]);
        if (separators.size() != 2)
            throw JinjaError{"ValueError: tojson needs two separators"};
        options.item_separator = jinja_str(separators[0]).bytes;
        options.key_separator = jinja_str(separators[1]).bytes;
    }
    return evaluator.make(jinja_to_json(input, options));
}

Value from_json(JinjaEvaluator& /*evaluator*/, const Value& input, Args& /*args*/) {
    if (!input.is_text())
        throw JinjaError{"TypeError: from_json needs a str"};
    auto value = jinja_from_json(input.as_text().bytes, input.as_text().has_user_bytes(), "from_json");
    if (!value)
        throw JinjaError{"JSONDecodeError: " + value.error().message};
    return *value;
}

Value format(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    if (args.keywords.empty())
        return evaluator.make(jinja_percent_format(jinja_str(input), Value::tuple(args.positional)));
    auto map = std::make_shared<JinjaMap>();
    for (const auto& [name, value] : args.keywords)
        map->set(name, value);
    return evaluator.make(jinja_percent_format(jinja_str(input), Value(std::move(map))));
}

Value center(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    if (args.positional.empty() && args.keywords.empty())
        args.positional.emplace_back(std::int64_t{80});
    return evaluator.call(jinja_method(Value(jinja_str(input)), "center"), args);
}

Value word_count(JinjaEvaluator& /*evaluator*/, const Value& input, Args& /*args*/) {
    const std::string bytes = jinja_str(input).bytes;
    std::int64_t words = 0;
    bool inside = false;
    for (std::size_t i = 0; i < bytes.size(); i += utf8_length_at(bytes, i)) {
        const char32_t c = utf8_decode_at(bytes, i);
        const bool is_word = is_alpha(c) || is_digit(c) || c == '_';
        words += is_word && !inside ? 1 : 0;
        inside = is_word;
    }
    return Value(words);
}

Value truncate(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("truncate", args, {"length", "killwords", "end", "leeway"});
    const std::int64_t limit = bound[0] ? jinja_integer(*bound[0]) : 255;
    const JinjaText end = bound[2] ? jinja_str(*bound[2]) : JinjaText("...");
    const std::int64_t leeway = bound[3] && !bound[3]->is_null() ? jinja_integer(*bound[3]) : 5;
    if (!input.is_text() && !input.is_undefined())
        throw JinjaError{fmt::format("TypeError: truncate needs a str, not '{}'", jinja_type_name(input))};
    const auto kept = limit - static_cast<std::int64_t>(utf8_count(end.bytes));
    if (kept < 0)
        throw JinjaError{"AssertionError: expected a length not below that of end"};
    const JinjaText text = jinja_str(input);
    if (static_cast<std::int64_t>(utf8_count(text.bytes)) <= limit + leeway)
        return evaluator.make(text);
    JinjaText out = jinja_slice(Value(text), Value(), Value(kept), Value()).as_text();
    if (!(bound[1] && bound[1]->truthy())) {
        const std::size_t space = out.bytes.rfind(' ');
        out = space == std::string::npos ? out : out.slice(0, space);
    }
    out.append(end);
    return evaluator.make(std::move(out));
}

Value url_encode(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    const JinjaText text = jinja_str(input);
    JinjaText out;
    for (std::size_t i = 0; i < text.bytes.size(); ++i) {
        const char c = text.bytes[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            std::string_view("_.-~/").find(c) != std::string_view::npos;
        if (plain)
            out.append(text, i, i + 1);
        else
            out.append(fmt::format("%{:02X}", static_cast<unsigned char>(c)));
    }
    return evaluator.make(std::move(out));
}

} // namespace

JinjaFilter jinja_find_filter(std::string_view name) {
    static const std::unordered_map<std::string_view, JinjaFilter> table = {
        {"length", length},
        {"count", length},
        {"trim", trim},
        {"string", to_string},
        {"safe", safe},
        {"escape", escape},
        {"e", escape},
        {"default", default_value},
        {"d", default_value},
        {"upper", change_case<TextCase::upper>},
        {"lower", change_case<TextCase::lower>},
        {"capitalize", change_case<TextCase::capitalize>},
        {"title", title},
        {"replace", replace},
        {"indent", indent},
        {"int", to_integer},
        {"float", to_float},
        {"abs", absolute},
        {"round", round_number},
        {"tojson", to_json},
        {"from_json", from_json},
        {"format", format},
        {"center", center},
        {"wordcount", word_count},
        {"truncate", truncate},
        {"urlencode", url_encode},
    };
    const auto found = table.find(name);
    return found == table.end() ? jinja_find_sequence_filter(name) : found->second;
}

} // namespace vitrine::engine
