// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: 16-bit and 8-bit floating point numbers to and from float, by bits: the same on every compiler.
#pragma once

#include <bit>
#include <cstdint>

namespace vitrine::kernels {

/// IEEE binary16, exact; subnormals, infinities and NaN included.
[[nodiscard]] constexpr float f16_to_f32(std::uint16_t half) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1FU;
    const std::uint32_t mantissa = half & 0x3FFU;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F; // subnormal: exact in float
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

/// Round to nearest, ties to even.  Beyond 65504 (+ half a step): infinity.  NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t f32_to_f16(float value) noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U)
        return static_cast<std::uint16_t>(sign | 0x7E00U);
    if (magnitude >= 0x477FF000U)
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (magnitude < 0x38800000U) { // below 2^-14: adding 0.5 lets the float adder round to steps of 2^-24
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U));
    }
    const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
}

[[nodiscard]] constexpr float bf16_to_f32(std::uint16_t value) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

/// Round to nearest, ties to even.  NaN stays (quiet) NaN.
[[nodiscard]] constexpr std::uint16_t f32_to_bf16(float value) noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

/// FP8 E4M3 (the "fn" kind: no infinity, 0x7F and 0xFF are NaN, largest 448), exact.
[[nodiscard]] constexpr float fp8_e4m3_to_f32(std::uint8_t value) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(value & 0x80U) << 24;
    const std::uint32_t exponent = (value >> 3) & 0xFU;
    const std::uint32_t mantissa = value & 7U;
    if ((value & 0x7FU) == 0x7FU)
        return std::bit_cast<float>(sign | 0x7FC00000U);
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 120U) << 23) | (mantissa << 20));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-9F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

/// Round to nearest, ties to even, saturating at 448.  NaN stays NaN.
[[nodiscard]] constexpr std::uint8_t f32_to_fp8_e4m3(float value) noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint8_t>((bits >> 24) & 0x80U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U)
        return static_cast<std::uint8_t>(sign | 0x7FU);
    if (magnitude >= 0x43E00000U) // 448
        return static_cast<std::uint8_t>(sign | 0x7EU);
    if (magnitude < 0x3C800000U) { // below 2^-6: adding 2^14 lets the float adder round to steps of 2^-9
        const float shifted = std::bit_cast<float>(magnitude) + 0x1p14F;
        return static_cast<std::uint8_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x46800000U));
    }
    const std::uint32_t rounded = magnitude + 0x7FFFFU + ((magnitude >> 20) & 1U);
    return static_cast<std::uint8_t>(sign | ((rounded - 0x3C000000U) >> 20));
}

/// Half of an E8M0 power of two, 2^(value - 128): the scale of MXFP4, whose table holds doubled values.  255 (NaN in the
/// format) reads as 2^127, as ggml has it.
[[nodiscard]] constexpr float e8m0_half_to_f32(std::uint8_t value) noexcept {
    return std::bit_cast<float>(value < 2 ? 0x00200000U << value : static_cast<std::uint32_t>(value - 1) << 23);
}

} // namespace vitrine::kernels
