// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/step_sampler.h"

namespace vitrine::kernels {

OwnedSampling::OwnedSampling(const SamplingSequence& source)
    : plain(source), drafts(source.drafts.begin(), source.drafts.end()),
      draft_probs(source.draft_probs.begin(), source.draft_probs.end()),
      counts(source.counts.begin(), source.counts.end()), recent(source.recent.begin(), source.recent.end()),
      biases(source.biases.begin(), source.biases.end()), allowed(source.allowed.begin(), source.allowed.end()) {}

SamplingSequence OwnedSampling::view() const {
    SamplingSequence sequence = plain;
    sequence.drafts = drafts;
    sequence.draft_probs = draft_probs;
    sequence.counts = counts;
    sequence.recent = recent;
    sequence.biases = biases;
    sequence.allowed = allowed;
    return sequence;
}

bool is_plainly_greedy(const SamplingSequence& sequence) noexcept {
    constexpr float kGreedyTemperature = 1e-5F; // sampling.h
    const bool penalized =
        sequence.repetition_penalty != 1 || sequence.frequency_penalty != 0 || sequence.presence_penalty != 0;
    return sequence.temperature < kGreedyTemperature && !penalized && sequence.biases.empty() &&
        sequence.allowed.empty() && sequence.num_logprobs < 0;
}

SamplingOutcome greedy_outcome(const OwnedSampling& sequence, std::span<const std::int32_t> best) {
    SamplingOutcome outcome;
    auto row = static_cast<std::size_t>(sequence.plain.logit_row);
    for (const std::int32_t draft : sequence.drafts) {
        if (best[row] != draft)
            break;
        outcome.tokens.push_back({draft, 0, {}});
        ++outcome.num_accepted;
        ++row;
    }
    outcome.tokens.push_back({best[row], 0, {}});
    return outcome;
}

} // namespace vitrine::kernels
