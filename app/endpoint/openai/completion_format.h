// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: engine events as chat.completion, chat.completion.chunk and text_completion JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/endpoint/generation/answer_format.h"
#include "app/endpoint/openai/completion_plan.h"

namespace vitrine::app {

/// id, object, created, model: equal in every chunk of a stream.
struct CompletionHead {
    std::string id;
    std::int64_t created = 0;
    std::string model;
};

class CompletionFormat final : public AnswerFormat {
public:
    CompletionFormat(const CompletionPlan& plan, CompletionHead head);

    /// Role chunk first, never again; one finish chunk with an empty delta.
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first) override;
    [[nodiscard]] std::string end(const AnswerSummary& summary) override;
    [[nodiscard]] std::string error_frame(const ApiError& error) override;
    [[nodiscard]] nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) override;

private:
    [[nodiscard]] std::string frame(int index, const nlohmann::ordered_json& delta,
        const nlohmann::ordered_json& logprobs, const char* finish) const;
    [[nodiscard]] std::string call_frames(int index, const engine::ToolCallPart& part) const;
    [[nodiscard]] nlohmann::ordered_json chat_choice(int index, const ChoiceOutput& choice) const;
    [[nodiscard]] nlohmann::ordered_json text_choice(int index, const ChoiceOutput& choice) const;

    /// What of the plan shows in the answer.
    struct Shape {
        bool chat = true;
        int num_choices = 1;
        bool include_usage = false;
        bool logprobs = false;
        bool echo = false;
        std::vector<std::string> echo_texts;
    };
    const Shape plan_;
    CompletionHead head_;
    std::string frame_head_; // rendered once
    std::vector<std::size_t> text_offsets_; // legacy logprobs: code points sent so far, by choice
};

/// {"content":[{token,bytes,logprob,top_logprobs}],"refusal":null}
[[nodiscard]] nlohmann::ordered_json chat_logprobs_json(const std::vector<engine::TokenLogprobs>& tokens);
[[nodiscard]] nlohmann::ordered_json usage_json(const engine::Usage& usage);

} // namespace vitrine::app
