// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: how a 16-row tile lies in memory, and how a warp multiplies one chunk of it.
//
// Lane l = (g = l / 4, t = l % 4) of mma.m16n8k16 owns rows g and g + 8.  In step j of a 64-wide piece c it owns the four
// logical weights k = 64 c + 16 j + 4 t + i; activations are stored in the same order (fragment_offset), so the
// permutation of k inside a step costs nothing.  Codes become exact f16 values 1024 + code by bits alone; the 1024 leaves
// with the group's activation sum.
#pragma once

#include "kernels/cuda/device/primitives.cuh"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Place of activation k of column m, in halves; `lanes` = 4 * stored columns.
__host__ __device__ __forceinline__ int fragment_offset(int k, int m, int lanes) {
    const int c = k >> 6;
    const int j = (k >> 4) & 3;
    return ((c * 2 + (j >> 1)) * lanes + m * 4 + ((k >> 2) & 3)) * 8 + (j & 1) * 4 + (k & 3);
}

/// Places of the sums of a column group: [group of 16][columns], then [group of 32][columns].
__host__ __device__ __forceinline__ int sums32_offset(int padded_dim, int columns) {
    return padded_dim / 16 * columns;
}

/// One token: every lane reads the same column, and only the sums of columns 0 (lanes t = 0) count.
struct SingleView {
    static constexpr int kTiles = 1;
    static constexpr bool kSingle = true;
    const uint16_t* fragments; // at this lane's t
    const float* sums;
    const float* sums_32;

    __device__ __forceinline__ uint4 piece(int c, int v, int) const {
        return *reinterpret_cast<const uint4*>(fragments + (c * 2 + v) * 32);
    }
    __device__ __forceinline__ float2 sum16(int group, int) const { return {sums[group], 0}; }
    __device__ __forceinline__ float2 sum32(int group, int) const { return {sums_32[group], 0}; }
};

/// kColumnTiles groups of eight tokens; `stride_*`: from one group to the next.
template <int kColumnTiles>
struct GroupView {
    static constexpr int kTiles = kColumnTiles;
    static constexpr bool kSingle = false;
    const uint16_t* fragments; // at this lane
    const float* sums; // at this lane's first column 2t
    const float* sums_32;
    int fragment_stride;
    int sum_stride;

    __device__ __forceinline__ uint4 piece(int c, int v, int tile) const {
        return *reinterpret_cast<const uint4*>(fragments + tile * fragment_stride + (c * 2 + v) * 256);
    }
    __device__ __forceinline__ float2 sum16(int group, int tile) const {
        return *reinterpret_cast<const float2*>(sums + tile * sum_stride + group * kMaxColumns);
    }
    __device__ __forceinline__ float2 sum32(int group, int tile) const {
        return *reinterpret_cast<const float2*>(sums_32 + tile * sum_stride + group * kMaxColumns);
    }
};

inline constexpr uint32_t kMagic = 0x64006400; // f16 1024 in both halves
inline constexpr float kByteMagic = 8388608.0F; // 2^23: a byte under 0x4B000000 is 2^23 + byte

/// 2^23 as a register: an immediate would take the place of PRMT's selector.
__device__ __forceinline__ uint32_t byte_magic() {
    uint32_t value;
    asm volatile("mov.u32 %0, 0x4B000000;" : "=r"(value));
    return value;
}
/// scale * byte `index` of `word`, one rounding.  Requires: neg_offset == -scale * 2^23.
__device__ __forceinline__ float scaled_byte(uint32_t word, int index, uint32_t magic, float scale, float neg_offset) {
    return fmaf(scale, __uint_as_float(__byte_perm(word, magic, 0x7440 + index)), neg_offset);
}
/// scale * (byte - 128), one rounding.
__device__ __forceinline__ float scaled_signed_byte(uint32_t word, int index, uint32_t magic, float scale) {
    return scale * (__uint_as_float(__byte_perm(word, magic, 0x7440 + index)) - (kByteMagic + 128));
}

/// f16 1024 + code of the eight nibbles of a step; rows g + 8 carry 16 times the code.
__device__ __forceinline__ void nibbles_to_half(uint32_t word, uint32_t magic, uint32_t (&a)[4]) {
    const uint32_t high = word >> 8;
    a[0] = and_or(word, 0x000F000FU, magic);
    a[1] = and_or(word, 0x00F000F0U, magic);
    a[2] = and_or(high, 0x000F000FU, magic);
    a[3] = and_or(high, 0x00F000F0U, magic);
}

/// What a group of weights adds: acc += scale * part + min * sum, rows g (low) and g + 8 (high).  `min` holds the weights'
/// minimum and what the magic in the codes added: min - magic * scale.
struct GroupScale {
    float low, high, min_low, min_high;
};
template <class View>
__device__ __forceinline__ void add_group(
    float (&acc)[4], const float (&part)[4], const GroupScale& scale, float2 sum) {
    acc[0] = fmaf(scale.low, part[0], fmaf(scale.min_low, sum.x, acc[0]));
    acc[2] = fmaf(scale.high, part[2], fmaf(scale.min_high, sum.x, acc[2]));
    if constexpr (!View::kSingle) {
        acc[1] = fmaf(scale.low, part[1], fmaf(scale.min_low, sum.y, acc[1]));
        acc[3] = fmaf(scale.high, part[3], fmaf(scale.min_high, sum.y, acc[3]));
    }
}
/// Codes without minimum: `offset` is what every code of a row carries, magic and zero point.
struct OffsetScale {
    float low, high, offset_low, offset_high;
};
template <class View>
__device__ __forceinline__ void add_group(
    float (&acc)[4], const float (&part)[4], const OffsetScale& scale, float2 sum) {
    acc[0] = fmaf(scale.low, fmaf(scale.offset_low, sum.x, part[0]), acc[0]);
    acc[2] = fmaf(scale.high, fmaf(scale.offset_high, sum.x, part[2]), acc[2]);
    if constexpr (!View::kSingle) {
        acc[1] = fmaf(scale.low, fmaf(scale.offset_low, sum.y, part[1]), acc[1]);
        acc[3] = fmaf(scale.high, fmaf(scale.offset_high, sum.y, part[3]), acc[3]);
    }
}
/// Two steps (2v, 2v + 1 of piece c) that share a scale, for every group of tokens.
template <class View, class Scale>
__device__ __forceinline__ void multiply_pair(const uint32_t (&a)[2][4], int c, int v, const View& x,
    const Scale& scale, int group32, float (&acc)[View::kTiles][4]) {
#pragma unroll
    for (int n = 0; n < View::kTiles; ++n) {
        const uint4 b = x.piece(c, v, n);
        float part[4] = {0, 0, 0, 0};
        mma(part, a[0], b.x, b.y);
        mma(part, a[1], b.z, b.w);
        add_group<View>(acc[n], part, scale, x.sum32(group32, n));
    }
}
/// Two steps with a scale each.
template <class View, class Scale>
__device__ __forceinline__ void multiply_steps(const uint32_t (&a)[2][4], int c, int v, const View& x,
    const Scale (&scale)[2], int group16, float (&acc)[View::kTiles][4]) {
#pragma unroll
    for (int n = 0; n < View::kTiles; ++n) {
        const uint4 b = x.piece(c, v, n);
        float part[2][4] = {};
        mma(part[0], a[0], b.x, b.y);
        mma(part[1], a[1], b.z, b.w);
        add_group<View>(acc[n], part[0], scale[0], x.sum16(group16, n));
        add_group<View>(acc[n], part[1], scale[1], x.sum16(group16 + 1, n));
    }
}

// A policy: Regs (one chunk as a lane holds it), load, multiply (chunk index `c` along K), and values: the eight weights
// of step j, rows g then g + 8, for dequantization.

/// Q4_0, Q4_1: [lane][16 B codes][g][half2 (d, min) of row g groups 0, 1, row g + 8 groups 0, 1].
struct TileQ4 {
    static constexpr TileFormat kFormat = TileFormat::q4;
    static constexpr int kDepth = 4; // chunks in flight
    struct Regs {
        uint4 codes;
        uint4 scales;
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
        r.codes = load_stream16(chunk + lane * 16);
        r.scales = load_stream16(chunk + 512 + lane / 4 * 16);
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
        const uint32_t words[4] = {r.codes.x, r.codes.y, r.codes.z, r.codes.w};
        const uint32_t scales[4] = {r.scales.x, r.scales.y, r.scales.z, r.scales.w};
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            uint32_t a[2][4];
            nibbles_to_half(words[2 * v], kMagic, a[0]);
            nibbles_to_half(words[2 * v + 1], kMagic, a[1]);
            const float2 low = unpack_half2(scales[v]);
            const float2 high = unpack_half2(scales[2 + v]);
            const GroupScale scale{low.x, high.x * 0.0625F, fmaf(-1024, low.x, low.y), fmaf(-64, high.x, high.y)};
            multiply_pair(a, c, v, x, scale, c * 2 + v, acc);
        }
    }
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const uint32_t words[4] = {r.codes.x, r.codes.y, r.codes.z, r.codes.w};
        const uint32_t scales[4] = {r.scales.x, r.scales.y, r.scales.z, r.scales.w};
        nibble_values(words[j], unpack_half2(scales[j / 2]), unpack_half2(scales[2 + j / 2]), w);
    }
    /// scale * code + min
    __device__ __forceinline__ static void nibble_values(uint32_t word, float2 low, float2 high, float (&w)[8]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) { // nibbles: pairs (n0, n4), (n1, n5) for i = 0, 1; (n2, n6), (n3, n7) for i = 2, 3
            const int shift = (i & 1) * 16 + (i >> 1) * 8;
            w[i] = fmaf(low.x, static_cast<float>((word >> shift) & 15U), low.y);
            w[4 + i] = fmaf(high.x, static_cast<float>((word >> (shift + 4)) & 15U), high.y);
        }
    }
};

/// Q4_K: four pieces of codes, [g][row g: 8 scales, 8 mins; row g + 8], [g][half2 (d, dmin) of row g, of row g + 8].
struct TileQ4K {
    static constexpr TileFormat kFormat = TileFormat::q4k;
    static constexpr int kDepth = 1;
    struct Regs {
        uint4 codes[4];
        uint4 low;
        uint4 high;
        uint2 d;
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            r.codes[i] = load_stream16(chunk + i * 512 + lane * 16);
        r.low = load_stream16(chunk + 2048 + lane / 4 * 32);
        r.high = load_stream16(chunk + 2048 + lane / 4 * 32 + 16);
        r.d = load_stream8(chunk + 2304 + lane / 4 * 8);
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
        const float2 low = unpack_half2(r.d.x);
        const float2 high = unpack_half2(r.d.y);
        const float d16 = high.x * 0.0625F;
        const uint32_t low_words[4] = {r.low.x, r.low.y, r.low.z, r.low.w};
        const uint32_t high_words[4] = {r.high.x, r.high.y, r.high.z, r.high.w};
        const uint32_t magic = byte_magic();
        const float off_low = -low.x * kByteMagic, off_low_min = low.y * kByteMagic;
        const float off_high = -d16 * kByteMagic, off_high_min = high.y * kByteMagic;
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint32_t words[4] = {r.codes[p].x, r.codes[p].y, r.codes[p].z, r.codes[p].w};
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                const int group = p * 2 + v;
                const int word = group / 4;
                uint32_t a[2][4];
                nibbles_to_half(words[2 * v], kMagic, a[0]);
                nibbles_to_half(words[2 * v + 1], kMagic, a[1]);
                GroupScale scale{scaled_byte(low_words[word], group % 4, magic, low.x, off_low),
                    scaled_byte(high_words[word], group % 4, magic, d16, off_high),
                    scaled_byte(low_words[2 + word], group % 4, magic, -low.y, off_low_min),
                    scaled_byte(high_words[2 + word], group % 4, magic, -high.y, off_high_min)};
                scale.min_low = fmaf(-1024, scale.low, scale.min_low);
                scale.min_high = fmaf(-1024, scale.high, scale.min_high);
                multiply_pair(a, c * 4 + p, v, x, scale, c * 8 + group, acc);
            }
        }
    }
    /// `j` counts the sixteen steps of the chunk.
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const int group = j / 2;
        const uint32_t scale_index = static_cast<uint32_t>(group % 4) * 8;
        const auto pick = [&](const uint4& v, bool min) {
            const uint32_t word = min ? (group < 4 ? v.z : v.w) : (group < 4 ? v.x : v.y);
            return static_cast<float>((word >> scale_index) & 255U);
        };
        const float2 low = unpack_half2(r.d.x);
        const float2 high = unpack_half2(r.d.y);
        const uint4 piece = r.codes[j / 4];
        const uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
        TileQ4::nibble_values(words[j % 4], {low.x * pick(r.low, false), -low.y * pick(r.low, true)},
            {high.x * pick(r.high, false), -high.y * pick(r.high, true)}, w);
    }
};

/// Q6_K: low nibbles as Q4_K; two high bits of each code, two steps a word; [g][16 scales + 128 of row g, of row g + 8];
/// [g][half d of row g, of row g + 8].
struct TileQ6K {
    static constexpr TileFormat kFormat = TileFormat::q6k;
    static constexpr int kDepth = 1;
    struct Regs {
        uint4 codes[4];
        uint4 bits[2];
        uint4 low;
        uint4 high;
        uint32_t d;
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            r.codes[i] = load_stream16(chunk + i * 512 + lane * 16);
        r.bits[0] = load_stream16(chunk + 2048 + lane * 16);
        r.bits[1] = load_stream16(chunk + 2560 + lane * 16);
        r.low = load_stream16(chunk + 3072 + lane / 4 * 32);
        r.high = load_stream16(chunk + 3072 + lane / 4 * 32 + 16);
        r.d = load_stream4(chunk + 3328 + lane / 4 * 4);
    }
    /// Bits of step parity s, in each half: s = 0: a0 4-5, a1 8-9, a2 6-7, a3 10-11; s = 1: a0 0-1, a2 2-3, a1 12-13, a3 14-15.
    __device__ __forceinline__ static void add_bits(uint32_t h, int s, uint32_t (&a)[4]) {
        a[0] = and_or(s == 0 ? h : h << 4, 0x00300030U, a[0]);
        a[1] = and_or(s == 0 ? h : h >> 4, 0x03000300U, a[1]);
        a[2] = and_or(s == 0 ? h >> 2 : h << 2, 0x00300030U, a[2]);
        a[3] = and_or(s == 0 ? h >> 2 : h >> 6, 0x03000300U, a[3]);
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
        const float d_low = half_bits(r.d & 0xFFFFU);
        const float d_high = half_bits(r.d >> 16) * 0.0625F;
        const uint32_t low_words[4] = {r.low.x, r.low.y, r.low.z, r.low.w};
        const uint32_t high_words[4] = {r.high.x, r.high.y, r.high.z, r.high.w};
        const uint32_t bits[8] = {
            r.bits[0].x, r.bits[0].y, r.bits[0].z, r.bits[0].w, r.bits[1].x, r.bits[1].y, r.bits[1].z, r.bits[1].w};
        const uint32_t magic = byte_magic();
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint32_t words[4] = {r.codes[p].x, r.codes[p].y, r.codes[p].z, r.codes[p].w};
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                uint32_t a[2][4];
                OffsetScale scale[2];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const int j = v * 2 + i;
                    nibbles_to_half(words[j], kMagic, a[i]);
                    add_bits(bits[p * 2 + v], i, a[i]);
                    scale[i] = {scaled_signed_byte(low_words[p], j, magic, d_low),
                        scaled_signed_byte(high_words[p], j, magic, d_high), -1056, -1536}; // 1024 + 32, 1024 + 16 * 32
                }
                multiply_steps(a, c * 4 + p, v, x, scale, c * 16 + p * 4 + v * 2, acc);
            }
        }
    }
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const uint4 piece = r.codes[j / 4];
        const uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
        const uint4 half = r.bits[j / 8];
        const uint32_t bits[4] = {half.x, half.y, half.z, half.w};
        uint32_t a[4];
        nibbles_to_half(words[j % 4], 0, a);
        add_bits(bits[j / 2 % 4], j % 2, a);
        const auto scale_of = [&](const uint4& v) {
            const uint32_t s[4] = {v.x, v.y, v.z, v.w};
            return static_cast<float>(static_cast<int>((s[j / 4] >> (j % 4 * 8)) & 255U) - 128);
        };
        const float low = half_bits(r.d & 0xFFFFU) * scale_of(r.low);
        const float high = half_bits(r.d >> 16) * scale_of(r.high);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            w[i] = low * static_cast<float>(static_cast<int>((a[i / 2 * 2] >> (i % 2 * 16)) & 63U) - 32);
            w[4 + i] = high * static_cast<float>(static_cast<int>((a[i / 2 * 2 + 1] >> (i % 2 * 16 + 4)) & 63U) - 32);
        }
    }
};

/// Codes of a step as bytes + 128, row g then row g + 8, to f16 1024 + byte.
__device__ __forceinline__ void bytes_to_half(uint32_t low, uint32_t high, uint32_t (&a)[4]) {
    a[0] = __byte_perm(low, kMagic, 0x5150);
    a[1] = __byte_perm(high, kMagic, 0x5150);
    a[2] = __byte_perm(low, kMagic, 0x5352);
    a[3] = __byte_perm(high, kMagic, 0x5352);
}
__device__ __forceinline__ float byte_code(uint32_t word, int i) {
    return static_cast<float>(static_cast<int>((word >> (i * 8)) & 255U) - 128);
}

/// Q8_0: [v][lane][words: row g, g + 8 of step 2v, row g, g + 8 of step 2v + 1], [g][half d of row g groups 0, 1, row g + 8].
struct TileQ8 {
    static constexpr TileFormat kFormat = TileFormat::q8;
    static constexpr int kDepth = 2;
    struct Regs {
        uint4 codes[2];
        uint2 scales;
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
        r.codes[0] = load_stream16(chunk + lane * 16);
        r.codes[1] = load_stream16(chunk + 512 + lane * 16);
        r.scales = load_stream8(chunk + 1024 + lane / 4 * 8);
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
        const float2 low = unpack_half2(r.scales.x);
        const float2 high = unpack_half2(r.scales.y);
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            uint32_t a[2][4];
            bytes_to_half(r.codes[v].x, r.codes[v].y, a[0]);
            bytes_to_half(r.codes[v].z, r.codes[v].w, a[1]);
            const float d_low = v == 0 ? low.x : low.y;
            const float d_high = v == 0 ? high.x : high.y;
            multiply_pair(a, c, v, x, OffsetScale{d_low, d_high, -1152, -1152}, c * 2 + v, acc);
        }
    }
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const uint4 codes = r.codes[j / 2];
        const float2 low = unpack_half2(r.scales.x);
        const float2 high = unpack_half2(r.scales.y);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            w[i] = (j < 2 ? low.x : low.y) * byte_code(j % 2 == 0 ? codes.x : codes.z, i);
            w[4 + i] = (j < 2 ? high.x : high.y) * byte_code(j % 2 == 0 ? codes.y : codes.w, i);
        }
    }
};

/// Every other format, exact: codes as Q8_0, then [step][g][float scale, min of row g, scale, min of row g + 8];
/// weight = scale * code - min.
struct TileG8 {
    static constexpr TileFormat kFormat = TileFormat::g8;
    static constexpr int kDepth = 1;
    struct Regs {
        uint4 codes[2];
        float4 scales[4];
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
        r.codes[0] = load_stream16(chunk + lane * 16);
        r.codes[1] = load_stream16(chunk + 512 + lane * 16);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint4 bits = load_stream16(chunk + 1024 + j * 128 + lane / 4 * 16);
            r.scales[j] = {
                __uint_as_float(bits.x), __uint_as_float(bits.y), __uint_as_float(bits.z), __uint_as_float(bits.w)};
        }
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            uint32_t a[2][4];
            bytes_to_half(r.codes[v].x, r.codes[v].y, a[0]);
            bytes_to_half(r.codes[v].z, r.codes[v].w, a[1]);
            GroupScale scale[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float4 s = r.scales[v * 2 + i];
                scale[i] = {s.x, s.z, fmaf(-1152, s.x, -s.y), fmaf(-1152, s.z, -s.w)};
            }
            multiply_steps(a, c, v, x, scale, c * 4 + v * 2, acc);
        }
    }
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const uint4 codes = r.codes[j / 2];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            w[i] = fmaf(r.scales[j].x, byte_code(j % 2 == 0 ? codes.x : codes.z, i), -r.scales[j].y);
            w[4 + i] = fmaf(r.scales[j].z, byte_code(j % 2 == 0 ? codes.y : codes.w, i), -r.scales[j].w);
        }
    }
};

/// F16, and F32 and BF16 as f16 with a power-of-two scale per row: [step][lane][the A fragment].
struct TileH16 {
    static constexpr TileFormat kFormat = TileFormat::h16;
    static constexpr int kDepth = 2;
    struct Regs {
        uint4 a[4];
    };
    __device__ __forceinline__ static void load(Regs& r, const uint8_t* chunk, int lane) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            r.a[j] = load_stream16(chunk + j * 512 + lane * 16);
    }
    template <class View>
    __device__ __forceinline__ static void multiply(
        const Regs& r, int c, const View& x, float (&acc)[View::kTiles][4]) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint32_t a[4] = {r.a[j].x, r.a[j].y, r.a[j].z, r.a[j].w};
#pragma unroll
            for (int n = 0; n < View::kTiles; ++n) {
                const uint4 b = x.piece(c, j / 2, n);
                mma(acc[n], a, j % 2 == 0 ? b.x : b.z, j % 2 == 0 ? b.y : b.w);
            }
        }
    }
    __device__ static void values(const Regs& r, int j, float (&w)[8]) {
        const float2 pairs[4] = {
            unpack_half2(r.a[j].x), unpack_half2(r.a[j].z), unpack_half2(r.a[j].y), unpack_half2(r.a[j].w)};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            w[2 * i] = pairs[i].x;
            w[2 * i + 1] = pairs[i].y;
        }
    }
};

} // namespace vitrine::kernels
