// SPDX-License-Identifier: GPL-3.0-or-later
// Paged causal attention of sequences with many queries on Hopper, after FlashAttention-3 (Shah et al., 2024): resident blocks
// take tiles of 128 flattened (row, head of the group) queries of one KV head in turns.  One warp brings keys and values, 128
// tokens at a time and the last first, by a tensor map, or four warps make f16 of 8-bit ones; two warpgroups have 64 queries
// each.  While one makes its products the other has its softmax, and the products of a tile's values run beside those of the
// next tile's keys.  Scores and sums f32, probabilities f16.
#include "kernels/cuda/device/prompt_producer.cuh"
#include "kernels/cuda/prompt_launch.h"

namespace vitrine::kernels {
namespace {

#ifdef VITRINE_HOPPER
__device__ __forceinline__ void named_sync(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ void named_arrive(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
// Barriers with numbers: 0 is __syncthreads().
constexpr int kTurnBarrier = 1; // and 2: whose products come next
constexpr int kZeroBarrier = 3;
constexpr int kQueryBarrier = 4; // and 5

/// A warpgroup with 64 queries: the first or second half of each item.
template <KvType T, int HD>
class PromptConsumer {
public:
    using Memory = PromptMemory<HD>;
    __device__ __forceinline__ PromptConsumer(const AttentionArgs& args, Memory& memory)
        : args_(args), memory_(memory) {
        const int thread = static_cast<int>(threadIdx.x) - 128;
        group_ = thread / 128;
        thread_ = thread % 128;
        query_group_ = args.num_heads / args.kv.num_kv_heads;
        queries_ = wgmma_descriptor(shared_address(memory.queries) + group_ * kPromptRows * kPromptRowBytes);
        keys_ = wgmma_descriptor(shared_address(memory.keys[0]));
        values_ = wgmma_rows_descriptor(shared_address(memory.values[0]), kPromptKeys * kPromptRowBytes);
    }
    __device__ __forceinline__ void run() {
        if (group_ == 1)
            named_arrive(kTurnBarrier, kPromptGroups * 128); // the first group's turn
        for (int turn = 0;; ++turn) {
            barrier_wait(&memory_.staged_full, turn % 2);
            const PromptItem item = memory_.item;
            if (item.head < 0)
                break;
            take_queries();
            begin(item);
            const int tiles = item.num_tiles();
            int key = item.last_tile() * kPromptKeys;
            start(key);
            clear_unseen(item, key, count_);
            if (tiles > 1)
                await_keys(count_ + 1);
            for (int i = 1; i < tiles; ++i) {
                key -= kPromptKeys;
                ++count_;
                if (key >= seen_begin_ && key + kPromptKeys <= seen_end_)
                    step<false>(key, i + 1 < tiles);
                else
                    step<true>(key, i + 1 < tiles);
            }
            if (tiles > 1)
                clear_unseen(item, key, count_);
            finish();
            ++count_;
            put(item);
        }
        if (group_ == 0)
            named_sync(kTurnBarrier, kPromptGroups * 128); // what the other group arrived at last
    }

private:
    static constexpr int kSteps = HD / 16; // of the products with keys

    /// This group's queries, from f32 rows to swizzled f16 ones.
    __device__ __forceinline__ void take_queries() {
        constexpr int kChunks = HD / 8;
#pragma unroll 4
        for (int i = thread_; i < kPromptRows * kChunks; i += 128) {
            const int row = group_ * kPromptRows + i / kChunks;
            const int chunk = i % kChunks;
            const auto* from = reinterpret_cast<const float4*>(memory_.staged + row * HD + chunk * 8);
            const float4 a = from[0], b = from[1];
            auto* to = memory_.queries + (chunk / 8 * kQueryTile + row) * kPromptRowBytes + ((chunk ^ row) % 8) * 16;
            *reinterpret_cast<uint4*>(to) =
                uint4{pack_half2(a.x, a.y), pack_half2(a.z, a.w), pack_half2(b.x, b.y), pack_half2(b.z, b.w)};
        }
        async_proxy_fence();
        named_sync(kQueryBarrier + group_, 128);
        leave(&memory_.staged_empty);
    }
    __device__ __forceinline__ void begin(const PromptItem& item) {
        const int lane = thread_ % 32;
        const auto end_of = [&](int flat) { return item.past + min(flat / query_group_, item.num_rows - 1) + 1; };
        const int first = item.first + group_ * kPromptRows;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            range_end_[h] = end_of(first + thread_ / 32 * 16 + lane / 4 + h * 8);
            range_begin_[h] = args_.window > 0 ? range_end_[h] - args_.window : 0;
            largest_[h] = -INFINITY;
            total_[h] = 0;
        }
        unit_ = score_scale(args_, item.head) * kLog2E;
        seen_end_ = end_of(first); // all of the group's queries see [seen_begin_, seen_end_)
        seen_begin_ = args_.window > 0 ? end_of(first + kPromptRows - 1) - args_.window : 0;
#pragma unroll
        for (float& value : out_)
            value = 0;
    }
    __device__ __forceinline__ void leave(uint64_t* barrier) const {
        __syncwarp();
        if (thread_ % 32 == 0)
            barrier_arrive(barrier);
    }
    /// Values of tokens that nobody sees were not brought, or belong to nobody: 0 times them must be 0.
    __device__ __forceinline__ void clear_unseen(const PromptItem& item, int key, int count) const {
        if constexpr (T != KvType::f16)
            return; // zeros were brought
        const int begin = max(0, item.begin / args_.kv.block_tokens * args_.kv.block_tokens - key);
        const int end = min(kPromptKeys, item.end - key);
        if (begin == 0 && end == kPromptKeys)
            return;
        const int stage = count % kPromptStages;
        barrier_wait(&memory_.values_full[stage], count / kPromptStages % 2);
        for (int i = group_ * 128 + thread_; i < Memory::kTileBytes / 16; i += kPromptGroups * 128) {
            const int token = i / (kPromptRowBytes / 16) % kPromptKeys;
            if (token < begin || token >= end)
                *reinterpret_cast<uint4*>(memory_.values[stage] + i * 16) = uint4{};
        }
        async_proxy_fence();
        named_sync(kZeroBarrier, kPromptGroups * 128);
    }

    /// Scores of tile `count_`.
    __device__ __forceinline__ void multiply_keys() {
        const uint64_t keys = keys_ + static_cast<uint64_t>(count_ % kPromptStages * (Memory::kTileBytes / 16));
#pragma unroll
        for (int s = 0; s < kSteps; ++s)
            wgmma(score_, queries_ + static_cast<uint64_t>(s / 4 * (kQueryTile * kPromptRowBytes / 16) + s % 4 * 2),
                keys + static_cast<uint64_t>(s / 4 * (kPromptKeys * kPromptRowBytes / 16) + s % 4 * 2), s > 0);
        wgmma_commit();
    }
    __device__ __forceinline__ void multiply_values(int count) {
        const uint64_t values = values_ + static_cast<uint64_t>(count % kPromptStages * (Memory::kTileBytes / 16));
#pragma unroll
        for (int s = 0; s < kPromptKeys / 16; ++s)
            wgmma<1>(out_, weight_[s], values + static_cast<uint64_t>(s * (16 * kPromptRowBytes / 16)), true);
        wgmma_commit();
    }
    __device__ __forceinline__ void pack() {
#pragma unroll
        for (int s = 0; s < kPromptKeys / 16; ++s) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                weight_[s][i] = pack_half2(score_[s * 8 + i * 2], score_[s * 8 + i * 2 + 1]);
        }
    }
    /// The first tile of an item: nothing to run beside.
    __device__ __forceinline__ void start(int key) {
        const int stage = count_ % kPromptStages;
        await_keys(count_);
        __syncwarp();
        wgmma_fence();
        multiply_keys();
        wgmma_wait<0>();
        wgmma_settled(score_);
        leave(&memory_.keys_empty[stage]);
        float shrink[2];
        soften<true>(key, shrink);
        pack();
    }
    __device__ __forceinline__ void await_keys(int count) const {
        barrier_wait(&memory_.keys_full[count % kPromptStages], count / kPromptStages % 2);
    }
    /// Scores of tile `count_`, whose keys are there, beside the values of the one before; `more`: one comes behind it.
    template <bool kMasked>
    __device__ __forceinline__ void step(int key, bool more) {
        const int stage = count_ % kPromptStages;
        const int before = (count_ - 1) % kPromptStages;
        barrier_wait(&memory_.values_full[before], (count_ - 1) / kPromptStages % 2);
        named_sync(kTurnBarrier + group_, kPromptGroups * 128);
        wgmma_fence();
        multiply_keys();
        multiply_values(count_ - 1);
        named_arrive(kTurnBarrier + 1 - group_, kPromptGroups * 128);
        wgmma_wait<1>();
        wgmma_settled(score_);
        leave(&memory_.keys_empty[stage]);
        float shrink[2];
        soften<kMasked>(key, shrink);
        if (more) // also keeps ptxas from moving the softmax behind the products
            await_keys(count_ + 1);
        __syncwarp();
        wgmma_wait<0>();
        wgmma_settled(out_);
        leave(&memory_.values_empty[before]);
        if (__any_sync(0xFFFFFFFFU, shrink[0] != 1 || shrink[1] != 1)) {
#pragma unroll
            for (int i = 0; i < HD / 2; ++i)
                out_[i] *= shrink[i / 2 % 2];
        }
        pack();
    }
    /// The values of the last tile.
    __device__ __forceinline__ void finish() {
        const int stage = count_ % kPromptStages;
        barrier_wait(&memory_.values_full[stage], count_ / kPromptStages % 2);
        __syncwarp();
        wgmma_fence();
        multiply_values(count_);
        wgmma_wait<0>();
        wgmma_settled(out_);
        leave(&memory_.values_empty[stage]);
    }

    /// Online softmax; scores become weights, and sums before are to be multiplied by `shrink`.
    template <bool kMasked>
    __device__ __forceinline__ void soften(int key, float (&shrink)[2]) {
        if constexpr (kMasked) {
#pragma unroll
            for (int i = 0; i < kPromptKeys / 2; ++i) {
                const int at = key + i / 4 * 8 + thread_ % 4 * 2 + i % 2;
                const int h = i / 2 % 2;
                if (at < range_begin_[h] || at >= range_end_[h])
                    score_[i] = -INFINITY;
            }
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float top = -INFINITY;
#pragma unroll
            for (int i = h * 2; i < kPromptKeys / 2; i += 4)
                top = fmaxf(top, fmaxf(score_[i], score_[i + 1]));
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 1));
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, 2));
            const float next = fmaxf(largest_[h], top * unit_); // unit_ is not negative
            // Nothing visible yet: 2^-inf = 0, not NaN.
            const float base = kMasked && next == -INFINITY ? 0 : next;
            shrink[h] = power_of_two(largest_[h] - base);
            largest_[h] = next;
            float sum[2] = {0, 0}; // two chains of sums
#pragma unroll
            for (int i = h * 2; i < kPromptKeys / 2; i += 4) {
                score_[i] = power_of_two(fmaf(score_[i], unit_, -base));
                score_[i + 1] = power_of_two(fmaf(score_[i + 1], unit_, -base));
                sum[0] += score_[i];
                sum[1] += score_[i + 1];
            }
            total_[h] = fmaf(total_[h], shrink[h], sum[0] + sum[1]);
        }
    }

    __device__ __forceinline__ void put(const PromptItem& item) {
        const int lane = thread_ % 32;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 1);
            total_[h] += __shfl_xor_sync(0xFFFFFFFFU, total_[h], 2);
            const int flat = item.first + group_ * kPromptRows + thread_ / 32 * 16 + lane / 4 + h * 8;
            if (flat >= item.num_rows * query_group_)
                continue;
            const float total = with_sink(args_, item.head, query_group_, flat, total_[h], largest_[h]);
            const float inverse = total > 0 ? value_scale(args_, item.head) / total : 0;
            const int place = item.query_start + flat / query_group_;
            const int line = (item.head * query_group_ + flat % query_group_) * HD + lane % 4 * 2;
            float* to = args_.output + std::int64_t{place} * args_.num_heads * HD + line;
#pragma unroll
            for (int i = h * 2; i < HD / 2; i += 4) {
                out_[i] *= inverse;
                out_[i + 1] *= inverse;
                *reinterpret_cast<float2*>(to + i / 4 * 8) = {out_[i], out_[i + 1]};
            }
            if (args_.feed.image == nullptr)
                continue;
#pragma unroll
            for (int i = h * 2; i < HD / 2; i += 4) {
                feed_value(args_.feed, place, line + i / 4 * 8, out_[i]);
                feed_value(args_.feed, place, line + i / 4 * 8 + 1, out_[i + 1]);
            }
        }
    }

    const AttentionArgs& args_;
    Memory& memory_;
    int group_, thread_, query_group_;
    float unit_; // of a score, in powers of two
    uint64_t queries_, keys_, values_; // descriptors
    int count_ = 0; // tiles before
    int range_begin_[2], range_end_[2]; // keys of rows g, g + 8 of the warp
    int seen_begin_, seen_end_;
    float largest_[2], total_[2];
    float score_[kPromptKeys / 2];
    float out_[HD / 2];
    uint32_t weight_[kPromptKeys / 16][4];
};
#endif // VITRINE_HOPPER

template <KvType T, int HD>
__global__ void __launch_bounds__(kPromptThreads, 1)
    prompt_attention(const __grid_constant__ AttentionArgs args, const __grid_constant__ CUtensorMap map) {
#ifdef VITRINE_HOPPER
    extern __shared__ __align__(1024) unsigned char raw[];
    auto& memory = *reinterpret_cast<PromptMemory<HD>*>(raw + (1024 - shared_address(raw) % 1024) % 1024);
    pdl_trigger();
    if (threadIdx.x == 0)
        init_barriers(memory, T == KvType::f16 ? 1 : 4);
    __syncthreads();
    pdl_wait();
    constexpr int kProducerRegisters = T == KvType::f16 ? 40 : 104;
    if (threadIdx.x < 128) {
        give_registers<kProducerRegisters>();
        if constexpr (T == KvType::f16) {
            PromptProducer<HD> producer(args, memory, map);
            if (threadIdx.x < 32)
                producer.run_keys();
            else if (threadIdx.x < 64)
                producer.run_queries();
        } else {
            PromptDecoder<T, HD>(args, memory).run();
        }
    } else {
        take_registers<(504 - kProducerRegisters) / 2>(); // 168 each at the start
        PromptConsumer<T, HD>(args, memory).run();
    }
#else
    __trap(); // the host asks for it on compute capability 9.0 alone, whose code is built as sm_90a
#endif
}

/// The pool as rows of heads; boxes of one block's tokens and 64 dimensions.
cudaError_t make_map(const KvTarget& kv, int num_blocks, CUtensorMap& map) {
    using Encode = decltype(&cuTensorMapEncodeTiled);
    static Encode encode = nullptr;
    static const cudaError_t found = [] {
        void* entry = nullptr;
        cudaDriverEntryPointQueryResult result{};
        const cudaError_t status =
            cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result);
        encode = reinterpret_cast<Encode>(entry);
        return status != cudaSuccess ? status : entry == nullptr ? cudaErrorNotSupported : cudaSuccess;
    }();
    if (found != cudaSuccess)
        return found;
    const cuuint64_t rows = cuuint64_t{2} * num_blocks * kv.num_kv_heads * kv.block_tokens;
    const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(kv.head_dim), rows};
    const cuuint64_t strides[1] = {static_cast<cuuint64_t>(kv.head_dim) * 2};
    const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(kv.block_tokens)};
    const cuuint32_t steps[2] = {1, 1};
    const CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, kv.data, sizes, strides, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return made == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

template <KvType T, int HD>
cudaError_t launch_prompt(const AttentionArgs& args, const CUtensorMap& map, int num_sms, cudaStream_t stream) {
    constexpr int kShared = sizeof(PromptMemory<HD>) + 1024;
    static_assert(kShared <= 227 * 1024);
    static const cudaError_t configured = raise_shared_limit(prompt_attention<T, HD>, kShared);
    if (configured != cudaSuccess)
        return configured;
    const int items = args.num_tiles * args.kv.num_kv_heads;
    return launch(prompt_attention<T, HD>, dim3(static_cast<unsigned>(items < num_sms ? items : num_sms)),
        dim3(kPromptThreads), kShared, stream, args, map);
}

} // namespace

bool prompt_attention_supports(const AttentionArgs& args) noexcept {
    const int tokens = args.kv.block_tokens;
    return args.kv.type != KvType::bf16 && args.softcap == 0 && args.scale > 0 &&
        (args.kv.head_dim == 64 || args.kv.head_dim == 128) && tokens >= 16 && tokens <= kPromptKeys &&
        (tokens & (tokens - 1)) == 0;
}

cudaError_t launch_prompt_attention(const AttentionArgs& args, int num_blocks, int num_sms, cudaStream_t stream) {
    CUtensorMap map{}; // of f16 alone
    if (args.kv.type == KvType::f16) {
        if (const cudaError_t status = make_map(args.kv, num_blocks, map); status != cudaSuccess)
            return status;
    }
    return with_kv(args.kv.type, [&](auto type) {
        if constexpr (type() == KvType::bf16)
            return cudaErrorInvalidValue;
        else
            return args.kv.head_dim == 64 ? launch_prompt<type(), 64>(args, map, num_sms, stream)
                                          : launch_prompt<type(), 128>(args, map, num_sms, stream);
    });
}

} // namespace vitrine::kernels
