// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: the attention of chain.cu: one token, a unit of sixteen keys of a KV head for each warp of the
// cluster, and for long contexts one after the other.
#pragma once

#include "kernels/cuda/chain_launch.h"
#include "kernels/cuda/device/attention.cuh"
#include "kernels/cuda/device/ldmatrix.cuh"

namespace vitrine::kernels {

/// The keys that a warp works on, and what it has of up to eight queries of their head.
template <int HD>
class ChainKeys {
public:
    /// Units first, first + stride and so on from `begin` on; below `context`.
    __device__ __forceinline__ ChainKeys(const ChainArgs& args, int kv_head, int first, int stride, int context)
        : args_(args), kv_head_(kv_head), first_(first), stride_(stride), context_(context) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        g_ = lane / 4;
        t_ = lane % 4;
        group_ = args.num_heads / args.num_kv_heads;
        first_offset_ = first * 16 < context ? offset_of(first) : 0;
    }
    __device__ __forceinline__ static int begin_unit(int window, int context) {
        return window > 0 && context > window ? (context - window) / 16 : 0;
    }
    /// Asks for the first unit, whatever earlier steps wrote of it.
    __device__ __forceinline__ void start(const void* data, int window) {
        data_ = static_cast<const __half*>(data);
        begin_ = window > 0 && context_ > window ? context_ - window : 0;
        unit_ = begin_unit(window, context_) + first_;
        largest_[0] = largest_[1] = -INFINITY;
        total_[0] = total_[1] = 0;
#pragma unroll
        for (int i = 0; i < HD / 16; ++i)
            out_[i][0] = out_[i][1] = out_[i][2] = out_[i][3] = 0;
        if (live())
            fetch(unit_ == first_ ? first_offset_ : offset_of(unit_));
    }
    /// Queries, and the token's own keys and values: f16 in shared memory, [head][HD], all query heads first.
    __device__ __forceinline__ void run(const __half* heads) {
        const __half* query = heads + (kv_head_ * group_ + min(g_, group_ - 1)) * HD + t_ * 8;
#pragma unroll
        for (int p = 0; p < HD / 32; ++p)
            query_[p] = *reinterpret_cast<const uint4*>(query + p * 32);
        const __half* key = heads + (args_.num_heads + kv_head_) * HD;
        const __half* value = heads + (args_.num_heads + args_.num_kv_heads + kv_head_) * HD;
        while (live()) {
            if (unit_ == (context_ - 1) / 16)
                add_own(key, value);
            step();
            unit_ += stride_;
            if (live())
                fetch(offset_of(unit_));
        }
    }
    /// values: [column][HD + 8], stats: [column] maximum and sum.
    __device__ __forceinline__ void put(float* values, float2* stats) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = t_ * 2 + e;
            float total = total_[e];
#pragma unroll
            for (int step = 4; step < 32; step *= 2)
                total += __shfl_xor_sync(0xFFFFFFFFU, total, step);
            if (column >= group_)
                continue;
            if (g_ == 0)
                stats[column] = {largest_[e], total};
#pragma unroll
            for (int i = 0; i < HD / 16; ++i)
                *reinterpret_cast<float2*>(values + column * (HD + 8) + i / 4 * 64 + g_ * 8 + i % 4 * 2) = {
                    out_[i][e], out_[i][2 + e]};
        }
    }

private:
    __device__ __forceinline__ bool live() const {
        return unit_ * 16 < context_;
    }
    /// Of a unit's keys, in halves from the layer's first; the lane's part of it.
    __device__ __forceinline__ std::int64_t offset_of(int unit) const {
        const int key = unit * 16;
        const std::int64_t block = args_.blocks[key / args_.block_tokens];
        const int head = args_.num_kv_heads * args_.block_tokens;
        return (block * 2 * head + kv_head_ * args_.block_tokens + key % args_.block_tokens) * HD;
    }
    __device__ __forceinline__ void fetch(std::int64_t offset) {
        const int key = unit_ * 16;
        const __half* keys = data_ + offset;
        const __half* values = keys + args_.num_kv_heads * args_.block_tokens * HD;
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int p = 0; p < HD / 32; ++p)
                k_[n][p] = *reinterpret_cast<const uint4*>(keys + (n * 8 + g_) * HD + p * 32 + t_ * 8);
        }
#pragma unroll
        for (int r = 0; r < 4; ++r) { // keys 2t, 2t + 1, 2t + 8, 2t + 9; stale slots may hold NaN
            const int at = t_ * 2 + r / 2 * 8 + r % 2;
#pragma unroll
            for (int q = 0; q < HD / 64; ++q)
                v_[q][r] = key + at < context_ - 1 ? *reinterpret_cast<const uint4*>(values + at * HD + q * 64 + g_ * 8)
                                                   : uint4{0, 0, 0, 0};
        }
    }
    /// The unit's last key is the token's, which is in no memory that this warp may read.
    __device__ __forceinline__ void add_own(const __half* key, const __half* value) {
        const int own = (context_ - 1) % 16;
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int p = 0; p < HD / 32; ++p) {
                if (n * 8 + g_ == own)
                    k_[n][p] = *reinterpret_cast<const uint4*>(key + p * 32 + t_ * 8);
            }
        }
#pragma unroll
        for (int r = 0; r < 4; ++r) {
#pragma unroll
            for (int q = 0; q < HD / 64; ++q) {
                if (t_ * 2 + r / 2 * 8 + r % 2 == own)
                    v_[q][r] = *reinterpret_cast<const uint4*>(value + q * 64 + g_ * 8);
            }
        }
    }
    __device__ __forceinline__ void step() {
        float score[4] = {};
        float odd[4] = {};
#pragma unroll
        for (int p = 0; p < HD / 32; ++p) {
            const uint32_t low[4] = {k_[0][p].x, k_[1][p].x, k_[0][p].y, k_[1][p].y};
            const uint32_t high[4] = {k_[0][p].z, k_[1][p].z, k_[0][p].w, k_[1][p].w};
            mma(score, low, query_[p].x, query_[p].y);
            mma(odd, high, query_[p].z, query_[p].w);
        }
        uint32_t weights[2];
        soften(score, odd, weights);
#pragma unroll
        for (int q = 0; q < HD / 64; ++q) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const uint32_t a[4] = {__byte_perm(pick(v_[q][0], j), pick(v_[q][1], j), 0x5410),
                    __byte_perm(pick(v_[q][0], j), pick(v_[q][1], j), 0x7632),
                    __byte_perm(pick(v_[q][2], j), pick(v_[q][3], j), 0x5410),
                    __byte_perm(pick(v_[q][2], j), pick(v_[q][3], j), 0x7632)};
                mma(out_[q * 4 + j], a, weights[0], weights[1]);
            }
        }
    }
    __device__ __forceinline__ float scored(float value, int key, int column) const {
        if (key < begin_ || key >= context_ || column >= group_)
            return -INFINITY;
        return value * (args_.score_scale * kLog2E);
    }
    /// Online softmax over the unit; `weights` becomes the B fragment of probabilities.
    __device__ __forceinline__ void soften(const float (&even)[4], const float (&odd)[4], uint32_t (&weights)[2]) {
        float p[4];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const float low = scored(even[e] + odd[e], unit_ * 16 + g_, t_ * 2 + e);
            const float high = scored(even[2 + e] + odd[2 + e], unit_ * 16 + g_ + 8, t_ * 2 + e);
            float most = fmaxf(low, high);
#pragma unroll
            for (int step = 4; step < 32; step *= 2)
                most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
            most = fmaxf(most, largest_[e]);
            if (most > largest_[e]) {
                const float shrink = power_of_two(largest_[e] - most);
                largest_[e] = most;
                total_[e] *= shrink;
#pragma unroll
                for (int i = 0; i < HD / 16; ++i) {
                    out_[i][e] *= shrink;
                    out_[i][2 + e] *= shrink;
                }
            }
            const float base = largest_[e] == -INFINITY ? 0 : largest_[e]; // nothing seen yet: exp2(-inf) = 0, not NaN
            p[e] = power_of_two(low - base);
            p[2 + e] = power_of_two(high - base);
            total_[e] += p[e] + p[2 + e];
        }
        weights[0] = transpose(pack_half2(p[0], p[1]));
        weights[1] = transpose(pack_half2(p[2], p[3]));
    }

    const ChainArgs& args_;
    int kv_head_, group_, g_, t_;
    int first_, stride_, context_;
    std::int64_t first_offset_; // of unit first_
    int unit_ = 0, begin_ = 0; // begin_: the first key that the window shows
    const __half* data_ = nullptr;
    uint4 query_[HD / 32];
    uint4 k_[2][HD / 32];
    uint4 v_[HD / 64][4];
    float largest_[2], total_[2];
    float out_[HD / 16][4]; // dimensions i / 4 * 64 + 8 g + 2 (i % 4), + 1
};

} // namespace vitrine::kernels
