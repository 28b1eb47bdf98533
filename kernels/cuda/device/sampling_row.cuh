// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: the noise of kernels/ref, sums over a block in a fixed order, and which tokens of a row are legal.
#pragma once

#include "kernels/cuda/device/primitives.cuh"
#include "kernels/cuda/sampling_launch.h"

namespace vitrine::kernels {

inline constexpr int kSampleThreads = 512;
inline constexpr float kMinusInfinity = -INFINITY;

// ---- the random numbers of kernels/ref/philox.h --------------------------------------------------------------------
enum class Purpose : uint32_t { draw = 0, accept = 1, residual = 2 };

__device__ __noinline__ inline uint32_t noise_word(const SamplingRow& row, Purpose purpose, int token) {
    uint32_t c0 = static_cast<uint32_t>(token) / 4;
    uint32_t c1 = row.position;
    uint32_t c2 = row.choice;
    uint32_t c3 = static_cast<uint32_t>(purpose);
    auto k0 = static_cast<uint32_t>(row.seed);
    auto k1 = static_cast<uint32_t>(row.seed >> 32);
#pragma unroll 1
    for (int round = 0; round < 10; ++round) {
        const uint32_t high_a = __umulhi(0xD2511F53U, c0);
        const uint32_t low_a = 0xD2511F53U * c0;
        const uint32_t high_b = __umulhi(0xCD9E8D57U, c2);
        const uint32_t low_b = 0xCD9E8D57U * c2;
        c0 = high_b ^ c1 ^ k0;
        c1 = low_b;
        c2 = high_a ^ c3 ^ k1;
        c3 = low_a;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    const int place = token % 4;
    return place == 0 ? c0 : place == 1 ? c1 : place == 2 ? c2 : c3;
}
__device__ __forceinline__ float uniform_of(uint32_t word) {
    return __fmul_rn(__fadd_rn(static_cast<float>(word >> 9), 0.5F), 0x1p-23F);
}
__device__ __noinline__ inline double gumbel_of(uint32_t word) {
    return -log(-log(static_cast<double>(uniform_of(word))));
}
/// Bounds of gumbel_of(), as in kernels/ref.
inline constexpr double kLargestNoise = 16.7;
__device__ __forceinline__ double gumbel_bound_of(uint32_t word) {
    const uint32_t complement = ((1U << 23) - (word >> 9)) * 2 - 1;
    return 0.6931471805599453 * (__clz(static_cast<int>(complement)) - 7);
}

// ---- reductions ----------------------------------------------------------------------------------------------------
struct Scored {
    double score;
    int token; // -1: none
};
__device__ __forceinline__ Scored higher_of(Scored a, Scored b) { // ties: lower id
    const bool take = b.token >= 0 && (a.token < 0 || b.score > a.score || (b.score == a.score && b.token < a.token));
    return take ? b : a;
}
__device__ __forceinline__ Scored shuffled(Scored value, int step) {
    return {__shfl_xor_sync(0xFFFFFFFFU, value.score, step), __shfl_xor_sync(0xFFFFFFFFU, value.token, step)};
}
__device__ __forceinline__ double shuffled(double value, int step) {
    return __shfl_xor_sync(0xFFFFFFFFU, value, step);
}
__device__ __forceinline__ unsigned long long shuffled(unsigned long long value, int step) {
    return __shfl_xor_sync(0xFFFFFFFFU, value, step);
}

/// Over the block, in a fixed order; every thread gets the result.  `scratch`: one T a warp, free again after the call.
template <class T, class Join>
__device__ T block_join(T value, T* scratch, Join join) {
    constexpr int kWarps = kSampleThreads / 32;
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value = join(value, shuffled(value, step));
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = value;
    __syncthreads();
    value = scratch[threadIdx.x % kWarps];
#pragma unroll
    for (int step = kWarps / 2; step > 0; step /= 2)
        value = join(value, shuffled(value, step));
    __syncthreads();
    return value;
}
template <class T>
__device__ T block_total(T value, T* scratch) {
    return block_join(value, scratch, [](T a, T b) { return a + b; });
}

// ---- the row -------------------------------------------------------------------------------------------------------
struct LogitRow {
    const float* logits;
    const uint32_t* mask; // or null
    const TokenBias* biases; // the forced tokens are among them; null: nothing is forced
    int num_biases;
    int vocab;

    /// -inf for what may not be chosen.
    __device__ __forceinline__ float legal(int token, float logit) const {
        if (!(logit > kMinusInfinity)) // NaN too
            return kMinusInfinity;
        if (mask != nullptr && ((mask[token / 32] >> (token % 32)) & 1U) == 0)
            return kMinusInfinity;
        return biases == nullptr || is_forced(token) ? logit : kMinusInfinity;
    }
    __device__ __noinline__ bool is_forced(int token) const {
        int low = 0;
        int high = num_biases;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (biases[middle].token < token)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < num_biases && biases[low].token == token; ++low) {
            if (biases[low].bias >= 100)
                return true;
        }
        return false;
    }
    /// use(token, logit) of every token that may be chosen, each by one thread, always the same.
    template <class Use>
    __device__ __forceinline__ void each(Use use) const {
        constexpr int kAhead = 4;
        const int thread = static_cast<int>(threadIdx.x);
#pragma unroll 1
        for (int first = thread; first < vocab; first += kAhead * kSampleThreads) {
            float value[kAhead];
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                const int token = first + i * kSampleThreads;
                value[i] = token < vocab ? logits[token] : kMinusInfinity;
            }
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                const int token = first + i * kSampleThreads;
                if (const float logit = legal(token, value[i]); logit > kMinusInfinity)
                    use(token, logit);
            }
        }
    }
};

} // namespace vitrine::kernels
