// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/golden: sixteen greedy requests whose ids must not depend on how they are computed.
#pragma once

#include <vector>

#include "app/cli/run_requests.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {

using Ids = std::vector<std::vector<engine::TokenId>>;

inline constexpr int kMaxTokens = 6;
inline constexpr int kLongPrompt = 200; // tokens: chunks of 16 and 128 cut it, 512 does not
inline constexpr int kTwoContexts = 64; // blocks: a dense cache serves the sixteen two by two

/// Prompts of different lengths from the model's own reference texts; the last one is long.
inline std::vector<engine::Request> sixteen_requests(const GoldenModel& model, int max_tokens = kMaxTokens) {
    std::vector<engine::TokenId> text;
    for (const auto& record : golden_json(model, "reference"))
        for (const auto& id : record["ids"])
            text.push_back(id);
    std::vector<engine::Request> requests;
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t length = i == 15 ? kLongPrompt : 3 + 2 * i;
        engine::TokenPrompt prompt;
        for (std::size_t k = 0; k < length; ++k)
            prompt.ids.push_back(text[(7 * i + k) % text.size()]);
        engine::Request request;
        request.prompt = std::move(prompt);
        request.sampling.temperature = 0;
        request.stop.max_tokens = max_tokens;
        request.stop.ignore_eos = true;
        requests.push_back(std::move(request));
    }
    return requests;
}

inline Ids ids_of(const Result<std::vector<app::RequestResult>>& results) {
    Ids ids;
    if (!results) {
        ADD_FAILURE() << results.error().message;
        return ids;
    }
    for (const app::RequestResult& result : *results)
        ids.push_back(result.rejected ? std::vector<engine::TokenId>() : result.choices.front().ids);
    return ids;
}

/// Block groups of the model.  Gemma 3 270M: 3 layers see everything and 15 a window, five groups of three.
inline int num_groups_of(const GoldenModel& model) {
    return model.name == gemma3().name ? 6 : 1;
}

inline app::ModelOptions sixteen_options(const GoldenModel& model) {
    auto options = model_options(model, "cpu");
    options.config.context = 512;
    options.config.max_seqs = 16;
    options.config.num_blocks = kTwoContexts * num_groups_of(model);
    options.config.max_batch_tokens = 768;
    options.config.check_invariants = true;
    return options;
}

} // namespace vitrine::testing
