// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: the product of a band of weights with a tile of tokens, for any codec.
// A token's sum runs over the blocks in order, whatever the tile: its bits do not depend on its batch mates.
#pragma once

#include "kernels/cpu/body/codecs.h"
#include "kernels/cpu/isa_table.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

/// One block of 32 k of a tile.
template <int kTokens, bool kExact>
struct TileBlock {
    static constexpr int kPlanes = kExact ? 2 : 1;
    static constexpr int kBytes = kTokens * (32 * kPlanes + 16);
    const std::uint8_t* at;

    [[gnu::always_inline]] const std::int8_t* codes(int token, int plane) const {
        return reinterpret_cast<const std::int8_t*>(at) + 32 * (token + plane * kTokens);
    }
    [[gnu::always_inline]] float real(int field, int token) const { // field 0: d, 1: s
        return reinterpret_cast<const float*>(at + 32 * kPlanes * kTokens)[field * kTokens + token];
    }
    [[gnu::always_inline]] std::int32_t negated_sum(int field, int token) const { // -128 * sum; 1: of the first 16
        return reinterpret_cast<const std::int32_t*>(at + 32 * kPlanes * kTokens)[(2 + field) * kTokens + token];
    }
};

template <int kShift>
[[gnu::always_inline]] inline I zero_correction(I negated_sum) {
    if constexpr (kShift < 0)
        return splat_int(0);
    else
        return negated_sum >> kShift;
}

struct HalfDots {
    I first, second; // 16 k each
};

/// Codes * activations of one token and block, exact: I where scales are per 32, HalfDots where they are per 16.
template <class C, int kTokens, bool kExact>
[[gnu::always_inline]] inline auto dot_block(const B (&q)[8], TileBlock<kTokens, kExact> block, int token) {
    if constexpr (C::Scale::kHalves) {
        const I negated_first = splat_int(block.negated_sum(1, token));
        const I negated_second = splat_int(block.negated_sum(0, token)) - negated_first;
        HalfDots dots{zero_correction<C::kZeroShift>(negated_first), zero_correction<C::kZeroShift>(negated_second)};
        if constexpr (kExact) {
            dots.first = dots.first + (dot4<C::kBits, 0>(q, block.codes(token, 0), splat_int(0)) << 8);
            dots.second = dots.second + (dot4<C::kBits, 4>(q, block.codes(token, 0), splat_int(0)) << 8);
        }
        dots.first = dot4<C::kBits, 0>(q, block.codes(token, kExact ? 1 : 0), dots.first);
        dots.second = dot4<C::kBits, 4>(q, block.codes(token, kExact ? 1 : 0), dots.second);
        return dots;
    } else {
        const I start = zero_correction<C::kZeroShift>(splat_int(C::kZeroShift < 0 ? 0 : block.negated_sum(0, token)));
        if constexpr (kExact) {
            const I high = dot8<C::kBits>(q, block.codes(token, 0), splat_int(0));
            return dot8<C::kBits>(q, block.codes(token, 1), start + (high << 8));
        } else {
            return dot8<C::kBits>(q, block.codes(token, 0), start);
        }
    }
}

/// sum + scale * dot (+ min * sum of activations).
template <class C, int kTokens, bool kExact>
[[gnu::always_inline]] inline F add_scaled(
    F sum, I dot, const Scales& scales, TileBlock<kTokens, kExact> block, int token) {
    sum = fma_lanes(to_float(dot), scales.d * splat(block.real(0, token)), sum);
    if constexpr (C::Scale::kMin)
        sum = fma_lanes(scales.min, splat(block.real(1, token)), sum);
    return sum;
}
template <class C, int kTokens, bool kExact>
[[gnu::always_inline]] inline F add_scaled(
    F sum, const HalfDots& dots, const HalfScales& scales, TileBlock<kTokens, kExact> block, int token) {
    const F d = splat(block.real(0, token));
    sum = fma_lanes(to_float(dots.first), scales.d[0] * d, sum);
    sum = fma_lanes(to_float(dots.second), scales.d[1] * d, sum);
    if constexpr (C::Scale::kMin) {
        const I negated_first = splat_int(block.negated_sum(1, token));
        const I negated_second = splat_int(block.negated_sum(0, token)) - negated_first;
        sum = fma_lanes(scales.min[0] * d, to_float(negated_first), sum);
        sum = fma_lanes(scales.min[1] * d, to_float(negated_second), sum);
    }
    return sum;
}

/// One block of every token of a tile.  A token's scaling stands kScaleLag dots behind its dot: the core's scheduler would
/// otherwise fill up with scalings that wait.  Codes whose dots take most registers gain nothing by it.
template <class C, int kTokens, bool kExact, class ScalesT>
[[gnu::always_inline]] inline void add_block(
    F (&sum)[kTokens], const B (&q)[8], const ScalesT& scales, TileBlock<kTokens, kExact> block) {
    constexpr int kLag = kTokens >= 4 && !C::Scale::kHalves && C::kBits < 8 ? kScaleLag : 0;
    decltype(dot_block<C>(q, block, 0)) dots[kLag + 1];
#pragma GCC unroll 12
    for (int t = 0; t < kTokens + kLag; ++t) {
        if (t < kTokens)
            dots[t % (kLag + 1)] = dot_block<C>(q, block, t);
        if (t >= kLag)
            sum[t - kLag] = add_scaled<C>(sum[t - kLag], dots[(t - kLag) % (kLag + 1)], scales, block, t - kLag);
    }
}

/// prefetch: bytes ahead; 0: none.
template <class C, int kTokens, bool kExact>
inline void band_times_tile(const std::uint8_t* w, std::int64_t num_blocks, const std::uint8_t* tile, float* out,
    std::int64_t out_stride, int prefetch) {
    using Plane = typename C::Plane;
    using Scale = typename C::Scale;
    F sum[kTokens];
#pragma GCC unroll 8
    for (F& token : sum)
        token = zero();
    for (std::int64_t b = 0; b < num_blocks; b += Scale::kBlocks) {
        const Header header = Scale::header(w);
        w += Scale::kHeaderBytes;
#pragma GCC unroll 1
        for (int i = 0; i < Scale::kBlocks; ++i) {
            B q[8];
            Plane::unpack(w, q);
            const auto scales = Scale::scales(w + Plane::kBytes, header);
            const TileBlock<kTokens, kExact> block{tile};
            if (prefetch > 0) {
                for (int line = 0; line < Plane::kBytes + Scale::kBytes; line += 64)
                    __builtin_prefetch(w + prefetch + line);
            }
            add_block<C>(sum, q, scales, block);
            w += Plane::kBytes + Scale::kBytes;
            tile += TileBlock<kTokens, kExact>::kBytes;
        }
    }
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
        store(out + t * out_stride, sum[t]);
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
