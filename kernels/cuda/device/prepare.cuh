// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: one f32 row to f16 with a power-of-two scale, RMS norm folded in.
#pragma once

#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

inline constexpr int kPrepareThreads = 256;

struct RowSource {
    const float* values; // [in_dim]
    const float* gain; // or null
    float eps;
    int in_dim;
    int padded_dim;
};

__device__ __forceinline__ float4 load_values(const float* values, int k, int count) {
    if (k >= count)
        return {0, 0, 0, 0};
    if (count % 4 == 0)
        return *reinterpret_cast<const float4*>(values + k);
    float4 v{values[k], 0, 0, 0};
    v.y = k + 1 < count ? values[k + 1] : 0;
    v.z = k + 2 < count ? values[k + 2] : 0;
    v.w = k + 3 < count ? values[k + 3] : 0;
    return v;
}

/// Beyond these the f16 range could clip or coarsen a row: it is scaled by a power of two first.
inline constexpr float kLargestPlain = 16384;
inline constexpr float kSmallestPlain = 0.0009765625F;

/// What prepare_pass() learns of a row, in one thread.
struct RowMeasure {
    float squares = 0;
    float largest = 0;
};

/// kBatch strides of the row from `base` on: all loads first, since stores to memory that may alias would hold them back.
template <int kBatch, bool kGain, class Put>
__device__ __forceinline__ void prepare_batch(
    const RowSource& row, int base, float shrink, RowMeasure& measure, Put&& put) {
    constexpr int kStride = kPrepareThreads * 4;
    const int first = base + static_cast<int>(threadIdx.x) * 4;
    float4 values[kBatch];
    float4 gains[kGain ? kBatch : 1];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
        values[i] = load_values(row.values, first + i * kStride, row.in_dim);
        if constexpr (kGain)
            gains[i] = load_values(row.gain, first + i * kStride, row.in_dim);
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
        if (base + i * kStride >= row.padded_dim) // the same in all threads: the sums shuffle
            break;
        float4 v = values[i];
        if constexpr (kGain) {
            measure.squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
            v = {v.x * gains[i].x, v.y * gains[i].y, v.z * gains[i].z, v.w * gains[i].w};
        }
        measure.largest = fmaxf(measure.largest, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
        const uint2 halves{pack_half2(v.x * shrink, v.y * shrink), pack_half2(v.z * shrink, v.w * shrink)};
        const float2 a = unpack_half2(halves.x);
        const float2 b = unpack_half2(halves.y);
        float sum = (a.x + a.y) + (b.x + b.y);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 2);
        const float sum32 = sum + __shfl_xor_sync(0xFFFFFFFFU, sum, 4);
        if (first + i * kStride < row.padded_dim)
            put(first + i * kStride, halves, sum, sum32);
    }
}

/// All kPrepareThreads threads of the block call it.  `put(k, halves, sum16, sum32)` gets four values as two packed words
/// and, in each thread, the sums of its groups.  The order of additions is fixed, so the bits do not depend on who calls.
/// partials: [warp] sums of squares, then [warp] largest magnitudes
template <class Put>
__device__ __forceinline__ void prepare_pass(const RowSource& row, float shrink, float* partials, Put&& put) {
    RowMeasure measure;
    if (row.gain != nullptr) {
        for (int base = 0; base < row.padded_dim; base += 4 * kPrepareThreads * 4)
            prepare_batch<4, true>(row, base, shrink, measure, put);
    } else {
        for (int base = 0; base < row.padded_dim; base += 7 * kPrepareThreads * 4)
            prepare_batch<7, false>(row, base, shrink, measure, put);
    }
    const float squares = warp_sum(measure.squares);
    const float largest = warp_max(measure.largest);
    if (threadIdx.x % 32 == 0) {
        partials[threadIdx.x / 32] = squares;
        partials[8 + threadIdx.x / 32] = largest;
    }
}

/// The row as f16; returns what a product must be multiplied by.  Ends behind a barrier.
template <class Put>
__device__ __forceinline__ float prepare_row(const RowSource& row, float* partials, Put&& put) {
    prepare_pass(row, 1, partials, put);
    __syncthreads();
    float squares = 0;
    float largest = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        squares += partials[w];
        largest = fmaxf(largest, partials[8 + w]);
    }
    float grow = 1;
    if (largest > kLargestPlain || (largest < kSmallestPlain && largest > 0)) {
        const int exponent = largest < INFINITY ? ilogbf(largest) - 13 : 0;
        grow = exp2f(static_cast<float>(exponent));
        __syncthreads(); // everyone has read the partials
        prepare_pass(row, exp2f(static_cast<float>(-exponent)), partials, put);
        __syncthreads();
    }
    return row.gain != nullptr ? grow * rsqrtf(squares / static_cast<float>(row.in_dim) + row.eps) : grow;
}

} // namespace vitrine::kernels
