// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: the speed-up formula and its slow follower.
#include "engine/spec/draft_length.h"

#include <algorithm>
#include <cmath>

namespace vitrine::engine {

double expected_tokens(double alpha, int gamma) noexcept {
    if (alpha >= 1)
        return gamma + 1;
    return (1 - std::pow(alpha, gamma + 1)) / (1 - alpha);
}

double expected_speed_up(double alpha, int gamma, double c, double v) noexcept {
    return expected_tokens(alpha, gamma) / (gamma * c + v);
}

int best_gamma(double alpha, double c, double v, int max_gamma) noexcept {
    int best = 0;
    double best_speed_up = 1; // plain decoding: no verify step, no draft
    for (int gamma = 1; gamma <= max_gamma; ++gamma) {
        const double speed_up = expected_speed_up(alpha, gamma, c, v);
        if (speed_up > best_speed_up) {
            best = gamma;
            best_speed_up = speed_up;
        }
    }
    return best;
}

DraftLength::DraftLength(const DraftLengthOptions& options) : options_(options) {
    gamma_ = best_gamma(alpha_, options_.draft_cost, options_.verify_cost, options_.max_gamma);
}

int DraftLength::gamma() const noexcept {
    if (options_.fixed_gamma > 0)
        return std::min(options_.fixed_gamma, options_.max_gamma);
    if (gamma_ == 0)
        return tokens_at_zero_ >= options_.retry_tokens ? std::min(1, options_.max_gamma) : 0;
    return gamma_;
}

void DraftLength::record(int num_drafted, int num_accepted) noexcept {
    if (num_drafted == 0) {
        tokens_at_zero_ += gamma_ == 0 ? 1 : 0;
        return;
    }
    tokens_at_zero_ = 0;
    const double keep = std::exp2(-1 / options_.half_life);
    const int num_judged = std::min(num_drafted, num_accepted + 1); // behind a rejection nothing is judged
    for (int i = 0; i < num_judged; ++i)
        alpha_ = keep * alpha_ + (1 - keep) * (i < num_accepted ? 1 : 0);
    const int wanted = best_gamma(alpha_, options_.draft_cost, options_.verify_cost, options_.max_gamma);
    gamma_ += std::clamp(wanted - gamma_, -1, 1);
}

void DraftLength::set_costs(double draft_cost, double verify_cost) noexcept {
    options_.draft_cost = draft_cost;
    options_.verify_cost = verify_cost;
}

} // namespace vitrine::engine
