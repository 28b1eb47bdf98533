// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the matrix product of the reference backend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/ref/ref_weights.h"

namespace vitrine::kernels {

/// y[m, o] = sum over k of W[o, k] * x[m, k] (+ bias[o]), summed in double in a fixed order.
/// x: [num_rows, in_dim]   returns: [num_rows, out_dim]   bias: [out_dim] or empty
[[nodiscard]] std::vector<double> multiply(
    const RefMatrix& weights, std::span<const double> x, std::span<const float> bias, int num_threads);

} // namespace vitrine::kernels
