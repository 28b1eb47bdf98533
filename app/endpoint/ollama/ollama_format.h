// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: answers of /api/chat and /api/generate: one JSON object a line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/endpoint/generation/answer_format.h"

namespace vitrine::app {

class OllamaFormat final : public AnswerFormat {
public:
    enum class Kind : std::uint8_t { chat, generate };
    OllamaFormat(Kind kind, std::string model) : kind_(kind), model_(std::move(model)) {}

    [[nodiscard]] std::string stream_type() const override { return "application/x-ndjson"; }
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first) override;
    [[nodiscard]] std::string end(const AnswerSummary& summary) override;
    [[nodiscard]] std::string error_frame(const ApiError& error) override;
    [[nodiscard]] std::string heartbeat() const override { return {}; } // every line is an object
    [[nodiscard]] nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) override;

private:
    [[nodiscard]] nlohmann::ordered_json line(const ChoiceOutput& fresh, bool done) const;
    void add_end(nlohmann::ordered_json& out, const AnswerSummary& summary) const;

    Kind kind_;
    std::string model_;
    engine::FinishReason reason_ = engine::FinishReason::stop;
};

/// "2026-11-30T00:28:49.123456Z"
[[nodiscard]] std::string rfc3339(std::chrono::system_clock::time_point time);

} // namespace vitrine::app
