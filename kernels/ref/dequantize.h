// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: weights as floats, exactly as GGUF (ggml) defines every format.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/api/weight_format.h"

namespace vitrine::kernels {

/// row: row_bytes(format, in_dim) bytes in file order, any alignment   out: [in_dim] f32
/// Requires: in_dim a multiple of the format's block.  Pure; any thread.  Bit for bit what Python's `gguf` gives.
void dequantize_row(WeightFormat format, const std::byte* row, std::int64_t in_dim, float* out);

} // namespace vitrine::kernels
