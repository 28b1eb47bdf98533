// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: chunks to A fragments of f16 weights in few instructions, for products that round weights.
#pragma once

#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

// Codes are f16 subnormals by bits alone: at bits 0 of a half they count by 2^-24, at bits 4 by 2^-20.  One fused multiplication
// and addition then makes the weight, times kPanelFactor, which keeps scales up to 2 (Q4_K: weights up to 30) and weights down
// to 2^-9 in f16's normal range; smaller ones lose no more than 2^-20 absolute.

/// What panel weights are multiplied by.
template <class F>
inline constexpr float kPanelFactor = F::kChunkScale ? 0.03125F : weight_factor(F::kFormat);

__device__ __forceinline__ __half2 half2_of(float low, float high) {
    return __floats2half2_rn(low, high);
}
/// Bytes 0, 1 of a word (`second`: 2, 3) as f16 1024 + byte.
__device__ __forceinline__ __half2 bytes_under_magic(uint32_t word, bool second) {
    return as_half2(__byte_perm(word, 0x64646464U, second ? 0x4342U : 0x4140U));
}
/// Bytes 0, 1 (`second`: 2, 3) of two words, in turns.
__device__ __forceinline__ uint32_t interleave(uint32_t a, uint32_t b, bool second) {
    return __byte_perm(a, b, second ? 0x7362U : 0x5140U);
}
/// (1, 2^-5) as a register: an immediate would be moved to one each time.
__device__ __forceinline__ __half2 one_and_factor() {
    uint32_t value;
    asm volatile("mov.u32 %0, 0x28003C00;" : "=r"(value));
    return as_half2(value);
}

/// Every format: as the small and wide kernels decode it.
template <class F>
struct PanelDecoder {
    __device__ __forceinline__ explicit PanelDecoder(const typename F::Regs&) {}
    __device__ __forceinline__ void decode(const typename F::Regs& regs, int group, uint32_t (&a)[2][4]) const {
        GroupScale scale[kScalesPerGroup<F>];
        F::decode(regs, group, a, scale);
        to_weights<F>(a, scale);
    }
};

template <>
struct PanelDecoder<TileQ4K> {
    __half2 low, high; // of rows g and g + 8: what (scale, min times the factor) are multiplied by
    __half2 units;

    __device__ __forceinline__ explicit PanelDecoder(const TileQ4K::Regs& regs)
        : low(__hmul2(as_half2(regs.d.x), half2_of(32768, -1))), high(__hmul2(as_half2(regs.d.y), half2_of(32768, -1))),
          units(one_and_factor()) {}

    /// (scale, min) of a group of one row.
    __device__ __forceinline__ __half2 scales(const uint4& bytes, int group, __half2 unit) const {
        const uint32_t pairs = interleave(pick(bytes, group / 4), pick(bytes, 2 + group / 4), group % 4 >= 2);
        return __hmul2(__hfma2(bytes_under_magic(pairs, group % 2 == 1), units, half2_of(-1024, -32)), unit);
    }
    __device__ __forceinline__ void decode(const TileQ4K::Regs& regs, int group, uint32_t (&a)[2][4]) const {
        const __half2 first = scales(regs.low, group, low);
        const __half2 second = scales(regs.high, group, high);
        const uint4 codes = regs.codes[group / 2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            nibbles_to_half(pick(codes, group % 2 * 2 + i), 0, a[i]);
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                a[i][e] = times_plus(times(a[i][e], half2_of(16, 16)), __low2half2(first), __high2half2(first));
                a[i][e + 1] = times_plus(a[i][e + 1], __low2half2(second), __high2half2(second));
            }
        }
    }
};

template <>
struct PanelDecoder<TileQ6K> {
    __half2 unit; // 2^15 d of rows g and g + 8

    __device__ __forceinline__ explicit PanelDecoder(const TileQ6K::Regs& regs)
        : unit(__hmul2(as_half2(regs.d), half2_of(32768, 32768))) {}

    __device__ __forceinline__ void decode(const TileQ6K::Regs& regs, int group, uint32_t (&a)[2][4]) const {
        const int p = group / 2;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int j = group % 2 * 2 + i;
            nibbles_to_half(pick(regs.codes[p], j), 0, a[i]);
            TileQ6K::add_bits(pick(regs.bits[p / 2], group % 4), i, a[i]);
            const __half2 codes =
                bytes_under_magic(interleave(pick(regs.low, p), pick(regs.high, p), j >= 2), j % 2 == 1);
            const __half2 scale = __hmul2(__hsub2(codes, half2_of(1152, 1152)), unit);
            const __half2 less = __hmul2(scale, half2_of(-0.000030517578125F, -0.000030517578125F)); // 32 / 2^20
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                a[i][e] = times_plus(times(a[i][e], half2_of(16, 16)), __low2half2(scale), __low2half2(less));
                a[i][e + 1] = times_plus(a[i][e + 1], __high2half2(scale), __high2half2(less));
            }
        }
    }
};

} // namespace vitrine::kernels
