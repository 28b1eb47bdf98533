// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: how a 16-row tile lies in memory, and how a warp multiplies one chunk of it.
//
// Lane l = (g = l / 4, t = l % 4) of mma.m16n8k16 owns rows g and g + 8.  In step j of a 64-wide piece c it owns the four
// logical weights k = 64 c + 16 j + 4 t + i; activations are stored in the same order (fragment_offset), so the
// permutation of k inside a step costs nothing.  Codes become exact f16 values 1024 + code by bits alone; sums start at
// -1024 times the group's activation sum.
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

/// The activations as a lane sees them.
struct ColumnView {
    const uint16_t* fragments; // of this lane's column; a lane without one reads zeros
    const float* sums; // [group of 16][sum_stride], at this lane's first column 2t
    int lanes;
    int sum_stride;
    bool has_column; // column g exists
    bool has_sums; // column 2t exists

    /// B fragments of steps 2v, 2v + 1 of piece c.
    __device__ __forceinline__ uint4 piece(int c, int v) const {
        return has_column ? *reinterpret_cast<const uint4*>(fragments + (c * 2 + v) * lanes * 8) : uint4{0, 0, 0, 0};
    }
    __device__ __forceinline__ float2 sum16(int group) const {
        return has_sums ? *reinterpret_cast<const float2*>(sums + group * sum_stride) : float2{0, 0};
    }
    __device__ __forceinline__ float2 sum32(int group) const {
        const float2 a = sum16(2 * group);
        const float2 b = sum16(2 * group + 1);
        return {a.x + b.x, a.y + b.y};
    }
};

inline constexpr uint32_t kMagic = 0x64006400; // f16 1024 in both halves
inline constexpr float kByteMagic = 8388608.0F; // 2^23: a byte under 0x4B000000 is 2^23 + byte

/// scale * byte `index` of `word`, one rounding.  Requires: neg_offset == -scale * 2^23.
__device__ __forceinline__ float scaled_byte(uint32_t word, int index, float scale, float neg_offset) {
    const uint32_t bits = __byte_perm(word, 0x4B000000U, 0x7440 + index);
    return fmaf(scale, __uint_as_float(bits), neg_offset);
}

/// scale * (byte - 128), one rounding.
__device__ __forceinline__ float scaled_signed_byte(uint32_t word, int index, float scale) {
    const uint32_t bits = __byte_perm(word, 0x4B000000U, 0x7440 + index);
    return scale * (__uint_as_float(bits) - (kByteMagic + 128));
}

/// f16 1024 + code of the eight nibbles of a step; rows g + 8 carry 16 times the code.
__device__ __forceinline__ void nibbles_to_half(uint32_t word, uint32_t magic, uint32_t (&a)[4]) {
    const uint32_t high = word >> 8;
    a[0] = and_or(word, 0x000F000FU, magic);
    a[1] = and_or(word, 0x00F000F0U, magic);
    a[2] = and_or(high, 0x000F000FU, magic);
    a[3] = and_or(high, 0x00F000F0U, magic);
}

/// acc += scale * part + min * sum, rows g (low) and g + 8 (high).
__device__ __forceinline__ void add_group(
    float (&acc)[4], const float (&part)[4], float scale_low, float scale_high) {
    acc[0] = fmaf(scale_low, part[0], acc[0]);
    acc[1] = fmaf(scale_low, part[1], acc[1]);
    acc[2] = fmaf(scale_high, part[2], acc[2]);
    acc[3] = fmaf(scale_high, part[3], acc[3]);
}
__device__ __forceinline__ void add_mins(float (&acc)[4], float2 sum, float min_low, float min_high) {
    acc[0] = fmaf(min_low, sum.x, acc[0]);
    acc[1] = fmaf(min_low, sum.y, acc[1]);
    acc[2] = fmaf(min_high, sum.x, acc[2]);
    acc[3] = fmaf(min_high, sum.y, acc[3]);
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
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
        const uint32_t words[4] = {r.codes.x, r.codes.y, r.codes.z, r.codes.w};
        const uint32_t scales[4] = {r.scales.x, r.scales.y, r.scales.z, r.scales.w};
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            const uint4 b = x.piece(c, v);
            const float2 sum = x.sum32(c * 2 + v);
            float part[4] = {-1024 * sum.x, -1024 * sum.y, -1024 * sum.x, -1024 * sum.y};
            uint32_t a[4];
            nibbles_to_half(words[2 * v], kMagic, a);
            mma(part, a, b.x, b.y);
            nibbles_to_half(words[2 * v + 1], kMagic, a);
            mma(part, a, b.z, b.w);
            const float2 low = unpack_half2(scales[v]);
            const float2 high = unpack_half2(scales[2 + v]);
            add_group(acc, part, low.x, high.x * 0.0625F);
            add_mins(acc, sum, low.y, high.y);
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
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
        const float2 low = unpack_half2(r.d.x);
        const float2 high = unpack_half2(r.d.y);
        const float d16 = high.x * 0.0625F;
        const uint32_t low_words[4] = {r.low.x, r.low.y, r.low.z, r.low.w};
        const uint32_t high_words[4] = {r.high.x, r.high.y, r.high.z, r.high.w};
        const float off_low = -low.x * kByteMagic, off_low_min = low.y * kByteMagic;
        const float off_high = -d16 * kByteMagic, off_high_min = high.y * kByteMagic;
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint32_t words[4] = {r.codes[p].x, r.codes[p].y, r.codes[p].z, r.codes[p].w};
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                const int group = p * 2 + v;
                const uint4 b = x.piece(c * 4 + p, v);
                const float2 sum = x.sum32(c * 8 + group);
                float part[4] = {-1024 * sum.x, -1024 * sum.y, -1024 * sum.x, -1024 * sum.y};
                uint32_t a[4];
                nibbles_to_half(words[2 * v], kMagic, a);
                mma(part, a, b.x, b.y);
                nibbles_to_half(words[2 * v + 1], kMagic, a);
                mma(part, a, b.z, b.w);
                const int word = group / 4;
                add_group(acc, part, scaled_byte(low_words[word], group % 4, low.x, off_low),
                    scaled_byte(high_words[word], group % 4, d16, off_high));
                add_mins(acc, sum, scaled_byte(low_words[2 + word], group % 4, -low.y, off_low_min),
                    scaled_byte(high_words[2 + word], group % 4, -high.y, off_high_min));
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
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
        const float d_low = half_bits(r.d & 0xFFFFU);
        const float d_high = half_bits(r.d >> 16) * 0.0625F;
        const uint32_t low_words[4] = {r.low.x, r.low.y, r.low.z, r.low.w};
        const uint32_t high_words[4] = {r.high.x, r.high.y, r.high.z, r.high.w};
        const uint32_t bits[8] = {r.bits[0].x, r.bits[0].y, r.bits[0].z, r.bits[0].w, r.bits[1].x, r.bits[1].y,
            r.bits[1].z, r.bits[1].w};
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint32_t words[4] = {r.codes[p].x, r.codes[p].y, r.codes[p].z, r.codes[p].w};
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const int step = p * 4 + j;
                const uint4 b = x.piece(c * 4 + p, j / 2);
                const float2 sum = x.sum16(c * 16 + step);
                float part[4] = {-1056 * sum.x, -1056 * sum.y, -1536 * sum.x, -1536 * sum.y};
                uint32_t a[4];
                nibbles_to_half(words[j], kMagic, a);
                add_bits(bits[step / 2], step % 2, a);
                mma(part, a, j % 2 == 0 ? b.x : b.z, j % 2 == 0 ? b.y : b.w);
                add_group(acc, part, scaled_signed_byte(low_words[p], j, d_low),
                    scaled_signed_byte(high_words[p], j, d_high));
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
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
        const float2 low = unpack_half2(r.scales.x);
        const float2 high = unpack_half2(r.scales.y);
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            const uint4 b = x.piece(c, v);
            const float2 sum = x.sum32(c * 2 + v);
            float part[4] = {-1152 * sum.x, -1152 * sum.y, -1152 * sum.x, -1152 * sum.y};
            uint32_t a[4];
            bytes_to_half(r.codes[v].x, r.codes[v].y, a);
            mma(part, a, b.x, b.y);
            bytes_to_half(r.codes[v].z, r.codes[v].w, a);
            mma(part, a, b.z, b.w);
            add_group(acc, part, v == 0 ? low.x : low.y, v == 0 ? high.x : high.y);
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
            r.scales[j] = {__uint_as_float(bits.x), __uint_as_float(bits.y), __uint_as_float(bits.z),
                __uint_as_float(bits.w)};
        }
    }
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint4 b = x.piece(c, j / 2);
            const float2 sum = x.sum16(c * 4 + j);
            float part[4] = {-1152 * sum.x, -1152 * sum.y, -1152 * sum.x, -1152 * sum.y};
            uint32_t a[4];
            const uint4 codes = r.codes[j / 2];
            bytes_to_half(j % 2 == 0 ? codes.x : codes.z, j % 2 == 0 ? codes.y : codes.w, a);
            mma(part, a, j % 2 == 0 ? b.x : b.z, j % 2 == 0 ? b.y : b.w);
            add_group(acc, part, r.scales[j].x, r.scales[j].z);
            add_mins(acc, sum, -r.scales[j].y, -r.scales[j].w);
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
    __device__ __forceinline__ static void multiply(const Regs& r, int c, const ColumnView& x, float (&acc)[4]) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint4 b = x.piece(c, j / 2);
            const uint32_t a[4] = {r.a[j].x, r.a[j].y, r.a[j].z, r.a[j].w};
            mma(acc, a, j % 2 == 0 ? b.x : b.z, j % 2 == 0 ? b.y : b.w);
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
