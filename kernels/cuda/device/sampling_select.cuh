// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: heads of an order of the vocabulary, without a sort: radix selection by a block on integer
// weights, so that the result does not depend on the order of additions.
#pragma once

#include "kernels/cuda/device/sampling_row.cuh"

namespace vitrine::kernels {

using Weight = unsigned long long;
inline constexpr double kWeightOne = 0x1p44; // of mass 1: 2^18 tokens do not overflow
inline constexpr int kSelectBins = 2048;
inline constexpr int kSelectMembers = 1024; // candidates of the last bin that are compared one by one

__device__ __forceinline__ Weight weight_of(double mass) {
    return static_cast<Weight>(mass * kWeightOne + 0.5);
}

/// Tokens up to (distance, token), both included; distances are not negative.
struct Head {
    double distance = INFINITY;
    int token = 0x7FFFFFFF;
    __device__ __forceinline__ bool holds(double other, int id) const {
        return other < distance || (other == distance && id <= token);
    }
};

struct SelectScratch {
    Weight weights[kSelectBins];
    unsigned counts[kSelectBins];
    double distances[kSelectMembers];
    Weight member_weights[kSelectMembers];
    int tokens[kSelectMembers];
    Weight sums[32];
    Weight before; // weight before the bin that was found
    double head_distance;
    int head_token;
    unsigned num_members;
    int bin;
};

inline constexpr unsigned kFarKey = 0xFFFFFFFFU;
__device__ __forceinline__ unsigned select_key(double distance) {
    return distance >= 32 ? kFarKey : static_cast<unsigned>(distance * 0x1p27);
}

/// The first bin at which the weights, summed from bin 0 on, reach `need`: into scratch.bin and scratch.before; -1: none.
__device__ inline void find_bin(SelectScratch& scratch, Weight need) {
    constexpr int kOwn = kSelectBins / kSampleThreads;
    const int first = static_cast<int>(threadIdx.x) * kOwn;
    Weight own = 0;
    for (int i = 0; i < kOwn; ++i)
        own += scratch.weights[first + i];
    Weight until = own; // inclusive prefix over the warp
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const Weight other = __shfl_up_sync(0xFFFFFFFFU, until, step);
        if (static_cast<int>(threadIdx.x) % 32 >= step)
            until += other;
    }
    if (threadIdx.x % 32 == 31)
        scratch.sums[threadIdx.x / 32] = until;
    if (threadIdx.x == 0)
        scratch.bin = -1;
    __syncthreads();
    for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp)
        until += scratch.sums[warp];
    Weight before = until - own;
    if (before < need && until >= need) {
        int bin = first;
        while (before + scratch.weights[bin] < need)
            before += scratch.weights[bin++];
        scratch.bin = bin;
        scratch.before = before;
    }
    __syncthreads();
}

/// The member at which the weights, in order of (distance, token), reach `need`.
__device__ inline void rank_members(SelectScratch& scratch, Weight need) {
    const unsigned count = scratch.num_members;
    for (unsigned own = threadIdx.x; own < count; own += kSampleThreads) {
        const double distance = scratch.distances[own];
        const int token = scratch.tokens[own];
        Weight before = scratch.before;
#pragma unroll 4
        for (unsigned other = 0; other < count; ++other) {
            const double theirs = scratch.distances[other];
            if (theirs < distance || (theirs == distance && scratch.tokens[other] < token))
                before += scratch.member_weights[other];
        }
        if (before < need && before + scratch.member_weights[own] >= need) {
            scratch.head_distance = distance;
            scratch.head_token = token;
        }
    }
    __syncthreads();
}

/// Bisection over the distances of one key, then over ids, one pass a step: for ties by the thousand.
template <class Each>
__device__ __forceinline__ Head bisect_head(SelectScratch& scratch, const Each& each, unsigned key, Weight need) {
    long long low = __double_as_longlong(key * 0x1p-27) - 1; // bits of a distance that is not enough
    long long high = key == kFarKey ? 0x7FEFFFFFFFFFFFFF : __double_as_longlong((key + 1) * 0x1p-27);
    int below = -1;
    int enough = 0x7FFFFFFF;
    while (high - low > 1 || enough - below > 1) { // the distance first, all ids; then the id at that distance
        const bool by_distance = high - low > 1;
        const long long middle = low + (high - low) / 2;
        const int id = by_distance ? 0x7FFFFFFF : below + (enough - below) / 2;
        const Head head{__longlong_as_double(by_distance ? middle : high), id};
        Weight sum = 0;
        each([&](int token, double where, Weight weight) { sum += head.holds(where, token) ? weight : 0; });
        const bool reaches = block_total(sum, scratch.sums) >= need;
        if (by_distance)
            (reaches ? high : low) = middle;
        else
            (reaches ? enough : below) = id;
    }
    return {__longlong_as_double(high), enough};
}

/// The shortest head whose weight reaches a share `fraction` of `total` (or `fixed_need`, where that is not 0), at least one
/// token; an infinite one where none does.  each(use): use(token, distance, weight) of every candidate; `beyond`: weight of
/// those that each() does not know.
template <class Each>
__device__ __forceinline__ Head select_head(
    SelectScratch& scratch, const Each& each, double fraction, Weight fixed_need, Weight beyond) {
    unsigned prefix = 0;
    Weight before = 0;
    Weight need = fixed_need;
#pragma unroll 1
    for (int level = 0; level < 3; ++level) {
        for (int bin = static_cast<int>(threadIdx.x); bin < kSelectBins; bin += kSampleThreads) {
            scratch.weights[bin] = 0;
            scratch.counts[bin] = 0;
        }
        if (threadIdx.x == 0)
            scratch.num_members = 0;
        __syncthreads();
        const int shift = level == 0 ? 21 : level == 1 ? 10 : 0;
        const int bits = level == 2 ? 10 : 11;
        const unsigned mask = (1U << bits) - 1;
        Weight far_weight = 0; // most tokens of a steep row
        unsigned far_count = 0;
        each([&](int, double distance, Weight weight) {
            const unsigned key = select_key(distance);
            if (level != 0 && key >> (shift + bits) != prefix)
                return;
            if (key == kFarKey) {
                far_weight += weight;
                ++far_count;
                return;
            }
            const unsigned bin = (key >> shift) & mask;
            atomicAdd(&scratch.counts[bin], 1U);
            atomicAdd(&scratch.weights[bin], weight);
        });
        if (far_count != 0) {
            atomicAdd(&scratch.counts[mask], far_count);
            atomicAdd(&scratch.weights[mask], far_weight);
        }
        __syncthreads();
        if (need == 0) {
            Weight own = 0;
            for (int bin = static_cast<int>(threadIdx.x); bin < kSelectBins; bin += kSampleThreads)
                own += scratch.weights[bin];
            const Weight total = block_total(own, scratch.sums) + beyond;
            const double wanted = ceil(fraction * static_cast<double>(total));
            need = wanted >= 1 ? static_cast<Weight>(wanted) : 1;
        }
        find_bin(scratch, need - before);
        if (scratch.bin < 0)
            return {};
        before += scratch.before;
        prefix = (prefix << bits) | static_cast<unsigned>(scratch.bin);
        const unsigned members = scratch.counts[scratch.bin];
        __syncthreads();
        if (members > kSelectMembers)
            continue;
        each([&](int token, double distance, Weight weight) {
            if (select_key(distance) >> shift != prefix)
                return;
            const unsigned place = atomicAdd(&scratch.num_members, 1U);
            scratch.distances[place] = distance;
            scratch.tokens[place] = token;
            scratch.member_weights[place] = weight;
        });
        if (threadIdx.x == 0)
            scratch.before = before;
        __syncthreads();
        rank_members(scratch, need);
        const Head head{scratch.head_distance, scratch.head_token};
        __syncthreads();
        return head;
    }
    return bisect_head(scratch, each, prefix, need);
}

} // namespace vitrine::kernels
