// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: how the warps of a block, and the blocks of a cluster, that share a sequence's keys merge what
// they have of each query: in order, through distributed shared memory.
#pragma once

#include "kernels/cuda/device/attention.cuh"
#include "kernels/cuda/device/int8_columns.cuh"

namespace vitrine::kernels {

inline constexpr int kDecodeWarps = 4; // of a block

inline constexpr int kMaxCluster = 16;

/// What a warp leaves of each column: sums of values, maximum, sum of weights.
template <int HD, int kColumns>
struct Partial {
    float values[kColumns][HD + 8];
    float maxima[kColumns];
    float totals[kColumns];
};
/// What the cluster's blocks leave here: of this block's share of the columns' values, and of all columns.
template <int HD, int kColumns>
struct Gathered {
    float2 stats[kMaxCluster][kColumns]; // maximum, sum of weights
    float values[kColumns * HD + kMaxCluster]; // [block][share]
    uint64_t arrived; // counts their bytes
};

/// Merges partials in order: of columns' maxima and sums.
struct Merge {
    float top = -INFINITY;
    float value = 0;
    float total = 0;

    __device__ __forceinline__ void see(float maximum) { top = fmaxf(top, maximum); }
    /// After all maxima were seen.
    __device__ __forceinline__ void add(float maximum, float part, float weight_sum) {
        const float weight = exp2f(maximum - (top == -INFINITY ? 0 : top));
        value = fmaf(weight, part, value);
        total = fmaf(weight, weight_sum, total);
    }
};
template <int HD, int kColumns>
__device__ __forceinline__ Merge merge_warps(const Partial<HD, kColumns>* warps, int column, int d) {
    Merge merge;
#pragma unroll
    for (int w = 0; w < kDecodeWarps; ++w)
        merge.see(warps[w].maxima[column]);
#pragma unroll
    for (int w = 0; w < kDecodeWarps; ++w)
        merge.add(warps[w].maxima[column], warps[w].values[column][d], warps[w].totals[column]);
    return merge;
}

/// A block that has `warps` of columns first_flat and up, and whose threads have met: the block's warps, in order; then the
/// cluster's blocks: each sends every other its share of the values.  gathered.arrived: made, one arrival, before a
/// cluster_arrive() of all blocks.
template <int HD, int kColumns>
__device__ __forceinline__ void finish_columns(const AttentionArgs& args, const Sequence& seq, int kv_head,
    int first_flat, const Partial<HD, kColumns>* warps, Gathered<HD, kColumns>& gathered, int rank) {
    const int group = args.num_heads / args.kv.num_kv_heads;
    const int num_flat = seq.num_rows * group;
    const int count = min(kColumns, num_flat - first_flat);
    const float scale = value_scale(args, kv_head);
    const int dim = args.kv.head_dim;
    const int thread = static_cast<int>(threadIdx.x);
    const auto put = [&](int i, const Merge& merge) {
        const int flat = first_flat + i / HD;
        const float total = with_sink(args, kv_head, group, flat, merge.total, merge.top);
        const float value = total > 0 ? merge.value * scale / total : 0;
        if (i % HD < dim)
            put_output(args, seq, kv_head, group, flat, i % HD, value);
        if (args.feed.bytes == nullptr)
            return;
        const float one[1] = {value}; // whole warps have groups of 32: decode_attention_feeds_int8()
        feed_group<1>(args.feed.bytes, args.feed.place, ((kv_head * group + flat % group) * HD + i % HD) / 32,
            seq.query_start + flat / group, thread % 32, one, true);
    };
    constexpr int kThreads = kDecodeWarps * 32;
    if (args.cluster == 1) {
        for (int i = thread; i < count * HD; i += kThreads)
            put(i, merge_warps(warps, i / HD, i % HD));
        return;
    }
    const int share = (count * HD + args.cluster - 1) / args.cluster;
    cluster_wait(); // all blocks run
    const int mine = max(0, min(share, count * HD - rank * share));
    if (thread == 0)
        barrier_expect(&gathered.arrived, static_cast<uint32_t>(args.cluster * (count * 8 + mine * 4)));
    for (int i = thread; i < count * args.cluster; i += kThreads) {
        const int column = i % count;
        const auto to = static_cast<uint32_t>(i / count);
        const Merge merge = merge_warps(warps, column, 0);
        store_counted(cluster_address(&gathered.stats[rank][column], to), float2{merge.top, merge.total},
            cluster_address(&gathered.arrived, to));
    }
    for (int i = thread; i < count * HD; i += kThreads) {
        const auto to = static_cast<uint32_t>(i / share);
        store_counted(cluster_address(&gathered.values[rank * share + i % share], to),
            merge_warps(warps, i / HD, i % HD).value, cluster_address(&gathered.arrived, to));
    }
    barrier_wait(&gathered.arrived, 0);
    for (int j = thread; j < mine; j += kThreads) {
        const int i = rank * share + j;
        const int column = i / HD;
        Merge merge;
        for (int r = 0; r < args.cluster; ++r)
            merge.see(gathered.stats[r][column].x);
#pragma unroll 4
        for (int r = 0; r < args.cluster; ++r)
            merge.add(gathered.stats[r][column].x, gathered.values[r * share + j], gathered.stats[r][column].y);
        put(i, merge);
    }
}

} // namespace vitrine::kernels
