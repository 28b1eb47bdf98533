// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: which experts a row goes to and with what weights; shared by the backends.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/ops.h"

namespace vitrine::kernels {

inline constexpr int kMaxExperts = 1024;

/// ids, weights: [num_used], by falling score, ties to the lower id.  A NaN counts as the lowest score.
/// logits: [num_experts]   selection_bias: [num_experts] or empty   Requires: num_used <= num_experts <= kMaxExperts
void choose_experts(const ExpertsOp& op, std::span<const double> logits, std::span<const float> selection_bias,
    std::span<std::int32_t> ids, std::span<float> weights) noexcept;

} // namespace vitrine::kernels
