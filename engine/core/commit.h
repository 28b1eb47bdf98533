// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: what became of one sampled run: which tokens are kept, and whether the choice ends.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/loaded_text.h"
#include "engine/core/request_state.h"
#include "engine/sched/schedule_output.h"
#include "kernels/api/sampling.h"

namespace vitrine::engine {

/// kept: goes to the scheduler.  reason set: the choice ends after them.
struct CommitVerdict {
    std::vector<TokenId> kept;
    std::optional<FinishReason> reason;
    std::optional<Error> error;
};

/// Where a choice stands in its output.
struct OutputPlace {
    int num_output = 0; // tokens so far
    int max_output = 0;
};

/// Feeds accepted drafts and the sampled token to the choice's output in order.  Per token: append, end of generation,
/// stop string, length (engine.md 6); what lies behind a stop inside the run is dropped and not counted.
/// Thread: engine.
[[nodiscard]] CommitVerdict take_tokens(const RequestState& request, ChoiceState& choice, const OutputPlace& place,
    const kernels::SamplingOutcome& outcome, const LoadedText& text);
/// True if generation ends on this token.
[[nodiscard]] bool ends_generation(const RequestState& request, const LoadedText& text, TokenId token);

/// Scores the prompt tokens that rows [first_position, + count) predict, into request.prompt_logprobs.
/// logits: [plan.count, vocab]
void take_prompt_logprobs(
    RequestState& request, const SequencePlan& plan, std::span<const float> logits, const LoadedText& text);

/// Adds the hidden states of the plan's rows to request.pooled.  False: the device gave none.
/// hidden: [plan.count, embedding_dim]
[[nodiscard]] bool pool_hidden(RequestState& request, const SequencePlan& plan, std::span<const float> hidden);

} // namespace vitrine::engine
