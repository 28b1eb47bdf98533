// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: small floats.
#include "engine/quant/small_floats.h"

#include <bit>

#include "kernels/ref/half.h"

namespace vitrine::engine {

float half_to_float(std::uint16_t bits, bool is_bf16) noexcept {
    return is_bf16 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16) : kernels::f16_to_f32(bits);
}

float fp8_to_float(std::uint8_t bits) noexcept {
    return kernels::fp8_e4m3_to_f32(bits);
}

} // namespace vitrine::engine
