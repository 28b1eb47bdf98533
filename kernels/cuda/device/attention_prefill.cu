// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention of sequences with many queries, after FlashAttention-2 (Dao, 2023): a block holds 128 flattened (row,
// head of the group) queries of one KV head, sixteen a warp; keys and values pass through shared memory, two tiles deep.
// Scores and sums f32, probabilities f16.
#include "kernels/cuda/device/kv_bytes.cuh"
#include "kernels/cuda/device/ldmatrix.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kPrefillWarps = kQueryTile / 16;
constexpr int kPrefillThreads = kPrefillWarps * 32;
template <int HD>
constexpr int kTileKeys = HD > 128 ? 32 : 64;

/// Halves of (row, 16 B chunk) of a tile: rows of HD halves, chunks swizzled.
template <int HD>
__device__ __forceinline__ int tile_at(int row, int chunk) {
    return row * HD + ((chunk ^ (row & 7)) * 8);
}
/// The logarithm of a power of two, or -1.
__device__ __forceinline__ int exact_log2(int value) {
    return __popc(value) == 1 ? __ffs(value) - 1 : -1;
}

template <KvType T, int HD>
class KeyTiles {
public:
    static constexpr int kKeys = kTileKeys<HD>;
    static constexpr int kHalves = kKeys * HD; // of K or V of one tile

    __device__ __forceinline__ KeyTiles(const AttentionArgs& args, const Sequence& seq, int kv_head, uint16_t* memory)
        : args_(args), seq_(seq), kv_head_(kv_head), memory_(memory), shift_(exact_log2(args.kv.block_tokens)) {}
    __device__ __forceinline__ const uint16_t* keys(int buffer) const { return memory_ + buffer * 2 * kHalves; }
    __device__ __forceinline__ const uint16_t* values(int buffer) const { return keys(buffer) + kHalves; }

    /// Finds the rows of the pool that this thread brings of keys [key, key + kKeys) below `end`: a step before fetch(), which
    /// would wait for the block table.
    __device__ __forceinline__ void look_up(int key, int end) {
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
            const int at = key + row_of(i);
            block_[i] = at < end ? seq_.blocks[divided(at)] : 0;
        }
    }
    /// Brings the keys that were looked up last; beyond `end` there are zeros.
    __device__ __forceinline__ void fetch(int key, int end, int buffer) const {
        const int dim = args_.kv.head_dim;
        const int chunk = static_cast<int>(threadIdx.x) % kChunks;
        uint16_t* target = memory_ + buffer * 2 * kHalves;
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
            const int row = row_of(i);
            const int at = tile_at<HD>(row, chunk);
            if (key + row >= end || chunk * 8 >= dim) {
                *reinterpret_cast<uint4*>(target + at) = uint4{0, 0, 0, 0};
                *reinterpret_cast<uint4*>(target + kHalves + at) = uint4{0, 0, 0, 0};
                continue;
            }
            const int offset = key + row - divided(key + row) * args_.kv.block_tokens;
            const std::int64_t k_row = kv_row(args_.kv, block_[i], 0, kv_head_, offset);
            const std::int64_t v_row = k_row + args_.kv.num_kv_heads * args_.kv.block_tokens;
            if constexpr (T == KvType::f16) {
                const auto* data = static_cast<const uint16_t*>(args_.kv.data);
                copy_async16(target + at, data + k_row * dim + chunk * 8);
                copy_async16(target + kHalves + at, data + v_row * dim + chunk * 8);
            } else {
                uint4 k = load8<T>(args_.kv.data, k_row * dim + chunk * 8);
                uint4 v = load8<T>(args_.kv.data, v_row * dim + chunk * 8);
                if constexpr (T == KvType::int8) {
                    k = times(k, args_.kv.token_scales[k_row]);
                    v = times(v, args_.kv.token_scales[v_row]);
                }
                *reinterpret_cast<uint4*>(target + at) = k;
                *reinterpret_cast<uint4*>(target + kHalves + at) = v;
            }
        }
        copy_async_commit();
    }

private:
    static constexpr int kChunks = HD / 8; // of a row
    static constexpr int kRows = kKeys * kChunks / kPrefillThreads; // of a thread
    static_assert(kRows >= 1);

    __device__ __forceinline__ static int row_of(int i) {
        return (i * kPrefillThreads + static_cast<int>(threadIdx.x)) / kChunks;
    }
    /// By the tokens of a block, for most a power of two.
    __device__ __forceinline__ int divided(int token) const {
        return shift_ >= 0 ? token >> shift_ : token / args_.kv.block_tokens;
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_;
    uint16_t* memory_;
    int shift_; // of a block's tokens, or -1
    int block_[kRows] = {};
};

/// Sixteen queries of one warp.
template <int HD>
class QueryRows {
public:
    static constexpr int kKeys = kTileKeys<HD>;

    __device__ __forceinline__ QueryRows(const AttentionArgs& args, const Sequence& seq, int kv_head, int first_flat)
        : args_(args), seq_(seq), kv_head_(kv_head), first_flat_(first_flat) {
        group_ = args.num_heads / args.kv.num_kv_heads;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        g_ = lane / 4;
        t_ = lane % 4;
        factor_ = score_scale(args, kv_head);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int flat = first_flat + g_ + h * 8;
            keys_[h] = keys_of(args, seq, flat, group_);
            const int row = min(flat / group_, seq.num_rows - 1);
            const float* line = args.query +
                (static_cast<std::int64_t>(seq.query_start + row) * args.num_heads + kv_head * group_ + flat % group_) *
                    args.kv.head_dim;
#pragma unroll
            for (int s = 0; s < HD / 16; ++s) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    const int d = s * 16 + e * 8 + t_ * 2;
                    const float2 v = d < args.kv.head_dim ? *reinterpret_cast<const float2*>(line + d) : float2{0, 0};
                    query_[s][h + 2 * e] = pack_half2(v.x, v.y);
                }
            }
        }
        // Keys that all rows of the warp see need no mask.
        const int first_row = first_flat / group_;
        const int last_row = min((first_flat + 15) / group_, seq.num_rows - 1);
        const int last_end = seq.context - (seq.num_rows - 1 - last_row);
        all_begin_ = args.window > 0 ? max(0, last_end - args.window) : 0;
        all_end_ = first_flat + 15 < seq.num_rows * group_ ? seq.context - (seq.num_rows - 1 - first_row) : 0;
#pragma unroll
        for (int i = 0; i < HD / 8; ++i)
            out_[i][0] = out_[i][1] = out_[i][2] = out_[i][3] = 0;
    }

    __device__ __forceinline__ void step(const uint16_t* keys, const uint16_t* values, int key) {
        float score[kKeys / 8][4] = {};
        const int lane = static_cast<int>(threadIdx.x) % 32;
        // Matrices of ldmatrix: rows 0-7 and 8-15 of sixteen keys, each with two chunks.
        const int row = lane % 8 + lane / 16 * 8;
        const int half = lane / 8 % 2;
#pragma unroll
        for (int s = 0; s < HD / 16; ++s) {
#pragma unroll
            for (int n = 0; n < kKeys / 16; ++n) {
                uint32_t b[4];
                load_matrices(b, shared_address(keys + tile_at<HD>(n * 16 + row, s * 2 + half)));
                mma(score[n * 2], query_[s], b[0], b[1]);
                mma(score[n * 2 + 1], query_[s], b[2], b[3]);
            }
        }
        soften(score, key);
        const int v_row = lane % 16;
        const int v_half = lane / 16;
#pragma unroll
        for (int n = 0; n < kKeys / 16; ++n) {
            const uint32_t a[4] = {pack_half2(score[n * 2][0], score[n * 2][1]),
                pack_half2(score[n * 2][2], score[n * 2][3]), pack_half2(score[n * 2 + 1][0], score[n * 2 + 1][1]),
                pack_half2(score[n * 2 + 1][2], score[n * 2 + 1][3])};
#pragma unroll
            for (int i = 0; i < HD / 16; ++i) {
                uint32_t b[4];
                load_matrices_transposed(b, shared_address(values + tile_at<HD>(n * 16 + v_row, i * 2 + v_half)));
                mma(out_[i * 2], a, b[0], b[1]);
                mma(out_[i * 2 + 1], a, b[2], b[3]);
            }
        }
    }

    __device__ __forceinline__ void put() {
        const float scale = value_scale(args_, kv_head_);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 1);
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 2);
            const int flat = first_flat_ + g_ + h * 8;
            const float total = with_sink(args_, kv_head_, group_, flat, total_[h], largest_[h]);
            const float inverse = total > 0 ? scale / total : 0;
            if (flat >= seq_.num_rows * group_)
                continue;
#pragma unroll
            for (int i = 0; i < HD / 8; ++i) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    const int d = i * 8 + t_ * 2 + e;
                    if (d < args_.kv.head_dim)
                        put_output(args_, seq_, kv_head_, group_, flat, d, out_[i][h * 2 + e] * inverse);
                }
            }
        }
    }

private:
    /// Online softmax; `score` becomes probabilities.
    __device__ __forceinline__ void soften(float (&score)[kKeys / 8][4], int key) {
        const bool whole = key >= all_begin_ && key + kKeys <= all_end_;
        const bool plain = whole && args_.softcap == 0;
        const float unit = factor_ * kLog2E; // of a plain score
        if (!plain) {
#pragma unroll
            for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int at = key + n * 8 + t_ * 2 + i % 2;
                    const KeyRange range = keys_[i / 2];
                    score[n][i] =
                        at >= range.begin && at < range.end ? soft_score(args_, score[n][i], factor_) : -INFINITY;
                }
            }
        }
        const float factor = plain ? unit : 1.0F; // not negative
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float top = -INFINITY;
#pragma unroll
            for (int n = 0; n < kKeys / 8; ++n)
                top = fmaxf(top, fmaxf(score[n][h * 2], score[n][h * 2 + 1]));
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 1));
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 2));
            const float next = fmaxf(largest_[h], top * factor);
            const float base = next == -INFINITY ? 0 : next; // nothing visible yet: 2^-inf = 0, not NaN
            const float shrink = power_of_two(largest_[h] - base);
            largest_[h] = next;
            float sum = 0;
#pragma unroll
            for (int n = 0; n < kKeys / 8; ++n) {
                score[n][h * 2] = power_of_two(fmaf(score[n][h * 2], factor, -base));
                score[n][h * 2 + 1] = power_of_two(fmaf(score[n][h * 2 + 1], factor, -base));
                sum += score[n][h * 2] + score[n][h * 2 + 1];
            }
            total_[h] = fmaf(total_[h], shrink, sum);
#pragma unroll
            for (int i = 0; i < HD / 8; ++i) {
                out_[i][h * 2] *= shrink;
                out_[i][h * 2 + 1] *= shrink;
            }
        }
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_, first_flat_, group_, g_, t_;
    float factor_;
    KeyRange keys_[2]; // of rows g, g + 8
    int all_begin_, all_end_;
    float largest_[2] = {-INFINITY, -INFINITY};
    float total_[2] = {0, 0};
    uint32_t query_[HD / 16][4];
    float out_[HD / 8][4];
};

/// Grid: (kv head, tile).
template <KvType T, int HD>
__global__ void __launch_bounds__(kPrefillThreads, 1) prefill_attention(const __grid_constant__ AttentionArgs args) {
    constexpr int kKeys = kTileKeys<HD>;
    extern __shared__ __align__(16) unsigned char memory[];
    pdl_trigger();
    pdl_wait();
    const int2 item = args.tiles[blockIdx.y];
    const Sequence seq = sequence_of(args, item.x);
    const int kv_head = static_cast<int>(blockIdx.x);
    const int group = args.num_heads / args.kv.num_kv_heads;
    const int first_row = item.y / group;
    const int last_row = min((item.y + kQueryTile - 1) / group, seq.num_rows - 1);
    const int end = seq.context - (seq.num_rows - 1 - last_row);
    int begin = 0;
    if (args.window > 0)
        begin = max(0, seq.context - (seq.num_rows - 1 - first_row) - args.window) / kKeys * kKeys;
    KeyTiles<T, HD> tiles(args, seq, kv_head, reinterpret_cast<uint16_t*>(memory));
    tiles.look_up(begin, end);
    tiles.fetch(begin, end, 0);
    tiles.look_up(begin + kKeys, end);
    QueryRows<HD> rows(args, seq, kv_head, item.y + static_cast<int>(threadIdx.x) / 32 * 16);
    int buffer = 0;
    for (int key = begin; key < end; key += kKeys) {
        copy_async_wait<0>();
        __syncthreads(); // this tile is there, and nobody reads the other buffer any more
        if (key + kKeys < end) {
            tiles.fetch(key + kKeys, end, buffer ^ 1);
            tiles.look_up(key + 2 * kKeys, end);
        }
        rows.step(tiles.keys(buffer), tiles.values(buffer), key);
        buffer ^= 1;
    }
    rows.put();
}

} // namespace

cudaError_t launch_prefill_attention(const AttentionArgs& args, cudaStream_t stream) {
    return with_kv(args.kv.type, [&](auto type) {
        return with_head_dim(args.kv.head_dim, [&](auto dim) {
            const auto kernel = prefill_attention<type(), dim()>;
            constexpr int kShared = 4 * KeyTiles<type(), dim()>::kHalves * 2;
            static const cudaError_t configured =
                cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
            if (configured != cudaSuccess)
                return configured;
            return launch(
                kernel, dim3(args.kv.num_kv_heads, args.num_tiles), dim3(kPrefillThreads), kShared, stream, args);
        });
    });
}

} // namespace vitrine::kernels
