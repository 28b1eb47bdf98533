// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: a request after rendering, tokenizing and every check that needs no engine state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/result.h"
#include "engine/chat/message.h"
#include "engine/chat/tool_call_parser.h"
#include "engine/grammar/grammar.h"

namespace vitrine::engine {

struct PreparedRequest {
    std::vector<TokenId> prompt;
    std::string prompt_text;
    bool reasoning_open = false;
    bool splits_reasoning = false; // chat prompts of models with reasoning tags, if the request wants it
    ToolFormat tools; // none: no calls are looked for
    std::vector<ToolSchema> tool_schemas;
    std::uint64_t seed = 0;
    int max_output = 0; // max_tokens cut to the context
    std::shared_ptr<const Grammar> grammar; // of the whole output; null: any text
};

/// Why a request never runs.
struct RequestRefusal {
    Error error;
    int prompt_tokens = 0;
    int context_length = 0;
    std::string param; // with invalid_schema: see Rejected
};

} // namespace vitrine::engine
