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

/// Which of accepted drafts and the sampled token are kept, as far as ids tell: end of generation and length.
/// Thread: engine.
[[nodiscard]] CommitVerdict decide_tokens(const RequestState& request, const OutputPlace& place,
    const kernels::SamplingOutcome& outcome, const LoadedText& text);
/// Feeds what was kept to the choice's output in order.  A stop string cuts the verdict: per token the order is append,
/// end of generation, stop string, length (engine.md 6); what lies behind a stop is dropped and not counted.
void give_tokens(const RequestState& request, ChoiceState& choice, const kernels::SamplingOutcome& outcome,
    const LoadedText& text, CommitVerdict& verdict);
/// True if generation ends on this token.
[[nodiscard]] bool ends_generation(const RequestState& request, const LoadedText& text, TokenId token);
/// Can the text of a choice end it?
[[nodiscard]] inline bool has_stop_strings(const RequestState& request) {
    return !request.request->stop.stop.empty();
}

/// Scores the prompt tokens that rows [first_position, + count) predict, into request.prompt_logprobs.
/// logits: [plan.count, vocab]
void take_prompt_logprobs(
    RequestState& request, const SequencePlan& plan, std::span<const float> logits, const LoadedText& text);

/// Adds the hidden states of the plan's rows to request.pooled.  False: the device gave none.
/// hidden: [plan.count, embedding_dim]
[[nodiscard]] bool pool_hidden(RequestState& request, const SequencePlan& plan, std::span<const float> hidden);

} // namespace vitrine::engine
