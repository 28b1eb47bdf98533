// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention.  A warp holds sixteen flattened (row, head of the group) queries of one KV head and walks the
// keys sixteen at a time; K and V go from global memory straight into mma fragments.  Scores and sums f32, probabilities
// f16.  Decode: eight warps share the keys of one split, the last split to arrive combines.  Prefill: one tile per warp.
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kDecodeWarps = 8;
constexpr int kPrefillWarps = 4;
constexpr float kLog2E = 1.4426950408889634F;

/// Eight elements as f16, without their scale.
template <KvType T>
__device__ __forceinline__ uint4 load8(const void* data, std::int64_t at) {
    if constexpr (T == KvType::f16) {
        return *reinterpret_cast<const uint4*>(static_cast<const __half*>(data) + at);
    } else if constexpr (T == KvType::bf16) {
        const uint4 v = *reinterpret_cast<const uint4*>(static_cast<const __nv_bfloat16*>(data) + at);
        const auto turn = [](uint32_t w) {
            return pack_half2(__uint_as_float(w << 16), __uint_as_float(w & 0xFFFF0000U));
        };
        return {turn(v.x), turn(v.y), turn(v.z), turn(v.w)};
    } else if constexpr (T == KvType::fp8_e4m3) {
        const uint2 v = *reinterpret_cast<const uint2*>(static_cast<const uchar*>(data) + at);
        const auto turn = [](uint32_t two) {
            const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(two), __NV_E4M3);
            return static_cast<uint32_t>(raw.x) | static_cast<uint32_t>(raw.y) << 16;
        };
        return {turn(v.x & 0xFFFFU), turn(v.x >> 16), turn(v.y & 0xFFFFU), turn(v.y >> 16)};
    } else {
        const uint2 v = *reinterpret_cast<const uint2*>(static_cast<const uchar*>(data) + at);
        const auto turn = [](uint32_t word, uint32_t selector) { // f16 1024 + (code + 128), minus 1152
            const uint32_t bits = __byte_perm(word ^ 0x80808080U, 0x64006400U, selector);
            const __half2 value = __hsub2(*reinterpret_cast<const __half2*>(&bits), __float2half2_rn(1152));
            return *reinterpret_cast<const uint32_t*>(&value);
        };
        return {turn(v.x, 0x5150), turn(v.x, 0x5352), turn(v.y, 0x5150), turn(v.y, 0x5352)};
    }
}

struct Sequence {
    int query_start;
    int num_rows;
    int context;
    const int* blocks;
};
__device__ __forceinline__ Sequence sequence_of(const AttentionArgs& args, int seq) {
    const int start = args.query_starts[seq];
    return {start, args.query_starts[seq + 1] - start, args.context_lens[seq],
        args.block_tables + static_cast<std::int64_t>(seq) * args.table_stride};
}

/// State of one warp: sixteen query rows against a range of keys.
template <KvType T, int HD>
class QueryTile {
public:
    __device__ __forceinline__ QueryTile(const AttentionArgs& args, const Sequence& seq, int kv_head, int first_flat)
        : args_(args), seq_(seq), kv_head_(kv_head), first_flat_(first_flat) {
        group_ = args.num_heads / args.kv.num_kv_heads;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        g_ = lane / 4;
        t_ = lane % 4;
        last_end_ = seq.context - (seq.num_rows - 1 - min((first_flat + kQueryTile - 1) / group_, seq.num_rows - 1));
        set_limits(0, first_flat + g_);
        set_limits(1, first_flat + g_ + 8);
#pragma unroll
        for (int i = 0; i < HD / 8; ++i)
            out_[i][0] = out_[i][1] = out_[i][2] = out_[i][3] = 0;
    }

    /// Queries and scales: what earlier kernels of the step wrote.
    __device__ __forceinline__ void load_queries() {
        factor_ = args_.scale;
        if (args_.kv.head_scales != nullptr)
            factor_ *= args_.kv.head_scales[kv_head_];
#pragma unroll
        for (int p = 0; p < HD / 32; ++p) {
            load_query(p, 0);
            load_query(p, 1);
        }
    }

    /// Chooses the sixteen keys from `key` on (a multiple of 16) for the next fetches.
    __device__ __forceinline__ void seek(int key) {
        const int block = seq_.blocks[key / args_.kv.block_tokens];
        next_key_ = key;
        next_k_row_ = kv_row(args_.kv, block, 0, kv_head_, key % args_.kv.block_tokens);
    }
    __device__ __forceinline__ void fetch_keys() {
        const int dim = args_.kv.head_dim;
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int p = 0; p < HD / 32; ++p)
                k_[n][p] = p * 32 + t_ * 8 < dim
                    ? load8<T>(args_.kv.data, (next_k_row_ + n * 8 + g_) * dim + p * 32 + t_ * 8)
                    : uint4{0, 0, 0, 0};
        }
    }
    __device__ __forceinline__ void fetch_values() {
        const int dim = args_.kv.head_dim;
        const std::int64_t row = next_k_row_ + args_.kv.num_kv_heads * args_.kv.block_tokens;
#pragma unroll
        for (int q = 0; q < HD / 64; ++q) {
#pragma unroll
            for (int r = 0; r < 4; ++r) { // keys 2t, 2t + 1, 2t + 8, 2t + 9; stale slots may hold NaN
                const int at = t_ * 2 + r / 2 * 8 + r % 2;
                v_[q][r] = q * 64 + g_ * 8 < dim && next_key_ + at < last_end_
                    ? load8<T>(args_.kv.data, (row + at) * dim + q * 64 + g_ * 8)
                    : uint4{0, 0, 0, 0};
            }
        }
    }

    /// The keys that were fetched; those `stride` further on, below `end`, are fetched meanwhile.
    __device__ __forceinline__ void step(int stride, int end) {
        const int key = next_key_;
        const std::int64_t k_row = next_k_row_;
        const bool more = key + stride < end;
        float score[2][4] = {};
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int p = 0; p < HD / 32; ++p) {
                mma(score[n], query_[2 * p], k_[n][p].x, k_[n][p].y);
                mma(score[n], query_[2 * p + 1], k_[n][p].z, k_[n][p].w);
            }
        }
        if (more) {
            seek(key + stride);
            fetch_keys();
        }
        if constexpr (T == KvType::int8)
            scale_keys(score, k_row);
        uint32_t weights[4];
        soften(score, key, k_row + args_.kv.num_kv_heads * args_.kv.block_tokens, weights);
#pragma unroll
        for (int q = 0; q < HD / 64; ++q) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const uint32_t selector = i % 2 == 0 ? 0x5410 : 0x7632;
                const uint32_t b0 = __byte_perm(word(v_[q][0], i / 2), word(v_[q][1], i / 2), selector);
                const uint32_t b1 = __byte_perm(word(v_[q][2], i / 2), word(v_[q][3], i / 2), selector);
                mma(out_[q * 8 + i], weights, b0, b1);
            }
        }
        if (more)
            fetch_values();
    }

    /// Sums over the four lanes that share a row; afterwards each holds its row's.
    __device__ __forceinline__ void close() {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 1);
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 2);
        }
    }

    /// put(row of the tile, dimension, value) for what this lane holds; `upper`: rows 8 to 15 too.
    template <class Put>
    __device__ __forceinline__ void each(bool upper, Put&& put) const {
#pragma unroll
        for (int i = 0; i < HD / 8; ++i) {
#pragma unroll
            for (int c = 0; c < 2; ++c)
                put(g_, i / 8 * 64 + (2 * t_ + c) * 8 + i % 8, out_[i][c]);
        }
        if (!upper)
            return;
#pragma unroll
        for (int i = 0; i < HD / 8; ++i) {
#pragma unroll
            for (int c = 0; c < 2; ++c)
                put(g_ + 8, i / 8 * 64 + (2 * t_ + c) * 8 + i % 8, out_[i][2 + c]);
        }
    }
    __device__ __forceinline__ float largest(int h) const {
        return largest_[h];
    }
    __device__ __forceinline__ float total(int h) const {
        return total_[h];
    }
    __device__ __forceinline__ int g() const {
        return g_;
    }
    __device__ __forceinline__ int t() const {
        return t_;
    }
    /// Factor of V: one scale per head.
    __device__ __forceinline__ float value_scale() const {
        return args_.kv.head_scales != nullptr ? args_.kv.head_scales[args_.kv.num_kv_heads + kv_head_] : 1.0F;
    }

private:
    __device__ __forceinline__ static uint32_t word(const uint4& v, int i) {
        return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
    }
    __device__ __forceinline__ void set_limits(int h, int flat) {
        const int row = flat / group_;
        end_[h] = row < seq_.num_rows ? seq_.context - (seq_.num_rows - 1 - row) : 0;
        begin_[h] = args_.window > 0 && end_[h] > args_.window ? end_[h] - args_.window : 0;
        largest_[h] = -INFINITY;
        total_[h] = 0;
    }
    __device__ __forceinline__ void load_query(int p, int h) {
        const int flat = first_flat_ + g_ + h * 8;
        const int row = flat / group_;
        const int d = p * 32 + t_ * 8;
        float4 a{0, 0, 0, 0};
        float4 b{0, 0, 0, 0};
        if (row < seq_.num_rows && d < args_.kv.head_dim) {
            const float* at = args_.query +
                (static_cast<std::int64_t>(seq_.query_start + row) * args_.num_heads + kv_head_ * group_ +
                    flat % group_) *
                    args_.kv.head_dim +
                d;
            a = *reinterpret_cast<const float4*>(at);
            b = *reinterpret_cast<const float4*>(at + 4);
        }
        query_[2 * p][h] = pack_half2(a.x, a.y);
        query_[2 * p][2 + h] = pack_half2(a.z, a.w);
        query_[2 * p + 1][h] = pack_half2(b.x, b.y);
        query_[2 * p + 1][2 + h] = pack_half2(b.z, b.w);
    }
    __device__ __forceinline__ void scale_keys(float (&score)[2][4], std::int64_t k_row) const {
#pragma unroll
        for (int n = 0; n < 2; ++n) {
            const float2 scale = *reinterpret_cast<const float2*>(args_.kv.token_scales + k_row + n * 8 + t_ * 2);
            score[n][0] *= scale.x;
            score[n][1] *= scale.y;
            score[n][2] *= scale.x;
            score[n][3] *= scale.y;
        }
    }
    /// Online softmax over these sixteen keys; `weights` becomes the A fragment of probabilities.
    __device__ __forceinline__ void soften(float (&score)[2][4], int key, std::int64_t v_row, uint32_t (&weights)[4]) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float top = -INFINITY;
#pragma unroll
            for (int n = 0; n < 2; ++n) {
#pragma unroll
                for (int c = 0; c < 2; ++c) {
                    float& s = score[n][h * 2 + c];
                    const int at = key + n * 8 + t_ * 2 + c;
                    s *= factor_;
                    if (args_.softcap != 0)
                        s = args_.softcap * tanhf(s / args_.softcap);
                    s = at >= begin_[h] && at < end_[h] ? s * kLog2E : -INFINITY;
                    top = fmaxf(top, s);
                }
            }
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 1));
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 2));
            const float next = fmaxf(largest_[h], top);
            const float base = next == -INFINITY ? 0 : next; // nothing visible yet: exp2(-inf) = 0, not NaN
            const float shrink = exp2f(largest_[h] - base);
            largest_[h] = next;
            total_[h] *= shrink;
#pragma unroll
            for (int i = 0; i < HD / 8; ++i) {
                out_[i][h * 2] *= shrink;
                out_[i][h * 2 + 1] *= shrink;
            }
#pragma unroll
            for (int n = 0; n < 2; ++n) {
                float low = exp2f(score[n][h * 2] - base);
                float high = exp2f(score[n][h * 2 + 1] - base);
                total_[h] += low + high;
                if constexpr (T == KvType::int8) {
                    const float2 scale =
                        *reinterpret_cast<const float2*>(args_.kv.token_scales + v_row + n * 8 + t_ * 2);
                    low *= scale.x;
                    high *= scale.y;
                }
                weights[n * 2 + h] = pack_half2(low, high);
            }
        }
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_, first_flat_, group_, g_, t_;
    float factor_;
    int last_end_; // keys that the last row sees
    int begin_[2], end_[2]; // visible keys of rows g, g + 8
    float largest_[2], total_[2];
    int next_key_ = 0;
    std::int64_t next_k_row_ = 0;
    uint32_t query_[HD / 16][4];
    uint4 k_[2][HD / 32];
    uint4 v_[HD / 64][4];
    float out_[HD / 8][4];
};

/// Output of flattened row `flat` of a KV head.
__device__ __forceinline__ std::int64_t head_row(
    const AttentionArgs& args, const Sequence& seq, int kv_head, int flat) {
    const int group = args.num_heads / args.kv.num_kv_heads;
    return static_cast<std::int64_t>(seq.query_start + flat / group) * args.num_heads + kv_head * group + flat % group;
}

/// Partial results of row `row` of the tile of this block's (sequence, KV head).
__device__ __forceinline__ float* partials_of(const AttentionArgs& args, int row) {
    const std::int64_t line =
        (static_cast<std::int64_t>(blockIdx.z) * args.kv.num_kv_heads + blockIdx.y) * kQueryTile + row;
    return args.partials + line * kMaxSplits * (args.kv.head_dim + 2);
}

/// Merges the partial results of a sequence's splits, in split order.
__device__ void combine_splits(
    const AttentionArgs& args, const Sequence& seq, int kv_head, int num_flat, int num_splits) {
    const int dim = args.kv.head_dim;
    const int stride = dim + 2;
    for (int i = static_cast<int>(threadIdx.x); i < num_flat * dim; i += kDecodeWarps * 32) {
        const std::int64_t line = head_row(args, seq, kv_head, i / dim);
        const float* part = partials_of(args, i / dim);
        float top = -INFINITY;
        for (int s = 0; s < num_splits; ++s)
            top = fmaxf(top, __ldcg(part + s * stride + dim));
        const float base = top == -INFINITY ? 0 : top;
        float total = 0;
        float value = 0;
        for (int s = 0; s < num_splits; ++s) {
            const float weight = exp2f(__ldcg(part + s * stride + dim) - base);
            total += weight * __ldcg(part + s * stride + dim + 1);
            value += weight * __ldcg(part + s * stride + i % dim);
        }
        args.output[line * dim + i % dim] = total > 0 ? value / total : 0;
    }
}

/// How the warps of a block weigh in one query row.
struct RowWeights {
    float of_warp[kDecodeWarps];
    float top, total;
};
/// Threads (row, warp) of the first half of the block.
template <int HD>
__device__ __forceinline__ void merge_weights(const float* merge, RowWeights* weights, int num_flat) {
    const int row = static_cast<int>(threadIdx.x) / kDecodeWarps;
    const int w = static_cast<int>(threadIdx.x) % kDecodeWarps;
    if (row >= kQueryTile)
        return;
    const float* part = merge + (w * num_flat + min(row, num_flat - 1)) * (HD + 2) + HD;
    float top = part[0];
#pragma unroll
    for (int step = 1; step < kDecodeWarps; step *= 2)
        top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, step));
    const float weight = exp2f(part[0] - (top == -INFINITY ? 0 : top));
    float total = weight * part[1];
#pragma unroll
    for (int step = 1; step < kDecodeWarps; step *= 2)
        total += __shfl_xor_sync(0xFFFFFFFFU, total, step);
    weights[row].of_warp[w] = weight;
    if (w == 0) {
        weights[row].top = top;
        weights[row].total = total;
    }
}

/// Grid: (split, kv head, sequence).  Sequences with more flattened rows than a tile belong to the prefill kernel.
template <KvType T, int HD>
__global__ void __launch_bounds__(kDecodeWarps * 32, 1) decode_attention(const __grid_constant__ AttentionArgs args) {
    extern __shared__ float merge[]; // [warp][row][HD + 2]
    __shared__ bool is_last;
    __shared__ RowWeights weights[kQueryTile];
    pdl_trigger();
    // Step arguments and the keys of earlier steps are in place before this step's kernels start: no wait for them.
    const Sequence seq = sequence_of(args, static_cast<int>(blockIdx.z));
    const int kv_head = static_cast<int>(blockIdx.y);
    const int num_flat = seq.num_rows * (args.num_heads / args.kv.num_kv_heads);
    const int tokens = split_tokens(seq.context, args.min_split);
    const int split = static_cast<int>(blockIdx.x);
    const int begin = split * tokens;
    if (num_flat > kQueryTile || num_flat == 0 || begin >= seq.context) {
        pdl_wait();
        return;
    }
    const int end = min(begin + tokens, seq.context);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    int first = begin;
    if (args.window > 0) // keys that no row sees
        first = max(first, (seq.context - seq.num_rows + 1 - args.window) / 16 * 16);
    QueryTile<T, HD> tile(args, seq, kv_head, 0);
    const int own = first + warp * 16;
    const bool early = own + 16 <= seq.context - seq.num_rows;
    const auto fetch = [&] {
        tile.seek(own);
        tile.fetch_keys();
        tile.fetch_values();
    };
    if (own < end && early)
        fetch();
    pdl_wait();
    if (own < end && !early)
        fetch();
    tile.load_queries();
    for (int key = own; key < end; key += kDecodeWarps * 16)
        tile.step(kDecodeWarps * 16, end);
    tile.close();
    constexpr int kStride = HD + 2;
    const float value_scale = tile.value_scale();
    tile.each(num_flat > 8, [&](int row, int d, float value) {
        if (row < num_flat)
            merge[(warp * num_flat + row) * kStride + d] = value;
    });
    for (int h = 0; h < 2; ++h) {
        const int row = tile.g() + h * 8;
        if (tile.t() == 0 && row < num_flat) {
            merge[(warp * num_flat + row) * kStride + HD] = tile.largest(h);
            merge[(warp * num_flat + row) * kStride + HD + 1] = tile.total(h);
        }
    }
    __syncthreads();
    merge_weights<HD>(merge, weights, num_flat);
    __syncthreads();
    const int dim = args.kv.head_dim;
    const int num_splits = (seq.context + tokens - 1) / tokens;
    for (int i = static_cast<int>(threadIdx.x); i < num_flat * HD; i += kDecodeWarps * 32) {
        const int row = i / HD;
        const int d = i % HD;
        if (d >= dim)
            continue;
        const RowWeights& weight = weights[row];
        float value = 0;
#pragma unroll
        for (int w = 0; w < kDecodeWarps; ++w)
            value += weight.of_warp[w] * merge[(w * num_flat + row) * kStride + d];
        value *= value_scale;
        if (num_splits == 1) {
            args.output[head_row(args, seq, kv_head, row) * dim + d] = weight.total > 0 ? value / weight.total : 0;
            continue;
        }
        float* part = partials_of(args, row) + split * (dim + 2);
        __stcg(part + d, value);
        if (d == 0) {
            __stcg(part + dim, weight.top);
            __stcg(part + dim + 1, weight.total);
        }
    }
    if (num_splits == 1)
        return;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        int* counter = args.counters + blockIdx.z * args.kv.num_kv_heads + kv_head;
        is_last = atomicAdd(counter, 1) == num_splits - 1;
        if (is_last)
            *counter = 0;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    combine_splits(args, seq, kv_head, num_flat, num_splits);
}

/// Grid: (tiles / kPrefillWarps, kv head).
template <KvType T, int HD>
__global__ void __launch_bounds__(kPrefillWarps * 32, HD <= 128 ? 2 : 1)
    prefill_attention(const __grid_constant__ AttentionArgs args) {
    pdl_trigger();
    pdl_wait();
    const int index = static_cast<int>(blockIdx.x) * kPrefillWarps + static_cast<int>(threadIdx.x) / 32;
    if (index >= args.num_tiles)
        return;
    const int2 item = args.tiles[index];
    const Sequence seq = sequence_of(args, item.x);
    const int kv_head = static_cast<int>(blockIdx.y);
    const int group = args.num_heads / args.kv.num_kv_heads;
    const int first_row = item.y / group;
    const int last_row = min((item.y + kQueryTile - 1) / group, seq.num_rows - 1);
    const int end = seq.context - (seq.num_rows - 1 - last_row);
    int begin = 0;
    if (args.window > 0)
        begin = max(0, (seq.context - (seq.num_rows - 1 - first_row) - args.window) / 16 * 16);
    QueryTile<T, HD> tile(args, seq, kv_head, item.y);
    tile.load_queries();
    if (begin < end) {
        tile.seek(begin);
        tile.fetch_keys();
        tile.fetch_values();
    }
    for (int key = begin; key < end; key += 16)
        tile.step(16, end);
    tile.close();
    const float scale = tile.value_scale();
    const float inverse[2] = {
        tile.total(0) > 0 ? scale / tile.total(0) : 0, tile.total(1) > 0 ? scale / tile.total(1) : 0};
    const int num_flat = seq.num_rows * group;
    const int dim = args.kv.head_dim;
    tile.each(true, [&](int row, int d, float value) {
        if (item.y + row < num_flat && d < dim)
            args.output[head_row(args, seq, kv_head, item.y + row) * dim + d] = value * inverse[row / 8];
    });
}

template <class Call>
cudaError_t with_head_dim(int dim, Call&& call) {
    if (dim <= 64)
        return call(std::integral_constant<int, 64>{});
    if (dim <= 128)
        return call(std::integral_constant<int, 128>{});
    if (dim <= 256)
        return call(std::integral_constant<int, 256>{});
    return cudaErrorInvalidValue;
}
template <class Call>
cudaError_t with_kv(KvType type, Call&& call) {
    switch (type) {
    case KvType::f16:
        return call(std::integral_constant<KvType, KvType::f16>{});
    case KvType::bf16:
        return call(std::integral_constant<KvType, KvType::bf16>{});
    case KvType::int8:
        return call(std::integral_constant<KvType, KvType::int8>{});
    case KvType::int8_head:
        return call(std::integral_constant<KvType, KvType::int8_head>{});
    case KvType::fp8_e4m3:
        return call(std::integral_constant<KvType, KvType::fp8_e4m3>{});
    }
    return cudaErrorInvalidValue;
}

} // namespace

cudaError_t launch_decode_attention(const AttentionArgs& args, cudaStream_t stream) {
    return with_kv(args.kv.type, [&](auto type) {
        return with_head_dim(args.kv.head_dim, [&](auto dim) {
            const auto kernel = decode_attention<type(), dim()>;
            const int shared = kDecodeWarps * args.max_tile_rows * (dim() + 2) * 4;
            static const cudaError_t configured = cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kDecodeWarps * kQueryTile * (dim() + 2) * 4);
            if (configured != cudaSuccess)
                return configured;
            return launch(kernel, dim3(args.num_splits, args.kv.num_kv_heads, args.num_seqs), dim3(kDecodeWarps * 32),
                shared, stream, args);
        });
    });
}

cudaError_t launch_prefill_attention(const AttentionArgs& args, cudaStream_t stream) {
    return with_kv(args.kv.type, [&](auto type) {
        return with_head_dim(args.kv.head_dim, [&](auto dim) {
            const dim3 grid((args.num_tiles + kPrefillWarps - 1) / kPrefillWarps, args.kv.num_kv_heads);
            return launch(prefill_attention<type(), dim()>, grid, dim3(kPrefillWarps * 32), 0, stream, args);
        });
    });
}

} // namespace vitrine::kernels
