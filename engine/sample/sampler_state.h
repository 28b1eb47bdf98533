// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: what one sequence carries for the sampler; survives a preemption untouched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/result.h"
#include "engine/grammar/grammar_state.h"
#include "engine/sample/penalties.h"
#include "kernels/api/sampling.h"

namespace vitrine::engine {

struct SamplerOptions {
    SamplingParams params;
    std::uint64_t seed = 0; // params.seed, or the one drawn at submit
    int choice = 0;
    int num_logprobs = -1;
    int min_tokens = 0; // end tokens are masked before
    std::vector<TokenId> end_tokens; // EOG and stop tokens, masked while output < min_tokens
    std::shared_ptr<TokenMasks> grammar; // none: any text
};

/// `invalid_argument` names the field, the value and the range (engine.md 5.1).
[[nodiscard]] Result<void> check_sampling(const SamplingParams& params, int vocab_size);

/// Thread: engine.
class SamplerState {
public:
    /// Requires: check_sampling() passed.
    SamplerState(SamplerOptions options, std::span<const TokenId> prompt);

    /// One more kept output token.
    void append(TokenId token);
    /// Index in the output of the next token: the draw position.
    [[nodiscard]] int position() const noexcept { return position_; }
    [[nodiscard]] bool greedy() const noexcept;
    /// Most drafts that may be verified together: a run must not cross the end of min_tokens, whose mask holds for all
    /// rows of one step.
    [[nodiscard]] int max_drafts() const noexcept;
    [[nodiscard]] const SamplerOptions& options() const noexcept { return options_; }
    /// The row depends on the token before it: a step ahead of that token cannot be planned.
    [[nodiscard]] bool needs_last_token() const noexcept { return grammar_.active() || counts_.active(); }
    /// Where the kept output stands in the request's grammar.
    [[nodiscard]] const GrammarState& grammar() const noexcept { return grammar_; }

    /// The sampling row of this sequence.  Spans point into this object and stay good until append().
    /// drafts: token ids judged by rows logit_row ...; allowed: [drafts + 1, ceil(vocab/32)] bits, or empty.
    /// num_ahead: sampled tokens that append() has not seen yet; 0 if needs_last_token().
    [[nodiscard]] kernels::SamplingSequence row(std::int32_t logit_row, std::span<const TokenId> drafts,
        std::span<const std::uint32_t> allowed, int num_ahead = 0) const;

private:
    SamplerOptions options_;
    PenaltyCounts counts_;
    GrammarState grammar_;
    int position_ = 0;
    std::vector<kernels::TokenBias> biases_; // logit_bias
    std::vector<kernels::TokenBias> biases_before_min_; // logit_bias and the mask of end tokens
};

} // namespace vitrine::engine
