// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the sampling chain and draft verification; the CPU backend and the engine use the same code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/api/sampling.h"

namespace vitrine::kernels {

/// Work memory of the sampler; keep one per thread so that a step allocates nothing once it has grown to the vocabulary.
struct SamplingScratch {
    struct Candidate {
        float logit = 0; // after every penalty, divided by the temperature
        std::int32_t token = 0;
    };
    struct Ranked { // a candidate by its distance to the entropy (typical-p)
        double distance = 0;
        Candidate candidate;
    };
    std::vector<float> logits;
    std::vector<Candidate> candidates;
    std::vector<Ranked> ranked;
    std::vector<TokenCount> counts;
};

/// Runs the chain of one sequence: bias and mask, penalties, temperature, min-p, top-k, top-p, typical-p, Gumbel draw;
/// with drafts the verification by rejection, row by row.  Order and rules: see kernels/ref/README.md.
/// logits: [num_drafts + 1, vocab] f32, the rows of this sequence (SamplingSequence::logit_row is not looked at)
/// Pure (scratch aside); any thread.
[[nodiscard]] SamplingOutcome sample_sequence(
    std::span<const float> logits, std::int64_t vocab, const SamplingSequence& sequence, SamplingScratch& scratch);
[[nodiscard]] SamplingOutcome sample_sequence(
    std::span<const float> logits, std::int64_t vocab, const SamplingSequence& sequence);

/// Softmax over what the filters keep, 0 elsewhere: what a draw of this row follows.  Greedy gives a one-hot row.  All
/// zero: no legal token.  `row`: index into the sequence's drafts; the first `row` drafts count as output.
/// logits: [vocab]   probs: [vocab]
void filtered_probabilities(std::span<const float> logits, const SamplingSequence& sequence, std::int32_t row,
    SamplingScratch& scratch, std::span<float> probs);

/// One token of a draft model: the same chain with the drafter's own noise at output index sequence.position + row, and
/// the distribution it was drawn from, which becomes a row of SamplingSequence::draft_probs.  -1: no legal token.
[[nodiscard]] std::int32_t draft_token(std::span<const float> logits, const SamplingSequence& sequence,
    std::int32_t row, SamplingScratch& scratch, std::span<float> probs);

/// Log softmax of raw logits (NaN counts as -inf) for one token and the `num_top` most likely, highest first, ties to the
/// lower id.  A token of -1 gives only the list.
[[nodiscard]] SampledToken logprobs_of(std::span<const float> logits, std::int32_t token, std::int32_t num_top);

} // namespace vitrine::kernels
