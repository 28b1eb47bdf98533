// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/simd: the lane vocabulary on AVX-512 (F, BW, VL, DQ, VNNI, BF16): 16 rows of 4 bytes.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kLanes = 16;
constexpr int kDenseBands = 2; // of float products that share an activation: 8 tokens fill half of the registers
constexpr int kScaleLag = 0; // see add_block
constexpr bool kSignedCodes = false; // 8-bit codes are stored + 128, as vpdpbusd wants them

typedef float F __attribute__((vector_size(64)));
typedef std::int32_t I __attribute__((vector_size(64)));
typedef std::uint8_t B __attribute__((vector_size(64)));
typedef std::uint16_t W __attribute__((vector_size(64)));

[[gnu::always_inline]] inline F splat(float x) {
    return (F)_mm512_set1_ps(x);
}
[[gnu::always_inline]] inline I splat_int(std::int32_t x) {
    return (I)_mm512_set1_epi32(x);
}
[[gnu::always_inline]] inline B splat_byte(int x) {
    return (B)_mm512_set1_epi8(static_cast<char>(x));
}
[[gnu::always_inline]] inline F zero() {
    return (F)_mm512_setzero_ps();
}
[[gnu::always_inline]] inline I lane_index() {
    return I{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}
[[gnu::always_inline]] inline F load(const float* p) {
    return (F)_mm512_loadu_ps(p);
}
[[gnu::always_inline]] inline void store(float* p, F x) {
    _mm512_storeu_ps(p, (__m512)x);
}
[[gnu::always_inline]] inline B load_bytes(const std::uint8_t* p) {
    return (B)_mm512_loadu_si512(p);
}
[[gnu::always_inline]] inline F fma_lanes(F a, F b, F c) {
    return (F)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
[[gnu::always_inline]] inline F max_lanes(F a, F b) {
    return (F)_mm512_max_ps((__m512)a, (__m512)b);
}
[[gnu::always_inline]] inline F min_lanes(F a, F b) {
    return (F)_mm512_min_ps((__m512)a, (__m512)b);
}
[[gnu::always_inline]] inline F round_lanes(F x) {
    return (F)_mm512_roundscale_ps((__m512)x, 0);
}
[[gnu::always_inline]] inline I to_int(F x) {
    return (I)_mm512_cvtps_epi32((__m512)x);
}
[[gnu::always_inline]] inline F to_float(I x) {
    return (F)_mm512_cvtepi32_ps((__m512i)x);
}
constexpr float kLowestExponent = -104.0F; // of exp_lanes: the scaling below rounds to zero there
[[gnu::always_inline]] inline F times_power_of_two(F x, F n) {
    return (F)_mm512_scalef_ps((__m512)x, (__m512)n);
}
[[gnu::always_inline]] inline float reduce_add(F x) {
    return _mm512_reduce_add_ps((__m512)x);
}
[[gnu::always_inline]] inline float reduce_max(F x) {
    return _mm512_reduce_max_ps((__m512)x);
}
[[gnu::always_inline]] inline std::int32_t reduce_add_int(I x) {
    return _mm512_reduce_add_epi32((__m512i)x);
}
[[gnu::always_inline]] inline F swap_pairs(F x) {
    return (F)_mm512_permute_ps((__m512)x, 0xB1);
}
[[gnu::always_inline]] inline F load_f16(const std::uint16_t* p) {
    return (F)_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
[[gnu::always_inline]] inline void store_f16(std::uint16_t* p, F x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT));
}
[[gnu::always_inline]] inline F load_bf16(const std::uint16_t* p) {
    const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return (F)_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16);
}
[[gnu::always_inline]] inline I load_u8_int(const std::uint8_t* p) {
    return (I)_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline I load_s8_int(const std::int8_t* p) {
    return (I)_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline void store_s8(std::int8_t* p, I x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8((__m512i)x));
}

/// Entry [code] of a table of 16 bytes, for codes 0..15.
[[gnu::always_inline]] inline B look_up(B codes, const std::uint8_t* table) {
    const __m512i lanes = _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    return (B)_mm512_shuffle_epi8(lanes, (__m512i)codes);
}

[[gnu::always_inline]] inline __m512i four_of(const std::int8_t* a, int group) {
    return _mm512_set1_epi32(reinterpret_cast<const std::int32_t*>(a)[group]);
}

/// start + sum over 8 groups of 4 k of codes * activations, exact.  Two chains hide the latency of vpdpbusd.
template <int kBits>
[[gnu::always_inline]] inline I dot8(const B (&q)[8], const std::int8_t* a, I start) {
    __m512i even = (__m512i)start;
    __m512i odd = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int g = 0; g < 8; g += 2) {
        even = _mm512_dpbusd_epi32(even, (__m512i)q[g], four_of(a, g));
        odd = _mm512_dpbusd_epi32(odd, (__m512i)q[g + 1], four_of(a, g + 1));
    }
    return (I)_mm512_add_epi32(even, odd);
}

/// The same over groups kFirst .. kFirst + 3.
template <int kBits, int kFirst>
[[gnu::always_inline]] inline I dot4(const B (&q)[8], const std::int8_t* a, I start) {
    __m512i sum = (__m512i)start;
#pragma GCC unroll 4
    for (int g = kFirst; g < kFirst + 4; ++g)
        sum = _mm512_dpbusd_epi32(sum, (__m512i)q[g], four_of(a, g));
    return (I)sum;
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
