// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: answers of /completion and /infill, as llama-server gives them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/endpoint/generation/answer_format.h"

namespace vitrine::app {

/// One object a prompt; a stream ends with one that says "stop": true, and has no [DONE].
class LlamaFormat final : public AnswerFormat {
public:
    LlamaFormat(std::string model, bool probabilities) : model_(std::move(model)), probabilities_(probabilities) {}

    [[nodiscard]] std::string begin(int prompt_tokens) override;
    [[nodiscard]] std::string frames(int index, ChoiceOutput& fresh, bool first) override;
    [[nodiscard]] std::string end(const AnswerSummary& summary) override;
    [[nodiscard]] std::string error_frame(const ApiError& error) override;
    /// An object; of several prompts an array of them.
    [[nodiscard]] nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) override;

private:
    [[nodiscard]] nlohmann::ordered_json piece(int index, const ChoiceOutput& choice, bool stop) const;
    void add_end(nlohmann::ordered_json& out, const ChoiceOutput& choice, const AnswerSummary& summary) const;

    std::string model_;
    bool probabilities_;
    int prompt_tokens_ = 0;
    ChoiceOutput last_; // reason and stop text of the choice that ended last
};

} // namespace vitrine::app
