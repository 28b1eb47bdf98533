// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/simd: the lane vocabulary on AVX2 with FMA and F16C: 8 rows of 4 bytes.  With AVX-VNNI (the ISA
// avxvnni) only the dot products differ.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kLanes = 8;
constexpr int kDenseBands = 1; // of float products: 8 tokens fill half of the registers
#ifdef __AVXVNNI__
constexpr bool kSignedCodes = false; // vpdpbusd wants unsigned codes: + 128
constexpr int kScaleLag = 0; // see add_block
#else
constexpr int kScaleLag = 2; // Zen 3, Q4_1 by 4 and 8 tokens: + 17 and + 9 %
constexpr bool kSignedCodes = true; // 8-bit codes stay signed: |q| * sign(a, q) keeps pair sums inside 16 bits
#endif

typedef float F __attribute__((vector_size(32)));
typedef std::int32_t I __attribute__((vector_size(32)));
typedef std::uint8_t B __attribute__((vector_size(32)));
typedef std::uint16_t W __attribute__((vector_size(32)));

[[gnu::always_inline]] inline F splat(float x) {
    return (F)_mm256_set1_ps(x);
}
[[gnu::always_inline]] inline I splat_int(std::int32_t x) {
    return (I)_mm256_set1_epi32(x);
}
[[gnu::always_inline]] inline B splat_byte(int x) {
    return (B)_mm256_set1_epi8(static_cast<char>(x));
}
[[gnu::always_inline]] inline F zero() {
    return (F)_mm256_setzero_ps();
}
[[gnu::always_inline]] inline I lane_index() {
    return I{0, 1, 2, 3, 4, 5, 6, 7};
}
[[gnu::always_inline]] inline F load(const float* p) {
    return (F)_mm256_loadu_ps(p);
}
[[gnu::always_inline]] inline void store(float* p, F x) {
    _mm256_storeu_ps(p, (__m256)x);
}
[[gnu::always_inline]] inline B load_bytes(const std::uint8_t* p) {
    return (B)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
[[gnu::always_inline]] inline F fma_lanes(F a, F b, F c) {
    return (F)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
[[gnu::always_inline]] inline F max_lanes(F a, F b) {
    return (F)_mm256_max_ps((__m256)a, (__m256)b);
}
[[gnu::always_inline]] inline F min_lanes(F a, F b) {
    return (F)_mm256_min_ps((__m256)a, (__m256)b);
}
[[gnu::always_inline]] inline F round_lanes(F x) {
    return (F)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
[[gnu::always_inline]] inline I to_int(F x) {
    return (I)_mm256_cvtps_epi32((__m256)x);
}
[[gnu::always_inline]] inline F to_float(I x) {
    return (F)_mm256_cvtepi32_ps((__m256i)x);
}
constexpr float kLowestExponent =
    -88.0F; // of exp_lanes: n is -127 there, an exponent field of zero, so the result is 0
/// x * 2^n for n in [-127, 127]; 0 for n = -127.
[[gnu::always_inline]] inline F times_power_of_two(F x, F n) {
    return x * (F)((to_int(n) + splat_int(127)) << 23);
}
[[gnu::always_inline]] inline float reduce_add(F x) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
[[gnu::always_inline]] inline float reduce_max(F x) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
[[gnu::always_inline]] inline std::int32_t reduce_add_int(I x) {
    return x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
}
[[gnu::always_inline]] inline F swap_pairs(F x) {
    return (F)_mm256_permute_ps((__m256)x, 0xB1);
}
[[gnu::always_inline]] inline F load_f16(const std::uint16_t* p) {
    return (F)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline void store_f16(std::uint16_t* p, F x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
}
[[gnu::always_inline]] inline F load_bf16(const std::uint16_t* p) {
    const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return (F)_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16);
}
[[gnu::always_inline]] inline I load_u8_int(const std::uint8_t* p) {
    return (I)_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline I load_s8_int(const std::int8_t* p) {
    return (I)_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
[[gnu::always_inline]] inline void store_s8(std::int8_t* p, I x) {
    for (int i = 0; i < kLanes; ++i)
        p[i] = static_cast<std::int8_t>(x[i]);
}

/// Entry [code] of a table of 16 bytes, for codes 0..15.
[[gnu::always_inline]] inline B look_up(B codes, const std::uint8_t* table) {
    const __m256i lanes = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    return (B)_mm256_shuffle_epi8(lanes, (__m256i)codes);
}

[[gnu::always_inline]] inline __m256i four_of(const std::int8_t* a, int group) {
    return _mm256_set1_epi32(reinterpret_cast<const std::int32_t*>(a)[group]);
}

#ifdef __AVXVNNI__
/// Groups kFirst .. kFirst + kCount - 1.  Two chains hide the latency of vpdpbusd.
template <int kFirst, int kCount>
[[gnu::always_inline]] inline I dot_range(const B (&q)[8], const std::int8_t* a, I start) {
    __m256i even = (__m256i)start;
    __m256i odd = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (int g = kFirst; g < kFirst + kCount; g += 2) {
        even = _mm256_dpbusd_avx_epi32(even, (__m256i)q[g], four_of(a, g));
        odd = _mm256_dpbusd_avx_epi32(odd, (__m256i)q[g + 1], four_of(a, g + 1));
    }
    return (I)_mm256_add_epi32(even, odd);
}

template <int kBits>
[[gnu::always_inline]] inline I dot8(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<0, 8>(q, a, start);
}

template <int kBits, int kFirst>
[[gnu::always_inline]] inline I dot4(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<kFirst, 4>(q, a, start);
}

#else
/// Pair sums in 16 bits; the caller adds no more of them than the bits of the codes allow.
template <int kBits>
[[gnu::always_inline]] inline __m256i pair_sums(B q, __m256i a) {
    if constexpr (kBits == 8)
        return _mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)q), _mm256_sign_epi8(a, (__m256i)q));
    else
        return _mm256_maddubs_epi16((__m256i)q, a);
}

/// Groups kFirst .. kFirst + kCount - 1, widened to 32 bits after as many groups as 16 bits hold.
template <int kBits, int kFirst, int kCount>
[[gnu::always_inline]] inline I dot_range(const B (&q)[8], const std::int8_t* a, I start) {
    constexpr int kNarrow = kBits <= 4 ? 8 : kBits == 5 ? 4 : kBits == 6 ? 2 : 1; // groups of 2 * (2^bits - 1) * 127
    constexpr int kStep = kNarrow < kCount ? kNarrow : kCount;
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sum = (__m256i)start;
#pragma GCC unroll 8
    for (int g = kFirst; g < kFirst + kCount; g += kStep) {
        __m256i narrow = pair_sums<kBits>(q[g], four_of(a, g));
#pragma GCC unroll 8
        for (int i = 1; i < kStep; ++i) {
            narrow = _mm256_add_epi16(narrow, pair_sums<kBits>(q[g + i], four_of(a, g + i)));
            asm(""
                : "+x"(narrow)); // one chain: a tree of sums, which GCC makes of it, drives the scales out of registers
        }
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(narrow, ones));
    }
    return (I)sum;
}

template <int kBits>
[[gnu::always_inline]] inline I dot8(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<kBits, 0, 8>(q, a, start);
}

template <int kBits, int kFirst>
[[gnu::always_inline]] inline I dot4(const B (&q)[8], const std::int8_t* a, I start) {
    return dot_range<kBits, kFirst, 4>(q, a, start);
}
#endif

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
