// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: from what a request asks for to a compiled grammar.
#pragma once

#include <functional>
#include <memory>

#include "engine/api/request.h"
#include "engine/grammar/grammar_builder.h"
#include "engine/grammar/json_text.h"

namespace vitrine::engine {

using GrammarResult = tl::expected<std::shared_ptr<const Grammar>, GrammarError>;

/// The rule of a constraint.  Throws GrammarError.
[[nodiscard]] GrammarRule add_constraint(GrammarBuilder& builder, JsonText& json, const OutputConstraint& constraint);

/// Runs `draw`, which draws into a builder and returns the root, and turns what it throws into a value.
[[nodiscard]] GrammarResult compile_grammar(
    GrammarContext context, const std::function<GrammarRule(GrammarBuilder&)>& draw);

} // namespace vitrine::engine
