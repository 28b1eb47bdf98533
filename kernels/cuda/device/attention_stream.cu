// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention of many sequences with few queries each: what counts is to keep memory busy.  A block of four warps
// takes a sequence and a KV head; each warp brings its units of keys and values through a ring of asynchronous copies of its own
// and multiplies them as attention_decode.cu does: keys on the mma's side of sixteen, flattened (row, head of the group) queries
// on the side of eight.  Scores and sums f32, probabilities f16.
#include "kernels/cuda/device/attention_softmax.cuh"
#include "kernels/cuda/device/ldmatrix.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * 32;
constexpr int kColumns = 8; // flattened queries of a block
constexpr int kStages = 3;

constexpr bool is_byte(KvType type) {
    return type != KvType::f16;
}

/// Sixteen bytes, or zeros.
__device__ __forceinline__ void copy_async16_or_zero(uint32_t target, const void* source, bool live) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(live ? 16 : 0)
                 : "memory");
}
/// Bytes 0, 1 (`high`: 2, 3) of signed codes as two f16.
__device__ __forceinline__ uint32_t codes_to_half(uint32_t flipped, bool high) {
    return offset_half2(__byte_perm(flipped, kMagic, high ? 0x5352 : 0x5150), 1152);
}

/// How a warp's keys and values lie in shared memory: rows of HD elements, chunks of 16 B swizzled.
template <KvType T, int HD>
struct StreamShape {
    static constexpr int kElement = is_byte(T) ? 1 : 2;
    static constexpr int kUnits = 1; // of sixteen keys, in a stage
    static constexpr int kBlocksPerSm = is_byte(T) ? 4 : 2;
    static constexpr int kKeys = kUnits * 16;
    static constexpr int kRowBytes = HD * kElement;
    static constexpr int kChunks = kRowBytes / 16;
    static constexpr int kPartBytes = kKeys * kRowBytes; // K or V
    static constexpr int kScaleBytes = T == KvType::int8 ? kKeys * 4 : 0;
    static constexpr int kStageBytes = 2 * (kPartBytes + kScaleBytes);
    /// f16: ldmatrix reads a chunk of eight rows.  Bytes: eight lanes read four chunks of two rows (keys), or two chunks of every
    /// other row (values).
    __device__ __forceinline__ static int at(int row, int chunk) {
        const int turn = !is_byte(T) ? row & 7 : kChunks == 8 ? (row & 1) * 4 ^ (row >> 1 & 3) * 2 : 0;
        return row * kRowBytes + (chunk ^ turn) * 16;
    }
};

/// What a warp leaves of each column: sums of values, maximum, sum of weights.
template <int HD>
struct Partial {
    float values[kColumns][HD + 8];
    float maxima[kColumns];
    float totals[kColumns];
};

template <KvType T, int HD>
class StreamWarp {
public:
    using S = StreamShape<T, HD>;

    __device__ __forceinline__ StreamWarp(
        const AttentionArgs& args, const Sequence& seq, int kv_head, unsigned char* ring)
        : args_(args), seq_(seq), kv_head_(kv_head), ring_(ring) {
        lane_ = static_cast<int>(threadIdx.x) % 32;
        g_ = lane_ / 4;
        t_ = lane_ % 4;
        group_ = args.num_heads / args.kv.num_kv_heads;
#pragma unroll
        for (int e = 0; e < 2; ++e)
            keys_[e] = keys_of(args, seq, t_ * 2 + e, group_);
    }
    /// Units [begin, end) of S::kKeys keys; this warp's are `begin` + own, every kWarps.
    __device__ __forceinline__ void range(int begin, int end) {
        const int own = static_cast<int>(threadIdx.x) / 32;
        first_ = begin + (own - begin % kWarps + kWarps) % kWarps; // a unit's warp does not depend on the window
        end_ = end;
        look_up(first_);
    }
    /// Asks for the units that earlier steps wrote.
    __device__ __forceinline__ void fetch_early() {
        fetched_ = first_;
#pragma unroll
        for (int s = 0; s < kStages; ++s) {
            if (fetched_ >= end_ || fetched_ * S::kKeys + S::kKeys > seq_.context - seq_.num_rows)
                break;
            fetch();
        }
    }
    __device__ __forceinline__ void fetch_rest() {
        while (fetched_ < end_ && fetched_ < first_ + kStages * kWarps)
            fetch();
    }
    __device__ __forceinline__ void load_queries() {
        factor_ = score_scale(args_, kv_head_);
        const int row = g_ / group_;
        const float* line = args_.query +
            (static_cast<std::int64_t>(seq_.query_start + row) * args_.num_heads + kv_head_ * group_ + g_ % group_) *
                HD;
        const bool live = row < seq_.num_rows;
#pragma unroll
        for (int s = 0; s < HD / 16; ++s) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                // Bytes: a lane has sixteen dimensions in a row, four of them a step.
                const int d = is_byte(T) ? (s / 4 * 4 + t_) * 16 + s % 4 * 4 + e * 2 : s * 16 + e * 8 + t_ * 2;
                const float2 v = live ? *reinterpret_cast<const float2*>(line + d) : float2{0, 0};
                query_[s][e] = pack_half2(v.x, v.y);
            }
        }
    }
    __device__ __forceinline__ void run() {
        int stage = 0;
        for (int unit = first_; unit < end_; unit += kWarps) {
            const int behind = (fetched_ - unit) / kWarps - 1; // groups that were asked for after this one
            if (behind >= 2)
                copy_async_wait<2>();
            else if (behind == 1)
                copy_async_wait<1>();
            else
                copy_async_wait<0>();
            __syncwarp();
            const unsigned char* from = ring_ + stage * S::kStageBytes;
#pragma unroll
            for (int u = 0; u < S::kUnits; ++u)
                step(from, u, unit * S::kKeys + u * 16);
            __syncwarp();
            if (fetched_ < end_)
                fetch(); // into the stage that was just read
            stage = stage + 1 == kStages ? 0 : stage + 1;
        }
    }
    __device__ __forceinline__ void put(Partial<HD>& to) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = t_ * 2 + e;
            float total = total_[e];
#pragma unroll
            for (int step = 4; step < 32; step *= 2)
                total += __shfl_xor_sync(0xFFFFFFFFU, total, step);
            if (g_ == 0) {
                to.maxima[column] = largest_[e];
                to.totals[column] = total;
            }
#pragma unroll
            for (int i = 0; i < HD / 16; ++i) {
                // Rows g and g + 8 of product i.
                const int low = is_byte(T) ? value_dim(i, 0) : i * 16 + g_;
                const int high = is_byte(T) ? value_dim(i, 1) : i * 16 + g_ + 8;
                to.values[column][low] = out_[i][e];
                to.values[column][high] = out_[i][2 + e];
            }
        }
    }

private:
    /// Bytes: a lane has HD / 8 dimensions in a row, two of them a product.
    __device__ __forceinline__ int value_dim(int product, int second) const {
        return g_ * (HD / 8) + product * 2 + second;
    }
    /// Each lane has the block of one of the next units of sixteen keys.
    __device__ __forceinline__ void look_up(int unit) {
        looked_up_ = unit;
        const int key = (unit + lane_ / S::kUnits * kWarps) * S::kKeys + lane_ % S::kUnits * 16;
        block_ = key < seq_.context ? seq_.blocks[key / args_.kv.block_tokens] : 0;
    }
    __device__ __forceinline__ void fetch() {
        int ahead = (fetched_ - looked_up_) / kWarps;
        if (ahead * S::kUnits >= 32) {
            look_up(fetched_);
            ahead = 0;
        }
        const uint32_t stage = shared_address(ring_ + (fetched_ - first_) / kWarps % kStages * S::kStageBytes);
        const auto* data = static_cast<const unsigned char*>(args_.kv.data);
        const int part = args_.kv.num_kv_heads * args_.kv.block_tokens; // rows from keys to values
#pragma unroll
        for (int u = 0; u < S::kUnits; ++u) {
            const int key = fetched_ * S::kKeys + u * 16;
            const int block = __shfl_sync(0xFFFFFFFFU, block_, ahead * S::kUnits + u);
            const std::int64_t row = kv_row(args_.kv, block, 0, kv_head_, key % args_.kv.block_tokens);
            constexpr int kRows = 32 / S::kChunks; // of one copy instruction
            const int chunk = lane_ % S::kChunks;
#pragma unroll
            for (int i = 0; i < 16 / kRows; ++i) {
                const int r = i * kRows + lane_ / S::kChunks;
                const bool live = key + r < seq_.context; // stale slots may hold NaN
                const unsigned char* from = data + (row + r) * S::kRowBytes + chunk * 16;
                const uint32_t to = stage + S::at(u * 16 + r, chunk);
                copy_async16_or_zero(to, from, live);
                copy_async16_or_zero(to + S::kPartBytes, from + static_cast<std::int64_t>(part) * S::kRowBytes, live);
            }
            if constexpr (T == KvType::int8) {
                if (lane_ < 8) { // four lanes each: 16 scales
                    const std::int64_t line = row + (lane_ / 4) * part + lane_ % 4 * 4;
                    copy_async16_or_zero(
                        stage + 2 * S::kPartBytes + lane_ / 4 * S::kScaleBytes + u * 64 + lane_ % 4 * 16,
                        args_.kv.token_scales + line, true);
                }
            }
        }
        copy_async_commit();
        fetched_ += kWarps;
    }
    __device__ __forceinline__ void scores(const unsigned char* stage, int u, float (&score)[4]) const {
        float odd[4] = {};
        if constexpr (is_byte(T)) {
#pragma unroll
            for (int j = 0; j < HD / 64; ++j) {
                const uint4 low = *reinterpret_cast<const uint4*>(stage + S::at(u * 16 + g_, j * 4 + t_));
                const uint4 high = *reinterpret_cast<const uint4*>(stage + S::at(u * 16 + g_ + 8, j * 4 + t_));
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const uint32_t x = pick(low, i) ^ 0x80808080U;
                    const uint32_t y = pick(high, i) ^ 0x80808080U;
                    const uint32_t a[4] = {codes_to_half(x, false), codes_to_half(y, false), codes_to_half(x, true),
                        codes_to_half(y, true)};
                    mma(i % 2 == 0 ? score : odd, a, query_[j * 4 + i][0], query_[j * 4 + i][1]);
                }
            }
        } else {
            // Matrices: rows 0-7 and 8-15 of a chunk, then of the next.
            const int row = lane_ % 16;
            const int chunk = lane_ / 16;
#pragma unroll
            for (int s = 0; s < HD / 16; ++s) {
                uint32_t a[4];
                load_matrices(a, shared_address(stage + S::at(row, s * 2 + chunk)));
                mma(s % 2 == 0 ? score : odd, a, query_[s][0], query_[s][1]);
            }
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
            score[i] += odd[i];
        if constexpr (T == KvType::int8) {
            const auto* scale = reinterpret_cast<const float*>(stage + 2 * S::kPartBytes) + u * 16 + g_;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                score[i] *= scale[i / 2 * 8];
        }
    }
    __device__ __forceinline__ void step(const unsigned char* stage, int u, int key) {
        float score[4] = {};
        scores(stage, u, score);
        uint32_t weights[2];
        soften(score, key, stage, u, weights);
        const unsigned char* values = stage + S::kPartBytes;
        if constexpr (is_byte(T)) {
            uint4 v[4]; // keys 2t, 2t + 1, 2t + 8, 2t + 9
            constexpr int kWords = HD / 32; // of a lane's dimensions
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int row = u * 16 + t_ * 2 + r / 2 * 8 + r % 2;
                if constexpr (HD == 128)
                    v[r] = *reinterpret_cast<const uint4*>(values + S::at(row, g_));
                else
                    *reinterpret_cast<uint2*>(&v[r]) =
                        *reinterpret_cast<const uint2*>(values + S::at(row, g_ / 2) + g_ % 2 * 8);
            }
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                uint32_t h[4][2];
#pragma unroll
                for (int r = 0; r < 4; ++r) {
                    const uint32_t x = pick(v[r], w) ^ 0x80808080U;
                    h[r][0] = codes_to_half(x, false);
                    h[r][1] = codes_to_half(x, true);
                }
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const uint32_t a[4] = {__byte_perm(h[0][i], h[1][i], 0x5410), __byte_perm(h[0][i], h[1][i], 0x7632),
                        __byte_perm(h[2][i], h[3][i], 0x5410), __byte_perm(h[2][i], h[3][i], 0x7632)};
                    mma(out_[w * 2 + i], a, weights[0], weights[1]);
                }
            }
        } else {
            // Matrices, transposed: keys 0-7 of two chunks, then keys 8-15.
            const int row = lane_ % 8 + lane_ / 16 * 8;
            const int chunk = lane_ / 8 % 2;
#pragma unroll
            for (int i = 0; i < HD / 16; ++i) {
                uint32_t a[4];
                load_matrices_transposed(a, shared_address(values + S::at(row, i * 2 + chunk)));
                mma(out_[i], a, weights[0], weights[1]);
            }
        }
    }
    /// Online softmax over sixteen keys; `weights` becomes the B fragment of probabilities.
    __device__ __forceinline__ void soften(
        float (&score)[4], int key, const unsigned char* stage, int u, uint32_t (&weights)[2]) {
        float p[4];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const KeyRange range = keys_[e];
            const auto visible = [&](int at) { return at >= range.begin && at < range.end; };
            p[e] = visible(key + g_) ? soft_score(args_, score[e], factor_) : -INFINITY;
            p[2 + e] = visible(key + g_ + 8) ? soft_score(args_, score[2 + e], factor_) : -INFINITY;
            soften_column(p[e], p[2 + e], t_, e, largest_[e], total_[e], out_);
        }
        if constexpr (T == KvType::int8) {
            const auto* scale =
                reinterpret_cast<const float*>(stage + 2 * S::kPartBytes + S::kScaleBytes) + u * 16 + g_;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                p[i] = p[i] > 0 ? p[i] * scale[i / 2 * 8] : 0; // the scale of a stale slot may be NaN
        }
        weights[0] = transpose(pack_half2(p[0], p[1]));
        weights[1] = transpose(pack_half2(p[2], p[3]));
    }

    const AttentionArgs& args_;
    const Sequence& seq_;
    int kv_head_, group_, lane_, g_, t_;
    unsigned char* ring_;
    int first_ = 0, end_ = 0;
    int fetched_ = 0; // the next unit to ask for
    int looked_up_ = 0; // unit of lane 0's block
    int block_ = 0;
    float factor_ = 0;
    KeyRange keys_[2]; // of columns 2t, 2t + 1
    float largest_[2] = {-INFINITY, -INFINITY};
    float total_[2] = {0, 0};
    uint32_t query_[HD / 16][2];
    float out_[HD / 16][4] = {};
};

/// Grid: (kv head, sequence).
template <KvType T, int HD>
__global__ void __launch_bounds__(kThreads, StreamShape<T, HD>::kBlocksPerSm)
    stream_attention(const __grid_constant__ AttentionArgs args) {
    using S = StreamShape<T, HD>;
    extern __shared__ __align__(128) unsigned char memory[];
    pdl_trigger();
    // Step arguments and the keys of earlier steps are in place before this step's kernels start: no wait for them.
    const Sequence seq = sequence_of(args, static_cast<int>(blockIdx.y));
    const int kv_head = static_cast<int>(blockIdx.x);
    const int group = args.num_heads / args.kv.num_kv_heads;
    const int num_flat = seq.num_rows * group;
    if (num_flat > args.max_flat || num_flat == 0) {
        pdl_wait();
        return;
    }
    const int warp = static_cast<int>(threadIdx.x) / 32;
    StreamWarp<T, HD> columns(args, seq, kv_head, memory + warp * kStages * S::kStageBytes);
    const int begin = args.window > 0 ? max(0, seq.context - seq.num_rows + 1 - args.window) / S::kKeys : 0;
    columns.range(begin, (seq.context + S::kKeys - 1) / S::kKeys);
    columns.fetch_early();
    pdl_wait();
    columns.load_queries();
    columns.fetch_rest();
    columns.run();
    __syncthreads();
    auto* partials = reinterpret_cast<Partial<HD>*>(memory);
    columns.put(partials[warp]);
    __syncthreads();
    const float scale = value_scale(args, kv_head);
    const int count = num_flat;
    for (int i = static_cast<int>(threadIdx.x); i < count * HD; i += kThreads) {
        const int column = i / HD;
        float top = -INFINITY;
        float value = 0;
        float total = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w)
            top = fmaxf(top, partials[w].maxima[column]);
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
            const float weight = exp2f(partials[w].maxima[column] - (top == -INFINITY ? 0 : top));
            value = fmaf(weight, partials[w].values[column][i % HD], value);
            total = fmaf(weight, partials[w].totals[column], total);
        }
        total = with_sink(args, kv_head, group, column, total, top);
        const float output = total > 0 ? value * scale / total : 0;
        put_output(args, seq, kv_head, group, column, i % HD, output);
        if (args.feed.panel.image != nullptr)
            put_panel_output(args, seq, kv_head, group, column, i % HD, output);
    }
}

template <KvType T, int HD>
cudaError_t run(const AttentionArgs& args, cudaStream_t stream) {
    const auto kernel = stream_attention<T, HD>;
    constexpr int kRings = kWarps * kStages * StreamShape<T, HD>::kStageBytes;
    constexpr int kPartials = kWarps * static_cast<int>(sizeof(Partial<HD>));
    constexpr int kShared = kRings > kPartials ? kRings : kPartials;
    static const cudaError_t configured = raise_shared_limit(kernel, kShared);
    if (configured != cudaSuccess)
        return configured;
    return launch(kernel, dim3(args.kv.num_kv_heads, args.num_seqs), dim3(kThreads), kShared, stream, args);
}

template <KvType T>
cudaError_t run(const AttentionArgs& args, cudaStream_t stream) {
    return args.kv.head_dim == 64 ? run<T, 64>(args, stream) : run<T, 128>(args, stream);
}

} // namespace

bool stream_attention_supports(const AttentionArgs& args) noexcept {
    const bool known = args.kv.type == KvType::f16 || args.kv.type == KvType::int8 || args.kv.type == KvType::int8_head;
    return known && (args.kv.head_dim == 64 || args.kv.head_dim == 128) && args.kv.block_tokens % 16 == 0 &&
        args.decode_flat == kDecodeFlat && args.cluster == 1 && args.max_flat <= kColumns && args.feed.bytes == nullptr;
}

cudaError_t launch_stream_attention(const AttentionArgs& args, cudaStream_t stream) {
    switch (args.kv.type) {
    case KvType::f16:
        return run<KvType::f16>(args, stream);
    case KvType::int8:
        return run<KvType::int8>(args, stream);
    case KvType::int8_head:
        return run<KvType::int8_head>(args, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace vitrine::kernels
