// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: a matrix from one GGUF format to another, rows shared out to threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/quant/row_error.h"
#include "kernels/api/weight_format.h"

namespace vitrine::engine {

struct MatrixShape {
    std::int64_t num_rows = 0;
    std::int64_t in_dim = 0;
};

/// bytes: num_rows rows in `from`, file order.  Returns the same rows in `to`, through float32.  Equal formats copy.
/// importance: of quantize_row, for every row; empty: none.
/// Errors: as quantize_row.  num_threads: at least 1.  Pure; any thread.
[[nodiscard]] Result<std::vector<std::byte>> convert_rows(kernels::WeightFormat from, std::span<const std::byte> bytes,
    kernels::WeightFormat to, MatrixShape shape, int num_threads, std::span<const float> importance = {});

struct RowConversion {
    kernels::WeightFormat from, to;
    std::span<const std::byte> source; // shape.num_rows rows in `from`
    MatrixShape shape;
    std::span<const float> importance{}; // of quantize_row, for every row; empty: none
    int num_threads = 1;
};
/// The same into memory of the caller's, and what each row lost while it is at hand.   target: the rows in `to`
/// errors: [num_rows], or empty: not asked for.
[[nodiscard]] Result<void> convert_rows_into(
    const RowConversion& conversion, std::span<std::byte> target, std::span<RowError> errors);

} // namespace vitrine::engine
