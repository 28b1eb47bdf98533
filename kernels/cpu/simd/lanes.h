// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/simd: one vocabulary of vector lanes for the ISA that this translation unit is compiled for.
// Everything here has internal linkage: no inline function of a wide ISA may be merged into a narrow one by the linker.
#pragma once

#include <cstdint>

#if VITRINE_ISA_LEVEL == 2
#include "kernels/cpu/simd/lanes_avx512.h"
#elif VITRINE_ISA_LEVEL == 1
#include "kernels/cpu/simd/lanes_avx2.h"
#else
#include "kernels/cpu/simd/lanes_scalar.h"
#endif

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

/// x where lo <= lane < hi, `fill` elsewhere.
[[gnu::always_inline]] inline F keep_lanes(F x, int lo, int hi, float fill) {
    const I index = lane_index();
    const I inside = (index >= splat_int(lo)) & (index < splat_int(hi));
    return (F)((inside & (I)x) | (~inside & (I)splat(fill)));
}

[[gnu::always_inline]] inline F load_fp8(const std::uint8_t* p) {
    // e4m3 bits moved into a float's fields are 2^120 too small, subnormals included.
    const I bits = load_u8_int(p);
    const I magnitude = (bits & splat_int(0x7F)) << 20;
    const I sign = (bits & splat_int(0x80)) << 24;
    return (F)((I)((F)magnitude * splat(0x1p120F)) | sign);
}

[[gnu::always_inline]] inline F load_s8(const std::int8_t* p) {
    return to_float(load_s8_int(p));
}

[[gnu::always_inline]] inline F load_u8(const std::uint8_t* p) {
    return to_float(load_u8_int(p));
}

/// exp(x) for x <= 88, relative error below 2e-7; 0 far below -87.  Polynomial: Cephes expf.
[[gnu::always_inline]] inline F exp_lanes(F x) {
    const F bounded = max_lanes(x, splat(kLowestExponent));
    const F n = round_lanes(bounded * splat(1.44269504F));
    F r = fma_lanes(n, splat(-0.693359375F), bounded);
    r = fma_lanes(n, splat(2.12194440e-4F), r);
    F p = splat(1.98756915e-4F);
    p = fma_lanes(p, r, splat(1.39819995e-3F));
    p = fma_lanes(p, r, splat(8.33345191e-3F));
    p = fma_lanes(p, r, splat(4.16657964e-2F));
    p = fma_lanes(p, r, splat(1.66666655e-1F));
    p = fma_lanes(p, r, splat(0.5F));
    p = fma_lanes(p * r, r, r + splat(1.0F));
    return times_power_of_two(p, n);
}

/// tanh(x) = 1 - 2 / (exp(2x) + 1); absolute error below 2e-7.
[[gnu::always_inline]] inline F tanh_lanes(F x) {
    const F e = exp_lanes(min_lanes(x + x, splat(40.0F)));
    return splat(1.0F) - splat(2.0F) / (e + splat(1.0F));
}

[[gnu::always_inline]] inline F silu_lanes(F x) {
    return x / (splat(1.0F) + exp_lanes(min_lanes(-x, splat(88.0F))));
}

[[gnu::always_inline]] inline F gelu_tanh_lanes(F x) {
    const F inner = splat(0.79788456F) * (x + splat(0.044715F) * x * x * x);
    return splat(0.5F) * x * (splat(1.0F) + tanh_lanes(inner));
}

/// By the error function: erf(x) = 1 - (a1 t + ... + a5 t^5) exp(-x^2), t = 1 / (1 + 0.3275911 |x|), absolute error below
/// 1.5e-7 (Abramowitz and Stegun 7.1.26).
[[gnu::always_inline]] inline F gelu_lanes(F x) {
    const F z = x * splat(0.70710678F);
    const F magnitude = max_lanes(z, -z);
    const F t = splat(1.0F) / (splat(1.0F) + splat(0.3275911F) * magnitude);
    F p = splat(1.061405429F);
    p = fma_lanes(p, t, splat(-1.453152027F));
    p = fma_lanes(p, t, splat(1.421413741F));
    p = fma_lanes(p, t, splat(-0.284496736F));
    p = fma_lanes(p, t, splat(0.254829592F));
    const F tail = p * t * exp_lanes(-(magnitude * magnitude)); // 1 - erf(|z|)
    const I negative = z < zero();
    const F tail_of_sign = (F)((negative & (I)tail) | (~negative & (I)(splat(2.0F) - tail))); // 1 + erf(z)
    return splat(0.5F) * x * tail_of_sign;
}

/// gpt-oss (OpenAI, 2025).
[[gnu::always_inline]] inline F swiglu_clamped_lanes(F x, F up) {
    const F gate = min_lanes(x, splat(7.0F));
    const F sigmoid = splat(1.0F) / (splat(1.0F) + exp_lanes(min_lanes(splat(-1.702F) * gate, splat(88.0F))));
    return gate * sigmoid * (max_lanes(min_lanes(up, splat(7.0F)), splat(-7.0F)) + splat(1.0F));
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
