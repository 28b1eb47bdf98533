// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: a mixture of experts for one row, in double precision.
#pragma once

#include <span>

#include "kernels/api/ops.h"
#include "kernels/ref/ref_weights.h"

namespace vitrine::kernels {

/// All experts' matrices, one below the other; biases may be empty.
struct RefExperts {
    const RefMatrix& gate;
    const RefMatrix& up;
    const RefMatrix& down;
    std::span<const float> gate_bias, up_bias, down_bias;
};

/// residual += the weighted sum of the chosen experts.   router: [num_experts]   x, residual: [dim]
void add_experts(const ExpertsOp& op, const RefExperts& experts, std::span<const float> selection_bias,
    std::span<const double> router, std::span<const double> x, std::span<double> residual);

} // namespace vitrine::kernels
