// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the stages of the sampling chain before the draw; used by ref_sampling.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/ref/ref_sampling.h"

namespace vitrine::kernels {

inline constexpr float kGreedyTemperature = 1e-5F; // below: argmax, no filter runs

/// Bound of -ln(-ln u) over every u that uniform_of_word gives: u <= 1 - 2^-24.
inline constexpr double kLargestGumbel = 16.7;

/// One row after bias, mask and penalties (stages 0 to 2).  argmax: lowest id on ties; -1: no legal token.
struct PenalizedRow {
    std::span<const float> logits; // [vocab]; NaN counts as -inf; points into the scratch or at the raw row
    float max = 0;
    std::int32_t argmax = -1;
};

/// `row`: the first `row` drafts of the sequence count as output.  The result lives until the scratch is used again.
[[nodiscard]] PenalizedRow penalize_row(
    std::span<const float> logits, const SamplingSequence& sequence, std::int32_t row, SamplingScratch& scratch);

/// What the filters kept is in SamplingScratch::candidates, in no order; p(c) = exp(c.logit - max) / total.
struct KeptSet {
    float max = 0; // of the candidates' logits
    double total = 0; // sum of exp(logit - max)
};

/// Stage 2's counts where the first `num_drafts` drafts are output as well; in `merged` unless there are none.
[[nodiscard]] std::span<const TokenCount> counts_with_drafts(
    const SamplingSequence& sequence, std::int32_t num_drafts, std::vector<TokenCount>& merged);

/// Temperature, min-p, top-k, top-p, typical-p (stages 3 to 7).  Requires: a legal token, temperature not greedy.
[[nodiscard]] KeptSet keep_candidates(
    const PenalizedRow& row, const SamplingSequence& sequence, SamplingScratch& scratch);

/// True when stages 4 to 7 keep every token.
[[nodiscard]] bool filters_are_off(const SamplingSequence& sequence, std::size_t vocab) noexcept;

/// The k highest of `logits` / temperature, ties to the lower id, in no order; NaN and -inf never.
void collect_top_k(std::span<const float> logits, float temperature, std::size_t k,
    std::vector<SamplingScratch::Candidate>& candidates);

} // namespace vitrine::kernels
