// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the grammar of a request's whole output: reasoning, then calls or the constrained answer.
#pragma once

#include <functional>
#include <memory>

#include "engine/core/grammar_store.h"
#include "engine/core/loaded_text.h"

namespace vitrine::engine {

/// How the prompt leaves the model's reasoning.
struct PromptEnd {
    bool reasoning_open = false; // the answer begins inside
    bool reasoning_closed = false; // it was begun and ended (thinking switched off): the answer has none
};

/// Thread: prepare.  Null: any text.  tools: how the prompt told the model to write calls; becomes generic_json where the
/// model's own syntax has no grammar and a call is forced.
[[nodiscard]] GrammarResult compile_output_grammar(const Request& request, const LoadedText& text, ToolFormat& tools,
    const PromptEnd& prompt, GrammarStore& store, const std::function<bool()>& cancelled);

} // namespace vitrine::engine
