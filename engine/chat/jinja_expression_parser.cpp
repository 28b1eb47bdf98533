// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: expressions, level by level as in jinja2: if else, or, and, not, compare, + -, ~, * / // %, **,
// unary, postfix, filters and tests.
#include "engine/chat/jinja_expression_parser.h"

#include "engine/chat/jinja_builtins.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

using Kind = JinjaExprKind;
constexpr int kMaxNesting = 100;
constexpr int kMaxChain = 1000; // a + b + c ...: depth of a left-leaning tree

} // namespace

JinjaExpressionParser::DepthGuard::DepthGuard(JinjaExpressionParser& parser) : parser_(parser) {
    if (parser.depth_ >= kMaxNesting)
        parser.error(fmt::format("nested deeper than {}", kMaxNesting));
    ++parser.depth_;
}

void JinjaExpressionParser::error(const std::string& message) const {
    throw JinjaError{"TemplateSyntaxError: " + message, current().line, current().column};
}

const JinjaToken& JinjaExpressionParser::look() const {
    return tokens_[std::min(position_ + 1, tokens_.size() - 1)];
}

void JinjaExpressionParser::advance() {
    if (position_ + 1 < tokens_.size())
        ++position_;
}

bool JinjaExpressionParser::at_name(std::string_view name) const {
    return current().kind == JinjaTokenKind::name && current().text == name;
}

bool JinjaExpressionParser::at_op(std::string_view op) const {
    return current().kind == JinjaTokenKind::op && current().text == op;
}

void JinjaExpressionParser::expect_op(std::string_view op) {
    if (!at_op(op))
        error(fmt::format("expected token '{}', got '{}'", op, current().text));
    advance();
}

void JinjaExpressionParser::expect_name(std::string_view name) {
    if (!at_name(name))
        error(fmt::format("expected token '{}', got '{}'", name, current().text));
    advance();
}

void JinjaExpressionParser::expect_kind(JinjaTokenKind kind, std::string_view described) {
    if (current().kind != kind)
        error(fmt::format("expected token '{}', got '{}'", described,
            current().kind == JinjaTokenKind::end ? "end of template" : current().text));
    advance();
}

std::string JinjaExpressionParser::expect_identifier() {
    if (current().kind != JinjaTokenKind::name)
        error(fmt::format("expected a name, got '{}'", current().text));
    std::string name = current().text;
    advance();
    return name;
}

JinjaExprPtr JinjaExpressionParser::make(JinjaExprKind kind, const JinjaToken& token) const {
    auto expr = std::make_unique<JinjaExpr>();
    expr->kind = kind;
    expr->line = token.line;
    expr->column = token.column;
    return expr;
}

JinjaExprPtr JinjaExpressionParser::finish(JinjaExprPtr expr) const {
    for (const JinjaExprPtr& child : expr->children)
        expr->depth = std::max(expr->depth, child ? child->depth + 1 : 1);
    for (const auto& [name, value] : expr->keywords)
        expr->depth = std::max(expr->depth, value->depth + 1);
    if (expr->depth > kMaxChain)
        error(fmt::format("an expression is longer than {} operations", kMaxChain));
    return expr;
}

JinjaExprPtr JinjaExpressionParser::join(
    JinjaExprKind kind, JinjaExprPtr left, JinjaExprPtr right, const JinjaToken& at) const {
    JinjaExprPtr expr = make(kind, at);
    expr->children.push_back(std::move(left));
    expr->children.push_back(std::move(right));
    return finish(std::move(expr));
}

JinjaExprPtr JinjaExpressionParser::parse_expression(bool with_conditional) {
    const DepthGuard guard(*this);
    if (!with_conditional)
        return parse_or();
    JinjaExprPtr expr = parse_or();
    while (at_name("if")) {
        const JinjaToken at = current();
        advance();
        JinjaExprPtr conditional = make(Kind::conditional, at);
        JinjaExprPtr test = parse_or();
        JinjaExprPtr other;
        if (at_name("else")) {
            advance();
            other = parse_expression();
        }
        conditional->children.push_back(std::move(test));
        conditional->children.push_back(std::move(expr));
        conditional->children.push_back(std::move(other));
        expr = finish(std::move(conditional));
    }
    return expr;
}

JinjaExprPtr JinjaExpressionParser::parse_or() {
    JinjaExprPtr left = parse_and();
    while (at_name("or")) {
        const JinjaToken at = current();
        advance();
        left = join(Kind::logical_or, std::move(left), parse_and(), at);
    }
    return left;
}

JinjaExprPtr JinjaExpressionParser::parse_and() {
    JinjaExprPtr left = parse_not();
    while (at_name("and")) {
        const JinjaToken at = current();
        advance();
        left = join(Kind::logical_and, std::move(left), parse_not(), at);
    }
    return left;
}

JinjaExprPtr JinjaExpressionParser::parse_not() {
    if (!at_name("not"))
        return parse_compare();
    const DepthGuard guard(*this);
    JinjaExprPtr expr = make(Kind::logical_not, current());
    advance();
    expr->children.push_back(parse_not());
    return finish(std::move(expr));
}

JinjaExprPtr JinjaExpressionParser::parse_compare() {
    static constexpr std::array<std::pair<std::string_view, JinjaCompareOp>, 6> kOps = {
        {{"==", JinjaCompareOp::eq}, {"!=", JinjaCompareOp::ne}, {"<", JinjaCompareOp::lt}, {"<=", JinjaCompareOp::le},
            {">", JinjaCompareOp::gt}, {">=", JinjaCompareOp::ge}}};
    const JinjaToken at = current();
    JinjaExprPtr first = parse_sum();
    JinjaExprPtr compare;
    while (true) {
        JinjaCompareOp op{};
        const auto* const found =
            std::find_if(kOps.begin(), kOps.end(), [&](const auto& entry) { return at_op(entry.first); });
        if (found != kOps.end()) {
            op = found->second;
        } else if (at_name("in")) {
            op = JinjaCompareOp::in;
        } else if (at_name("not") && look().kind == JinjaTokenKind::name && look().text == "in") {
            op = JinjaCompareOp::not_in;
            advance();
        } else {
            break;
        }
        advance();
        if (!compare) {
            compare = make(Kind::compare, at);
            compare->children.push_back(std::move(first));
        }
        compare->ops.push_back(op);
        compare->children.push_back(parse_sum());
    }
    return compare ? finish(std::move(compare)) : std::move(first);
}

JinjaExprPtr JinjaExpressionParser::parse_sum() {
    JinjaExprPtr left = parse_concat();
    while (at_op("+") || at_op("-")) {
        const JinjaToken at = current();
        advance();
        left = join(at.text == "+" ? Kind::add : Kind::subtract, std::move(left), parse_concat(), at);
    }
    return left;
}

JinjaExprPtr JinjaExpressionParser::parse_concat() {
    const JinjaToken at = current();
    JinjaExprPtr first = parse_product();
    if (!at_op("~"))
        return first;
    JinjaExprPtr concat = make(Kind::concat, at);
    concat->children.push_back(std::move(first));
    while (at_op("~")) {
        advance();
        concat->children.push_back(parse_product());
    }
    return finish(std::move(concat));
}

JinjaExprPtr JinjaExpressionParser::parse_product() {
    static constexpr std::array<std::pair<std::string_view, Kind>, 4> kOps = {
        {{"*", Kind::multiply}, {"/", Kind::divide}, {"//", Kind::floor_divide}, {"%", Kind::modulo}}};
    JinjaExprPtr left = parse_power();
    while (true) {
        const JinjaToken at = current();
        const auto* const found =
            std::find_if(kOps.begin(), kOps.end(), [&](const auto& entry) { return at_op(entry.first); });
        if (found == kOps.end())
            return left;
        advance();
        left = join(found->second, std::move(left), parse_power(), at);
    }
}

JinjaExprPtr JinjaExpressionParser::parse_power() {
    JinjaExprPtr left = parse_unary(true);
    while (at_op("**")) {
        const JinjaToken at = current();
        advance();
        left = join(Kind::power, std::move(left), parse_unary(true), at);
    }
    return left;
}

JinjaExprPtr JinjaExpressionParser::parse_unary(bool with_filter) {
    JinjaExprPtr expr;
    if (at_op("-") || at_op("+")) {
        const DepthGuard guard(*this);
        expr = make(at_op("-") ? Kind::negate : Kind::positive, current());
        advance();
        expr->children.push_back(parse_unary(false));
        expr = finish(std::move(expr));
    } else {
        expr = parse_primary();
    }
    expr = parse_postfix(std::move(expr));
    return with_filter ? parse_filters(std::move(expr)) : std::move(expr);
}

JinjaExprPtr JinjaExpressionParser::parse_name() {
    static constexpr std::array<std::pair<std::string_view, int>, 6> kConstants = {
        {{"true", 1}, {"True", 1}, {"false", 0}, {"False", 0}, {"none", 2}, {"None", 2}}};
    JinjaExprPtr expr = make(Kind::name, current());
    expr->name = current().text;
    for (const auto& [name, value] : kConstants) {
        if (expr->name == name) {
            expr->kind = Kind::constant;
            expr->value = value == 2 ? JinjaValue() : JinjaValue(value == 1);
        }
    }
    if (expr->kind == Kind::name) {
        names_.insert(expr->name);
        macro_names_.varargs |= expr->name == "varargs";
        macro_names_.kwargs |= expr->name == "kwargs";
        macro_names_.caller |= expr->name == "caller";
    }
    advance();
    return expr;
}

JinjaExprPtr JinjaExpressionParser::parse_primary() {
    if (current().kind == JinjaTokenKind::name)
        return parse_name();
    if (current().kind == JinjaTokenKind::string) {
        JinjaExprPtr expr = make(Kind::constant, current());
        std::string text;
        for (; current().kind == JinjaTokenKind::string; advance())
            text += current().text;
        expr->value = JinjaValue::text(text);
        return expr;
    }
    if (current().kind == JinjaTokenKind::number) {
        JinjaExprPtr expr = make(Kind::constant, current());
        expr->value = current().number;
        advance();
        return expr;
    }
    if (at_op("(")) {
        advance();
        JinjaExprPtr expr = parse_tuple(true, {}, true);
        expect_op(")");
        return expr;
    }
    if (at_op("["))
        return parse_list();
    if (at_op("{"))
        return parse_dict();
    error(fmt::format(
        "unexpected '{}'", current().kind == JinjaTokenKind::end ? std::string("end of template") : current().text));
}

bool JinjaExpressionParser::at_tuple_end(std::string_view end_name) const {
    return current().kind == JinjaTokenKind::variable_end || current().kind == JinjaTokenKind::block_end ||
        at_op(")") || (!end_name.empty() && at_name(end_name));
}

JinjaExprPtr JinjaExpressionParser::parse_tuple(bool with_conditional, std::string_view end_name, bool in_parentheses) {
    const JinjaToken at = current();
    std::vector<JinjaExprPtr> items;
    bool is_tuple = false;
    while (true) {
        if (!items.empty())
            expect_op(",");
        if (at_tuple_end(end_name))
            break;
        items.push_back(parse_expression(with_conditional));
        if (!at_op(","))
            break;
        is_tuple = true;
    }
    if (!is_tuple && !items.empty())
        return std::move(items.front());
    if (!is_tuple && !in_parentheses)
        error(fmt::format("Expected an expression, got '{}'", current().text));
    JinjaExprPtr tuple = make(Kind::tuple, at);
    tuple->children = std::move(items);
    return finish(std::move(tuple));
}

JinjaExprPtr JinjaExpressionParser::parse_target_part(bool with_namespace) {
    const DepthGuard guard(*this);
    if (at_op("(")) {
        advance();
        JinjaExprPtr inner = parse_target({}, with_namespace);
        expect_op(")");
        return inner;
    }
    JinjaExprPtr expr = make(Kind::name, current());
    static constexpr std::array<std::string_view, 6> kReserved = {"true", "True", "false", "False", "none", "None"};
    if (std::find(kReserved.begin(), kReserved.end(), current().text) != kReserved.end())
        error("can't assign to 'const'");
    expr->name = expect_identifier();
    if (with_namespace && at_op(".")) {
        advance();
        expr->kind = Kind::namespace_target;
        names_.insert(expr->name);
        JinjaExprPtr attribute = make(Kind::name, current());
        attribute->name = expect_identifier();
        expr->children.push_back(std::move(attribute));
    }
    return expr;
}

JinjaExprPtr JinjaExpressionParser::parse_target(std::string_view end_name, bool with_namespace) {
    const JinjaToken at = current();
    std::vector<JinjaExprPtr> parts;
    parts.push_back(parse_target_part(with_namespace));
    if (!at_op(","))
        return std::move(parts.front());
    while (at_op(",")) {
        advance();
        if (at_tuple_end(end_name) || at_op("="))
            break;
        parts.push_back(parse_target_part(with_namespace));
    }
    JinjaExprPtr tuple = make(Kind::tuple, at);
    tuple->children = std::move(parts);
    return tuple;
}

JinjaExprPtr JinjaExpressionParser::parse_list() {
    JinjaExprPtr list = make(Kind::list, current());
    expect_op("[");
    while (!at_op("]")) {
        if (!list->children.empty())
            expect_op(",");
        if (at_op("]"))
            break;
        list->children.push_back(parse_expression());
    }
    expect_op("]");
    return finish(std::move(list));
}

JinjaExprPtr JinjaExpressionParser::parse_dict() {
    JinjaExprPtr dict = make(Kind::dict, current());
    expect_op("{");
    while (!at_op("}")) {
        if (!dict->children.empty())
            expect_op(",");
        if (at_op("}"))
            break;
        dict->children.push_back(parse_expression());
        expect_op(":");
        dict->children.push_back(parse_expression());
    }
    expect_op("}");
    return finish(std::move(dict));
}

JinjaExprPtr JinjaExpressionParser::parse_postfix(JinjaExprPtr expr) {
    while (true) {
        if (at_op("."))
            expr = parse_dot(std::move(expr));
        else if (at_op("["))
            expr = parse_brackets(std::move(expr));
        else if (at_op("("))
            expr = parse_call(std::move(expr));
        else
            return expr;
    }
}

JinjaExprPtr JinjaExpressionParser::parse_filters(JinjaExprPtr expr) {
    while (true) {
        if (at_op("|"))
            expr = parse_filter_chain(std::move(expr), false);
        else if (at_name("is"))
            expr = parse_test(std::move(expr));
        else if (at_op("("))
            expr = parse_call(std::move(expr));
        else
            return expr;
    }
}

JinjaExprPtr JinjaExpressionParser::parse_dot(JinjaExprPtr expr) {
    const JinjaToken at = current();
    advance();
    if (current().kind == JinjaTokenKind::name) {
        JinjaExprPtr attribute = make(Kind::attribute, at);
        attribute->name = expect_identifier();
        attribute->children.push_back(std::move(expr));
        return finish(std::move(attribute));
    }
    if (current().kind != JinjaTokenKind::number || !current().number.is_int())
        error("expected name or number");
    JinjaExprPtr index = make(Kind::constant, current());
    index->value = current().number;
    advance();
    return join(Kind::item, std::move(expr), std::move(index), at);
}

JinjaExprPtr JinjaExpressionParser::parse_brackets(JinjaExprPtr expr) {
    const JinjaToken at = current();
    expect_op("[");
    std::vector<JinjaExprPtr> items;
    while (!at_op("]")) {
        if (!items.empty())
            expect_op(",");
        items.push_back(parse_subscript());
    }
    expect_op("]");
    if (items.size() == 1)
        return join(Kind::item, std::move(expr), std::move(items.front()), at);
    JinjaExprPtr tuple = make(Kind::tuple, at);
    tuple->children = std::move(items);
    return join(Kind::item, std::move(expr), finish(std::move(tuple)), at);
}

JinjaExprPtr JinjaExpressionParser::parse_subscript() {
    const JinjaToken at = current();
    JinjaExprPtr begin;
    if (!at_op(":")) {
        begin = parse_expression();
        if (!at_op(":"))
            return begin;
    }
    advance();
    const auto at_part_end = [&] { return at_op("]") || at_op(",") || at_op(":"); };
    JinjaExprPtr slice = make(Kind::slice, at);
    slice->children.push_back(std::move(begin));
    slice->children.push_back(at_part_end() ? nullptr : parse_expression());
    JinjaExprPtr step;
    if (at_op(":")) {
        advance();
        step = at_part_end() ? nullptr : parse_expression();
    }
    slice->children.push_back(std::move(step));
    return finish(std::move(slice));
}

void JinjaExpressionParser::parse_arguments(JinjaExpr& call) {
    expect_op("(");
    bool is_first = true;
    while (!at_op(")")) {
        if (!is_first) {
            expect_op(",");
            if (at_op(")"))
                break;
        }
        is_first = false;
        const bool is_keyword =
            current().kind == JinjaTokenKind::name && look().kind == JinjaTokenKind::op && look().text == "=";
        const bool is_late = call.star_args || call.star_keywords;
        if (at_op("*") && !is_late) {
            advance();
            call.star_args = parse_expression();
        } else if (at_op("**") && !call.star_keywords) {
            advance();
            call.star_keywords = parse_expression();
        } else if (is_keyword && !call.star_keywords) {
            std::string name = expect_identifier();
            advance();
            call.keywords.emplace_back(std::move(name), parse_expression());
        } else if (!is_late && call.keywords.empty()) {
            call.children.push_back(parse_expression());
        } else {
            error("invalid syntax for function call expression");
        }
    }
    expect_op(")");
}

JinjaExprPtr JinjaExpressionParser::parse_call(JinjaExprPtr callee) {
    JinjaExprPtr call = make(Kind::call, current());
    call->children.push_back(std::move(callee));
    parse_arguments(*call);
    return finish(std::move(call));
}

JinjaExprPtr JinjaExpressionParser::parse_filter_chain(JinjaExprPtr input, bool starts_inline) {
    while (at_op("|") || starts_inline) {
        if (!starts_inline)
            advance();
        starts_inline = false;
        JinjaExprPtr filter = make(Kind::filter, current());
        filter->name = expect_identifier();
        while (at_op(".")) {
            advance();
            filter->name += "." + expect_identifier();
        }
        filter->filter = jinja_find_filter(filter->name);
        if (filter->filter == nullptr && !soft_)
            error(fmt::format("No filter named '{}'.", filter->name));
        filter->children.push_back(std::move(input));
        if (at_op("("))
            parse_arguments(*filter);
        input = finish(std::move(filter));
    }
    return input;
}

JinjaExprPtr JinjaExpressionParser::parse_test(JinjaExprPtr input) {
    JinjaExprPtr test = make(Kind::test, current());
    advance();
    const bool negated = at_name("not");
    if (negated)
        advance();
    test->name = expect_identifier();
    while (at_op(".")) {
        advance();
        test->name += "." + expect_identifier();
    }
    test->test = jinja_find_test(test->name);
    if (test->test == nullptr && !soft_)
        error(fmt::format("No test named '{}'.", test->name));
    test->children.push_back(std::move(input));
    const JinjaTokenKind kind = current().kind;
    if (at_op("(")) {
        parse_arguments(*test);
    } else if ((kind == JinjaTokenKind::name || kind == JinjaTokenKind::string || kind == JinjaTokenKind::number ||
                   at_op("[") || at_op("{")) &&
        !at_name("else") && !at_name("or") && !at_name("and")) {
        if (at_name("is"))
            error("You cannot chain multiple tests with is");
        test->children.push_back(parse_postfix(parse_primary()));
    }
    JinjaExprPtr result = finish(std::move(test));
    if (!negated)
        return result;
    JinjaExprPtr inverted = std::make_unique<JinjaExpr>();
    inverted->kind = Kind::logical_not;
    inverted->line = result->line;
    inverted->column = result->column;
    inverted->children.push_back(std::move(result));
    return finish(std::move(inverted));
}

} // namespace vitrine::engine
