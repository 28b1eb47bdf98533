// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: norm, rope and gate on rows of doubles.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/ops.h"
#include "kernels/api/program.h"

namespace vitrine::kernels {

/// In place, over groups of gain.size() values: x / sqrt(mean(x^2) + eps) * gain.
void rms_norm(std::span<double> values, std::span<const float> gain, float eps);

/// In place, over groups of gain.size() values: (x - mean) / sqrt(variance + eps) * gain + bias.  bias: as gain, or empty
void layer_norm(std::span<double> values, std::span<const float> gain, std::span<const float> bias, float eps);

/// values: [num_rows, num_heads, head_dim], rotated in place   positions: [num_rows]
void rotate(std::span<double> values, std::span<const std::int32_t> positions, int num_heads, int head_dim,
    const RopeSpec& rope);

/// act(gate) * up
[[nodiscard]] double gated(GateKind kind, double gate, double up);

/// cap * tanh(x / cap); cap 0: x
[[nodiscard]] double soft_capped(double x, float cap);

} // namespace vitrine::kernels
