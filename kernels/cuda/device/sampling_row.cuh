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
    const float* logits; // [vocab]
    const uint32_t* mask; // or null
    const TokenBias* biases; // the forced tokens are among them; null: nothing is forced
    int num_biases;
    int vocab;

    /// -inf for what may not be chosen.
    __device__ __forceinline__ float legal(int token, float logit) const {
        return is_legal(token, logit, allowed_of(token / 4)) ? logit : kMinusInfinity;
    }
    /// Bits of the mask of tokens 4 quad, 4 quad + 1, ...
    __device__ __forceinline__ uint32_t allowed_of(int quad) const {
        return mask == nullptr ? 15U : mask[quad / 8] >> (quad % 8 * 4);
    }
    __device__ __forceinline__ bool is_legal(int token, float logit, uint32_t allowed) const {
        return logit > kMinusInfinity && (allowed >> (token % 4) & 1U) != 0 && // false for NaN
            (biases == nullptr || is_forced(token));
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
    __device__ __forceinline__ float4 quad(int place) const {
        const int token = 4 * place;
        if (vocab % 4 == 0) // rows are aligned
            return token < vocab ? *reinterpret_cast<const float4*>(logits + token)
                                 : float4{kMinusInfinity, kMinusInfinity, kMinusInfinity, kMinusInfinity};
        const auto at = [&](int i) { return i < vocab ? logits[i] : kMinusInfinity; };
        return {at(token), at(token + 1), at(token + 2), at(token + 3)};
    }
    /// use(token, logit) of every token that may be chosen, each by one thread, always the same; a thread's ids rise.
    template <class Use>
    __device__ __forceinline__ void each(Use use) const {
        const int count = (vocab + 3) / 4;
#pragma unroll 1
        for (int first = static_cast<int>(threadIdx.x); first < count; first += kAhead * kSampleThreads) {
            float4 value[kAhead];
            uint32_t allowed[kAhead];
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                const int place = first + i * kSampleThreads;
                value[i] = quad(place);
                allowed[i] = place < count ? allowed_of(place) : 0;
            }
            int place = first;
#pragma unroll 1
            for (int i = 0; i < kAhead; ++i, place += kSampleThreads) { // one copy of `use` for all
                const float4 v = value[0];
                const uint32_t bits = allowed[0];
#pragma unroll
                for (int next = 0; next + 1 < kAhead; ++next) {
                    value[next] = value[next + 1];
                    allowed[next] = allowed[next + 1];
                }
                const float logit[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
                for (int c = 0; c < 4; ++c) {
                    if (is_legal(4 * place + c, logit[c], bits))
                        use(4 * place + c, logit[c]);
                }
            }
        }
    }

private:
    static constexpr int kAhead = 4; // loads of sixteen bytes under way
};

} // namespace vitrine::kernels
