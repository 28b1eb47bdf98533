// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: reads regular expressions: what ECMA 262 and Python's re have in common.
#pragma once

#include <string_view>
#include <vector>

#include "engine/grammar/expression.h"

namespace vitrine::engine {

/// One alternative of a pattern, its anchors taken out of its ends.
struct AnchoredExpression {
    Expression body;
    bool at_start = false; // ^
    bool at_end = false; // $
};

/// Look-around, back references, flags, \b and possessive quantifiers are refused; so are anchors in the middle.
/// \d \w \s hold what both languages agree on, and so do their complements.  Throws GrammarError with the place.
[[nodiscard]] std::vector<AnchoredExpression> parse_regex(std::string_view pattern);
/// The whole text must match.
[[nodiscard]] GrammarRule add_regex(GrammarBuilder& builder, std::string_view pattern);

} // namespace vitrine::engine
