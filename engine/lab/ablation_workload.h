// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the loads that show what one optimisation is worth (engine.md 9).
#pragma once

#include <string>
#include <vector>

#include "engine/lab/ablation.h"
#include "engine/lab/load_runner.h"

namespace vitrine::engine {

struct AblationLoads {
    int num_requests = 16;
    int context = 1024;
    std::uint64_t seed = 1;
    double mean_gap_s = 0.1; // of arrivals
    std::vector<TokenId> text; // tokens to cut prompts from; at least `context`
};

[[nodiscard]] WorkloadFigures workload_figures(AblationLoad load, const AblationLoads& loads);
/// "16 requests at once, prompts of 16 to 128 and answers of 8 to 64 tokens"
[[nodiscard]] std::string describe(const WorkloadFigures& figures);
/// Greedy, EOS ignored, the same for equal arguments.
[[nodiscard]] std::vector<TimedRequest> make_load(AblationLoad load, const AblationLoads& loads);
/// One request that scores the first tokens of the text and gives none.
[[nodiscard]] std::vector<TimedRequest> make_scoring(const AblationLoads& loads);
/// Text of the model's vocabulary: English where there is a tokenizer, else random ids.
[[nodiscard]] std::vector<TokenId> ablation_text(const TextModel& model, int num_tokens, std::uint64_t seed);

} // namespace vitrine::engine
