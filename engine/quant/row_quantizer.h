// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: rounds rows of float weights to a GGUF format (round to nearest with a scale search).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/result.h"
#include "kernels/api/weight_format.h"

namespace vitrine::engine {

/// f32, f16, bf16, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k, iq4_nl.
[[nodiscard]] bool can_quantize_to(kernels::WeightFormat format) noexcept;

/// The format for a row of `in_dim` weights: `wanted` where its block divides the row, else the nearest format that fits
/// (256-blocks fall back to the 32-block format of at least as many bits, 32-blocks to f16).
[[nodiscard]] kernels::WeightFormat fallback_format(kernels::WeightFormat wanted, std::int64_t in_dim) noexcept;

/// row: [in_dim] f32, finite   out: row_bytes(to, in_dim) bytes.  The squared error of a 32-block never exceeds that of the
/// format's plain rule; K blocks are searched likewise (measured: README.md).
/// Errors: unsupported (no writer for the format), invalid_argument (row not a multiple of the block, NaN or infinity).
/// Pure; any thread.
/// importance: empty, or how much the square of each weight's error counts (mean square of what it is multiplied by).
[[nodiscard]] Result<void> quantize_row(
    kernels::WeightFormat to, std::span<const float> row, std::byte* out, std::span<const float> importance = {});

} // namespace vitrine::engine
