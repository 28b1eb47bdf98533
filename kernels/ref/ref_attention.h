// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: causal attention over the paged cache, in double precision.
#pragma once

#include <span>

#include "kernels/api/ops.h"
#include "kernels/api/step_args.h"
#include "kernels/ref/ref_kv_pool.h"

namespace vitrine::kernels {

/// query, output: [num_rows, num_heads, head_dim].  A row that sees no token gives zeros.
/// sinks: [num_heads] or empty
void attend(const AttentionOp& op, const StepArgs& step, const RefKvPool& pool, std::span<const double> query,
    std::span<double> output, std::span<const float> sinks = {});

} // namespace vitrine::kernels
