// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of chain.cu: 4-bit tiles times one row of f16 activations.
#pragma once

#include "kernels/cuda/device/chain_parts.cuh"

namespace vitrine::kernels {

inline constexpr TileInfo kChainTile = tile_info(TileFormat::q4);

/// What a warp multiplies with: the activations of up to six groups of 32, each group in a column of its own, so that a column of
/// the result is a group's sum of code times activation and scales cost as little as for a batch of eight.
struct ChainOperand {
    uint2 b[kChainDepth * 4];
    float sum[2]; // of the activations of groups 2 t and 2 t + 1

    __device__ __forceinline__ void load(const unsigned char* image, int depth, int lane) {
        const int g = lane / 4;
        const auto* at = reinterpret_cast<const uint2*>(image) + lane % 4;
#pragma unroll
        for (int i = 0; i < kChainDepth * 4; ++i) {
            b[i] = {0, 0};
            if (g == i / 2 && i / 4 < depth)
                b[i] = at[i * 4];
        }
    }
    __device__ __forceinline__ void add_up() {
        constexpr uint32_t kRow[4] = {kOnes, kOnes, kOnes, kOnes};
        float part[4][4] = {};
#pragma unroll
        for (int i = 0; i < kChainDepth * 4; ++i)
            mma(part[i % 4], kRow, b[i].x, b[i].y);
        sum[0] = part[0][0] + part[1][0] + (part[2][0] + part[3][0]);
        sum[1] = part[0][1] + part[1][1] + (part[2][1] + part[3][1]);
    }
};

/// A warp's chunks of a tile, and their fragments: f16 1024 + code, of rows g + 8 with 16 times the code.
struct ChainWeights {
    uint4 codes[kChainDepth];
    uint4 scales; // of groups 2 t and 2 t + 1

    __device__ __forceinline__ void load(const unsigned char* chunk, int depth, int lane) {
        scales = *reinterpret_cast<const uint4*>(
            chunk + min(lane % 4, depth - 1) * kChainTile.chunk_bytes + 512 + lane / 4 * 16);
#pragma unroll
        for (int c = 0; c < kChainDepth; ++c)
            codes[c] = *reinterpret_cast<const uint4*>(chunk + min(c, depth - 1) * kChainTile.chunk_bytes + lane * 16);
    }
    /// Rows g and g + 8, in all lanes of t; exact codes, their offset taken off at the end.
    __device__ __forceinline__ float2 times(const ChainOperand& operand, int depth) const {
        float acc[4][4] = {};
#pragma unroll
        for (int c = 0; c < kChainDepth; ++c) {
            if (c >= depth)
                break;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                uint32_t a[4];
                nibbles_to_half(pick(codes[c], j), kMagic, a);
                mma(acc[j], a, operand.b[c * 4 + j].x, operand.b[c * 4 + j].y);
            }
        }
        float sum[4];
#pragma unroll
        for (int e = 0; e < 4; ++e)
            sum[e] = fmaf(-1024, operand.sum[e % 2], acc[0][e] + acc[1][e] + (acc[2][e] + acc[3][e]));
        const float2 first = unpack_half2(scales.x);
        const float2 second = unpack_half2(scales.y);
        const float2 first_high = unpack_half2(scales.z);
        const float2 second_high = unpack_half2(scales.w);
        float low = first.x * sum[0];
        low = fmaf(second.x, sum[1], low);
        low = fmaf(first.y, operand.sum[0], low);
        low = fmaf(second.y, operand.sum[1], low);
        float high = first_high.x * sum[2]; // of 16 times the code
        high = fmaf(second_high.x, sum[3], high) * 0.0625F;
        high = fmaf(first_high.y, operand.sum[0], high);
        high = fmaf(second_high.y, operand.sum[1], high);
#pragma unroll
        for (int step = 1; step < 4; step *= 2) {
            low += __shfl_xor_sync(0xFFFFFFFFU, low, step);
            high += __shfl_xor_sync(0xFFFFFFFFU, high, step);
        }
        return {low, high};
    }
};

} // namespace vitrine::kernels
