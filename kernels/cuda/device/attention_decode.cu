// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention of sequences with few queries.  Keys lie on the sixteen-row side of the mma and the flattened (row,
// head of the group) queries on the side of eight, so that K, V and the sums fill all lanes; K and V go from global memory
// straight into fragments, before the kernel waits for this step's queries.  A cluster of blocks shares a sequence's keys and
// merges through distributed shared memory.  Scores and sums f32, probabilities f16.
#include "kernels/cuda/device/attention_merge.cuh"
#include "kernels/cuda/device/attention_softmax.cuh"
#include "kernels/cuda/device/ldmatrix.cuh"

namespace vitrine::kernels {
namespace {

/// One warp: kTiles times eight queries against units of sixteen keys.
template <KvType T, int HD, int kTiles>
class QueryColumns {
public:
    __device__ __forceinline__ QueryColumns(const AttentionArgs& args, const Sequence& seq, int kv_head, int first_flat)
        : args_(args), seq_(seq), kv_head_(kv_head), first_flat_(first_flat) {
        group_ = args.num_heads / args.kv.num_kv_heads;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        g_ = lane / 4;
        t_ = lane % 4;
#pragma unroll
        for (int n = 0; n < kTiles; ++n) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                keys_[n][e] = keys_of(args, seq, first_flat + n * 8 + t_ * 2 + e, group_);
                largest_[n][e] = -INFINITY;
                total_[n][e] = 0;
            }
#pragma unroll
            for (int i = 0; i < HD / 16; ++i)
                out_[n][i][0] = out_[n][i][1] = out_[n][i][2] = out_[n][i][3] = 0;
        }
    }
    /// Queries and scales: what earlier kernels of the step wrote.
    __device__ __forceinline__ void load_queries() {
        factor_ = score_scale(args_, kv_head_);
#pragma unroll
        for (int n = 0; n < kTiles; ++n) {
            const int flat = first_flat_ + n * 8 + g_;
            const int row = flat / group_;
            const float* line = args_.query +
                (static_cast<std::int64_t>(seq_.query_start + row) * args_.num_heads + kv_head_ * group_ +
                    flat % group_) *
                    args_.kv.head_dim;
#pragma unroll
            for (int p = 0; p < HD / 32; ++p) {
                const int d = p * 32 + t_ * 8;
                float4 a{0, 0, 0, 0};
                float4 b{0, 0, 0, 0};
                if (row < seq_.num_rows && d < args_.kv.head_dim) {
                    a = *reinterpret_cast<const float4*>(line + d);
                    b = *reinterpret_cast<const float4*>(line + d + 4);
                }
                query_[n][p] = {pack_half2(a.x, a.y), pack_half2(a.z, a.w), pack_half2(b.x, b.y), pack_half2(b.z, b.w)};
            }
        }
    }
    /// Asks for the block of unit `unit`, one fetch before seek() needs it.
    __device__ __forceinline__ void look_up(const int* blocks, int unit) {
        ahead_ = blocks[unit * 16 / args_.kv.block_tokens];
    }
    /// Chooses the keys [16 unit, 16 unit + 16), whose block was looked up, for the next fetches; then looks `after` up.
    __device__ __forceinline__ void seek(int unit, int after) {
        const int key = unit * 16;
        next_key_ = key;
        next_row_ = kv_row(args_.kv, ahead_, 0, kv_head_, key % args_.kv.block_tokens);
        if (after >= 0)
            look_up(seq_.blocks, after);
    }
    /// Brings the chosen keys and values to L2: most of a unit may be there before its newest key is written.
    __device__ __forceinline__ void prefetch() const {
        constexpr int kElement = T == KvType::f16 || T == KvType::bf16 ? 2 : 1;
        const int bytes = 16 * args_.kv.head_dim * kElement;
        const auto* keys = static_cast<const unsigned char*>(args_.kv.data) + next_row_ * args_.kv.head_dim * kElement;
        const std::int64_t values =
            static_cast<std::int64_t>(args_.kv.num_kv_heads) * args_.kv.block_tokens * args_.kv.head_dim * kElement;
        for (int at = (g_ * 4 + t_) * 128; at < bytes; at += 32 * 128) {
            asm volatile("prefetch.global.L2 [%0];" ::"l"(keys + at));
            asm volatile("prefetch.global.L2 [%0];" ::"l"(keys + values + at));
        }
    }
    __device__ __forceinline__ void fetch_keys() {
        const int dim = args_.kv.head_dim;
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int p = 0; p < HD / 32; ++p)
                k_[n][p] = p * 32 + t_ * 8 < dim
                    ? load8<T>(args_.kv.data, (next_row_ + n * 8 + g_) * dim + p * 32 + t_ * 8)
                    : uint4{0, 0, 0, 0};
            if constexpr (T == KvType::int8)
                k_scale_[n] = args_.kv.token_scales[next_row_ + n * 8 + g_];
        }
    }
    __device__ __forceinline__ void fetch_values() {
        const int dim = args_.kv.head_dim;
        const std::int64_t first = next_row_ + args_.kv.num_kv_heads * args_.kv.block_tokens;
#pragma unroll
        for (int r = 0; r < 4; ++r) { // keys 2t, 2t + 1, 2t + 8, 2t + 9; stale slots may hold NaN
            const int at = t_ * 2 + r / 2 * 8 + r % 2;
#pragma unroll
            for (int q = 0; q < HD / 64; ++q)
                v_[q][r] = q * 64 + g_ * 8 < dim && next_key_ + at < seq_.context
                    ? load8<T>(args_.kv.data, (first + at) * dim + q * 64 + g_ * 8)
                    : uint4{0, 0, 0, 0};
        }
        if constexpr (T == KvType::int8) {
            v_scale_[0] = args_.kv.token_scales[first + g_];
            v_scale_[1] = args_.kv.token_scales[first + 8 + g_];
        }
    }
    /// The unit that was fetched; `next`, if not negative, is fetched meanwhile, and `after` looked up.
    __device__ __forceinline__ void step(int next, int after) {
        const int key = next_key_;
        float score[kTiles][4] = {};
#pragma unroll
        for (int p = 0; p < HD / 32; ++p) {
            const uint32_t low[4] = {k_[0][p].x, k_[1][p].x, k_[0][p].y, k_[1][p].y};
            const uint32_t high[4] = {k_[0][p].z, k_[1][p].z, k_[0][p].w, k_[1][p].w};
#pragma unroll
            for (int n = 0; n < kTiles; ++n) {
                mma(score[n], low, query_[n][p].x, query_[n][p].y);
                mma(score[n], high, query_[n][p].z, query_[n][p].w);
            }
        }
        if constexpr (T == KvType::int8) {
#pragma unroll
            for (int n = 0; n < kTiles; ++n) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    score[n][i] *= k_scale_[i / 2];
            }
        }
        if (next >= 0) {
            seek(next, after);
            fetch_keys();
        }
        uint32_t weights[kTiles][2];
#pragma unroll
        for (int n = 0; n < kTiles; ++n)
            soften(score[n], key, n, weights[n]);
#pragma unroll
        for (int q = 0; q < HD / 64; ++q) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const uint32_t a[4] = {__byte_perm(pick(v_[q][0], j), pick(v_[q][1], j), 0x5410),
                    __byte_perm(pick(v_[q][0], j), pick(v_[q][1], j), 0x7632),
                    __byte_perm(pick(v_[q][2], j), pick(v_[q][3], j), 0x5410),
                    __byte_perm(pick(v_[q][2], j), pick(v_[q][3], j), 0x7632)};
#pragma unroll
                for (int n = 0; n < kTiles; ++n)
                    mma(out_[n][q * 4 + j], a, weights[n][0], weights[n][1]);
            }
        }
        if (next >= 0)
            fetch_values();
    }
    /// merge: [column][HD], maxima: [column], totals: [column] of this warp.
    __device__ __forceinline__ void put(float* merge, float* maxima, float* totals) {
#pragma unroll
        for (int n = 0; n < kTiles; ++n) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int column = n * 8 + t_ * 2 + e;
                float total = total_[n][e];
#pragma unroll
                for (int step = 4; step < 32; step *= 2)
                    total += __shfl_xor_sync(0xFFFFFFFFU, total, step);
                if (g_ == 0) {
                    maxima[column] = largest_[n][e];
                    totals[column] = total;
                }
#pragma unroll
                for (int i = 0; i < HD / 16; ++i)
                    *reinterpret_cast<float2*>(merge + column * (HD + 8) + i / 4 * 64 + g_ * 8 + i % 4 * 2) = {
                        out_[n][i][e], out_[n][i][2 + e]};
            }
        }
    }

private:
    /// Online softmax over a unit; `weights` becomes the B fragment of probabilities.  A column's numbers depend on nothing
    /// outside it.
    __device__ __forceinline__ void soften(float (&score)[4], int key, int n, uint32_t (&weights)[2]) {
        float p[4];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const KeyRange range = keys_[n][e];
            const auto visible = [&](int at) { return at >= range.begin && at < range.end; };
            p[e] = visible(key + g_) ? soft_score(args_, score[e], factor_) : -INFINITY;
            p[2 + e] = visible(key + g_ + 8) ? soft_score(args_, score[2 + e], factor_) : -INFINITY;
            soften_column(p[e], p[2 + e], t_, e, largest_[n][e], total_[n][e], out_[n]);
        }
        if constexpr (T == KvType::int8) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                p[i] = p[i] > 0 ? p[i] * v_scale_[i / 2] : 0; // the scale of a stale slot may be NaN
        }
        weights[0] = transpose(pack_half2(p[0], p[1]));
        weights[1] = transpose(pack_half2(p[2], p[3]));
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_, first_flat_, group_, g_, t_;
    float factor_ = 0;
    KeyRange keys_[kTiles][2]; // of columns 2t, 2t + 1
    float largest_[kTiles][2], total_[kTiles][2];
    int next_key_ = 0;
    int ahead_ = 0; // block of the unit after
    std::int64_t next_row_ = 0;
    uint4 query_[kTiles][HD / 32];
    uint4 k_[2][HD / 32];
    uint4 v_[HD / 64][4];
    float k_scale_[2], v_scale_[2];
    float out_[kTiles][HD / 16][4]; // dimensions i / 4 * 64 + 8 g + 2 (i % 4), + 1
};

/// Grid: (block of the cluster, kv head x tile of queries, sequence).
template <KvType T, int HD, int kTiles>
__global__ void __launch_bounds__(kDecodeWarps * 32,
    HD > 128         ? 1
        : kTiles > 1 ? 2
                     : 3) decode_attention(const __grid_constant__ AttentionArgs args) {
    constexpr int kColumns = kTiles * 8;
    extern __shared__ __align__(16) unsigned char memory[];
    auto* warps = reinterpret_cast<Partial<HD, kColumns>*>(memory);
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
    auto& gathered = *reinterpret_cast<Gathered<HD, kColumns>*>(warps + kDecodeWarps);
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
    const int end = (seq.context + 15) / 16;
    QueryColumns<T, HD, kTiles> columns(args, seq, kv_head, first_flat);
    // Unit u belongs to warp u mod stride, whatever the window.
    const int own = rank * kDecodeWarps + warp;
    int unit = begin + (own - begin % stride + stride) % stride;
    const bool early = unit * 16 + 16 <= seq.context - seq.num_rows;
    const auto below_end = [&](int u) { return u < end ? u : -1; };
    const auto fetch = [&] {
        columns.fetch_keys();
        columns.fetch_values();
    };
    if (unit < end) {
        columns.look_up(seq.blocks, unit);
        columns.seek(unit, below_end(unit + stride));
        if (early)
            fetch();
        else
            columns.prefetch();
    }
    touch_all(args);
    pdl_wait();
    // Before the queries: these are worked on as soon as they are there, and both should be under way together.
    if (unit < end && !early)
        fetch();
    columns.load_queries();
    for (; unit < end; unit += stride)
        columns.step(below_end(unit + stride), below_end(unit + 2 * stride));
    columns.put(&warps[warp].values[0][0], warps[warp].maxima, warps[warp].totals);
    __syncthreads();
    finish_columns(args, seq, kv_head, first_flat, warps, gathered, rank);
}

template <KvType T, int HD, int kTiles>
cudaError_t run(const AttentionArgs& args, cudaStream_t stream) {
    const auto kernel = decode_attention<T, HD, kTiles>;
    constexpr int kShared = sizeof(Partial<HD, kTiles * 8>) * kDecodeWarps + sizeof(Gathered<HD, kTiles * 8>);
    static const cudaError_t configured = [kernel] {
        const cudaError_t status = raise_shared_limit(kernel, kShared);
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        (void)cudaGetLastError(); // GPUs without clusters refuse; they are not asked for
        return status;
    }();
    if (configured != cudaSuccess)
        return configured;
    const int tiles = (args.max_flat + kTiles * 8 - 1) / (kTiles * 8);
    return launch_cluster(kernel, dim3(args.cluster, args.kv.num_kv_heads * tiles, args.num_seqs),
        dim3(kDecodeWarps * 32), args.cluster, kShared, stream, args);
}

} // namespace

bool decode_attention_feeds_int8(const AttentionArgs& args) noexcept {
    const int dim = args.kv.head_dim;
    const int group = args.num_heads / args.kv.num_kv_heads;
    const bool whole_heads = dim == 64 || dim == 128 || dim == 256; // what with_head_dim() pads nothing of
    return whole_heads && args.cluster > 0 && 8 % group == 0 && group * dim % (32 * args.cluster) == 0;
}

cudaError_t launch_decode_attention(const AttentionArgs& args, cudaStream_t stream) {
    return with_kv(args.kv.type, [&](auto type) {
        return with_head_dim(args.kv.head_dim, [&](auto dim) {
            return args.max_flat <= 8 ? run<type(), dim(), 1>(args, stream) : run<type(), dim(), 2>(args, stream);
        });
    });
}

} // namespace vitrine::kernels
