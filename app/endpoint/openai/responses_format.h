// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: answers of /v1/responses: items, and the events that build them up.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/endpoint/generation/answer_format.h"

namespace vitrine::app {

/// One reasoning item and one message at a time, then function calls.  Events: `type` in the data and as the event's
/// name, sequence_number from 0 without gaps, item ids constant, output_index rising.
class ResponsesFormat final : public AnswerFormat {
public:
    /// `request`: the body as sent, whose settings are echoed.
    ResponsesFormat(const nlohmann::ordered_json& request, std::string model);

    [[nodiscard]] std::string begin(int prompt_tokens) override;
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first) override;
    [[nodiscard]] std::string end(const AnswerSummary& summary) override;
    [[nodiscard]] std::string error_frame(const ApiError& error) override;
    [[nodiscard]] nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) override;

private:
    enum class Open : std::uint8_t { none, reasoning, message, call };
    [[nodiscard]] nlohmann::ordered_json response(const char* status) const;
    void finish_response(nlohmann::ordered_json& out, const AnswerSummary& summary) const;
    [[nodiscard]] std::string event(const char* type, nlohmann::ordered_json data);
    [[nodiscard]] std::string open_item(Open kind);
    [[nodiscard]] std::string close_item();
    [[nodiscard]] std::string text_delta(const ChoiceOutput& fresh);
    [[nodiscard]] std::string open_call(const engine::ToolCallPart& call);
    [[nodiscard]] std::string call_delta(const engine::ToolCallPart& call);
    [[nodiscard]] std::string close_call();
    [[nodiscard]] nlohmann::ordered_json part() const;

    nlohmann::ordered_json head_; // everything that is the same in every lifecycle object
    int sequence_ = 0;
    Open open_ = Open::none;
    nlohmann::ordered_json item_; // the open one
    std::string text_; // of it; a call's arguments
    std::size_t num_calls_done_ = 0; // that the model has completed
    std::size_t num_calls_closed_ = 0;
    nlohmann::ordered_json logprobs_ = nlohmann::ordered_json::array(); // of it
    nlohmann::ordered_json output_ = nlohmann::ordered_json::array(); // closed items
    engine::FinishReason reason_ = engine::FinishReason::stop;
};

} // namespace vitrine::app
