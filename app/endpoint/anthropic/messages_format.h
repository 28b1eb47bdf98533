// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: answers of /v1/messages: content blocks, and the events that build them up.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/endpoint/generation/answer_format.h"

namespace vitrine::app {

/// Blocks: thinking, text, tool_use; their index has no gaps.
class MessagesFormat final : public AnswerFormat {
public:
    explicit MessagesFormat(std::string model);

    [[nodiscard]] std::string begin(int prompt_tokens) override;
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first) override;
    [[nodiscard]] std::string end(const AnswerSummary& summary) override;
    [[nodiscard]] std::string error_frame(const ApiError& error) override;
    [[nodiscard]] std::string heartbeat() const override { return "event: ping\ndata: {\"type\": \"ping\"}\n\n"; }
    [[nodiscard]] nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) override;

private:
    enum class Open : std::uint8_t { none, thinking, text, tool_use };
    [[nodiscard]] nlohmann::ordered_json message() const;
    [[nodiscard]] std::string open_block(Open kind);
    [[nodiscard]] std::string close_block();

    std::string id_;
    std::string model_;
    Open open_ = Open::none;
    int num_blocks_ = 0; // begun
    engine::FinishReason reason_ = engine::FinishReason::stop;
    std::string stop_text_;
};

} // namespace vitrine::app
