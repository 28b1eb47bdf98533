// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: 8- and 16-bit floats of checkpoints as float32.
#pragma once

#include <cstdint>

namespace vitrine::engine {

/// IEEE half, or bfloat16.
[[nodiscard]] float half_to_float(std::uint16_t bits, bool is_bf16) noexcept;
/// E4M3 without infinities (OCP 8-bit, NaN 0x7F and 0xFF).
[[nodiscard]] float fp8_to_float(std::uint8_t bits) noexcept;

} // namespace vitrine::engine
