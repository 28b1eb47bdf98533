// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: grammars of tool calls, each family in its own syntax: what tool_call_parser reads back.
#pragma once

#include <string>
#include <string_view>

#include "engine/chat/tool_call_parser.h"
#include "engine/grammar/grammar_builder.h"
#include "engine/grammar/json_text.h"

namespace vitrine::engine {

struct ToolCallRules {
    ToolFormat format;
    std::string tools_json; // OpenAI form, or bare functions
    std::string only; // the one function that may be called; empty: any
    bool forced = true; // schemas that cannot be honoured are refused; else only strict functions' are
    bool parallel = true; // several calls may follow each other
    bool free_text = false; // text may stand before the first call, or instead of any
    bool response = false; // generic_json: {"response": "..."} instead of a call
};

/// Is there a grammar for this syntax?
[[nodiscard]] bool can_draw_calls(ToolSyntax syntax) noexcept;
/// Does some function say "strict": true?
[[nodiscard]] bool has_strict_tool(std::string_view tools_json);
/// Requires: can_draw_calls(rules.format.syntax).  Throws GrammarError with a path such as tools[0].function.parameters.
[[nodiscard]] GrammarNode draw_tool_calls(
    GrammarBuilder& builder, JsonText& json, const ToolCallRules& rules, GrammarNode from);

} // namespace vitrine::engine
