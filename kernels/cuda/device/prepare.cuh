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

/// All kPrepareThreads threads of the block call it.  `put(k, halves, sum16)` gets four values as two packed words and,
/// in each thread, the sum of its group of 16.  Returns what a product must be multiplied by.  The order of additions is
/// fixed, so the bits do not depend on who calls.   shared: 16 floats
template <class Put>
__device__ float prepare_row(const RowSource& row, float* shared, Put&& put) {
    constexpr int kCached = 4;
    float4 cached[kCached];
    float squares = 0;
    float largest = 0;
    const int tid = static_cast<int>(threadIdx.x);
    const auto fetch = [&](int k) {
        float4 v = load_values(row.values, k, row.in_dim);
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        if (row.gain != nullptr) {
            const float4 g = load_values(row.gain, k, row.in_dim);
            v = {v.x * g.x, v.y * g.y, v.z * g.z, v.w * g.w};
        }
        return v;
    };
    const auto measure = [&](const float4& v) {
        largest = fmaxf(largest, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    };
#pragma unroll
    for (int i = 0; i < kCached; ++i) {
        cached[i] = fetch((i * kPrepareThreads + tid) * 4);
        measure(cached[i]);
    }
#pragma unroll 5
    for (int k = (kCached * kPrepareThreads + tid) * 4; k < row.padded_dim; k += kPrepareThreads * 4)
        measure(fetch(k));
    squares = warp_sum(squares);
    largest = warp_max(largest);
    __syncthreads();
    if (tid % 32 == 0) {
        shared[tid / 32] = squares;
        shared[8 + tid / 32] = largest;
    }
    __syncthreads();
    squares = 0;
    largest = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        squares += shared[w];
        largest = fmaxf(largest, shared[8 + w]);
    }
    // The largest magnitude goes to [2^13, 2^14): far from overflow, and small values keep all their bits.
    const int exponent = largest > 0 && largest < INFINITY ? ilogbf(largest) - 13 : 0;
    const float shrink = exp2f(static_cast<float>(-exponent));
    const auto emit = [&](int k, const float4& v) {
        const uint2 halves{pack_half2(v.x * shrink, v.y * shrink), pack_half2(v.z * shrink, v.w * shrink)};
        const float2 a = unpack_half2(halves.x);
        const float2 b = unpack_half2(halves.y);
        float sum = (a.x + a.y) + (b.x + b.y);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 2);
        if (k < row.padded_dim)
            put(k, halves, sum);
    };
    const float norm = row.gain != nullptr ? rsqrtf(squares / static_cast<float>(row.in_dim) + row.eps) : 1.0F;
#pragma unroll
    for (int i = 0; i < kCached; ++i)
        emit((i * kPrepareThreads + tid) * 4, cached[i]);
#pragma unroll 5
    for (int base = kCached * kPrepareThreads * 4; base < row.padded_dim; base += kPrepareThreads * 4)
        emit(base + tid * 4, fetch(base + tid * 4)); // whole warps: emit shuffles
    return exp2f(static_cast<float>(exponent)) * norm;
}

} // namespace vitrine::kernels
