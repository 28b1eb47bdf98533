// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: recursive descent over regular expressions.
#include "engine/grammar/regex_parser.h"
#include "engine/grammar/text_cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxPatternBytes = 64U << 10U;
constexpr int kMaxNesting = 128;

const CodePointSet kDigit{{U'0', U'9'}};
const CodePointSet kWord{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
const CodePointSet kSpace{{U'\t', U'\r'}, {U' ', U' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A},
    {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
// What neither language counts as a space: Python adds U+001C to U+001F and U+0085, ECMA U+FEFF.
const CodePointSet kNoSpace =
    complement_of(normalized({{U'\t', U'\r'}, {0x1C, U' '}, {0x85, 0x85}, {0xA0, 0xA0}, {0x1680, 0x1680},
        {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}));
const CodePointSet kAscii{{0, 0x7F}};
const CodePointSet kNoLineEnd = complement_of({{U'\n', U'\n'}, {U'\r', U'\r'}, {0x2028, 0x2029}});

Expression characters(CodePointSet set) {
    Expression one;
    one.kind = ExpressionKind::characters;
    one.set = std::move(set);
    return one;
}

class Parser : TextCursor {
public:
    explicit Parser(std::string_view source) : TextCursor(source) {}

    Expression parse() {
        Expression whole = parse_alternatives();
        if (at_ < source_.size())
            refuse("there is no ( for this )");
        return whole;
    }

private:
    [[noreturn]] void refuse(std::string_view what) const { refuse(what, at_); }
    [[noreturn]] void refuse(std::string_view what, std::size_t at) const {
        refuse_grammar(fmt::format("regular expression, character {}: {}",
            1 + count_code_points(source_.substr(0, std::min(at, source_.size()))), what));
    }

    Expression parse_alternatives() {
        if (++nesting_ > kMaxNesting)
            refuse(fmt::format("groups nest deeper than {}", kMaxNesting));
        Expression alternatives;
        alternatives.kind = ExpressionKind::alternation;
        do
            alternatives.children.push_back(parse_sequence());
        while (take("|"));
        --nesting_;
        if (alternatives.children.size() == 1)
            return std::move(alternatives.children.front());
        return alternatives;
    }

    Expression parse_sequence() {
        Expression sequence;
        while (!at_end() && peek() != '|' && peek() != ')') {
            sequence.children.push_back(parse_atom());
            parse_quantifiers(sequence.children.back());
        }
        return sequence;
    }

    Expression parse_atom() {
        const std::size_t begin = at_;
        if (take("("))
            return parse_group(begin);
        if (take("["))
            return parse_class(begin);
        if (take("."))
            return characters(kNoLineEnd);
        if (take("^") || take("\\A"))
            return anchor(ExpressionKind::line_start);
        if (take("$") || take("\\Z") || take("\\z"))
            return anchor(ExpressionKind::line_end);
        if (peek() == '*' || peek() == '+' || peek() == '?')
            refuse("there is nothing to repeat");
        if (peek() == '\\')
            return characters(parse_escape(false));
        const char32_t code_point = next_code_point();
        return characters({{code_point, code_point}});
    }

    static Expression anchor(ExpressionKind kind) {
        Expression expression;
        expression.kind = kind;
        return expression;
    }

    Expression parse_group(std::size_t begin) {
        if (take("?")) {
            if (take("=") || take("!") || take("<=") || take("<!"))
                refuse("look-around is not supported", begin);
            if (take("P<") || take("<"))
                at_ = std::min(source_.find('>', at_), source_.size() - 1) + 1;
            else if (!take(":"))
                refuse("this kind of group is not supported", begin);
        }
        Expression group = parse_alternatives();
        if (!take(")"))
            refuse("the ( is not closed", begin);
        return group;
    }

    void parse_quantifiers(Expression& atom) {
        const std::size_t begin = at_;
        int min = 0;
        int max = Expression::kUnbounded;
        if (take("+"))
            min = 1;
        else if (take("?"))
            max = 1;
        else if (!take("*") && !take_counts(min, max))
            return;
        if (take("+"))
            refuse("possessive quantifiers are not supported", begin);
        take("?"); // lazy: the same texts match
        if (peek() == '*' || peek() == '?' || take_counts(min, max))
            refuse("a quantifier follows a quantifier");
        if (atom.kind == ExpressionKind::line_start || atom.kind == ExpressionKind::line_end)
            refuse("an anchor cannot be repeated", begin);
        Expression repetition;
        repetition.kind = ExpressionKind::repetition;
        repetition.min = min;
        repetition.max = max;
        repetition.children.push_back(std::move(atom));
        atom = std::move(repetition);
        if (max == 0)
            atom = Expression{};
    }

    /// {m} {m,} {m,n} {,n}; anything else is a brace.
    bool take_counts(int& min, int& max) {
        const std::size_t begin = at_;
        if (!take("{"))
            return false;
        const auto low = take_number();
        const bool has_comma = take(",");
        const auto high = has_comma ? take_number() : low;
        if (!take("}") || (!low && !high)) {
            at_ = begin;
            return false;
        }
        min = low.value_or(0);
        max = high.value_or(Expression::kUnbounded);
        if (max != Expression::kUnbounded && max < min)
            refuse(fmt::format("at least {} and at most {} cannot both be", min, max), begin);
        return true;
    }
    std::optional<int> take_number() {
        if (peek() < '0' || peek() > '9')
            return std::nullopt;
        int value = 0;
        for (; peek() >= '0' && peek() <= '9'; ++at_) {
            value = value * 10 + (peek() - '0');
            if (value > kMaxRepetitions)
                refuse(fmt::format("more than {} repetitions", kMaxRepetitions));
        }
        return value;
    }

    char32_t next_code_point() {
        const Utf8Step step = decode_utf8(source_, at_);
        if (!step.valid)
            refuse("this is not UTF-8");
        at_ += static_cast<std::size_t>(step.length);
        return step.code_point;
    }

    char32_t parse_hex(std::size_t max_digits, bool braced, std::size_t begin) {
        char32_t value = 0;
        std::size_t num_digits = 0;
        for (; num_digits < max_digits; ++num_digits, ++at_) {
            const char c = peek();
            const int digit = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'f'             ? c - 'a' + 10
                : c >= 'A' && c <= 'F'             ? c - 'A' + 10
                                                   : -1;
            if (digit < 0)
                break;
            value = value * 16 + static_cast<char32_t>(digit);
        }
        const bool complete = braced ? num_digits > 0 && take("}") : num_digits == max_digits;
        if (!complete || value > 0x10FFFF)
            refuse("the hexadecimal escape is not complete", begin);
        return value;
    }

    char32_t parse_unicode(std::size_t begin) {
        if (take("{"))
            return parse_hex(6, true, begin);
        char32_t value = parse_hex(4, false, begin);
        if (value >= 0xD800 && value <= 0xDBFF && take("\\u")) {
            const char32_t low = parse_hex(4, false, begin);
            if (low >= 0xDC00 && low <= 0xDFFF)
                return 0x10000 + ((value - 0xD800) << 10U) + (low - 0xDC00);
        }
        if (value >= 0xD800 && value <= 0xDFFF)
            refuse("half of a surrogate pair is no character", begin);
        return value;
    }

    /// Behind a backslash, inside or outside a class.
    CodePointSet parse_escape(bool in_class) {
        const std::size_t begin = at_++;
        const char c = peek();
        if (at_end())
            refuse("the expression ends behind a \\", begin);
        ++at_;
        const auto one = [](char32_t code_point) { return CodePointSet{{code_point, code_point}}; };
        switch (c) {
        case 'd':
            return kDigit;
        case 'D':
            return intersection_of(complement_of(kDigit), kAscii);
        case 'w':
            return kWord;
        case 'W':
            return intersection_of(complement_of(kWord), kAscii);
        case 's':
            return kSpace;
        case 'S':
            return kNoSpace;
        case 'n':
            return one(U'\n');
        case 'r':
            return one(U'\r');
        case 't':
            return one(U'\t');
        case 'f':
            return one(U'\f');
        case 'v':
            return one(U'\v');
        case 'x':
            return one(take("{") ? parse_hex(6, true, begin) : parse_hex(2, false, begin));
        case 'u':
            return one(parse_unicode(begin));
        case 'b':
        case 'B':
            if (in_class && c == 'b')
                return one(U'\b');
            refuse("word boundaries are not supported", begin);
        case 'p':
        case 'P':
            refuse("Unicode property classes are not supported", begin);
        default:
            break;
        }
        if (c == '0' && (peek() < '0' || peek() > '9'))
            return one(0);
        if (c >= '0' && c <= '9')
            refuse("back references are not supported", begin);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            refuse(fmt::format("the escape \\{} is not supported", c), begin);
        --at_;
        return one(next_code_point());
    }

    CodePointSet parse_class_item() {
        if (peek() == '\\')
            return parse_escape(true);
        const char32_t code_point = next_code_point();
        return {{code_point, code_point}};
    }

    Expression parse_class(std::size_t begin) {
        const bool negated = take("^");
        CodePointSet set;
        for (bool first = true; first || peek() != ']'; first = false) {
            if (at_end())
                refuse("the [ is not closed", begin);
            if (first && peek() == ']' && negated)
                break; // [^]: anything
            if (first && peek() == ']')
                refuse("the class holds no character", begin);
            CodePointSet item = parse_class_item();
            const bool single = item.size() == 1 && item.front().first == item.front().last;
            if (single && peek() == '-' && peek(1) != ']' && peek(1) != '\0') {
                ++at_;
                const CodePointSet last = parse_class_item();
                if (last.size() != 1 || last.front().first != last.front().last ||
                    last.front().first < item.front().first)
                    refuse("the range runs backwards or ends in a class");
                item.front().last = last.front().first;
            }
            set.insert(set.end(), item.begin(), item.end());
        }
        ++at_; // ]
        set = normalized(std::move(set));
        return characters(negated ? complement_of(set) : set);
    }

    int nesting_ = 0;
};

bool holds_anchor(const Expression& expression) {
    return expression.kind == ExpressionKind::line_start || expression.kind == ExpressionKind::line_end ||
        std::ranges::any_of(expression.children, holds_anchor);
}

/// Alternatives whose anchors stand outside; multiplied out only where a group at an edge holds some.
std::vector<AnchoredExpression> split_anchors(Expression expression) {
    constexpr std::size_t kMaxAlternatives = 256;
    if (!holds_anchor(expression))
        return {{std::move(expression), false, false}};
    if (expression.kind == ExpressionKind::line_start)
        return {{Expression{}, true, false}};
    if (expression.kind == ExpressionKind::line_end)
        return {{Expression{}, false, true}};
    std::vector<AnchoredExpression> out;
    if (expression.kind == ExpressionKind::alternation) {
        for (Expression& child : expression.children)
            for (AnchoredExpression& one : split_anchors(std::move(child)))
                out.push_back(std::move(one));
    } else if (expression.kind == ExpressionKind::sequence) {
        out.emplace_back();
        for (Expression& child : expression.children) {
            std::vector<AnchoredExpression> longer;
            for (const AnchoredExpression& part : split_anchors(std::move(child))) {
                for (AnchoredExpression joined : out) {
                    const bool begins = joined.body.children.empty() && !joined.at_end;
                    const bool follows_end =
                        joined.at_end && !(part.body.kind == ExpressionKind::sequence && part.body.children.empty());
                    if (follows_end || (part.at_start && !begins))
                        refuse_grammar(
                            "regular expression: an anchor in the middle can never match or is not supported");
                    joined.at_start = joined.at_start || part.at_start;
                    joined.at_end = joined.at_end || part.at_end;
                    joined.body.children.push_back(part.body);
                    longer.push_back(std::move(joined));
                }
            }
            out = std::move(longer);
            if (out.size() > kMaxAlternatives)
                refuse_grammar("regular expression: too many alternatives hold anchors");
        }
    } else {
        refuse_grammar("regular expression: an anchor inside a repetition is not supported");
    }
    if (out.size() > kMaxAlternatives)
        refuse_grammar("regular expression: too many alternatives hold anchors");
    return out;
}

} // namespace

std::vector<AnchoredExpression> parse_regex(std::string_view pattern) {
    if (pattern.size() > kMaxPatternBytes)
        refuse_grammar(
            fmt::format("the regular expression has {} bytes, at most {} are taken", pattern.size(), kMaxPatternBytes));
    return split_anchors(Parser(pattern).parse());
}

GrammarRule add_regex(GrammarBuilder& builder, std::string_view pattern) {
    const GrammarRule rule = builder.add_rule("the regular expression");
    for (const AnchoredExpression& one : parse_regex(pattern))
        builder.epsilon(draw(builder, one.body, builder.start(rule)), builder.accept(rule));
    return rule;
}

} // namespace vitrine::engine
