// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/simd: the lane vocabulary without intrinsics: 8 rows of 4 bytes, whatever the baseline makes of them.
#pragma once

#include <cstdint>

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kLanes = 8;
constexpr int kDenseBands = 1; // of float products
constexpr bool kSignedCodes = true;
constexpr int kScaleLag = 0; // see add_block

typedef float F __attribute__((vector_size(32)));
typedef std::int32_t I __attribute__((vector_size(32)));
typedef std::uint8_t B __attribute__((vector_size(32)));
typedef std::uint16_t W __attribute__((vector_size(32)));

[[gnu::always_inline]] inline F splat(float x) {
    return F{x, x, x, x, x, x, x, x};
}
[[gnu::always_inline]] inline I splat_int(std::int32_t x) {
    return I{x, x, x, x, x, x, x, x};
}
[[gnu::always_inline]] inline B splat_byte(int x) {
    B all;
    for (int i = 0; i < 4 * kLanes; ++i)
        all[i] = static_cast<std::uint8_t>(x);
    return all;
}
[[gnu::always_inline]] inline F zero() {
    return F{};
}
[[gnu::always_inline]] inline I lane_index() {
    return I{0, 1, 2, 3, 4, 5, 6, 7};
}
[[gnu::always_inline]] inline F load(const float* p) {
    F x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
[[gnu::always_inline]] inline void store(float* p, F x) {
    __builtin_memcpy(p, &x, sizeof x);
}
[[gnu::always_inline]] inline B load_bytes(const std::uint8_t* p) {
    B x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
[[gnu::always_inline]] inline F fma_lanes(F a, F b, F c) {
    return a * b + c;
} // the baseline has no fused one
[[gnu::always_inline]] inline F max_lanes(F a, F b) {
    const I first = a > b;
    return (F)((first & (I)a) | (~first & (I)b));
}
[[gnu::always_inline]] inline F min_lanes(F a, F b) {
    const I first = a < b;
    return (F)((first & (I)a) | (~first & (I)b));
}
[[gnu::always_inline]] inline I to_int(F x) {
    I result;
    for (int i = 0; i < kLanes; ++i)
        result[i] = static_cast<std::int32_t>(__builtin_lrintf(x[i]));
    return result;
}
[[gnu::always_inline]] inline F to_float(I x) {
    return __builtin_convertvector(x, F);
}
[[gnu::always_inline]] inline F round_lanes(F x) {
    return to_float(to_int(x));
} // callers stay inside 32 bits
constexpr float kLowestExponent =
    -88.0F; // of exp_lanes: n is -127 there, an exponent field of zero, so the result is 0
/// x * 2^n for n in [-127, 127]; 0 for n = -127.
[[gnu::always_inline]] inline F times_power_of_two(F x, F n) {
    return x * (F)((to_int(n) + splat_int(127)) << 23);
}
[[gnu::always_inline]] inline float reduce_add(F x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}
[[gnu::always_inline]] inline float reduce_max(F x) {
    float best = x[0];
    for (int i = 1; i < kLanes; ++i)
        best = x[i] > best ? x[i] : best;
    return best;
}
[[gnu::always_inline]] inline std::int32_t reduce_add_int(I x) {
    return x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
}
[[gnu::always_inline]] inline F swap_pairs(F x) {
    return F{x[1], x[0], x[3], x[2], x[5], x[4], x[7], x[6]};
}
[[gnu::always_inline]] inline F load_f16(const std::uint16_t* p) {
    F x;
    for (int i = 0; i < kLanes; ++i) {
        // As f16_to_f32 of ref/half.h, but local: an inline function shared between ISA units could be merged.
        const std::uint32_t sign = static_cast<std::uint32_t>(p[i] & 0x8000U) << 16;
        const std::uint32_t bits = static_cast<std::uint32_t>(p[i] & 0x7FFFU) << 13;
        const bool special = (p[i] & 0x7C00U) == 0x7C00U;
        std::uint32_t wide = 0;
        const float scaled = __builtin_bit_cast(float, bits) * 0x1p112F;
        wide = special ? bits | 0x7F800000U : __builtin_bit_cast(std::uint32_t, scaled);
        x[i] = __builtin_bit_cast(float, wide | sign);
    }
    return x;
}
[[gnu::always_inline]] inline std::uint16_t f16_of(float value) {
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t half = 0;
    if (magnitude > 0x7F800000U)
        half = 0x7E00U;
    else if (magnitude >= 0x477FF000U)
        half = 0x7C00U;
    else if (magnitude < 0x38800000U) // adding 0.5 lets the float adder round to steps of 2^-24
        half = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, magnitude) + 0.5F) - 0x3F000000U;
    else
        half = (magnitude + 0xFFFU + ((magnitude >> 13) & 1U) - 0x38000000U) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}
[[gnu::always_inline]] inline void store_f16(std::uint16_t* p, F x) {
    for (int i = 0; i < kLanes; ++i)
        p[i] = f16_of(x[i]);
}
[[gnu::always_inline]] inline F load_bf16(const std::uint16_t* p) {
    F x;
    for (int i = 0; i < kLanes; ++i)
        x[i] = __builtin_bit_cast(float, static_cast<std::uint32_t>(p[i]) << 16);
    return x;
}
[[gnu::always_inline]] inline I load_u8_int(const std::uint8_t* p) {
    return I{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
}
[[gnu::always_inline]] inline I load_s8_int(const std::int8_t* p) {
    return I{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
}
[[gnu::always_inline]] inline void store_s8(std::int8_t* p, I x) {
    for (int i = 0; i < kLanes; ++i)
        p[i] = static_cast<std::int8_t>(x[i]);
}

/// Entry [code] of a table of 16 bytes, for codes 0..15.
[[gnu::always_inline]] inline B look_up(B codes, const std::uint8_t* table) {
    B result;
    for (int i = 0; i < 4 * kLanes; ++i)
        result[i] = table[codes[i]];
    return result;
}

template <int kBits, int kFirst, int kCount>
[[gnu::always_inline]] inline I dot_range(const B (&q)[8], const std::int8_t* a, I start) {
    std::int32_t sum[kLanes];
    __builtin_memcpy(sum, &start, sizeof sum);
    for (int g = kFirst; g < kFirst + kCount; ++g) {
        std::uint8_t codes[4 * kLanes];
        __builtin_memcpy(codes, &q[g], sizeof codes);
        for (int i = 0; i < 4 * kLanes; ++i) {
            const int code = kBits == 8 ? static_cast<std::int8_t>(codes[i]) : codes[i];
            sum[i / 4] += code * a[4 * g + i % 4];
        }
    }
    I result;
    __builtin_memcpy(&result, sum, sizeof sum);
    return result;
}

template <int kBits>
[[gnu::always_inline]] inline I dot8(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<kBits, 0, 8>(q, a, start);
}

template <int kBits, int kFirst>
[[gnu::always_inline]] inline I dot4(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<kBits, kFirst, 4>(q, a, start);
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
