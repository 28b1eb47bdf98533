// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: reads llama.cpp's GBNF dialect.
#pragma once

#include <string_view>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {

/// name ::= alternatives | "text" [class] [^class] . (group) name, each with * + ? {m} {m,} {m,n}; # comments; escapes
/// \n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH; <[id]> and <spelling> for one control token.  A rule ends with its line,
/// except inside parentheses and behind |.  Returns the rule `root`.  Throws GrammarError with line and column.
[[nodiscard]] GrammarRule add_gbnf(GrammarBuilder& builder, std::string_view source);

} // namespace vitrine::engine
