// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: expressions drawn as automata (Thompson 1968).
#include "engine/grammar/expression.h"

namespace vitrine::engine {
namespace {

constexpr int kCopiesInPlace = 3; // more copies call a rule of their own

bool is_small(const Expression& expression) {
    return expression.kind == ExpressionKind::reference || expression.kind == ExpressionKind::token ||
        (expression.kind == ExpressionKind::characters && expression.set.size() <= 4 &&
            (expression.set.empty() || expression.set.back().last < 0x80));
}

GrammarNode draw_repetition(GrammarBuilder& builder, const Expression& expression, GrammarNode from) {
    const bool unbounded = expression.max == Expression::kUnbounded;
    const int num_copies = unbounded ? expression.min + 1 : expression.max;
    Expression called;
    const Expression* body = &expression.children.front();
    if (num_copies > kCopiesInPlace && !is_small(*body)) {
        called.kind = ExpressionKind::reference;
        called.rule = builder.add_rule("a repeated part");
        builder.epsilon(draw(builder, *body, builder.start(called.rule)), builder.accept(called.rule));
        body = &called;
    }
    for (int i = 0; i < expression.min; ++i)
        from = draw(builder, *body, from);
    if (unbounded) {
        const GrammarNode loop = builder.add_node();
        builder.epsilon(from, loop);
        builder.epsilon(draw(builder, *body, loop), loop);
        return loop;
    }
    const GrammarNode end = builder.add_node();
    for (int i = expression.min; i < expression.max; ++i) {
        builder.epsilon(from, end);
        from = draw(builder, *body, from);
    }
    builder.epsilon(from, end);
    return end;
}

} // namespace

GrammarNode draw(GrammarBuilder& builder, const Expression& expression, GrammarNode from) {
    switch (expression.kind) {
    case ExpressionKind::characters: {
        const GrammarNode to = builder.add_node();
        builder.code_points(from, expression.set, to);
        return to;
    }
    case ExpressionKind::sequence:
        for (const Expression& child : expression.children)
            from = draw(builder, child, from);
        return from;
    case ExpressionKind::alternation: {
        const GrammarNode end = builder.add_node();
        for (const Expression& child : expression.children) {
            const GrammarNode begin = builder.add_node();
            builder.epsilon(from, begin);
            builder.epsilon(draw(builder, child, begin), end);
        }
        return end;
    }
    case ExpressionKind::repetition:
        return draw_repetition(builder, expression, from);
    case ExpressionKind::reference:
        return builder.call(from, expression.rule);
    case ExpressionKind::token: {
        const GrammarNode to = builder.add_node();
        builder.token(from, expression.token, to);
        return to;
    }
    case ExpressionKind::line_start:
    case ExpressionKind::line_end:
        break; // taken out by the regular expression's reader
    }
    return from;
}

} // namespace vitrine::engine
