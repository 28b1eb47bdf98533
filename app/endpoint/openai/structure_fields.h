// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the fields that say what the answer must look like: formats, grammars, tool choice.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/endpoint/json_fields.h"
#include "engine/api/request.h"

namespace vitrine::app {

/// response_format (OpenAI), grammar and json_schema (llama.cpp), guided_json, guided_regex, guided_choice,
/// guided_grammar and structured_outputs (vLLM); at most one of them.  Whether it can be honoured the engine says.
void read_structure_fields(Fields& fields, engine::Request& request);

/// tool_choice and parallel_tool_calls, or the legacy function_call.  False: the tools are not to be shown.
[[nodiscard]] bool read_tool_choice(Fields& fields, const nlohmann::ordered_json& tools, engine::Request& request);

} // namespace vitrine::app
