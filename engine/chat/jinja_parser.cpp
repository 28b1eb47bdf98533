// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the parser's statements; the expressions are in jinja_expression_parser.cpp.
#include "engine/chat/jinja_parser.h"

#include "engine/chat/jinja_expression_parser.h"

#include <array>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

using Kind = JinjaStatementKind;
using StatementPtr = std::unique_ptr<JinjaStatement>;

class Parser : public JinjaExpressionParser {
public:
    using JinjaExpressionParser::JinjaExpressionParser;

    std::unique_ptr<const JinjaProgram> run() {
        auto program = std::make_unique<JinjaProgram>();
        program->body = parse_body({});
        program->names = take_names();
        return program;
    }

private:
    using Ends = std::vector<std::string_view>;

    /// Up to a block tag whose name is in `ends`; the tag's name is the current token then.  Empty: to the end.
    JinjaBody parse_body(const Ends& ends) {
        const DepthGuard guard(*this);
        JinjaBody body;
        while (current().kind != JinjaTokenKind::end) {
            if (current().kind == JinjaTokenKind::data) {
                StatementPtr data = make(Kind::data);
                data->text = current().text;
                body.push_back(std::move(data));
                advance();
            } else if (current().kind == JinjaTokenKind::variable_begin) {
                StatementPtr print = make(Kind::print);
                advance();
                print->exprs.push_back(parse_tuple());
                expect_kind(JinjaTokenKind::variable_end, "}}");
                body.push_back(std::move(print));
            } else {
                expect_kind(JinjaTokenKind::block_begin, "{%");
                for (const std::string_view end : ends) {
                    if (at_name(end))
                        return body;
                }
                body.push_back(parse_statement(ends));
                expect_kind(JinjaTokenKind::block_end, "%}");
            }
        }
        if (!ends.empty())
            error(fmt::format("Unexpected end of template. Jinja was looking for '{}'.", fmt::join(ends, "' or '")));
        return body;
    }

    /// The rest of an opening tag, then the body.
    JinjaBody parse_block(const Ends& ends) {
        if (at_op(":"))
            advance();
        expect_kind(JinjaTokenKind::block_end, "%}");
        return parse_body(ends);
    }
    JinjaBody parse_last_block(std::string_view end) {
        JinjaBody body = parse_block({end});
        advance();
        return body;
    }
    /// A body that jinja2 compiles in a frame of its own, where unknown filters fail at once.
    JinjaBody parse_hard_block(std::string_view end) {
        const SoftGuard guard(*this, false);
        return parse_last_block(end);
    }

    StatementPtr make(Kind kind) {
        auto statement = std::make_unique<JinjaStatement>();
        statement->kind = kind;
        statement->line = current().line;
        statement->column = current().column;
        return statement;
    }

    StatementPtr parse_statement(const Ends& ends) {
        using Handler = StatementPtr (Parser::*)();
        static constexpr std::array<std::pair<std::string_view, Handler>, 18> kHandlers = {{
            {"if", &Parser::parse_if},
            {"for", &Parser::parse_for},
            {"set", &Parser::parse_set},
            {"macro", &Parser::parse_macro},
            {"call", &Parser::parse_call_block},
            {"filter", &Parser::parse_filter_block},
            {"with", &Parser::parse_with},
            {"generation", &Parser::parse_generation},
            {"block", &Parser::parse_named_block},
            {"autoescape", &Parser::parse_autoescape},
            {"print", &Parser::parse_print},
            {"break", &Parser::parse_jump},
            {"continue", &Parser::parse_jump},
            {"include", &Parser::parse_loader},
            {"import", &Parser::parse_loader},
            {"from", &Parser::parse_loader},
            {"extends", &Parser::parse_loader},
            {"raw", nullptr},
        }};
        if (current().kind != JinjaTokenKind::name)
            error("tag name expected");
        for (const auto& [name, handler] : kHandlers) {
            if (handler != nullptr && current().text == name)
                return (this->*handler)();
        }
        error(ends.empty() ? fmt::format("Encountered unknown tag '{}'.", current().text)
                           : fmt::format("Encountered unknown tag '{}'. Jinja was looking for '{}'.", current().text,
                                 fmt::join(ends, "' or '")));
    }

    StatementPtr parse_if() {
        const SoftGuard soft(*this, true);
        StatementPtr node = make(Kind::if_);
        while (true) {
            advance();
            node->exprs.push_back(parse_tuple(false));
            node->bodies.push_back(parse_block({"elif", "else", "endif"}));
            if (at_name("elif"))
                continue;
            if (at_name("else")) {
                advance();
                node->bodies.push_back(parse_last_block("endif"));
            } else {
                advance();
            }
            return node;
        }
    }

    StatementPtr parse_for() {
        StatementPtr node = make(Kind::for_);
        advance();
        node->exprs.push_back(parse_target("in", false));
        expect_name("in");
        node->exprs.push_back(parse_tuple(false, "recursive"));
        const SoftGuard hard(*this, false);
        const bool has_condition = at_name("if");
        if (has_condition)
            advance();
        node->exprs.push_back(has_condition ? parse_expression() : nullptr);
        node->recursive = at_name("recursive");
        if (node->recursive)
            advance();
        ++num_loops_;
        node->bodies.push_back(parse_block({"endfor", "else"}));
        --num_loops_;
        if (at_name("else")) {
            advance();
            node->bodies.push_back(parse_last_block("endfor"));
        } else {
            advance();
        }
        return node;
    }

    StatementPtr parse_set() {
        StatementPtr node = make(Kind::set);
        advance();
        node->exprs.push_back(parse_target({}, true));
        if (at_op("=")) {
            advance();
            node->exprs.push_back(parse_tuple());
            return node;
        }
        node->kind = Kind::block_set;
        node->exprs.push_back(at_op("|") ? parse_filter_chain(nullptr, false) : nullptr);
        node->bodies.push_back(parse_hard_block("endset"));
        return node;
    }

    void parse_signature(JinjaStatement& node) {
        expect_op("(");
        while (!at_op(")")) {
            if (!node.parameters.empty())
                expect_op(",");
            if (at_op(")"))
                break;
            node.parameters.push_back(expect_identifier());
            if (at_op("=")) {
                advance();
                node.exprs.push_back(parse_expression());
            } else if (!node.exprs.empty()) {
                error("non-default argument follows default argument");
            }
        }
        expect_op(")");
    }

    /// Body of a macro or call block, with the special names that it reads.
    void parse_macro_body(JinjaStatement& node, std::string_view end) {
        const MacroNames outer = macro_names();
        const int num_loops = std::exchange(num_loops_, 0);
        macro_names() = {};
        node.bodies.push_back(parse_hard_block(end));
        node.uses_varargs = macro_names().varargs;
        node.uses_kwargs = macro_names().kwargs;
        node.uses_caller = macro_names().caller;
        macro_names() = outer;
        num_loops_ = num_loops;
    }

    StatementPtr parse_macro() {
        StatementPtr node = make(Kind::macro);
        advance();
        node->text = expect_identifier();
        parse_signature(*node);
        parse_macro_body(*node, "endmacro");
        return node;
    }

    StatementPtr parse_call_block() {
        StatementPtr node = make(Kind::call_block);
        advance();
        if (at_op("("))
            parse_signature(*node);
        JinjaExprPtr call = parse_expression();
        if (call->kind != JinjaExprKind::call)
            error("expected call");
        node->exprs.push_back(std::move(call));
        parse_macro_body(*node, "endcall");
        return node;
    }

    StatementPtr parse_filter_block() {
        StatementPtr node = make(Kind::filter_block);
        advance();
        node->exprs.push_back(parse_filter_chain(nullptr, true));
        node->bodies.push_back(parse_hard_block("endfilter"));
        return node;
    }

    StatementPtr parse_with() {
        StatementPtr node = make(Kind::with);
        advance();
        while (current().kind != JinjaTokenKind::block_end) {
            if (!node->exprs.empty())
                expect_op(",");
            node->exprs.push_back(parse_target({}, false));
            expect_op("=");
            node->exprs.push_back(parse_expression());
        }
        node->bodies.push_back(parse_hard_block("endwith"));
        return node;
    }

    StatementPtr parse_generation() {
        StatementPtr node = make(Kind::scope);
        advance();
        node->bodies.push_back(parse_hard_block("endgeneration"));
        return node;
    }

    StatementPtr parse_autoescape() {
        StatementPtr node = make(Kind::scope);
        advance();
        parse_expression();
        node->bodies.push_back(parse_hard_block("endautoescape"));
        return node;
    }

    StatementPtr parse_named_block() {
        StatementPtr node = make(Kind::scope);
        advance();
        const std::string name = expect_identifier();
        while (at_name("scoped") || at_name("required"))
            advance();
        node->bodies.push_back(parse_hard_block("endblock"));
        if (at_name(name))
            advance();
        return node;
    }

    StatementPtr parse_print() {
        StatementPtr node = make(Kind::print);
        advance();
        while (current().kind != JinjaTokenKind::block_end) {
            if (!node->exprs.empty())
                expect_op(",");
            node->exprs.push_back(parse_expression());
        }
        return node;
    }

    StatementPtr parse_jump() {
        StatementPtr node = make(at_name("break") ? Kind::break_ : Kind::continue_);
        if (num_loops_ == 0)
            error(fmt::format("'{}' outside loop", current().text));
        advance();
        return node;
    }

    /// A chat template is one file: there is nothing to load from.
    StatementPtr parse_loader() {
        StatementPtr node = make(Kind::unsupported);
        node->text = fmt::format(
            "TypeError: no loader for this environment specified: '{}' needs another template file", current().text);
        while (current().kind != JinjaTokenKind::block_end && current().kind != JinjaTokenKind::end)
            advance();
        return node;
    }

    int num_loops_ = 0;
};

} // namespace

std::unique_ptr<const JinjaProgram> jinja_parse(std::string_view source) {
    return Parser(jinja_tokenize(source)).run();
}

} // namespace vitrine::engine
