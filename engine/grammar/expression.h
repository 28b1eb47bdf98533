// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: what a GBNF rule or a regular expression says, before it is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {

enum class ExpressionKind : std::uint8_t {
    characters,
    sequence,
    alternation,
    repetition,
    reference,
    token,
    line_start,
    line_end
};

/// characters: one code point of `set`.  repetition: children[0], min to max times.  reference: `rule`.
/// line_start, line_end: regular expressions only, at the edges only.
struct Expression {
    static constexpr int kUnbounded = -1;

    ExpressionKind kind = ExpressionKind::sequence;
    CodePointSet set;
    std::vector<Expression> children;
    int min = 0;
    int max = 0; // kUnbounded
    GrammarRule rule{};
    TokenId token = 0;
};

inline constexpr int kMaxRepetitions = 100'000;

/// Draws it behind `from` and returns the node behind it.
[[nodiscard]] GrammarNode draw(GrammarBuilder& builder, const Expression& expression, GrammarNode from);

} // namespace vitrine::engine
