// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the denominator of a softmax over a whole vocabulary.
#pragma once

#include <span>

namespace vitrine::kernels {

/// Sum of exp(logit / temperature - max); NaN and -inf count as 0, as does what lies 80 below.  Relative error below 2e-7.
/// Requires: max finite and not below any logit / temperature.
[[nodiscard]] double sum_of_exp(std::span<const float> logits, float temperature, float max) noexcept;

} // namespace vitrine::kernels
