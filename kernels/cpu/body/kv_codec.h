// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: elements of the KV cache to and from floats.
#pragma once

#include "kernels/cpu/isa_table.h"
#include "kernels/cpu/simd/lanes.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

/// kScalePerToken: element times a scale of its token; kScalePerHead: times one scale.
struct KvF16 {
    static constexpr int kBytes = 2;
    static constexpr bool kScalePerToken = false, kScalePerHead = false;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) {
        return load_f16(reinterpret_cast<const std::uint16_t*>(p));
    }
};
struct KvBf16 {
    static constexpr int kBytes = 2;
    static constexpr bool kScalePerToken = false, kScalePerHead = false;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) {
        return load_bf16(reinterpret_cast<const std::uint16_t*>(p));
    }
};
struct KvInt8 {
    static constexpr int kBytes = 1;
    static constexpr bool kScalePerToken = true, kScalePerHead = false;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) {
        return load_s8(reinterpret_cast<const std::int8_t*>(p));
    }
};
struct KvInt8Head {
    static constexpr int kBytes = 1;
    static constexpr bool kScalePerToken = false, kScalePerHead = true;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) { return KvInt8::get(p); }
};
struct KvFp8 {
    static constexpr int kBytes = 1;
    static constexpr bool kScalePerToken = false, kScalePerHead = true;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) { return load_fp8(p); }
};

/// Round to nearest, ties to even; NaN stays NaN.
[[gnu::always_inline]] inline std::uint16_t bf16_of(float value) {
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

/// Round to nearest, ties to even, saturating at 448; NaN stays NaN.
[[gnu::always_inline]] inline std::uint8_t fp8_of(float value) {
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = (bits >> 24) & 0x80U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t code = 0;
    if (magnitude > 0x7F800000U)
        code = 0x7FU;
    else if (magnitude >= 0x43E00000U)
        code = 0x7EU;
    else if (magnitude < 0x3C800000U) // adding 2^14 lets the float adder round to steps of 2^-9
        code = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, magnitude) + 0x1p14F) - 0x46800000U;
    else
        code = (magnitude + 0x7FFFFU + ((magnitude >> 20) & 1U) - 0x3C000000U) >> 20;
    return static_cast<std::uint8_t>(sign | code);
}

[[gnu::always_inline]] inline std::uint8_t int8_of(float scaled) {
    const float bounded = scaled > 127.0F ? 127.0F : scaled < -127.0F ? -127.0F : scaled;
    return static_cast<std::uint8_t>(static_cast<std::int8_t>(__builtin_rintf(bounded)));
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
