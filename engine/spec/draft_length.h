// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: how many tokens to draft: the length with the best expected speed-up (engine.md 4.2).
#pragma once

namespace vitrine::engine {

/// E = (1 - alpha^(gamma + 1)) / (1 - alpha): tokens one verify step is expected to give.
[[nodiscard]] double expected_tokens(double alpha, int gamma) noexcept;
/// E / (gamma * c + v).  c: draft step / plain step; v: verify step / plain step.
[[nodiscard]] double expected_speed_up(double alpha, int gamma, double c, double v) noexcept;
[[nodiscard]] int best_gamma(double alpha, double c, double v, int max_gamma) noexcept; // 0: do not draft

struct DraftLengthOptions {
    int max_gamma = 8;
    int fixed_gamma = 0; // > 0: always this many, at most max_gamma
    double draft_cost = 0.01; // c; an n-gram look-up costs next to nothing
    double verify_cost = 1.08; // v
    double half_life = 32; // drafts
    int retry_tokens = 64; // at gamma 0: try one draft after so many tokens
};

/// Adapts gamma of one sequence from what happened to its drafts so far, one step at a time.  Thread: engine.
class DraftLength {
public:
    explicit DraftLength(const DraftLengthOptions& options = {});

    [[nodiscard]] int gamma() const noexcept;
    [[nodiscard]] double acceptance() const noexcept { return alpha_; }
    /// After a step: drafts behind the first rejection are not judged and do not count.
    void record(int num_drafted, int num_accepted) noexcept;
    /// Measured costs of the current batch bucket.
    void set_costs(double draft_cost, double verify_cost) noexcept;

private:
    DraftLengthOptions options_;
    double alpha_ = 0.7; // prior: gives gamma > 1 at once, a few rejections take it down
    int gamma_ = 0;
    int tokens_at_zero_ = 0;
};

} // namespace vitrine::engine
