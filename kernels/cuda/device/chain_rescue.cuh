// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: activations of chain.cu that f16 does not hold well.
#pragma once

#include "kernels/cuda/device/chain_parts.cuh"

namespace vitrine::kernels {

/// A warp's part of the largest magnitude of f16 numbers, in their bits; `thread` of `threads`.
__device__ __forceinline__ uint32_t chain_largest(const unsigned char* image, int width, int thread, int threads) {
    uint32_t most = 0;
#pragma unroll 1
    for (int k = thread * 8; k < width; k += threads * 8) {
        const uint4 v = *reinterpret_cast<const uint4*>(image + k * 2);
        most = __vmaxu2(__vmaxu2(most, v.x & 0x7FFF7FFFU), __vmaxu2(v.y & 0x7FFF7FFFU, v.z & 0x7FFF7FFFU));
        most = __vmaxu2(most, v.w & 0x7FFF7FFFU);
    }
    return __reduce_max_sync(0xFFFFFFFFU, max(most & 0xFFFFU, most >> 16));
}

/// The second time through the layers, if f16 did not hold some op's activations well the first time.  Not inlined, and an object of
/// its own: else the fast path would be longer, and its objects in memory.
class ChainRescue {
public:
    __device__ __forceinline__ ChainRescue(const ChainShape& shape, const ChainLayout& at, unsigned char* memory)
        : shape_(&shape), at_(&at), memory_(memory) {}
    /// Makes what an op reads anew, divided by a power of two, from the f32 numbers of the blocks; by all blocks, as all have the
    /// same numbers.  Returns what the products must be multiplied by.
    __device__ __noinline__ float run(int l, int op) const {
        const ChainLayer& layer = at<ChainLayer>(at_->layers)[l];
        auto* image = at<__half>(at_->image[op]);
        auto* part = at<float>(at_->sums); // of each warp
        const int width = shape_->chunks(op) * shape_->chunk_weights;
        const int thread = static_cast<int>(threadIdx.x);
        cluster_sync(); // the blocks' own numbers can be read; nobody reads sums
        float largest = 0;
        for (int k = thread; k < width; k += kChainThreads)
            largest = fmaxf(largest, fabsf(exact_value(layer, op, k)));
        largest = warp_max(largest);
        if (thread % 32 == 0)
            part[thread / 32] = largest;
        __syncthreads();
        for (int w = 0; w < kChainWarps; ++w)
            largest = fmaxf(largest, part[w]);
        const float grow = slice_factor(largest);
        for (int k = thread; k < width; k += kChainThreads)
            image[k] = __float2half_rn(exact_value(layer, op, k) / grow);
        __syncthreads();
        return grow;
    }

private:
    template <class T>
    __device__ __forceinline__ T* at(int offset) const {
        return reinterpret_cast<T*>(memory_ + offset);
    }
    /// Number k of what an op reads, as f32, from the block that made it.
    __device__ float exact_value(const ChainLayer& layer, int op, int k) const {
        if (op == kOut) {
            const int width = shape_->group() * shape_->head_dim;
            const int first = ChainTeam::first_of(*shape_, k / width);
            const int count = ChainTeam::first_of(*shape_, k / width + 1) - first;
            const int quad = k % width / 4;
            const int owner = chain_owner(width / 4, quad, count);
            return remote(at_->mixed + (quad - chain_share(width / 4, owner, count)) * 16 + k % 4 * 4, first + owner);
        }
        const int rows = op == kDown ? kTileRows / 2 : kTileRows;
        const int tile = k / rows;
        const int tiles = shape_->tiles(op == kDown ? kGateUp : kOut);
        const int block = chain_owner(tiles, tile, kChainBlocks);
        const int index = (tile - chain_share(tiles, block, kChainBlocks)) * rows + k % rows;
        if (op == kDown)
            return remote(at_->gated + index * 4, block);
        const float* gain = op == kQkv ? layer.attention_gain : layer.ff_gain;
        return remote(at_->residual + index * 4, block) * gain[k];
    }
    __device__ __forceinline__ float remote(int offset, int block) const {
        return load_cluster(shared_address(memory_ + offset), static_cast<uint32_t>(block));
    }

    const ChainShape* shape_;
    const ChainLayout* at_;
    unsigned char* memory_;
};

} // namespace vitrine::kernels
