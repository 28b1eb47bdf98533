// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/repack: one unit of a quantized row (32 or 256 weights) taken apart into codes and scales.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/api/weight_format.h"

namespace vitrine::kernels::cpu {

/// codes: as stored, unsigned (Q8_0: the signed byte).  Which fields a format uses: UnitShape.
struct UnitFields {
    std::array<std::uint8_t, 256> codes;
    std::array<std::uint16_t, 2> wide; // d, then dmin or m
    std::array<std::array<std::uint8_t, 2>, 8> small; // per block of 32: scale, min; or scales of 16 each
};

/// What a format's unit is made of.
struct UnitShape {
    int weights = 0; // 32 or 256; 0: dense
    int low_bits = 0; // 2, 4, 8
    int high_bits = 0; // 0, 1, 2
    int wide = 0; // 16-bit fields of the unit
    int small = 0; // bytes per block of 32
};

[[nodiscard]] const UnitShape& unit_shape(WeightFormat format) noexcept;
/// Between file bytes and fields, each the inverse of the other.  Requires: not dense.
void read_unit(WeightFormat format, const std::uint8_t* block, UnitFields& fields) noexcept;
void write_unit(WeightFormat format, const UnitFields& fields, std::uint8_t* block) noexcept;

} // namespace vitrine::kernels::cpu
