// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: a body of /v1/chat/completions or /v1/completions, checked and turned into engine requests.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/endpoint/api_error.h"
#include "engine/api/engine.h"

namespace vitrine::app {

struct CompletionPlan {
    bool chat = true;
    std::string model; // echoed as asked
    std::vector<engine::Request> requests; // one a prompt; choice index = prompt * num_choices + choice
    std::vector<std::string> echo_texts; // legacy echo: the prompts as text, parallel to requests
    int num_choices = 1;
    bool stream = false;
    bool include_usage = false;
    bool logprobs = false;
    int top_logprobs = 0;
    bool echo = false;
    bool reasoning_inline = false; // reasoning_format none
};

/// Fields: endpoint reference, section 6.  `text` gives the vocabulary for checks of ids.
[[nodiscard]] tl::expected<CompletionPlan, ApiError> plan_chat(
    const nlohmann::ordered_json& body, const engine::TextModel& text);
[[nodiscard]] tl::expected<CompletionPlan, ApiError> plan_completion(
    const nlohmann::ordered_json& body, const engine::TextModel& text);

} // namespace vitrine::app
