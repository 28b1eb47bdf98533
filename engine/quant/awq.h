// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: inputs that are large get finer steps, by factors that the step before takes back (AWQ: Lin, Tang, Tang
// et al. 2023, arXiv:2306.00978).
#pragma once

#include <span>
#include <vector>

#include "engine/quant/group_codes.h"
#include "engine/quant/input_products.h"

namespace vitrine::engine {

/// The factor of each input of the matrices that share it: the root mean square of the input to the power of that one of
/// twenty exponents in 0..1 which leaves the smallest error of the outputs, scaled so that largest times smallest is 1.  The
/// matrices are to be multiplied by it, their input divided.  Up to 256 rows of each are tried.
/// matrices: each [out_dim, in_dim], not empty
[[nodiscard]] std::vector<float> awq_factors(
    std::span<const DenseMatrix* const> matrices, const InputProducts& inputs, const GroupRule& rule, int num_threads);

/// Columns times factors.
void scale_columns(DenseMatrix& matrix, std::span<const float> factors) noexcept;

/// Mean square of each input once it is divided by `factors` (empty: as it is).
[[nodiscard]] std::vector<float> mean_squares(const InputProducts& inputs, std::span<const float> factors);

} // namespace vitrine::engine
