// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: recursive descent over GBNF.
#include "engine/grammar/gbnf_parser.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/base/utf8.h"
#include "engine/grammar/expression.h"
#include "engine/grammar/text_cursor.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxSourceBytes = 256U << 10U;
constexpr int kMaxNesting = 128;
constexpr int kMaxRules = 20'000;

class Parser : TextCursor {
public:
    Parser(GrammarBuilder& builder, std::string_view source) : TextCursor(source), builder_(builder) {}

    GrammarRule parse() {
        skip_space(true);
        while (!at_end())
            parse_rule();
        for (const auto& [name, rule] : rules_)
            if (!rule.defined)
                refuse(fmt::format("the rule '{}' is used and not defined", name), rule.first_use);
        const auto root = rules_.find("root");
        if (root == rules_.end())
            refuse_grammar("grammar: the rule 'root' is missing", {}, "Define root ::= ...");
        return root->second.id;
    }

private:
    struct Rule {
        GrammarRule id{};
        bool defined = false;
        std::size_t first_use = 0;
    };

    [[noreturn]] void refuse(const std::string& what, std::size_t at) const {
        const std::string_view before = source_.substr(0, at);
        const auto line = 1 + std::ranges::count(before, '\n');
        const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        refuse_grammar(fmt::format(
            "grammar, line {}, column {}: {}", line, 1 + count_code_points(before.substr(line_start)), what));
    }
    [[noreturn]] void refuse(const std::string& what) const { refuse(what, at_); }

    void skip_space(bool newlines) {
        while (!at_end()) {
            const char c = peek();
            if (c == '#')
                at_ = std::min(source_.find_first_of("\r\n", at_), source_.size());
            else if (c == ' ' || c == '\t' || (newlines && (c == '\r' || c == '\n')))
                ++at_;
            else
                return;
        }
    }
    [[nodiscard]] static bool is_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
    std::string parse_name() {
        const std::size_t begin = at_;
        while (is_name(peek()))
            ++at_;
        if (at_ == begin)
            refuse(at_end() ? "a rule name is expected, but the grammar ends" : "a rule name is expected");
        return std::string(source_.substr(begin, at_ - begin));
    }
    Rule& rule_named(const std::string& name, std::size_t at) {
        const auto [found, fresh] = rules_.try_emplace(name);
        if (fresh && rules_.size() > kMaxRules)
            refuse(fmt::format("more than {} rules", kMaxRules), at);
        if (fresh)
            found->second = {builder_.add_rule(name), false, at};
        return found->second;
    }

    void parse_rule() {
        const std::size_t begin = at_;
        const std::string name = parse_name();
        skip_space(false);
        if (!take("::="))
            refuse("::= is expected behind the rule name");
        skip_space(true);
        Rule& rule = rule_named(name, begin);
        if (std::exchange(rule.defined, true))
            refuse(fmt::format("the rule '{}' is defined twice", name), begin);
        const GrammarRule id = rule.id;
        const Expression body = parse_alternatives(false);
        builder_.epsilon(draw(builder_, body, builder_.start(id)), builder_.accept(id));
        if (!at_end() && peek() != '\r' && peek() != '\n')
            refuse(peek() == ')' ? "there is no ( for this )" : "the end of the line is expected");
        skip_space(true);
    }

    Expression parse_alternatives(bool nested) {
        if (++nesting_ > kMaxNesting)
            refuse(fmt::format("groups nest deeper than {}", kMaxNesting));
        Expression alternatives;
        alternatives.kind = ExpressionKind::alternation;
        alternatives.children.push_back(parse_sequence(nested));
        while (take("|")) {
            skip_space(true);
            alternatives.children.push_back(parse_sequence(nested));
        }
        --nesting_;
        if (alternatives.children.size() == 1)
            return std::move(alternatives.children.front());
        return alternatives;
    }

    Expression parse_sequence(bool nested) {
        Expression sequence;
        while (!at_end()) {
            const char c = peek();
            if (c == '"')
                sequence.children.push_back(parse_literal());
            else if (c == '[')
                sequence.children.push_back(parse_class());
            else if (c == '.')
                sequence.children.push_back(any_character());
            else if (c == '(')
                sequence.children.push_back(parse_group());
            else if (c == '<' || (c == '!' && peek(1) == '<'))
                sequence.children.push_back(parse_token());
            else if (is_name(c))
                sequence.children.push_back(parse_reference());
            else if (c == '*' || c == '+' || c == '?' || c == '{')
                parse_repetition(sequence);
            else
                break;
            skip_space(nested);
        }
        return sequence;
    }

    Expression any_character() {
        ++at_;
        Expression any;
        any.kind = ExpressionKind::characters;
        any.set = complement_of({});
        return any;
    }

    Expression parse_group() {
        const std::size_t begin = at_++;
        skip_space(true);
        Expression group = parse_alternatives(true);
        if (!take(")"))
            refuse(at_end() ? "the ( is not closed" : "a character that belongs to no expression stands here",
                at_end() ? begin : at_);
        return group;
    }

    Expression parse_reference() {
        const std::size_t begin = at_;
        const std::string name = parse_name();
        Expression reference;
        reference.kind = ExpressionKind::reference;
        reference.rule = rule_named(name, begin).id;
        return reference;
    }

    Expression parse_token() {
        const std::size_t begin = at_;
        if (take("!"))
            refuse("'any token but' is not supported", begin);
        const std::size_t end = std::min(source_.find_first_of(">\r\n", at_), source_.size());
        if (end >= source_.size() || source_[end] != '>')
            refuse("the < is not closed", begin);
        const std::string_view spelling = source_.substr(at_, end + 1 - at_);
        at_ = end + 1;
        Expression token;
        token.kind = ExpressionKind::token;
        if (spelling.starts_with("<[") && spelling.ends_with("]>")) {
            std::int64_t id = 0;
            for (const char digit : spelling.substr(2, spelling.size() - 4)) {
                if (digit < '0' || digit > '9' || id > 100'000'000)
                    refuse("a token id is expected between <[ and ]>", begin);
                id = id * 10 + (digit - '0');
            }
            token.token = static_cast<TokenId>(id);
            return token;
        }
        const auto& lookup = builder_.context().control_token;
        const auto id = lookup ? lookup(spelling) : std::nullopt;
        if (!id)
            refuse(fmt::format("the vocabulary has no control token {}", spelling), begin);
        token.token = *id;
        return token;
    }

    char32_t parse_hex(int num_digits, std::size_t begin) {
        char32_t value = 0;
        for (int i = 0; i < num_digits; ++i) {
            const char c = peek();
            const int digit = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'f'             ? c - 'a' + 10
                : c >= 'A' && c <= 'F'             ? c - 'A' + 10
                                                   : -1;
            if (digit < 0)
                refuse(fmt::format("{} hexadecimal digits are expected", num_digits), begin);
            value = value * 16 + static_cast<char32_t>(digit);
            ++at_;
        }
        if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
            refuse(fmt::format("U+{:04X} is no character", static_cast<std::uint32_t>(value)), begin);
        return value;
    }

    char32_t parse_character() {
        const std::size_t begin = at_;
        if (take("\\")) {
            const char c = peek();
            ++at_;
            switch (c) {
            case 'n':
                return U'\n';
            case 'r':
                return U'\r';
            case 't':
                return U'\t';
            case 'x':
                return parse_hex(2, begin);
            case 'u':
                return parse_hex(4, begin);
            case 'U':
                return parse_hex(8, begin);
            case '\\':
            case '"':
            case '[':
            case ']':
            case '-':
            case '^':
                return static_cast<char32_t>(c);
            default:
                refuse("unknown escape", begin);
            }
        }
        const Utf8Step step = decode_utf8(source_, at_);
        if (!step.valid)
            refuse("this is not UTF-8");
        at_ += static_cast<std::size_t>(step.length);
        return step.code_point;
    }

    Expression parse_literal() {
        const std::size_t begin = at_++;
        Expression literal;
        while (true) {
            if (at_end() || peek() == '\n')
                refuse("the \" is not closed", begin);
            if (take("\""))
                return literal;
            Expression one;
            one.kind = ExpressionKind::characters;
            const char32_t code_point = parse_character();
            one.set = {{code_point, code_point}};
            literal.children.push_back(std::move(one));
        }
    }

    Expression parse_class() {
        const std::size_t begin = at_++;
        const bool negated = take("^");
        CodePointSet set;
        while (!take("]")) {
            if (at_end() || peek() == '\n')
                refuse("the [ is not closed", begin);
            const char32_t first = parse_character();
            char32_t last = first;
            if (peek() == '-' && peek(1) != ']' && peek(1) != '\0') {
                ++at_;
                last = parse_character();
                if (last < first)
                    refuse("the range runs backwards");
            }
            set.push_back({first, last});
        }
        Expression one;
        one.kind = ExpressionKind::characters;
        one.set = normalized(std::move(set));
        if (negated)
            one.set = complement_of(one.set);
        if (one.set.empty())
            refuse("the class holds no character", begin);
        return one;
    }

    int parse_number() {
        const std::size_t begin = at_;
        int value = 0;
        while (peek() >= '0' && peek() <= '9') {
            value = value * 10 + (peek() - '0');
            if (value > kMaxRepetitions)
                refuse(fmt::format("more than {} repetitions", kMaxRepetitions), begin);
            ++at_;
        }
        if (at_ == begin)
            refuse("a number is expected");
        return value;
    }

    void parse_repetition(Expression& sequence) {
        const std::size_t begin = at_;
        if (sequence.children.empty())
            refuse("there is nothing to repeat");
        Expression repetition;
        repetition.kind = ExpressionKind::repetition;
        const char c = peek();
        ++at_;
        repetition.min = c == '+' ? 1 : 0;
        repetition.max = c == '?' ? 1 : Expression::kUnbounded;
        if (c == '{') {
            skip_space(false);
            repetition.min = parse_number();
            repetition.max = repetition.min;
            skip_space(false);
            if (take(",")) {
                skip_space(false);
                repetition.max = peek() == '}' ? Expression::kUnbounded : parse_number();
                skip_space(false);
            }
            if (!take("}"))
                refuse("} is expected");
            if (repetition.max != Expression::kUnbounded && repetition.max < repetition.min)
                refuse(fmt::format("at least {} and at most {} cannot both be", repetition.min, repetition.max), begin);
            if (repetition.max == 0)
                refuse("a repetition of nothing", begin);
        }
        repetition.children.push_back(std::move(sequence.children.back()));
        sequence.children.back() = std::move(repetition);
    }

    GrammarBuilder& builder_;
    int nesting_ = 0;
    std::map<std::string, Rule> rules_;
};

} // namespace

GrammarRule add_gbnf(GrammarBuilder& builder, std::string_view source) {
    if (source.size() > kMaxSourceBytes)
        refuse_grammar(fmt::format("the grammar has {} bytes, at most {} are taken", source.size(), kMaxSourceBytes));
    if (source.find('\0') != std::string_view::npos)
        refuse_grammar("the grammar holds a zero byte");
    return Parser(builder, source).parse();
}

} // namespace vitrine::engine
