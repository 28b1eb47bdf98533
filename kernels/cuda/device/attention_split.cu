// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention of few sequences on f16 keys and values: what counts is the latency.  A cluster of blocks shares the
// keys of a sequence and KV head for eight flattened (row, head of the group) queries.  A block takes so little of an SM that one
// is resident beside a block of the product before, and its first keys and values are on their way before that ends: each warp
// brings keys and values in turn through a ring of asynchronous copies.  Scores and sums f32, probabilities f16.
#include "kernels/cuda/device/attention_merge.cuh"
#include "kernels/cuda/device/attention_softmax.cuh"
#include "kernels/cuda/device/ldmatrix.cuh"
#include "kernels/cuda/split_launch.h"

namespace vitrine::kernels {
namespace {

constexpr int kThreads = kDecodeWarps * 32;
constexpr int kColumns = 8; // flattened queries of a block
constexpr int kItems = 3; // of a warp's ring: keys, or values, of a unit of sixteen

/// Sixteen bytes, or zeros.
__device__ __forceinline__ void copy_async16_or_zero(uint32_t target, const void* source, bool live) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(live ? 16 : 0)
                 : "memory");
}

/// Rows of HD halves in shared memory, chunks of 16 B swizzled for ldmatrix.
template <int HD>
struct SplitShape {
    static constexpr int kRowBytes = HD * 2;
    static constexpr int kChunks = kRowBytes / 16;
    static constexpr int kItemBytes = 16 * kRowBytes;
    __device__ __forceinline__ static int at(int row, int chunk) { return row * kRowBytes + (chunk ^ (row & 7)) * 16; }
};

template <int HD>
class SplitWarp {
public:
    using S = SplitShape<HD>;

    /// This warp's units: `first`, `first` + `stride` and so on, below `end`.
    __device__ __forceinline__ SplitWarp(const AttentionArgs& args, const Sequence& seq, int kv_head, int first_flat,
        unsigned char* ring, int first, int stride, int end)
        : args_(args), seq_(seq), kv_head_(kv_head), first_flat_(first_flat), ring_(shared_address(ring)),
          first_(first), stride_(stride) {
        lane_ = static_cast<int>(threadIdx.x) % 32;
        group_ = args.num_heads / args.kv.num_kv_heads;
        items_ = first < end ? 2 * ((end - 1 - first) / stride + 1) : 0;
        look_up(0);
#pragma unroll
        for (int e = 0; e < 2; ++e)
            keys_[e] = keys_of(args, seq, first_flat + lane_ % 4 * 2 + e, group_);
    }
    /// Asks for what earlier steps wrote.
    __device__ __forceinline__ void fetch_early() {
        const int old = (seq_.context - seq_.num_rows) / 16; // units below it are
#pragma unroll 1
        while (fetched_ < min(items_, kItems) && first_ + fetched_ / 2 * stride_ < old)
            fetch();
    }
    __device__ __forceinline__ void fetch_rest() {
#pragma unroll 1
        while (fetched_ < min(items_, kItems))
            fetch();
    }
    __device__ __forceinline__ void load_queries() {
        factor_ = score_scale(args_, kv_head_);
        const int flat = first_flat_ + lane_ / 4;
        const int row = flat / group_;
        const float* line = args_.query +
            (static_cast<std::int64_t>(seq_.query_start + row) * args_.num_heads + kv_head_ * group_ + flat % group_) *
                HD;
        const bool live = row < seq_.num_rows;
#pragma unroll
        for (int s = 0; s < HD / 16; ++s) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const float2 v =
                    live ? *reinterpret_cast<const float2*>(line + s * 16 + e * 8 + lane_ % 4 * 2) : float2{0, 0};
                query_[s][e] = pack_half2(v.x, v.y);
            }
        }
    }
    __device__ __forceinline__ void run() {
#pragma unroll 1
        for (int item = 0; item < items_; item += 2) {
            const int key = (first_ + item / 2 * stride_) * 16;
            float score[4] = {};
            multiply_keys(arrived(item), score);
            next();
            uint32_t weights[2];
            soften(score, key, weights);
            multiply_values(arrived(item + 1), weights);
            next();
        }
    }
    __device__ __forceinline__ void put(Partial<HD, kColumns>& to) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = lane_ % 4 * 2 + e;
            float total = total_[e];
#pragma unroll
            for (int step = 4; step < 32; step *= 2)
                total += __shfl_xor_sync(0xFFFFFFFFU, total, step);
            if (lane_ < 4) {
                to.maxima[column] = largest_[e];
                to.totals[column] = total;
            }
#pragma unroll
            for (int i = 0; i < HD / 16; ++i) {
                to.values[column][i * 16 + lane_ / 4] = out_[i][e];
                to.values[column][i * 16 + lane_ / 4 + 8] = out_[i][2 + e];
            }
        }
    }

private:
    /// Each lane has the block of one of the next units.
    __device__ __forceinline__ void look_up(int index) {
        looked_up_ = index;
        const int key = (first_ + (index + lane_) * stride_) * 16;
        block_ = key < seq_.context ? seq_.blocks[key / args_.kv.block_tokens] : 0;
    }
    /// The next item, into the place of the one kItems before.
    __device__ __forceinline__ void fetch() {
        const int index = fetched_ / 2;
        if (index - looked_up_ >= 32)
            look_up(index);
        const int block = __shfl_sync(0xFFFFFFFFU, block_, index - looked_up_);
        const int key = (first_ + index * stride_) * 16;
        const std::int64_t row = kv_row(args_.kv, block, fetched_ % 2, kv_head_, key % args_.kv.block_tokens);
        constexpr int kRows = 32 / S::kChunks; // of one copy instruction
        const int chunk = lane_ % S::kChunks;
        const int first = lane_ / S::kChunks;
        const unsigned char* from =
            static_cast<const unsigned char*>(args_.kv.data) + (row + first) * S::kRowBytes + chunk * 16;
        const uint32_t to = ring_ + put_at_;
#pragma unroll
        for (int i = 0; i < 16 / kRows; ++i) {
            const int r = i * kRows + first;
            const bool live = key + r < seq_.context; // stale slots may hold NaN
            copy_async16_or_zero(to + S::at(r, chunk), from + i * kRows * S::kRowBytes, live);
        }
        copy_async_commit();
        put_at_ = put_at_ + S::kItemBytes == kItems * S::kItemBytes ? 0 : put_at_ + S::kItemBytes;
        ++fetched_;
    }
    /// Where an item lies, once it is there.
    __device__ __forceinline__ uint32_t arrived(int item) {
        const int behind = fetched_ - item - 1; // asked for after it
        if (behind >= 2)
            copy_async_wait<2>();
        else if (behind == 1)
            copy_async_wait<1>();
        else
            copy_async_wait<0>();
        __syncwarp();
        const uint32_t at = ring_ + take_at_;
        take_at_ = take_at_ + S::kItemBytes == kItems * S::kItemBytes ? 0 : take_at_ + S::kItemBytes;
        return at;
    }
    /// The item that was last taken has been read.
    __device__ __forceinline__ void next() {
        __syncwarp();
        if (fetched_ < items_)
            fetch();
    }
    __device__ __forceinline__ void multiply_keys(uint32_t keys, float (&score)[4]) const {
        float odd[4] = {};
        // Matrices: rows 0-7 and 8-15 of a chunk, then of the next.
#pragma unroll
        for (int s = 0; s < HD / 16; ++s) {
            uint32_t a[4];
            load_matrices(a, keys + S::at(lane_ % 16, s * 2 + lane_ / 16));
            mma(s % 2 == 0 ? score : odd, a, query_[s][0], query_[s][1]);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
            score[i] += odd[i];
    }
    __device__ __forceinline__ void multiply_values(uint32_t values, const uint32_t (&weights)[2]) {
        // Matrices, transposed: keys 0-7 of two chunks, then keys 8-15.
#pragma unroll
        for (int i = 0; i < HD / 16; ++i) {
            uint32_t a[4];
            load_matrices_transposed(a, values + S::at(lane_ % 8 + lane_ / 16 * 8, i * 2 + lane_ / 8 % 2));
            mma(out_[i], a, weights[0], weights[1]);
        }
    }
    /// Online softmax over sixteen keys; `weights` becomes the B fragment of probabilities.
    __device__ __forceinline__ void soften(const float (&score)[4], int key, uint32_t (&weights)[2]) {
        const int g = lane_ / 4;
        float p[4];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const KeyRange range = keys_[e];
            const auto visible = [&](int at) { return at >= range.begin && at < range.end; };
            p[e] = visible(key + g) ? soft_score(args_, score[e], factor_) : -INFINITY;
            p[2 + e] = visible(key + g + 8) ? soft_score(args_, score[2 + e], factor_) : -INFINITY;
            soften_column(p[e], p[2 + e], lane_ % 4, e, largest_[e], total_[e], out_);
        }
        weights[0] = transpose(pack_half2(p[0], p[1]));
        weights[1] = transpose(pack_half2(p[2], p[3]));
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_, first_flat_, group_, lane_;
    uint32_t ring_;
    int first_, stride_;
    int items_; // keys and values of each unit
    int fetched_ = 0; // items that were asked for
    int put_at_ = 0, take_at_ = 0; // in the ring
    int looked_up_ = 0; // index of lane 0's unit
    int block_ = 0;
    float factor_ = 0;
    KeyRange keys_[2]; // of columns 2t, 2t + 1
    float largest_[2] = {-INFINITY, -INFINITY};
    float total_[2] = {0, 0};
    uint32_t query_[HD / 16][2];
    float out_[HD / 16][4] = {};
};

template <int HD>
struct SplitMemory {
    static constexpr int kRings = kDecodeWarps * kItems * SplitShape<HD>::kItemBytes;
    static constexpr int kPartials = kDecodeWarps * static_cast<int>(sizeof(Partial<HD, kColumns>));
    static constexpr int kGathered = kRings > kPartials ? kRings : kPartials; // partials take the place of the rings
    static constexpr int kBytes = kGathered + static_cast<int>(sizeof(Gathered<HD, kColumns>));
};

/// Grid: (block of the cluster, kv head x tile of queries, sequence).
template <int HD>
__global__ void __launch_bounds__(kThreads, 4) split_attention(const __grid_constant__ AttentionArgs args) {
    extern __shared__ __align__(128) unsigned char memory[];
    pdl_trigger();
    // Step arguments and the keys of earlier steps are in place before this step's kernels start: no wait for them.
    const Sequence seq = sequence_of(args, static_cast<int>(blockIdx.z));
    const int kv_head = static_cast<int>(blockIdx.y) % args.kv.num_kv_heads;
    const int first_flat = static_cast<int>(blockIdx.y) / args.kv.num_kv_heads * kColumns;
    const int group = args.num_heads / args.kv.num_kv_heads;
    const int num_flat = seq.num_rows * group;
    if (num_flat > args.decode_flat || first_flat >= num_flat) { // the whole cluster
        pdl_wait();
        return;
    }
    auto& gathered = *reinterpret_cast<Gathered<HD, kColumns>*>(memory + SplitMemory<HD>::kGathered);
    if (args.cluster > 1) {
        if (threadIdx.x == 0) {
            barrier_init(&gathered.arrived, 1);
            barrier_init_fence();
        }
        __syncwarp();
        cluster_arrive();
    }
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int rank = static_cast<int>(blockIdx.x);
    const int stride = args.cluster * kDecodeWarps;
    const int begin = args.window > 0 ? max(0, seq.context - seq.num_rows + 1 - args.window) / 16 : 0;
    // Unit u belongs to warp u mod stride, whatever the window.
    const int first = begin + (rank * kDecodeWarps + warp - begin % stride + stride) % stride;
    SplitWarp<HD> columns(args, seq, kv_head, first_flat, memory + warp * kItems * SplitShape<HD>::kItemBytes, first,
        stride, (seq.context + 15) / 16);
    columns.fetch_early();
    touch_all(args);
    pdl_wait();
    columns.load_queries();
    columns.fetch_rest();
    columns.run();
    __syncthreads(); // all have left their rings
    auto* warps = reinterpret_cast<Partial<HD, kColumns>*>(memory);
    columns.put(warps[warp]);
    __syncthreads();
    finish_columns(args, seq, kv_head, first_flat, warps, gathered, rank);
}

template <int HD>
cudaError_t run(const AttentionArgs& args, cudaStream_t stream) {
    const auto kernel = split_attention<HD>;
    constexpr int kShared = SplitMemory<HD>::kBytes;
    static const cudaError_t configured = [kernel] {
        const cudaError_t status = raise_shared_limit(kernel, kShared);
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        (void)cudaGetLastError(); // GPUs without clusters refuse; they are not asked for
        return status;
    }();
    if (configured != cudaSuccess)
        return configured;
    const int tiles = (args.max_flat + kColumns - 1) / kColumns;
    return launch_cluster(kernel, dim3(args.cluster, args.kv.num_kv_heads * tiles, args.num_seqs), dim3(kThreads),
        args.cluster, kShared, stream, args);
}

} // namespace

bool split_attention_supports(const AttentionArgs& args) noexcept {
    return args.kv.type == KvType::f16 && (args.kv.head_dim == 64 || args.kv.head_dim == 128) &&
        args.kv.block_tokens % 16 == 0 && args.decode_flat == kDecodeFlat;
}

cudaError_t launch_split_attention(const AttentionArgs& args, cudaStream_t stream) {
    return args.kv.head_dim == 64 ? run<64>(args, stream) : run<128>(args, stream);
}

} // namespace vitrine::kernels
