// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: beam search, the reference: it knows tokens and their log probabilities, nothing of models.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/api/request.h"
#include "kernels/api/sampling.h"

namespace vitrine::engine {

struct BeamOptions {
    int width = 1; // beams that live at once
    double length_penalty = 1; // score = sum of logprobs / length^penalty
    int max_tokens = 1; // a live beam ends there
};

struct Beam {
    std::vector<kernels::SampledToken> tokens; // with the log probabilities they were chosen from
    double sum_logprob = 0;
    double score = 0; // once it has ended
};

/// Each round the best 2 * width continuations of all live beams are ranked by the sum of their logprobs (ties: earlier
/// beam, lower id).  One that ends is kept if it stands among the first `width`; the others live on, at most `width`.
/// Over when nothing lives, or when `width` beams have ended and no live one, scored at its length, beats the last of
/// them (as in Hugging Face transformers).  Width 1 is greedy decoding.  Pure; any thread.
class BeamSearch {
public:
    explicit BeamSearch(const BeamOptions& options);

    [[nodiscard]] std::span<const Beam> live() const noexcept { return live_; } // first: one empty beam
    [[nodiscard]] bool done() const noexcept;
    /// next[i]: what may follow live()[i]: its 2 * width most likely tokens, highest first.  `ends`: whether a beam is
    /// complete with its last token.
    void advance(
        std::span<const std::vector<kernels::TokenLogprob>> next, const std::function<bool(const Beam&)>& ends);
    /// The best `count` beams, best score first; live ones stand in where too few have ended.
    [[nodiscard]] std::vector<Beam> best(int count) const;

private:
    [[nodiscard]] double score_of(const Beam& beam) const;
    void end(Beam beam);

    BeamOptions options_;
    std::vector<Beam> live_;
    std::vector<Beam> ended_; // best first, at most width
};

} // namespace vitrine::engine
