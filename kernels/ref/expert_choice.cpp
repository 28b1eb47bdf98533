// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/expert_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vitrine::kernels {
namespace {

using Scores = std::array<double, kMaxExperts>;

void score(RouterKind kind, std::span<const double> logits, Scores& scores) noexcept {
    if (kind == RouterKind::sigmoid) {
        std::transform(logits.begin(), logits.end(), scores.begin(), [](double x) { return 1 / (1 + std::exp(-x)); });
        return;
    }
    const double max = *std::max_element(logits.begin(), logits.end());
    double total = 0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        total += scores[i] = std::exp(logits[i] - max);
    for (std::size_t i = 0; i < logits.size(); ++i)
        scores[i] /= total;
}

} // namespace

void choose_experts(const ExpertsOp& op, std::span<const double> logits, std::span<const float> selection_bias,
    std::span<std::int32_t> ids, std::span<float> weights) noexcept {
    Scores scores;
    score(op.router_kind, logits, scores);
    std::array<bool, kMaxExperts> taken{};
    double total = 0;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        std::size_t best = logits.size();
        double best_rank = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < logits.size(); ++i) {
            const double rank = scores[i] + (selection_bias.empty() ? 0 : static_cast<double>(selection_bias[i]));
            if (!taken[i] && (best == logits.size() || rank > best_rank)) {
                best = i;
                best_rank = std::isnan(rank) ? -std::numeric_limits<double>::infinity() : rank;
            }
        }
        taken[best] = true;
        ids[k] = static_cast<std::int32_t>(best);
        weights[k] = static_cast<float>(scores[best]);
        total += scores[best];
    }
    const double factor = static_cast<double>(op.scale) / (op.normalize ? total : 1);
    for (float& weight : weights)
        weight = static_cast<float>(static_cast<double>(weight) * factor);
}

} // namespace vitrine::kernels
