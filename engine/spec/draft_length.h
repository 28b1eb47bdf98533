// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: how many tokens to draft: the length with the best expected speed-up (engine.md 4.2).
#pragma once

#include "engine/spec/draft_costs.h"

namespace vitrine::engine {

/// E = (1 - alpha^(gamma + 1)) / (1 - alpha): tokens one verify step is expected to give.
[[nodiscard]] double expected_tokens(double alpha, int gamma) noexcept;
/// E / (gamma * c + v).  c: draft step / plain step; v: verify step / plain step.
[[nodiscard]] double expected_speed_up(double alpha, int gamma, double c, double v) noexcept;
[[nodiscard]] int best_gamma(double alpha, const DraftCosts& costs, int max_gamma) noexcept; // 0: do not draft

struct DraftLengthOptions {
    int max_gamma = 8;
    int fixed_gamma = 0; // > 0: always this many, at most max_gamma
    DraftCosts costs = DraftCosts::uniform(0.01, 1.08);
    double half_life = 32; // drafts
    int retry_tokens = 64; // at gamma 0: try one draft after so many tokens
    double max_loss = 0.02; // of the steps so far that drafting may have cost net, and
    double first_loss = 1; // so many steps on top
};

/// Adapts gamma of one sequence from what happened to its drafts so far, one step at a time, and never lets drafts cost
/// much more than they gave: a running balance of steps saved and spent bounds what may be risked next.  Thread: engine.
class DraftLength {
public:
    explicit DraftLength(const DraftLengthOptions& options = {});

    [[nodiscard]] int gamma() const noexcept;
    [[nodiscard]] double acceptance() const noexcept { return alpha_; }
    [[nodiscard]] double balance() const noexcept { return balance_; } // plain steps gained, at most kMaxCredit
    /// After a step: drafts behind the first rejection are not judged and do not count.
    void record(int num_drafted, int num_accepted) noexcept;
    /// Measured costs of the current batch.
    void set_costs(const DraftCosts& costs) noexcept;

private:
    [[nodiscard]] double cost_of(int gamma) const noexcept; // steps beyond the plain one
    [[nodiscard]] double allowance() const noexcept;

    DraftLengthOptions options_;
    double alpha_ = 0.7; // prior: gives gamma > 1 at once, a few rejections take it down
    double balance_ = 0;
    int gamma_ = 0;
    int num_steps_ = 0;
    int steps_without_ = 0; // since the last draft
};

} // namespace vitrine::engine
