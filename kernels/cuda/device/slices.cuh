// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what all products share: the tiles of an op's members, and the eight slices of K whose order
// and scales make a row's bits the same in every kernel.
#pragma once

#include "kernels/cuda/device/primitives.cuh"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

struct TilePlace {
    int segment;
    int tile; // inside the segment
};
__device__ __forceinline__ TilePlace place_of(const LinearArgs& args, int tile) {
    TilePlace place{0, tile};
    if (args.num_segments > 1 && place.tile >= args.segment[0].num_tiles) {
        place = {1, place.tile - args.segment[0].num_tiles};
        if (args.num_segments > 2 && place.tile >= args.segment[1].num_tiles)
            place = {2, place.tile - args.segment[1].num_tiles};
    }
    return place;
}

/// First k of a slice; slice kSlices ends the last one.  `unit`: a power of two.
__device__ __forceinline__ int slice_begin(int padded_dim, int unit, int slice) {
    const int shift = __ffs(unit) - 1;
    return (padded_dim >> shift) * slice / kSlices << shift;
}

/// Whether f16 holds values with this largest magnitude (rounded to f16) as well as it can.
__device__ __forceinline__ bool in_f16_range(float largest) {
    return largest <= 16384 && largest >= 0.0009765625F;
}
/// The power of two that values must be divided by, from their largest magnitude.
__device__ __forceinline__ float slice_factor(float largest) {
    if (in_f16_range(__half2float(__float2half_rn(largest))) || !(largest > 0) || !(largest < INFINITY))
        return 1;
    return exp2f(static_cast<float>(ilogbf(largest) - 13));
}

/// Sum of the squares of outputs g and g + 8 of a tile over its eight lanes.
__device__ __forceinline__ float pair_square(float low, float high) {
    return fmaf(high, high, __fmul_rn(low, low));
}
__device__ __forceinline__ float octet_sum(float value, unsigned mask) {
    value += __shfl_xor_sync(mask, value, 1);
    value += __shfl_xor_sync(mask, value, 2);
    value += __shfl_xor_sync(mask, value, 4);
    return value;
}
/// 1 / rms of a row from the sums of its sixteens; a whole warp.  The loads first, so that they are under way beside others.
struct NormParts {
    static constexpr int kAhead = 8;
    float part[kAhead];
    float rest = 0; // of rows with more

    __device__ __forceinline__ void load(const float* squares, int in_dim, int lane) {
        const int count = (in_dim + 15) / 16;
#pragma unroll
        for (int i = 0; i < kAhead; ++i)
            part[i] = lane + i * 32 < count ? squares[lane + i * 32] : 0.0F;
        for (int i = lane + kAhead * 32; i < count; i += 32)
            rest += squares[i];
    }
    __device__ __forceinline__ float scale(int in_dim, float eps) const {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < kAhead; ++i)
            sum += part[i];
        return rsqrtf(__fdividef(warp_sum(sum + rest), static_cast<float>(in_dim)) + eps);
    }
};
__device__ __forceinline__ float norm_scale(const float* squares, int in_dim, float eps, int lane) {
    NormParts parts;
    parts.load(squares, in_dim, lane);
    return parts.scale(in_dim, eps);
}

} // namespace vitrine::kernels
