// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the next tokens of a step: argmax on the device where every sequence is plainly greedy, else the
// sampler of kernels/ref on the host, over logits that the step copied.
#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/ref/ref_sampling.h"

namespace vitrine::kernels {

/// Copy of one SamplingSequence with what its spans show.
struct OwnedSampling {
    explicit OwnedSampling(const SamplingSequence& source);
    [[nodiscard]] SamplingSequence view() const;

    SamplingSequence plain;
    std::vector<std::int32_t> drafts;
    std::vector<float> draft_probs;
    std::vector<TokenCount> counts;
    std::vector<std::int32_t> recent;
    std::vector<TokenBias> biases;
    std::vector<std::uint32_t> allowed;
};

/// True if argmax decides the sequence: no temperature, penalty, bias, mask or log-probability.
[[nodiscard]] bool is_plainly_greedy(const SamplingSequence& sequence) noexcept;

/// `best`: argmax of each logit row.  Drafts are accepted as long as they are the argmax.
[[nodiscard]] SamplingOutcome greedy_outcome(const OwnedSampling& sequence, std::span<const std::int32_t> best);

} // namespace vitrine::kernels
