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

/// The distance at which the weights reach `need`, where all that reach it have the key `key`: nearly always one distance is
/// all there is, else bisection, one pass a step.
template <class Each>
__device__ __forceinline__ double tied_distance(SelectScratch& scratch, const Each& each, unsigned key, Weight need) {
    Weight least = ~Weight{0};
    Weight most = 0;
    each([&](int, double distance, Weight) {
        if (select_key(distance) != key)
            return;
        const auto bits = static_cast<Weight>(__double_as_longlong(distance));
        least = min(least, bits);
        most = max(most, bits);
    });
    least = block_join(least, scratch.sums, [](Weight a, Weight b) { return min(a, b); });
    most = block_join(most, scratch.sums, [](Weight a, Weight b) { return max(a, b); });
    while (least != most) { // the smallest that reaches `need` lies between, both included
        const Weight middle = least + (most - least) / 2;
        Weight sum = 0;
        each([&](int, double distance, Weight weight) {
            sum += static_cast<Weight>(__double_as_longlong(distance)) <= middle ? weight : 0;
        });
        if (block_total(sum, scratch.sums) >= need)
            most = middle;
        else
            least = middle + 1;
    }
    return __longlong_as_double(static_cast<long long>(most));
}

/// One digit of what tokens are ordered by: three of the distance's key, then that of the id among equal distances.
struct SelectDigit {
    int level = 0;
    int shift = 21;
    int bits = 11;
    unsigned prefix = 0; // of the key: digits that are known
    double tie = 0; // level 3

    __device__ __forceinline__ void next(unsigned digit) {
        if (level == 3)
            return;
        prefix = (prefix << bits) | digit;
        ++level;
        shift = level == 1 ? 10 : 0;
        bits = level == 1 ? 11 : 10;
    }
    /// Whether the digits before are the known ones.
    __device__ __forceinline__ bool fits(unsigned key, double distance) const {
        return level == 0 || (level == 3 ? distance == tie : key >> (shift + bits) == prefix);
    }
    __device__ __forceinline__ unsigned of(unsigned key, int token) const {
        constexpr int kTokenShift = 8; // kSelectBins of 256 ids: kMaxDeviceVocab
        return level == 3 ? static_cast<unsigned>(token) >> kTokenShift : (key >> shift) & ((1U << bits) - 1);
    }
};

/// Weights and counts of the bins of a digit.
template <class Each>
__device__ __forceinline__ void fill_bins(SelectScratch& scratch, const Each& each, const SelectDigit& digit) {
    for (int bin = static_cast<int>(threadIdx.x); bin < kSelectBins; bin += kSampleThreads) {
        scratch.weights[bin] = 0;
        scratch.counts[bin] = 0;
    }
    if (threadIdx.x == 0)
        scratch.num_members = 0;
    __syncthreads();
    Weight far_weight = 0; // most tokens of a steep row
    unsigned far_count = 0;
    each([&](int token, double distance, Weight weight) {
        const unsigned key = select_key(distance);
        if (!digit.fits(key, distance))
            return;
        if (key == kFarKey && digit.level < 3) {
            far_weight += weight;
            ++far_count;
            return;
        }
        const unsigned bin = digit.of(key, token);
        atomicAdd(&scratch.counts[bin], 1U);
        atomicAdd(&scratch.weights[bin], weight);
    });
    if (far_count != 0) {
        atomicAdd(&scratch.counts[digit.of(kFarKey, 0)], far_count);
        atomicAdd(&scratch.weights[digit.of(kFarKey, 0)], far_weight);
    }
    __syncthreads();
}

/// The shortest head whose weight reaches a share `fraction` of the whole (or `fixed_need`, where that is not 0), at least one
/// token; an infinite one where none does.  each(use): use(token, distance, weight) of every candidate; `beyond`: weight of
/// those that each() does not know.
template <class Each>
__device__ __forceinline__ Head select_head(
    SelectScratch& scratch, const Each& each, double fraction, Weight fixed_need, Weight beyond) {
    SelectDigit digit;
    Weight before = 0;
    Weight need = fixed_need;
#pragma unroll 1
    while (true) {
        if (digit.level == 3) {
            digit.tie = tied_distance(scratch, each, digit.prefix, need);
            Weight sum = 0;
            each([&](int, double distance, Weight weight) { sum += distance < digit.tie ? weight : 0; });
            before = block_total(sum, scratch.sums);
        }
        fill_bins(scratch, each, digit);
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
        const auto bin = static_cast<unsigned>(scratch.bin);
        const unsigned members = scratch.counts[bin];
        __syncthreads();
        if (members > kSelectMembers) { // never at level 3
            digit.next(bin);
            continue;
        }
        each([&](int token, double distance, Weight weight) {
            const unsigned key = select_key(distance);
            if (!digit.fits(key, distance) || digit.of(key, token) != bin)
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
}

} // namespace vitrine::kernels
