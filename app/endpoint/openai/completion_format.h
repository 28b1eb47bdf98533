// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: engine events as chat.completion, chat.completion.chunk and text_completion JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/endpoint/openai/completion_plan.h"

namespace vitrine::app {

/// What one choice has produced and not sent (streaming), or all of it (not streaming).
struct ChoiceOutput {
    std::string text;
    std::string reasoning;
    std::vector<engine::TokenLogprobs> logprobs;
    std::vector<engine::FoundToolCall> tool_calls;
    std::vector<engine::TokenLogprobs> prompt_logprobs; // legacy echo
    bool finished = false;
    engine::FinishReason reason = engine::FinishReason::stop;
};

/// id, object, created, model: equal in every chunk of a stream.
struct CompletionHead {
    std::string id;
    std::int64_t created = 0;
    std::string model;
};

class CompletionFormat {
public:
    CompletionFormat(const CompletionPlan& plan, CompletionHead head);

    /// Frames for what a choice has produced since the last call, role chunk first; empty if there is nothing.
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first);
    [[nodiscard]] std::string usage_frame(const nlohmann::json& usage) const;
    /// The answer of a request that does not stream.
    [[nodiscard]] nlohmann::json body(const std::vector<ChoiceOutput>& choices, const nlohmann::json& usage) const;

private:
    [[nodiscard]] std::string frame(
        int index, const nlohmann::json& delta, const nlohmann::json& logprobs, const char* finish) const;
    [[nodiscard]] nlohmann::json chat_choice(int index, const ChoiceOutput& choice) const;
    [[nodiscard]] nlohmann::json text_choice(int index, const ChoiceOutput& choice) const;

    const CompletionPlan& plan_;
    CompletionHead head_;
    std::string frame_head_; // rendered once
    std::vector<std::size_t> text_offsets_; // legacy logprobs: code points sent so far, by choice
};

[[nodiscard]] nlohmann::json usage_json(int prompt, int cached, int output, int reasoning);

} // namespace vitrine::app
