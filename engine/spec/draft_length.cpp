// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: the speed-up formula, its slow follower and the balance that bounds a loss.
#include "engine/spec/draft_length.h"

#include <algorithm>
#include <cmath>

namespace vitrine::engine {
namespace {

constexpr double kMaxCredit = 4; // steps: what drafts gave long ago does not pay for failures now

double verify_cost(const DraftCosts& costs, int gamma) {
    return costs.verify[static_cast<std::size_t>(std::clamp(gamma, 0, kMaxDraftPositions))];
}

} // namespace

double expected_tokens(double alpha, int gamma) noexcept {
    if (alpha >= 1)
        return gamma + 1;
    return (1 - std::pow(alpha, gamma + 1)) / (1 - alpha);
}

double expected_speed_up(double alpha, int gamma, double c, double v) noexcept {
    return expected_tokens(alpha, gamma) / (gamma * c + v);
}

int best_gamma(double alpha, const DraftCosts& costs, int max_gamma) noexcept {
    int best = 0;
    double best_speed_up = 1; // plain decoding: no verify step, no draft
    for (int gamma = 1; gamma <= max_gamma; ++gamma) {
        const double speed_up = expected_speed_up(alpha, gamma, costs.draft, verify_cost(costs, gamma));
        if (speed_up > best_speed_up) {
            best = gamma;
            best_speed_up = speed_up;
        }
    }
    return best;
}

DraftLength::DraftLength(const DraftLengthOptions& options) : options_(options) {
    gamma_ = best_gamma(alpha_, options_.costs, options_.max_gamma);
}

int DraftLength::gamma() const noexcept {
    if (options_.fixed_gamma > 0)
        return std::min(options_.fixed_gamma, options_.max_gamma);
    int wanted = gamma_;
    if (gamma_ == 0 && steps_without_ >= options_.retry_tokens)
        wanted = std::min(1, options_.max_gamma);
    while (wanted > 0 && balance_ - cost_of(wanted) < -allowance())
        --wanted; // if all of them were rejected, drafting would have cost too much
    return wanted;
}

void DraftLength::record(int num_drafted, int num_accepted) noexcept {
    ++num_steps_;
    if (num_drafted == 0) {
        ++steps_without_;
        return;
    }
    balance_ = std::min(balance_ + num_accepted - cost_of(num_drafted), kMaxCredit);
    steps_without_ = 0;
    const double keep = std::exp2(-1 / options_.half_life);
    const int num_judged = std::min(num_drafted, num_accepted + 1); // behind a rejection nothing is judged
    for (int i = 0; i < num_judged; ++i)
        alpha_ = keep * alpha_ + (1 - keep) * (i < num_accepted ? 1 : 0);
    const int wanted = best_gamma(alpha_, options_.costs, options_.max_gamma);
    gamma_ += std::clamp(wanted - gamma_, -1, 1);
}

void DraftLength::set_costs(const DraftCosts& costs) noexcept {
    options_.costs = costs;
    if (num_steps_ == 0)
        gamma_ = best_gamma(alpha_, costs, options_.max_gamma);
}

double DraftLength::cost_of(int gamma) const noexcept {
    return verify_cost(options_.costs, gamma) - 1 + gamma * options_.costs.draft +
        steps_without_ * options_.costs.follow;
}

double DraftLength::allowance() const noexcept {
    return options_.first_loss + options_.max_loss * num_steps_;
}

} // namespace vitrine::engine
