// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: JSON's own grammar (RFC 8259).
#include "engine/grammar/json_text.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/utf8.h"
#include "engine/grammar/gbnf_parser.h"

namespace vitrine::engine {
namespace {

constexpr int kMaxIndent = 20;
// Escapes of two characters, by what they stand for.
constexpr std::array<std::pair<char32_t, char>, 7> kShortEscapes{
    {{U'"', '"'}, {U'\\', '\\'}, {U'\b', 'b'}, {U'\f', 'f'}, {U'\n', 'n'}, {U'\r', 'r'}, {U'\t', 't'}}};
constexpr std::string_view kInteger = R"(root ::= "0" | "-"? [1-9] [0-9]{0,15})";
constexpr std::string_view kNumber =
    R"(root ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? exponent)?
exponent ::= [0-9]{1,2} | "1" [0-9] [0-9] | "2" [0-8] [0-9])";

const CodePointSet& plain_characters() {
    static const CodePointSet set = complement_of(normalized({{0, 0x1F}, {U'"', U'"'}, {U'\\', U'\\'}}));
    return set;
}

std::string spelled(char32_t code_point) {
    for (const auto& [meant, letter] : kShortEscapes)
        if (meant == code_point)
            return {'\\', letter};
    if (code_point < 0x20)
        return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code_point));
    std::string text;
    append_utf8(text, code_point);
    return text;
}

} // namespace

GrammarNode JsonText::space(GrammarNode from) {
    if (!space_) {
        space_ = builder_.add_rule("white space");
        const GrammarNode start = builder_.start(*space_);
        const GrammarNode accept = builder_.accept(*space_);
        builder_.epsilon(start, accept);
        builder_.bytes(start, ' ', ' ', accept);
        GrammarNode indent = builder_.text(start, "\n");
        for (int i = 0; i < kMaxIndent; ++i) {
            builder_.epsilon(indent, accept);
            const GrammarNode next = builder_.add_node();
            builder_.bytes(indent, ' ', ' ', next);
            builder_.bytes(indent, '\t', '\t', next);
            indent = next;
        }
        builder_.epsilon(indent, accept);
    }
    return builder_.call(from, *space_);
}

GrammarNode JsonText::hex_digits(GrammarNode from, int count) {
    for (int i = 0; i < count; ++i) {
        const GrammarNode to = builder_.add_node();
        builder_.bytes(from, '0', '9', to);
        builder_.bytes(from, 'a', 'f', to);
        builder_.bytes(from, 'A', 'F', to);
        from = to;
    }
    return from;
}

void JsonText::draw_escapes(GrammarNode from, GrammarNode to) {
    const GrammarNode escaped = builder_.text(from, "\\");
    for (const char c : std::string_view("\"\\/bfnrt"))
        builder_.bytes(escaped, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c), to);
    const GrammarNode hex = builder_.text(escaped, "u");
    // Any but D800 to DFFF; those only as a pair.
    const GrammarNode free = builder_.add_node();
    builder_.bytes(hex, '0', '9', free);
    for (const char c : std::string_view("abcefABCEF"))
        builder_.bytes(hex, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c), free);
    builder_.epsilon(hex_digits(free, 3), to);
    const GrammarNode d = builder_.add_node();
    builder_.bytes(hex, 'd', 'd', d);
    builder_.bytes(hex, 'D', 'D', d);
    const GrammarNode below = builder_.add_node();
    builder_.bytes(d, '0', '7', below);
    builder_.epsilon(hex_digits(below, 2), to);
    const GrammarNode high = builder_.add_node();
    builder_.bytes(d, '8', '9', high);
    builder_.bytes(d, 'a', 'b', high);
    builder_.bytes(d, 'A', 'B', high);
    const GrammarNode second = builder_.text(hex_digits(high, 2), "\\u");
    const GrammarNode second_d = builder_.add_node();
    builder_.bytes(second, 'd', 'd', second_d);
    builder_.bytes(second, 'D', 'D', second_d);
    const GrammarNode low = builder_.add_node();
    builder_.bytes(second_d, 'c', 'f', low);
    builder_.bytes(second_d, 'C', 'F', low);
    builder_.epsilon(hex_digits(low, 2), to);
}

GrammarRule JsonText::character() {
    if (!character_) {
        character_ = builder_.add_rule("a character");
        builder_.code_points(builder_.start(*character_), plain_characters(), builder_.accept(*character_));
        draw_escapes(builder_.start(*character_), builder_.accept(*character_));
    }
    return *character_;
}

GrammarRule JsonText::character_of(const CodePointSet& set) {
    if (const auto found = characters_.find(set); found != characters_.end())
        return found->second;
    const GrammarRule rule = builder_.add_rule("a character");
    const GrammarNode start = builder_.start(rule);
    const GrammarNode accept = builder_.accept(rule);
    builder_.code_points(start, intersection_of(set, plain_characters()), accept);
    for (char32_t code_point = 0; code_point <= U'\\'; ++code_point)
        if ((code_point < 0x20 || code_point == U'"' || code_point == U'\\') && contains(set, code_point))
            builder_.epsilon(builder_.text(start, spelled(code_point)), accept);
    characters_.emplace(set, rule);
    return rule;
}

GrammarRule JsonText::string() {
    if (!string_) {
        string_ = builder_.add_rule("a string");
        const GrammarNode inside = builder_.text(builder_.start(*string_), "\"");
        builder_.call(inside, character(), inside);
        builder_.bytes(inside, '"', '"', builder_.accept(*string_));
    }
    return *string_;
}

GrammarRule JsonText::integer() {
    if (!integer_)
        integer_ = add_gbnf(builder_, kInteger);
    return *integer_;
}

GrammarRule JsonText::number() {
    if (!number_)
        number_ = add_gbnf(builder_, kNumber);
    return *number_;
}

GrammarRule JsonText::value() {
    if (!value_) {
        value_ = builder_.add_rule("a value");
        const GrammarNode start = builder_.start(*value_);
        const GrammarNode accept = builder_.accept(*value_);
        for (const GrammarRule rule : {object(), array(), string(), number()})
            builder_.call(start, rule, accept);
        for (const std::string_view word : {"true", "false", "null"})
            builder_.epsilon(builder_.text(start, word), accept);
    }
    return *value_;
}

void JsonText::list(GrammarRule rule, std::string_view brackets, GrammarRule item, bool keyed) {
    const GrammarNode open = builder_.text(builder_.start(rule), brackets.substr(0, 1));
    const GrammarNode first = space(open);
    const GrammarNode begin = builder_.add_node();
    builder_.epsilon(first, begin);
    GrammarNode at = begin;
    if (keyed)
        at = space(builder_.text(space(builder_.call(begin, string())), ":"));
    const GrammarNode behind = space(builder_.call(at, item));
    builder_.epsilon(space(builder_.text(behind, ",")), begin);
    const auto close = static_cast<std::uint8_t>(brackets[1]);
    builder_.bytes(first, close, close, builder_.accept(rule));
    builder_.bytes(behind, close, close, builder_.accept(rule));
}

GrammarRule JsonText::object() {
    if (!object_) {
        object_ = builder_.add_rule("an object");
        list(*object_, "{}", value(), true);
    }
    return *object_;
}

GrammarRule JsonText::array() {
    if (!array_) {
        array_ = builder_.add_rule("an array");
        list(*array_, "[]", value(), false);
    }
    return *array_;
}

GrammarNode JsonText::quoted(GrammarNode from, std::string_view text) {
    std::string spelling = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        spelling += spelled(step.code_point);
        at += static_cast<std::size_t>(step.length);
    }
    return builder_.text(from, spelling + "\"");
}

GrammarNode JsonText::literal(GrammarNode from, const nlohmann::ordered_json& value) {
    if (value.is_string())
        return quoted(from, value.get_ref<const std::string&>());
    if (!value.is_structured())
        return builder_.text(from, value.dump());
    const bool keyed = value.is_object();
    from = space(builder_.text(from, keyed ? "{" : "["));
    bool first = true;
    for (const auto& [key, item] : value.items()) {
        if (!std::exchange(first, false))
            from = space(builder_.text(space(from), ","));
        if (keyed)
            from = space(builder_.text(space(quoted(from, key)), ":"));
        from = literal(from, item);
    }
    return builder_.text(first ? from : space(from), keyed ? "}" : "]");
}

} // namespace vitrine::engine
