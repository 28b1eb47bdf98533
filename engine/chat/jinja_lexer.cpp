// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the tokenizer.  Rules follow jinja2 3.1's documented lexer behaviour.
#include "engine/chat/jinja_lexer.h"

#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace vitrine::engine {
namespace {

bool is_ascii_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name_char(char c) {
    return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
        static_cast<unsigned char>(c) >= 0x80;
}

/// CRLF and CR become LF; one final newline goes.
std::string normalize(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') {
            text.push_back(source[i]);
            continue;
        }
        text.push_back('\n');
        if (i + 1 < source.size() && source[i + 1] == '\n')
            ++i;
    }
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

class Lexer {
public:
    explicit Lexer(std::string source) : source_(std::move(source)) {}

    std::vector<JinjaToken> run() {
        while (position_ < source_.size())
            lex_root();
        push(JinjaTokenKind::end, {});
        return std::move(tokens_);
    }

private:
    [[noreturn]] void error(const std::string& message) {
        move_mark(position_);
        throw JinjaError{"TemplateSyntaxError: " + message, line_, column_};
    }

    /// Line and column of `offset`; offsets come in rising order.
    void move_mark(std::size_t offset) {
        while (mark_ < offset && mark_ < source_.size()) {
            const bool is_newline = source_[mark_] == '\n';
            line_ += is_newline ? 1 : 0;
            column_ = is_newline ? 1 : column_ + 1;
            mark_ += utf8_length_at(source_, mark_);
        }
    }

    JinjaToken& push(JinjaTokenKind kind, std::string text) {
        move_mark(position_);
        return tokens_.emplace_back(JinjaToken{kind, std::move(text), {}, line_, column_});
    }

    [[nodiscard]] bool starts(std::string_view literal, std::size_t at) const {
        return source_.compare(at, literal.size(), literal) == 0;
    }
    [[nodiscard]] std::size_t skip_space(std::size_t at) const {
        while (at < source_.size() && is_space(utf8_decode_at(source_, at)))
            at += utf8_length_at(source_, at);
        return at;
    }

    [[nodiscard]] std::size_t rstrip_end(std::size_t begin, std::size_t end) const {
        std::size_t kept = begin;
        for (std::size_t i = begin; i < end; i += utf8_length_at(source_, i)) {
            if (!is_space(utf8_decode_at(source_, i)))
                kept = i + utf8_length_at(source_, i);
        }
        return kept;
    }

    /// Emits source[position_, tag) after the whitespace control of the tag that begins there.
    void push_data(std::size_t tag, char sign, bool is_variable) {
        std::size_t end = tag;
        if (sign == '-') {
            end = rstrip_end(position_, tag);
        } else if (sign != '+' && !is_variable) {
            const std::size_t newline = tag == position_ ? std::string::npos : source_.rfind('\n', tag - 1);
            const bool has_newline = newline != std::string::npos && newline >= position_;
            const std::size_t line_begin = has_newline ? newline + 1 : position_;
            if ((has_newline || line_starting_) && skip_space(line_begin) >= tag)
                end = line_begin;
        }
        if (end > position_)
            push(JinjaTokenKind::data, source_.substr(position_, end - position_));
    }

    [[nodiscard]] char sign_at(std::size_t at) const {
        return at < source_.size() && (source_[at] == '-' || source_[at] == '+') ? source_[at] : '\0';
    }

    void lex_root() {
        std::size_t tag = position_;
        while (true) {
            tag = source_.find('{', tag);
            if (tag == std::string::npos || tag + 1 >= source_.size()) {
                push(JinjaTokenKind::data, source_.substr(position_));
                position_ = source_.size();
                return;
            }
            const char next = source_[tag + 1];
            if (next == '%' || next == '{' || next == '#')
                break;
            ++tag;
        }
        const char kind = source_[tag + 1];
        const char sign = sign_at(tag + 2);
        push_data(tag, sign, kind == '{');
        position_ = tag;
        const std::size_t body = tag + 2 + (sign != '\0' ? 1 : 0);
        if (kind == '#')
            lex_comment(body);
        else if (kind == '%' && lex_raw(body))
            return;
        else
            lex_tag(body, kind == '{');
    }

    /// Position after an end tag whose literal starts at `at`, preceded by `sign`.
    std::size_t after_end(std::size_t at, char sign, bool trims_newline) {
        std::size_t next = at + 2;
        if (sign == '-')
            next = skip_space(next);
        else if (sign != '+' && trims_newline && next < source_.size() && source_[next] == '\n')
            ++next;
        line_starting_ = next > 0 && source_[next - 1] == '\n';
        return next;
    }

    void lex_comment(std::size_t body) {
        const std::size_t end = source_.find("#}", body);
        if (end == std::string::npos)
            error("Missing end of comment tag");
        position_ = after_end(end, end > body ? sign_at(end - 1) : '\0', true);
    }

    bool lex_raw(std::size_t body) {
        std::size_t at = skip_space(body);
        if (!starts("raw", at))
            return false;
        at = skip_space(at + 3);
        const bool has_minus = starts("-%}", at);
        if (!has_minus && !starts("%}", at))
            return false;
        position_ = after_end(at + (has_minus ? 1 : 0), has_minus ? '-' : '\0', false);
        for (std::size_t tag = source_.find("{%", position_); tag != std::string::npos;
             tag = source_.find("{%", tag + 1)) {
            const char sign = sign_at(tag + 2);
            std::size_t end = skip_space(tag + 2 + (sign != '\0' ? 1 : 0));
            if (!starts("endraw", end))
                continue;
            end = skip_space(end + 6);
            const char end_sign = sign_at(end);
            end += end_sign != '\0' ? 1 : 0;
            if (!starts("%}", end))
                continue;
            push_data(tag, sign, false);
            position_ = after_end(end, end_sign, true);
            return true;
        }
        error("Missing end of raw directive");
    }

    void lex_tag(std::size_t body, bool is_variable) {
        push(is_variable ? JinjaTokenKind::variable_begin : JinjaTokenKind::block_begin, {});
        position_ = body;
        std::vector<char> open;
        while (true) {
            if (position_ >= source_.size())
                return; // the parser reports the missing end
            if (open.empty() && lex_tag_end(is_variable))
                return;
            lex_inside(open);
        }
    }

    bool lex_tag_end(bool is_variable) {
        const std::string_view literal = is_variable ? "}}" : "%}";
        const char sign = sign_at(position_);
        const bool has_sign = sign == '-' || (sign == '+' && !is_variable);
        const std::size_t at = position_ + (has_sign ? 1 : 0);
        if (!starts(literal, at))
            return false;
        push(is_variable ? JinjaTokenKind::variable_end : JinjaTokenKind::block_end, {});
        position_ = after_end(at, has_sign ? sign : '\0', !is_variable);
        return true;
    }

    void lex_inside(std::vector<char>& open) {
        const char c = source_[position_];
        if (const std::size_t next = skip_space(position_); next != position_)
            position_ = next;
        else if (is_ascii_digit(c))
            lex_number();
        else if (is_name_char(c))
            lex_name();
        else if (c == '\'' || c == '"')
            lex_string(c);
        else
            lex_operator(open);
    }

    void lex_name() {
        std::size_t end = position_;
        while (end < source_.size() && is_name_char(source_[end]))
            ++end;
        push(JinjaTokenKind::name, source_.substr(position_, end - position_));
        position_ = end;
    }

    /// End of digits with single underscores between; `at` if there is none.
    template <class Predicate>
    [[nodiscard]] std::size_t digits_end(std::size_t at, Predicate is_one) const {
        std::size_t end = at;
        while (end < source_.size()) {
            if (is_one(source_[end]))
                ++end;
            else if (source_[end] == '_' && end > at && end + 1 < source_.size() && is_one(source_[end + 1]))
                end += 2;
            else
                break;
        }
        return end;
    }

    void lex_number() {
        const bool after_dot = position_ > 0 && source_[position_ - 1] == '.';
        std::size_t end = digits_end(position_, is_ascii_digit);
        bool is_float = false;
        if (!after_dot) {
            if (end + 1 < source_.size() && source_[end] == '.' && is_ascii_digit(source_[end + 1])) {
                end = digits_end(end + 1, is_ascii_digit);
                is_float = true;
            }
            if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
                const std::size_t exponent = end + 1 + (sign_at(end + 1) != '\0' ? 1 : 0);
                if (exponent < source_.size() && is_ascii_digit(source_[exponent])) {
                    end = digits_end(exponent, is_ascii_digit);
                    is_float = true;
                }
            }
        }
        if (!is_float)
            return lex_integer();
        std::string text = source_.substr(position_, end - position_);
        std::erase(text, '_');
        double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec == std::errc::result_out_of_range)
            value = text.find("e-") != std::string::npos || text.find("E-") != std::string::npos ? 0 : HUGE_VAL;
        push(JinjaTokenKind::number, {}).number = JinjaValue(value);
        position_ = end;
    }

    void lex_integer() {
        static constexpr std::array<std::pair<char, int>, 3> kBases = {{{'b', 2}, {'o', 8}, {'x', 16}}};
        int base = 10;
        std::size_t begin = position_;
        if (source_[position_] == '0' && position_ + 2 < source_.size()) {
            const char letter = static_cast<char>(source_[position_ + 1] | 0x20);
            for (const auto& [name, value] : kBases) {
                if (letter == name)
                    base = value;
            }
            begin += base != 10 ? 2 : 0;
        }
        const auto is_one = [base](char c) {
            const int value = is_ascii_digit(c)          ? c - '0'
                : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                         : 99;
            return value < base;
        };
        std::size_t end = digits_end(begin, is_one);
        if (base == 10 && source_[position_] == '0') // leading zeros are no number in Python
            end = digits_end(begin, [](char c) { return c == '0'; });
        if (end == begin)
            error("invalid number");
        std::string digits = source_.substr(begin, end - begin);
        std::erase(digits, '_');
        std::int64_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (read.ec != std::errc() && base != 10)
            error("number too large");
        push(JinjaTokenKind::number, digits).number = read.ec == std::errc()
            ? JinjaValue(value)
            : JinjaValue(JinjaBigInt{std::make_shared<const std::string>(digits)});
        position_ = end;
    }

    void lex_string(char quote) {
        std::string text;
        std::size_t at = position_ + 1;
        while (at < source_.size() && source_[at] != quote) {
            if (source_[at] == '\\' && at + 1 < source_.size())
                at = decode_escape(at + 1, text);
            else
                text.push_back(source_[at++]);
        }
        if (at >= source_.size())
            error(fmt::format("unexpected char '{}': the string has no end", quote));
        push(JinjaTokenKind::string, std::move(text));
        position_ = at + 1;
    }

    /// `at`: the character after the backslash.  Returns the position after the escape.
    std::size_t decode_escape(std::size_t at, std::string& text) {
        static constexpr std::string_view kLetters = "\\'\"abfnrtv\n";
        static constexpr std::string_view kValues = "\\'\"\a\b\f\n\r\t\v";
        const char c = source_[at];
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            if (c != '\n')
                text.push_back(kValues[known]);
            return at + 1;
        }
        if (c >= '0' && c <= '7') {
            std::uint32_t value = 0;
            std::size_t end = at;
            while (end < at + 3 && end < source_.size() && source_[end] >= '0' && source_[end] <= '7')
                value = value * 8 + static_cast<std::uint32_t>(source_[end++] - '0');
            utf8_append(text, value);
            return end;
        }
        const std::size_t num_digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (num_digits == 0) {
            text.push_back('\\'); // Python keeps what it does not know
            return at;
        }
        char32_t value = read_hex(at + 1, num_digits);
        std::size_t end = at + 1 + num_digits;
        if (value >= 0xD800 && value < 0xDC00 && starts("\\u", end)) { // a pair of surrogates is one character
            const char32_t low = read_hex(end + 2, 4);
            if (low >= 0xDC00 && low < 0xE000) {
                value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
                end += 6;
            }
        }
        utf8_append(text, value >= 0xD800 && value < 0xE000 ? char32_t{0xFFFD} : value);
        return end;
    }

    char32_t read_hex(std::size_t at, std::size_t num_digits) {
        std::uint32_t value = 0;
        const char* begin = source_.data() + std::min(at, source_.size());
        const char* end = source_.data() + std::min(at + num_digits, source_.size());
        const auto read = std::from_chars(begin, end, value, 16);
        if (read.ec != std::errc() || read.ptr != begin + num_digits || value > 0x10FFFF)
            error("a string escape is cut short or out of range");
        return value;
    }

    void lex_operator(std::vector<char>& open) {
        static constexpr std::array<std::string_view, 6> kLong = {"//", "**", "==", "!=", ">=", "<="};
        static constexpr std::string_view kShort = "+-*/%~[](){}><=.:|,;";
        std::string text;
        for (const std::string_view candidate : kLong) {
            if (starts(candidate, position_))
                text = candidate;
        }
        const char c = source_[position_];
        if (text.empty() && kShort.find(c) == std::string_view::npos)
            error(fmt::format("unexpected char '{}'", source_.substr(position_, utf8_length_at(source_, position_))));
        if (text.empty())
            text = std::string(1, c);
        if (c == '(' || c == '[' || c == '{')
            open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
        if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back() != c)
                error(fmt::format("unexpected '{}'", c));
            open.pop_back();
        }
        const std::size_t length = text.size();
        push(JinjaTokenKind::op, std::move(text));
        position_ += length;
    }

    std::string source_;
    std::vector<JinjaToken> tokens_;
    std::size_t position_ = 0;
    bool line_starting_ = true;
    std::size_t mark_ = 0;
    int line_ = 1;
    int column_ = 1;
};

} // namespace

std::vector<JinjaToken> jinja_tokenize(std::string_view source) {
    return Lexer(normalize(source)).run();
}

} // namespace vitrine::engine
