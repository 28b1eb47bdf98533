// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the expression half of the parser.
#pragma once

#include "engine/chat/jinja_ast.h"
#include "engine/chat/jinja_lexer.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace vitrine::engine {

/// Precedence climbing with jinja2's levels.  One object a template.
class JinjaExpressionParser {
public:
    explicit JinjaExpressionParser(std::vector<JinjaToken> tokens) : tokens_(std::move(tokens)) {}

protected:
    struct MacroNames {
        bool varargs = false;
        bool kwargs = false;
        bool caller = false;
    };
    class DepthGuard {
    public:
        explicit DepthGuard(JinjaExpressionParser& parser);
        ~DepthGuard() { --parser_.depth_; }
        DepthGuard(const DepthGuard&) = delete;
        DepthGuard& operator=(const DepthGuard&) = delete;

    private:
        JinjaExpressionParser& parser_;
    };
    /// jinja2 lets unknown filters pass inside `if` until they run.
    class SoftGuard {
    public:
        SoftGuard(JinjaExpressionParser& parser, bool soft)
            : parser_(parser), old_(std::exchange(parser.soft_, soft)) {}
        ~SoftGuard() { parser_.soft_ = old_; }
        SoftGuard(const SoftGuard&) = delete;
        SoftGuard& operator=(const SoftGuard&) = delete;

    private:
        JinjaExpressionParser& parser_;
        bool old_;
    };

    [[noreturn]] void error(const std::string& message) const;
    [[nodiscard]] const JinjaToken& current() const { return tokens_[position_]; }
    [[nodiscard]] const JinjaToken& look() const;
    void advance();
    [[nodiscard]] bool at_name(std::string_view name) const;
    [[nodiscard]] bool at_op(std::string_view op) const;
    void expect_op(std::string_view op);
    void expect_name(std::string_view name);
    void expect_kind(JinjaTokenKind kind, std::string_view described);
    std::string expect_identifier();

    JinjaExprPtr parse_expression(bool with_conditional = true);
    JinjaExprPtr parse_tuple(bool with_conditional = true, std::string_view end_name = {}, bool in_parentheses = false);
    JinjaExprPtr parse_target(std::string_view end_name, bool with_namespace);
    JinjaExprPtr parse_filter_chain(JinjaExprPtr input, bool starts_inline);
    [[nodiscard]] MacroNames& macro_names() { return macro_names_; }
    [[nodiscard]] std::unordered_set<std::string> take_names() { return std::move(names_); }

private:
    [[nodiscard]] JinjaExprPtr make(JinjaExprKind kind, const JinjaToken& token) const;
    [[nodiscard]] JinjaExprPtr finish(JinjaExprPtr expr) const;
    [[nodiscard]] JinjaExprPtr join(
        JinjaExprKind kind, JinjaExprPtr left, JinjaExprPtr right, const JinjaToken& at) const;
    [[nodiscard]] bool at_tuple_end(std::string_view end_name) const;
    JinjaExprPtr parse_or();
    JinjaExprPtr parse_and();
    JinjaExprPtr parse_not();
    JinjaExprPtr parse_compare();
    JinjaExprPtr parse_sum();
    JinjaExprPtr parse_concat();
    JinjaExprPtr parse_product();
    JinjaExprPtr parse_power();
    JinjaExprPtr parse_unary(bool with_filter);
    JinjaExprPtr parse_primary();
    JinjaExprPtr parse_name();
    JinjaExprPtr parse_list();
    JinjaExprPtr parse_dict();
    JinjaExprPtr parse_postfix(JinjaExprPtr expr);
    JinjaExprPtr parse_filters(JinjaExprPtr expr);
    JinjaExprPtr parse_dot(JinjaExprPtr expr);
    JinjaExprPtr parse_brackets(JinjaExprPtr expr);
    JinjaExprPtr parse_subscript();
    JinjaExprPtr parse_call(JinjaExprPtr callee);
    JinjaExprPtr parse_test(JinjaExprPtr input);
    void parse_arguments(JinjaExpr& call);
    JinjaExprPtr parse_target_part(bool with_namespace);

    std::vector<JinjaToken> tokens_;
    std::size_t position_ = 0;
    int depth_ = 0;
    bool soft_ = false;
    MacroNames macro_names_;
    std::unordered_set<std::string> names_;
};

} // namespace vitrine::engine
