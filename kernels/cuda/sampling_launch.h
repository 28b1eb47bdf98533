// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: what the host says to the sampling kernels; plain structs, no CUDA C++.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/api/sampling.h"

namespace vitrine::kernels {

inline constexpr int kMaxDeviceLogprobs = 128; // more: the sequence is sampled on the host
inline constexpr std::int64_t kMaxDeviceVocab = 524288; // likewise
inline constexpr std::int64_t kNoRow = -1;
inline constexpr int kSamplingRows = 256; // rows of one launch: they share the work memory
inline constexpr int kNearTokens = 16384; // tokens near the maximum that later passes look at instead of the whole row

/// One logit row of one sequence: a draw, or the judgement of a draft.  Lists are ranges of SamplingBatch's arrays.
struct SamplingRow {
    std::int64_t mask = kNoRow; // first word in `masks`, or none
    std::int64_t draft_probs = kNoRow; // first float in `draft_probs`, or none: a one-hot draft
    std::uint64_t seed = 0;
    std::uint32_t choice = 0;
    std::uint32_t position = 0; // of this row
    std::int32_t logit_row = 0;
    std::int32_t judges = 0; // 1: `draft` is judged
    std::int32_t draft = -1;
    std::int32_t first_count = 0, num_counts = 0; // distinct ids, drafts before this row included
    std::int32_t first_bias = 0, num_biases = 0; // ascending ids; entries of one id in the order they apply
    std::int32_t first_saved = 0; // of this row in saved_biases
    std::int32_t num_logprobs = -1;
    std::int32_t top_k = 0;
    float temperature = 1, min_p = 0, top_p = 1, typical_p = 1;
    float repetition_penalty = 1, frequency_penalty = 0, presence_penalty = 0;
};

struct SampledRow {
    std::int32_t token = -1; // the draft where it was accepted
    std::int32_t accepted = 0;
    float logprob = 0;
    std::int32_t num_top = 0;
};

/// Device pointers of one step.  logits: [row][vocab] f32; what penalties change in them is put back.
struct SamplingBatch {
    const SamplingRow* rows = nullptr;
    const TokenCount* counts = nullptr;
    const TokenBias* biases = nullptr;
    const std::uint32_t* masks = nullptr;
    const float* draft_probs = nullptr;
    float* saved_counts = nullptr; // index as counts: the logit before the penalties
    float* saved_biases = nullptr; // each row has its own num_biases of them
    std::int32_t* forced = nullptr; // [row] 1: forced tokens push all others out
    float2* near = nullptr; // [row of the launch][kNearTokens] work memory: (logit / temperature, bits of the id)
    float* logits = nullptr;
    std::int32_t* tokens = nullptr; // [logit row] the chosen ones once more, for the step behind
    SampledRow* outcomes = nullptr; // [row]
    TokenLogprob* top = nullptr; // [row][top_stride]
    std::int64_t vocab = 0;
    int num_rows = 0;
    int top_stride = 0;
    bool changes = false; // some row has biases or penalties
    bool logprobs = false; // some row asks for them
};

/// Chooses a token for every row: penalties, choice, logits as they were, log-probabilities.
[[nodiscard]] cudaError_t launch_sampling(const SamplingBatch& batch, cudaStream_t stream);

} // namespace vitrine::kernels
