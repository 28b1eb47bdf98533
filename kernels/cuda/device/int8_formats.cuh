// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of weight codes and int8 activations on integer tensor cores.  The tiles are those of
// tile_formats.cuh: a word of codes is four neighbours of row g and four of row g + 8, which is an A register of
// mma.m16n8k32 as it lies, bytes in the order k, k + 2, k + 1, k + 3; activations are packed in the same order.
#pragma once

// One token alone: the eight columns of the B operand carry the eight groups of 32 of a chunk, each mma multiplies all of them
// by one group of weights, and the diagonal is what is wanted.  So every lane ends with sums of its own (rows g and g + 8,
// groups 2t and 2t + 1), and scales cost an eighth of what they do with a column for each token.

#include <cuda_bf16.h>

#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

/// An integer v below 2^22 added to these bits is the float kIntBase + v.  Scales of activations have 20 bits, so that their
/// product with kIntBase is exact and scaled_int() rounds once.
inline constexpr int kIntMagic = 0x4B400000;
inline constexpr float kIntBase = 12582912.0F; // 1.5 * 2^23

/// d = kIntMagic + a * b; a: 16x32 unsigned, b: 32x8 signed bytes.
__device__ __forceinline__ void mma_bytes(
    int (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(kIntMagic));
}
/// The same for 16 of K.
__device__ __forceinline__ void mma_bytes(int (&d)[4], uint32_t a0, uint32_t a1, uint32_t b0) {
    asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a0), "r"(a1), "r"(b0), "r"(kIntMagic));
}
/// The same onto c = kIntMagic + (offset.x, offset.y) in both rows.
__device__ __forceinline__ void mma_bytes_onto(int (&d)[4], uint32_t a0, uint32_t a1, uint32_t b0, int2 c) {
    asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%7,%8};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a0), "r"(a1), "r"(b0), "r"(c.x), "r"(c.y));
}
/// c += a * b in bf16: mins against sums, whose range f16 does not have.
__device__ __forceinline__ void mma_bf16(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// What a warp keeps of one row's activations of a chunk of 256.
struct Int8Chunk {
    uint2 bytes[32]; // of lane (g, t): k = 32 g + 4 t + {0, 2, 1, 3}, and 16 further
    float scale[8]; // of a group of 32
    uint32_t sum[8]; // of a group, times its scale: two bf16 parts
    int offset[16]; // of sixteen: -32 * sum of the bytes
};

/// The same of several rows, in a block's shared memory, from a chunk on.  The tables have room for eight columns.
struct Int8Rows {
    unsigned char* bytes; // [pair of groups][column][t][group: uint2 as above]: the lanes of a warp read neighbours
    float* scale; // [pair of groups][t][group][columns 2t, 2t + 1]
    uint32_t* sum; // [group][column]
    int* offset; // [sixteen][column]: kIntMagic - 32 * sum of the bytes
    int columns;

    __device__ __forceinline__ uint4 pair_bytes(int pair, int t, int column) const {
        return *reinterpret_cast<const uint4*>(bytes + ((pair * columns + column) * 4 + t) * 16);
    }
    __device__ __forceinline__ float4 pair_scale(int pair, int t) const {
        return *reinterpret_cast<const float4*>(scale + (pair * 4 + t) * 4);
    }
};

/// scale * v.  Requires: less == -scale * kIntBase.
__device__ __forceinline__ float scaled_int(int biased, float scale, float less) {
    return fmaf(__int_as_float(biased), scale, less);
}
/// Rows g (0, 1) and g + 8 (2, 3), columns of scales x and y.
__device__ __forceinline__ void add_columns(
    float (&acc)[4], const int (&sums)[4], float low, float high, float x, float y) {
    const float less_x = x * -kIntBase;
    const float less_y = y * -kIntBase;
    acc[0] = fmaf(low, scaled_int(sums[0], x, less_x), acc[0]);
    acc[1] = fmaf(low, scaled_int(sums[1], y, less_y), acc[1]);
    acc[2] = fmaf(high, scaled_int(sums[2], x, less_x), acc[2]);
    acc[3] = fmaf(high, scaled_int(sums[3], y, less_y), acc[3]);
}
/// A byte below 128 of `word`, twice, as bf16; `selector`: of PRMT, the byte and 4.
__device__ __forceinline__ uint32_t bf16_byte(uint32_t word, uint32_t selector) {
    const uint32_t bits = __byte_perm(word, 0x43434343U, selector); // 128 + byte
    const __nv_bfloat162 value = __hsub2(*reinterpret_cast<const __nv_bfloat162*>(&bits), __float2bfloat162_rn(128));
    return *reinterpret_cast<const uint32_t*>(&value);
}

struct Int8Q4K {
    static constexpr TileFormat kFormat = TileFormat::q4k;
    static constexpr bool kMins = true, kHalves = false;

    /// acc += product of rows g (low) and g + 8 (high); a lane's share of it: the sum over t is the product.
    __device__ __forceinline__ static void add_single(
        const uint8_t* chunk, const Int8Chunk& x, int lane, float& low, float& high) {
        const int g = lane / 4;
        const int t = lane % 4;
        const uint2 b = x.bytes[lane];
        int v[4]; // low 2t, low 2t + 1, high 2t, high 2t + 1
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint4 w = *reinterpret_cast<const uint4*>(chunk + p * 512 + lane * 16);
            int even[4], odd[4];
            mma_bytes(even, w.x & 0x0F0F0F0FU, w.x & 0xF0F0F0F0U, w.y & 0x0F0F0F0FU, w.y & 0xF0F0F0F0U, b.x, b.y);
            mma_bytes(odd, w.z & 0x0F0F0F0FU, w.z & 0xF0F0F0F0U, w.w & 0x0F0F0F0FU, w.w & 0xF0F0F0F0U, b.x, b.y);
            const bool mine = p == 0 || t >= p;
            v[0] = mine ? even[0] : v[0];
            v[1] = mine ? odd[1] : v[1];
            v[2] = mine ? even[2] : v[2];
            v[3] = mine ? odd[3] : v[3];
        }
        const uint8_t* scales = chunk + 2048 + g * 32;
        const uint32_t of_low = *reinterpret_cast<const uint16_t*>(scales + 2 * t);
        const uint32_t of_high = *reinterpret_cast<const uint16_t*>(scales + 16 + 2 * t);
        const float2 xd = *reinterpret_cast<const float2*>(x.scale + 2 * t);
        const float2 less{xd.x * -kIntBase, xd.y * -kIntBase};
        const uint2 d = *reinterpret_cast<const uint2*>(chunk + 2304 + g * 8);
        const float2 d_low = unpack_half2(d.x);
        const float2 d_high = unpack_half2(d.y);
        const uint32_t magic = byte_magic();
        const auto add = [&](float& acc, uint32_t codes, float of_row, const int* sums) {
            const float less_row = -of_row * kByteMagic;
            acc = fmaf(scaled_byte(codes, 0, magic, of_row, less_row), scaled_int(sums[0], xd.x, less.x), acc);
            acc = fmaf(scaled_byte(codes, 1, magic, of_row, less_row), scaled_int(sums[1], xd.y, less.y), acc);
        };
        add(low, of_low, d_low.x, v);
        add(high, of_high, d_high.x * 0.0625F, v + 2);
        // Mins: every column has the same sums, so every lane of a row the same total; it counts once.
        const uint2 mins_low = *reinterpret_cast<const uint2*>(scales + 8);
        const uint2 mins_high = *reinterpret_cast<const uint2*>(scales + 24);
        const uint32_t selector = 0x4040U + static_cast<uint32_t>(t) * 0x0101U;
        const uint32_t a[4] = {bf16_byte(mins_low.x, selector), bf16_byte(mins_high.x, selector),
            bf16_byte(mins_low.y, selector), bf16_byte(mins_high.y, selector)};
        float of_mins[4] = {};
        mma_bf16(of_mins, a, x.sum[t], x.sum[4 + t]);
        low = fmaf(t == 0 ? -d_low.y : 0.0F, of_mins[0], low);
        high = fmaf(t == 0 ? -d_high.y : 0.0F, of_mins[2], high);
    }
    /// acc[p] += the share of groups 2p and 2p + 1: what lane t = p has of one row alone.
    __device__ __forceinline__ static void add_rows(
        const uint8_t* chunk, const Int8Rows& x, int lane, float (&acc)[4][4]) {
        const int g = lane / 4;
        const int t = lane % 4;
        const int column = min(g, x.columns - 1);
        const uint4 low = *reinterpret_cast<const uint4*>(chunk + 2048 + g * 32);
        const uint4 high = *reinterpret_cast<const uint4*>(chunk + 2048 + g * 32 + 16);
        const uint2 d = *reinterpret_cast<const uint2*>(chunk + 2304 + g * 8);
        const float2 d_low = unpack_half2(d.x);
        const float2 d_high = unpack_half2(d.y);
        const float of_high = d_high.x * 0.0625F;
        const uint32_t magic = byte_magic();
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const uint4 w = *reinterpret_cast<const uint4*>(chunk + p * 512 + lane * 16);
            const uint4 b = x.pair_bytes(p, t, column);
            const float4 xd = x.pair_scale(p, t);
            int even[4], odd[4];
            mma_bytes(even, w.x & 0x0F0F0F0FU, w.x & 0xF0F0F0F0U, w.y & 0x0F0F0F0FU, w.y & 0xF0F0F0F0U, b.x, b.y);
            mma_bytes(odd, w.z & 0x0F0F0F0FU, w.z & 0xF0F0F0F0U, w.w & 0x0F0F0F0FU, w.w & 0xF0F0F0F0U, b.z, b.w);
            const uint32_t of_row[2] = {pick(low, p / 2), pick(high, p / 2)};
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float scale_low = scaled_byte(of_row[0], p % 2 * 2 + i, magic, d_low.x, -d_low.x * kByteMagic);
                const float scale_high = scaled_byte(of_row[1], p % 2 * 2 + i, magic, of_high, -of_high * kByteMagic);
                add_columns(
                    acc[p], i == 0 ? even : odd, scale_low, scale_high, i == 0 ? xd.x : xd.z, i == 0 ? xd.y : xd.w);
            }
        }
        const uint32_t selector = 0x4040U + static_cast<uint32_t>(t) * 0x0101U;
        const uint32_t a[4] = {bf16_byte(low.z, selector), bf16_byte(high.z, selector), bf16_byte(low.w, selector),
            bf16_byte(high.w, selector)};
        float of_mins[4] = {};
        mma_bf16(of_mins, a, x.sum[t * 8 + column], x.sum[(4 + t) * 8 + column]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            acc[0][i] = fmaf(i < 2 ? -d_low.y : -d_high.y, of_mins[i], acc[0][i]);
    }
};

struct Int8Q6K {
    static constexpr TileFormat kFormat = TileFormat::q6k;
    static constexpr bool kMins = false, kHalves = true;

    __device__ __forceinline__ static void add_single(
        const uint8_t* chunk, const Int8Chunk& x, int lane, float& low, float& high) {
        const int g = lane / 4;
        const int t = lane % 4;
        const uint2 b = x.bytes[lane];
        int v[8]; // low 2t, first and second half, low 2t + 1, then high
        uint4 bits{};
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            if (p % 2 == 0)
                bits = *reinterpret_cast<const uint4*>(chunk + 2048 + p / 2 * 512 + lane * 16);
            const uint4 w = *reinterpret_cast<const uint4*>(chunk + p * 512 + lane * 16);
            const bool mine = p == 0 || t >= p;
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const uint32_t h = pick(bits, p % 2 * 2 + i);
#pragma unroll
                for (int s = 0; s < 2; ++s) {
                    uint32_t a[2];
                    codes(pick(w, i * 2 + s), h, s, a);
                    int c[4];
                    mma_bytes(c, a[0], a[1], s == 0 ? b.x : b.y);
                    v[i * 2 + s] = mine ? c[i] : v[i * 2 + s];
                    v[4 + i * 2 + s] = mine ? c[2 + i] : v[4 + i * 2 + s];
                }
            }
        }
        const uint8_t* scales = chunk + 3072 + g * 32;
        const uint32_t of_low = *reinterpret_cast<const uint32_t*>(scales + 4 * t);
        const uint32_t of_high = *reinterpret_cast<const uint32_t*>(scales + 16 + 4 * t);
        const float2 xd = *reinterpret_cast<const float2*>(x.scale + 2 * t);
        const float2 less{xd.x * -kIntBase, xd.y * -kIntBase};
        const int4 offset = *reinterpret_cast<const int4*>(x.offset + 4 * t);
        const uint32_t d = *reinterpret_cast<const uint32_t*>(chunk + 3328 + g * 4);
        const uint32_t magic = signed_magic();
        const auto add = [&](float& acc, uint32_t bytes, float of_row, const int* sums) {
            const float less_row = -of_row * kSignedMagic;
            const auto scale = [&](int i) { return scaled_signed_byte(bytes, i, magic, of_row, less_row); };
            acc = fmaf(scale(0), scaled_int(sums[0] + offset.x, xd.x, less.x), acc);
            acc = fmaf(scale(1), scaled_int(sums[1] + offset.y, xd.x, less.x), acc);
            acc = fmaf(scale(2), scaled_int(sums[2] + offset.z, xd.y, less.y), acc);
            acc = fmaf(scale(3), scaled_int(sums[3] + offset.w, xd.y, less.y), acc);
        };
        add(low, of_low, half_bits(d & 0xFFFFU), v);
        add(high, of_high, half_bits(d >> 16), v + 4);
    }

    __device__ __forceinline__ static void add_rows(
        const uint8_t* chunk, const Int8Rows& x, int lane, float (&acc)[4][4]) {
        const int g = lane / 4;
        const int t = lane % 4;
        const int column = min(g, x.columns - 1);
        const uint32_t d = *reinterpret_cast<const uint32_t*>(chunk + 3328 + g * 4);
        const float d_low = half_bits(d & 0xFFFFU);
        const float d_high = half_bits(d >> 16);
        const float less_low = -d_low * kSignedMagic;
        const float less_high = -d_high * kSignedMagic;
        const uint32_t magic = signed_magic();
        const uint8_t* scales = chunk + 3072 + g * 32;
        uint4 bits{};
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            if (p % 2 == 0)
                bits = *reinterpret_cast<const uint4*>(chunk + 2048 + p / 2 * 512 + lane * 16);
            const uint4 w = *reinterpret_cast<const uint4*>(chunk + p * 512 + lane * 16);
            const uint4 b = x.pair_bytes(p, t, column);
            const float4 xd = x.pair_scale(p, t);
            const uint32_t of_low = *reinterpret_cast<const uint32_t*>(scales + 4 * p);
            const uint32_t of_high = *reinterpret_cast<const uint32_t*>(scales + 16 + 4 * p);
#pragma unroll
            for (int i = 0; i < 4; ++i) { // sixteens
                uint32_t a[2];
                codes(pick(w, i), pick(bits, p % 2 * 2 + i / 2), i % 2, a);
                int c[4];
                mma_bytes_onto(
                    c, a[0], a[1], pick(b, i), *reinterpret_cast<const int2*>(x.offset + (p * 4 + i) * 8 + 2 * t));
                add_columns(acc[p], c, scaled_signed_byte(of_low, i, magic, d_low, less_low),
                    scaled_signed_byte(of_high, i, magic, d_high, less_high), i < 2 ? xd.x : xd.z, i < 2 ? xd.y : xd.w);
            }
        }
    }

private:
    /// Codes of step parity s as bytes, rows g and g + 8; see TileQ6K::add_bits.
    __device__ __forceinline__ static void codes(uint32_t word, uint32_t h, int s, uint32_t (&a)[2]) {
        a[0] = and_or(s == 0 ? h : h << 4, 0x00300030U, word & 0x0F0F0F0FU);
        a[0] = and_or(s == 0 ? h << 6 : h << 10, 0x30003000U, a[0]);
        a[1] = and_or(s == 0 ? h >> 4 : h >> 8, 0x00300030U, (word >> 4) & 0x0F0F0F0FU);
        a[1] = and_or(s == 0 ? h << 2 : h >> 2, 0x30003000U, a[1]);
    }
};

} // namespace vitrine::kernels
