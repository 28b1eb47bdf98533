// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: four neighbouring pairs of rows (g and g + 8) of a tile for one token, sixteen bytes at a time.
#pragma once

#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {

struct Quad {
    float low[4], high[4]; // products of rows g .. g + 3 and g + 8 .. g + 11
};

__device__ __forceinline__ void load_four(float (&to)[4], const float* from) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
__device__ __forceinline__ void put_four(float* to, float a, float b, float c, float d) {
    *reinterpret_cast<float4*>(to) = {a, b, c, d};
}
__device__ __forceinline__ void put_four(__half* to, float a, float b, float c, float d) {
    *reinterpret_cast<uint2*>(to) = {pack_half2(a, b), pack_half2(c, d)};
}
__device__ __forceinline__ uint32_t pack_bf16(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&pair);
}
__device__ __forceinline__ void put_four(__nv_bfloat16* to, float a, float b, float c, float d) {
    *reinterpret_cast<uint2*>(to) = {pack_bf16(a, b), pack_bf16(c, d)};
}
/// Values of four pairs of rows: two runs, or one in turns.  `to`: of the head's or the row's first element.
template <class T>
__device__ __forceinline__ void put_pairs(T* to, int a, int b, const Quad& q) {
    if (b == a + 1) {
        put_four(to + a, q.low[0], q.high[0], q.low[1], q.high[1]);
        put_four(to + a + 4, q.low[2], q.high[2], q.low[3], q.high[3]);
    } else {
        put_four(to + a, q.low[0], q.low[1], q.low[2], q.low[3]);
        put_four(to + b, q.high[0], q.high[1], q.high[2], q.high[3]);
    }
}

/// What a thread has of a tile, the same for all tokens.
struct QuadRows {
    int a, b; // logical rows of the first pair
    int pair;
    bool inside;
};
__device__ __forceinline__ QuadRows quad_rows(const TileMatrix& matrix, int tile, int g) {
    const TileRow a = tile_row(matrix, tile, g, false);
    return {a.row, tile_row(matrix, tile, g, true).row, a.pair, a.row < matrix.out_dim};
}

} // namespace vitrine::kernels
