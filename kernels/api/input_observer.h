// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: looks at what matrices are multiplied by, for importance matrices and calibration.
#pragma once

#include <span>

#include "kernels/api/weight_group.h"

namespace vitrine::kernels {

/// Thread: one call at a time, from the threads of the step.
class InputObserver {
public:
    virtual ~InputObserver() = default;
    /// x: [in_dim], one row of input of every matrix of `group`, as the product takes it (normed, gated).
    /// expert: of the num_experts that the group's rows belong to; 0 of 1 where there is no mixture.
    virtual void on_input(const WeightGroupSpec& group, int expert, int num_experts, std::span<const float> x) = 0;
};

} // namespace vitrine::kernels
