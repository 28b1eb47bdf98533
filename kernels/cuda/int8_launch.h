// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: what the int8 kernels can leave for each other.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Whether the product of gate and up, of several rows, may leave its values as int8.  Requires: int8_linear_supports().
[[nodiscard]] bool int8_leaves_gated(LinearArgs args, const SmallLimits& limits) noexcept;

} // namespace vitrine::kernels
