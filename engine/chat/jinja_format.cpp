// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: Python's "%" and str.format.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

/// [[fill]align][sign][#][0][width][,][.precision][type]
struct Spec {
    std::string fill = " ";
    char align = '\0';
    char sign = '-';
    bool alternate = false;
    bool comma = false;
    std::int64_t width = 0;
    int precision = -1;
    char type = '\0';
};

constexpr std::int64_t kMaxWidth = 1 << 20;

std::int64_t read_number(std::string_view text, std::size_t& at) {
    std::int64_t value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        value = value * 10 + (text[at] - '0');
        if (value > kMaxWidth)
            throw JinjaError{"ValueError: too large a width in a format"};
    }
    return value;
}

bool is_align(std::string_view text, std::size_t at) {
    return at < text.size() && std::string_view("<>^=").find(text[at]) != std::string_view::npos;
}

Spec parse_spec(std::string_view text) {
    Spec spec;
    std::size_t at = 0;
    const std::size_t first = text.empty() ? 0 : utf8_length_at(text, 0);
    if (!text.empty() && is_align(text, first)) {
        spec.fill = text.substr(0, first);
        spec.align = text[first];
        at = first + 1;
    } else if (is_align(text, 0)) {
        spec.align = text[at++];
    }
    if (at < text.size() && (text[at] == '+' || text[at] == '-' || text[at] == ' '))
        spec.sign = text[at++];
    if (at < text.size() && text[at] == '#') {
        spec.alternate = true;
        ++at;
    }
    if (at < text.size() && text[at] == '0') {
        ++at;
        if (spec.align == '\0') {
            spec.fill = "0";
            spec.align = '=';
        }
    }
    spec.width = read_number(text, at);
    if (at < text.size() && text[at] == ',') {
        spec.comma = true;
        ++at;
    }
    if (at < text.size() && text[at] == '.')
        spec.precision = static_cast<int>(std::min<std::int64_t>(read_number(text, ++at), 10'000));
    if (at < text.size())
        spec.type = text[at++];
    if (at != text.size())
        throw JinjaError{"ValueError: Invalid format specifier"};
    return spec;
}

void add_commas(std::string& digits) {
    const std::size_t end = std::min(digits.find_first_not_of("0123456789"), digits.size());
    for (std::size_t at = end; at > 3; at -= 3)
        digits.insert(at - 3, ",");
}

JinjaText pad(const JinjaText& body, const Spec& spec, char default_align, std::string_view sign = {}) {
    const auto length = static_cast<std::int64_t>(utf8_count(body.bytes) + sign.size());
    const std::int64_t missing = std::max<std::int64_t>(spec.width - length, 0);
    const char align = spec.align != '\0' ? spec.align : default_align;
    const std::int64_t left = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
    JinjaText out;
    if (align == '=')
        out.append(sign);
    for (std::int64_t i = 0; i < left; ++i)
        out.append(std::string_view(spec.fill));
    if (align != '=')
        out.append(sign);
    out.append(body);
    for (std::int64_t i = left; i < missing; ++i)
        out.append(std::string_view(spec.fill));
    return out;
}

std::string float_digits(double value, const Spec& spec) {
    const int precision = spec.precision < 0 ? 6 : std::min(spec.precision, 400);
    switch (spec.type) {
    case 'f':
    case 'F':
        return fmt::format("{:.{}f}", value, precision);
    case 'e':
        return fmt::format("{:.{}e}", value, precision);
    case 'E':
        return fmt::format("{:.{}E}", value, precision);
    case 'g':
    case 'G':
        return fmt::format("{:.{}g}", value, std::max(precision, 1));
    case '%':
        return fmt::format("{:.{}f}%", value * 100, precision);
    case '\0':
        return spec.precision >= 0 ? fmt::format("{:.{}g}", value, std::max(precision, 1)) : jinja_float_repr(value);
    default:
        throw JinjaError{fmt::format("ValueError: Unknown format code '{}' for a float", spec.type)};
    }
}

std::string integer_digits(std::uint64_t magnitude, const Spec& spec) {
    switch (spec.type) {
    case 'x':
        return fmt::format(fmt::runtime(spec.alternate ? "{:#x}" : "{:x}"), magnitude);
    case 'X':
        return fmt::format(fmt::runtime(spec.alternate ? "{:#X}" : "{:X}"), magnitude);
    case 'o':
        return spec.alternate ? fmt::format("0o{:o}", magnitude) : fmt::format("{:o}", magnitude);
    case 'b':
        return fmt::format(fmt::runtime(spec.alternate ? "{:#b}" : "{:b}"), magnitude);
    case '\0':
    case 'd':
    case 'i':
    case 'u':
    case 'n':
        return std::to_string(magnitude);
    default:
        throw JinjaError{fmt::format("ValueError: Unknown format code '{}' for an int", spec.type)};
    }
}

JinjaText format_number(const JinjaValue& value, const Spec& spec) {
    const bool as_float = value.is_float() || std::string_view("fFeEgG%").find(spec.type) != std::string_view::npos;
    bool is_negative = false;
    std::string digits;
    if (as_float && spec.type != '\0') {
        is_negative = std::signbit(value.as_double());
        digits = float_digits(std::fabs(value.as_double()), spec);
    } else if (value.is_float()) {
        is_negative = std::signbit(value.as_double());
        digits = float_digits(std::fabs(value.as_double()), spec);
    } else {
        is_negative = value.as_int() < 0;
        const auto bits = static_cast<std::uint64_t>(value.as_int());
        digits = integer_digits(is_negative ? 0 - bits : bits, spec);
    }
    if (spec.comma)
        add_commas(digits);
    const std::string_view sign = is_negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
    return pad(JinjaText(digits), spec, '>', sign);
}

JinjaText cut(const JinjaText& text, int precision) {
    if (precision < 0)
        return text;
    const std::vector<std::size_t> offsets = utf8_offsets(text.bytes);
    return text.slice(0, offsets[std::min(offsets.size() - 1, static_cast<std::size_t>(precision))]);
}

JinjaText format_value(const JinjaValue& value, std::string_view spec_text) {
    if (spec_text.empty())
        return jinja_str(value);
    const Spec spec = parse_spec(spec_text);
    if (value.is_number() && !(value.is_bool() && spec.type == '\0'))
        return format_number(value, spec);
    if (!value.is_text() && !value.is_bool())
        throw JinjaError{
            fmt::format("TypeError: unsupported format string passed to {}.__format__", jinja_type_name(value))};
    if (spec.type != '\0' && spec.type != 's')
        throw JinjaError{fmt::format("ValueError: Unknown format code '{}' for object of type 'str'", spec.type)};
    return pad(cut(jinja_str(value), spec.precision), spec, '<');
}

/// One value of "%": the next of a tuple, or the value itself, or a key of a map.
class PercentArgs {
public:
    explicit PercentArgs(const JinjaValue& args) : args_(args) {
        is_tuple_ = args.is_list() && args.as_list()->kind == JinjaListKind::tuple;
    }
    JinjaValue next() {
        const std::size_t size = is_tuple_ ? args_.as_list()->items.size() : 1;
        if (used_ >= size)
            throw JinjaError{"TypeError: not enough arguments for format string"};
        ++used_;
        return is_tuple_ ? args_.as_list()->items[used_ - 1] : args_;
    }
    JinjaValue key(std::string_view name) {
        if (!args_.is_map())
            throw JinjaError{"TypeError: format requires a mapping"};
        const JinjaValue* value = args_.as_map()->find(name);
        if (value == nullptr)
            throw JinjaError{fmt::format("KeyError: '{}'", name)};
        ++used_;
        return *value;
    }
    void check_all_used() const {
        const bool unused = is_tuple_ ? used_ < args_.as_list()->items.size()
                                      : used_ == 0 && !args_.is_map() && !args_.is_list() && !args_.is_undefined();
        if (unused)
            throw JinjaError{"TypeError: not all arguments converted during string formatting"};
    }

private:
    const JinjaValue& args_;
    bool is_tuple_ = false;
    std::size_t used_ = 0;
};

JinjaText percent_conversion(const JinjaValue& value, Spec spec) {
    switch (spec.type) {
    case 's':
    case 'r':
    case 'a':
        spec.fill = " ";
        spec.align = spec.align == '<' ? '<' : '>';
        return pad(cut(spec.type == 's' ? jinja_str(value) : jinja_repr(value), spec.precision), spec, '>');
    case 'c':
        if (value.is_text())
            return pad(value.as_text(), spec, '>');
        return pad(
            [&] {
                JinjaText text;
                utf8_append(text.bytes, static_cast<char32_t>(jinja_integer(value)));
                return text;
            }(),
            spec, '>');
    default:
        break;
    }
    if (!value.is_number())
        throw JinjaError{
            fmt::format("TypeError: %{} format: a real number is required, not {}", spec.type, jinja_type_name(value))};
    const bool is_integer_type = std::string_view("diu").find(spec.type) != std::string_view::npos;
    if (is_integer_type && value.is_float())
        return format_number(JinjaValue(static_cast<std::int64_t>(value.as_double())), spec);
    if (value.is_float() && std::string_view("xXo").find(spec.type) != std::string_view::npos)
        throw JinjaError{fmt::format("TypeError: %{} format: an integer is required, not float", spec.type)};
    return format_number(value, spec);
}

class BraceFormatter {
public:
    BraceFormatter(JinjaEvaluator& evaluator, const JinjaText& format, const JinjaArgs& args)
        : evaluator_(evaluator), format_(format), args_(args) {}

    JinjaText run() {
        const std::string& bytes = format_.bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const char c = bytes[i];
            const bool doubled = i + 1 < bytes.size() && bytes[i + 1] == c;
            if (c != '{' && c != '}') {
                out_.append(format_, i, i + 1);
            } else if (doubled) {
                out_.append(format_, i, i + 1);
                ++i;
            } else if (c == '}') {
                throw JinjaError{"ValueError: Single '}' encountered in format string"};
            } else {
                i = field(i + 1);
            }
        }
        return std::move(out_);
    }

private:
    /// From after '{' to the position of its '}'.
    std::size_t field(std::size_t begin) {
        std::size_t end = begin;
        int open = 1;
        for (; end < format_.bytes.size(); ++end) {
            open += format_.bytes[end] == '{' ? 1 : format_.bytes[end] == '}' ? -1 : 0;
            if (open == 0)
                break;
        }
        if (open != 0)
            throw JinjaError{"ValueError: expected '}' before end of string"};
        const std::string_view text = std::string_view(format_.bytes).substr(begin, end - begin);
        const std::size_t colon = text.find(':');
        std::string_view name = text.substr(0, colon);
        std::string spec(colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
        char conversion = '\0';
        if (const std::size_t mark = name.find('!'); mark != std::string_view::npos) {
            conversion = mark + 1 < name.size() ? name[mark + 1] : '\0';
            name = name.substr(0, mark);
        }
        const JinjaValue value = lookup(name);
        if (spec.find('{') != std::string::npos) // one level of nesting, as in Python
            spec = expand(spec);
        const JinjaText shown = conversion == 'r' ? format_value(JinjaValue(jinja_repr(value)), spec)
            : conversion == 's'                   ? format_value(JinjaValue(jinja_str(value)), spec)
                                                  : format_value(value, spec);
        out_.append(shown);
        evaluator_.check_text_size(shown.bytes.size());
        return end;
    }

    std::string expand(std::string_view spec) {
        std::string out;
        for (std::size_t i = 0; i < spec.size(); ++i) {
            const std::size_t end = spec[i] == '{' ? spec.find('}', i) : i;
            if (spec[i] != '{' || end == std::string_view::npos) {
                out.push_back(spec[i]);
                continue;
            }
            out += jinja_str(lookup(spec.substr(i + 1, end - i - 1))).bytes;
            i = end;
        }
        return out;
    }

    JinjaValue lookup(std::string_view path) {
        const std::size_t end = std::min(path.find_first_of(".["), path.size());
        JinjaValue value = argument(path.substr(0, end));
        path.remove_prefix(end);
        while (!path.empty()) {
            const bool is_item = path[0] == '[';
            const std::size_t stop = is_item ? path.find(']') : std::min(path.find_first_of(".[", 1), path.size());
            if (stop == std::string_view::npos)
                throw JinjaError{"ValueError: Missing ']' in format string"};
            const std::string_view part = path.substr(1, stop - 1);
            const bool is_index =
                is_item && !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
            std::size_t at = 0;
            value = is_index ? jinja_item(evaluator_, value, JinjaValue(read_number(part, at)))
                : is_item    ? jinja_item(evaluator_, value, JinjaValue::text(part))
                             : jinja_attribute(evaluator_, value, part);
            path.remove_prefix(stop + (is_item ? 1 : 0));
        }
        return value;
    }

    JinjaValue argument(std::string_view name) {
        std::size_t index = next_;
        if (name.empty()) {
            ++next_;
        } else if (name.find_first_not_of("0123456789") == std::string_view::npos) {
            std::size_t at = 0;
            index = static_cast<std::size_t>(read_number(name, at));
        } else {
            for (const auto& [key, value] : args_.keywords) {
                if (key == name)
                    return value;
            }
            throw JinjaError{fmt::format("KeyError: '{}'", name)};
        }
        if (index >= args_.positional.size())
            throw JinjaError{"IndexError: Replacement index out of range for positional args tuple"};
        return args_.positional[index];
    }

    JinjaEvaluator& evaluator_;
    const JinjaText& format_;
    const JinjaArgs& args_;
    JinjaText out_;
    std::size_t next_ = 0;
};

/// Flags, width and precision of a "%" conversion; at: after the '%' and an optional (key).
Spec percent_spec(std::string_view bytes, std::size_t& at, PercentArgs& source) {
    Spec spec;
    for (; at < bytes.size() && std::string_view("-+ #0").find(bytes[at]) != std::string_view::npos; ++at) {
        const char flag = bytes[at];
        if (flag == '-')
            spec.align = '<';
        else if (flag == '0' && spec.align == '\0')
            spec.align = '=';
        else if (flag == '+' || flag == ' ')
            spec.sign = flag;
        else if (flag == '#')
            spec.alternate = true;
    }
    if (spec.align == '=')
        spec.fill = "0";
    if (at < bytes.size() && bytes[at] == '*') {
        ++at;
        spec.width = std::clamp<std::int64_t>(jinja_integer(source.next()), 0, kMaxWidth);
    } else {
        spec.width = read_number(bytes, at);
    }
    if (at < bytes.size() && bytes[at] == '.')
        spec.precision = static_cast<int>(std::min<std::int64_t>(read_number(bytes, ++at), 10'000));
    while (at < bytes.size() && (bytes[at] == 'l' || bytes[at] == 'h' || bytes[at] == 'L'))
        ++at;
    if (at >= bytes.size())
        throw JinjaError{"ValueError: incomplete format"};
    spec.type = bytes[at];
    return spec;
}

} // namespace

JinjaText jinja_percent_format(const JinjaText& format, const JinjaValue& args) {
    PercentArgs source(args);
    JinjaText out;
    const std::string& bytes = format.bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != '%') {
            out.append(format, i, i + 1);
            continue;
        }
        std::size_t at = i + 1;
        std::optional<JinjaValue> named;
        if (at < bytes.size() && bytes[at] == '(') {
            const std::size_t close = bytes.find(')', at);
            if (close == std::string::npos)
                throw JinjaError{"ValueError: incomplete format key"};
            named = source.key(std::string_view(bytes).substr(at + 1, close - at - 1));
            at = close + 1;
        }
        const Spec spec = percent_spec(bytes, at, source);
        i = at;
        if (spec.type == '%')
            out.append("%");
        else if (std::string_view("sradiuxXofFeEgGc").find(spec.type) == std::string_view::npos)
            throw JinjaError{fmt::format("ValueError: unsupported format character '{}'", spec.type)};
        else
            out.append(percent_conversion(named ? *named : source.next(), spec));
        if (out.bytes.size() > JinjaLimits::kMaxTextBytes)
            throw JinjaError{"MemoryError: a formatted text is too large"};
    }
    source.check_all_used();
    return out;
}

JinjaText jinja_brace_format(JinjaEvaluator& evaluator, const JinjaText& format, const JinjaArgs& args) {
    return BraceFormatter(evaluator, format, args).run();
}

} // namespace vitrine::engine
