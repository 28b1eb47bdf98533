// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: what sampling needs to know of each sequence, and what it answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::kernels {

struct TokenBias {
    std::int32_t token = 0;
    float bias = 0; // <= -100: forbidden; >= 100: forced
};
struct TokenCount {
    std::int32_t token = 0;
    std::int32_t output_count = 0; // occurrences in the output: frequency and presence penalties
    bool repeat = true; // inside the repetition window (prompt + output)
};

/// One sequence that gets its next token from this step.  It owns `num_drafts` + 1 consecutive logit rows, the first of
/// them `logit_row`; row i judges draft i, the last row gives the bonus token.  Order of stages: engine.md 5.1.
struct SamplingSequence {
    std::int32_t logit_row = 0;
    std::span<const std::int32_t> drafts{}; // token ids, empty: plain sampling
    std::span<const float> draft_probs{}; // [num_drafts, vocab] q after the same filters; empty: one-hot drafts
    float temperature = 1; // < 1e-5: greedy, lowest id on ties
    float min_p = 0; // 0: off
    std::int32_t top_k = 0; // <= 0: off
    float top_p = 1; // 1: off
    float typical_p = 1; // 1: off
    float repetition_penalty = 1;
    float frequency_penalty = 0;
    float presence_penalty = 0;
    std::span<const TokenCount> counts{}; // distinct ids; drafts are added by the sampler, row by row
    std::int32_t repeat_last_n = -1; // length of the repetition window; -1: all.  Drafts push its oldest tokens out
    std::span<const std::int32_t> recent{}; // the window, oldest first; only if it is bounded
    std::span<const TokenBias> biases{};
    std::span<const std::uint32_t> allowed{}; // bit per token id; empty: all.  [num_drafts + 1, ceil(vocab/32)]
    std::uint64_t seed = 0;
    std::uint32_t choice = 0;
    std::uint32_t position = 0; // index in the output of the first token this step gives
    std::int32_t num_logprobs = -1; // -1: none; 0: the chosen token only; k: plus the top k
};

struct TokenLogprob {
    std::int32_t token = 0;
    float logprob = 0; // log softmax of the raw logits; -inf possible
};
struct SampledToken {
    std::int32_t token = -1; // -1: no legal token in this row
    float logprob = 0; // of the raw logits; filled when num_logprobs >= 0
    std::vector<TokenLogprob> top;
};
/// tokens: accepted drafts, then one sampled token.  A token of -1 ends the sequence with an error, its mates go on.
struct SamplingOutcome {
    std::vector<SampledToken> tokens;
    std::int32_t num_accepted = 0;
};

} // namespace vitrine::kernels
