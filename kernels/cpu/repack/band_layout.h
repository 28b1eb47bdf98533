// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/repack: weights in bands of as many rows as the ISA has lanes, and the way there and back.
#pragma once

// A band holds `lanes` rows; it is a sequence of units (32 or 256 k).  A unit is
//   [f16 header fields][blocks of 32 k: code planes, then scale fields], every field one value per row, rows side by side.
// Code planes (byte (row, j) of vector v at v * 4 * lanes + 4 * row + j, group g = k 4g .. 4g + 3):
//   4 bits: 4 vectors, group 2v low, 2v + 1 high nibble.  8 bits: 8 vectors.  2 bits: 2 vectors, group 4v + i at bits 2i.
//   1 bit: 1 vector, group g at bit g.  High bits follow the low plane.
// Dense formats: [in_dim][lanes] elements.  Rows beyond the matrix are zero, and so is their product.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/api/weight_format.h"

namespace vitrine::kernels::cpu {

struct BandLayout {
    WeightFormat format = WeightFormat::f32;
    int lanes = 16;
    bool signed_codes = false; // 8-bit codes: signed, or + 128

    [[nodiscard]] std::int64_t band_bytes(std::int64_t in_dim) const noexcept;
    [[nodiscard]] std::int64_t num_bands(std::int64_t out_dim) const noexcept { return (out_dim + lanes - 1) / lanes; }
};

[[nodiscard]] bool is_dense(WeightFormat format) noexcept; // f32, f16, bf16

/// Rows first_row .. of a matrix in file order (all of it) -> one band.  Lossless.
/// rows: [out_dim] of row_bytes   band: band_bytes, any content
void pack_band(const BandLayout& layout, std::span<const std::byte> rows, std::int64_t out_dim, std::int64_t in_dim,
    std::int64_t first_row, std::uint8_t* band);

/// One row of a band back in file order, bit for bit.   row: row_bytes
void unpack_row(
    const BandLayout& layout, const std::uint8_t* band, int row_in_band, std::int64_t in_dim, std::byte* row);

} // namespace vitrine::kernels::cpu
