// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: rounding column by column, each column's error made up for by the columns behind it (GPTQ: Frantar,
// Ashkboos, Hoefler, Alistarh 2022, arXiv:2210.17323).
#pragma once

#include "engine/base/result.h"
#include "engine/quant/dense_math.h"
#include "engine/quant/group_codes.h"

namespace vitrine::engine {

struct GptqOptions {
    GroupRule rule;
    bool act_order = false; // inputs of largest mean square first; their groups are of that order too
    double damping = 0.01; // of the mean of the diagonal, added to it
    int num_threads = 1;
};

/// weights: [out_dim, in_dim]; products: [in_dim, in_dim], the sum over calibration rows of x x^T, both triangles, not negative
/// on the diagonal.  Inputs that were never seen count as little as the damping.  Memory: two more matrices of each size.
/// Damping is raised tenfold, up to three times, where float32 finds the products not positive definite; then error internal.
[[nodiscard]] Result<GroupCodes> gptq_round(
    const DenseMatrix& weights, const DenseMatrix& products, const GptqOptions& options);

/// The error of the matrix's output on the calibration rows: trace of (a - b) products (a - b)^T, over trace of a products a^T.
[[nodiscard]] double output_error(
    const DenseMatrix& a, const DenseMatrix& b, const DenseMatrix& products, int num_threads);

} // namespace vitrine::engine
