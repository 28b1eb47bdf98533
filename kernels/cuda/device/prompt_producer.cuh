// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what a block of attention_prompt.cu does at a time, its shared memory, and the warps that fill it.
#pragma once

#include <cuda.h>

#include "kernels/cuda/device/attention.cuh"
#include "kernels/cuda/device/hopper.cuh"
#include "kernels/cuda/device/kv_bytes.cuh"

namespace vitrine::kernels {

inline constexpr int kPromptKeys = 128; // of a tile
inline constexpr int kPromptStages = 2;
inline constexpr int kPromptGroups = 2; // warpgroups with queries
inline constexpr int kPromptRows = kQueryTile / kPromptGroups;
inline constexpr int kPromptThreads = (1 + kPromptGroups) * 128;
inline constexpr int kPromptRowBytes = 128; // of 64 dimensions: what is swizzled together
static_assert(kPromptRows == 64);

/// What a block does at a time.
struct PromptItem {
    int head; // of the keys; -1: there is nothing more to do
    int first; // flattened query
    int begin, end; // keys that any of its queries sees
    int sequence, query_start, num_rows;
    int past; // tokens of the sequence before its queries
    __device__ __forceinline__ int last_tile() const { return (end - 1) / kPromptKeys; }
    __device__ __forceinline__ int num_tiles() const { return last_tile() - begin / kPromptKeys + 1; }
};
/// The `turn`-th of this block.  Items come longest first; odd turns go backwards, so that all blocks have about the same.
__device__ __forceinline__ PromptItem prompt_item(const AttentionArgs& args, int turn) {
    const int blocks = static_cast<int>(gridDim.x);
    const int block = static_cast<int>(blockIdx.x);
    const int index = turn * blocks + (turn % 2 == 0 ? block : blocks - 1 - block);
    PromptItem item;
    item.head = -1;
    if (index >= args.num_tiles * args.kv.num_kv_heads)
        return item;
    const int2 tile = args.tiles[index / args.kv.num_kv_heads];
    const Sequence seq = sequence_of(args, tile.x);
    const int group = args.num_heads / args.kv.num_kv_heads;
    item.head = index % args.kv.num_kv_heads;
    item.first = tile.y;
    item.sequence = tile.x;
    item.query_start = seq.query_start;
    item.num_rows = seq.num_rows;
    item.past = seq.context - seq.num_rows;
    item.end = item.past + min((tile.y + kQueryTile - 1) / group, seq.num_rows - 1) + 1;
    item.begin = args.window > 0 ? max(0, item.past + tile.y / group + 1 - args.window) : 0;
    return item;
}

template <int HD>
struct PromptMemory {
    static constexpr int kParts = HD / 64;
    static constexpr int kTileBytes = kParts * kPromptKeys * kPromptRowBytes;
    unsigned char keys[kPromptStages][kTileBytes]; // [part][token][128 B]
    unsigned char values[kPromptStages][kTileBytes];
    unsigned char queries[kParts * kQueryTile * kPromptRowBytes]; // [part][query][128 B]
    float staged[kQueryTile * HD]; // the next item's queries
    PromptItem item; // that item
    uint64_t keys_full[kPromptStages], keys_empty[kPromptStages], values_full[kPromptStages],
        values_empty[kPromptStages];
    uint64_t staged_full, staged_empty; // also of `item`
};

#ifdef VITRINE_HOPPER
/// `writers`: warps that store tiles, or one that expects copies.
template <int HD>
__device__ __forceinline__ void init_barriers(PromptMemory<HD>& memory, int writers) {
    for (int i = 0; i < kPromptStages; ++i) {
        barrier_init(&memory.keys_full[i], writers);
        barrier_init(&memory.values_full[i], writers);
        barrier_init(&memory.keys_empty[i], kPromptGroups * 4); // warps
        barrier_init(&memory.values_empty[i], kPromptGroups * 4);
    }
    barrier_init(&memory.staged_full, 1);
    barrier_init(&memory.staged_empty, kPromptGroups * 4);
    barrier_init_fence();
}

/// A whole warp: the queries of an item, and what the item is.
template <int HD>
__device__ __forceinline__ void bring_queries(
    const AttentionArgs& args, PromptMemory<HD>& memory, const PromptItem& item, int turn) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    barrier_wait(&memory.staged_empty, (turn + 1) % 2);
    if (lane == 0) {
        memory.item = item;
        barrier_expect(&memory.staged_full, item.head >= 0 ? sizeof(memory.staged) : 0);
    }
    __syncwarp();
    if (item.head < 0)
        return;
    const int group = args.num_heads / args.kv.num_kv_heads;
    for (int i = lane; i < kQueryTile; i += 32) {
        const int flat = min(item.first + i, item.num_rows * group - 1);
        const std::int64_t row =
            std::int64_t{item.query_start + flat / group} * args.num_heads + item.head * group + flat % group;
        bulk_copy(memory.staged + i * HD, args.query + row * HD, HD * 4, &memory.staged_full);
    }
    __syncwarp();
}

/// f16: two warps that bring everything.
template <int HD>
class PromptProducer {
public:
    using Memory = PromptMemory<HD>;
    __device__ __forceinline__ PromptProducer(const AttentionArgs& args, Memory& memory, const CUtensorMap& map)
        : args_(args), memory_(memory), map_(&map) {
        lane_ = static_cast<int>(threadIdx.x) % 32;
        part_ = lane_ % Memory::kParts;
        first_ = lane_ / Memory::kParts * args.kv.block_tokens;
    }
    __device__ __forceinline__ void run_keys() {
        for (int turn = 0;; ++turn) {
            const PromptItem item = prompt_item(args_, turn);
            if (item.head < 0)
                return;
            const int tiles = item.num_tiles();
            int key = item.last_tile() * kPromptKeys;
            int block = look_up(item, key);
            int before = 0;
            for (int i = 0; i <= tiles; ++i, key -= kPromptKeys) { // keys of a tile, values of the one before
                const int above = before;
                before = block;
                if (i + 1 < tiles)
                    block = look_up(item, key - kPromptKeys);
                if (i < tiles)
                    bring(item, key, before, 0, count_ + i, memory_.keys, memory_.keys_full, memory_.keys_empty);
                if (i > 0)
                    bring(item, key + kPromptKeys, above, 1, count_ + i - 1, memory_.values, memory_.values_full,
                        memory_.values_empty);
            }
            count_ += tiles;
        }
    }
    __device__ __forceinline__ void run_queries() const {
        for (int turn = 0;; ++turn) {
            const PromptItem item = prompt_item(args_, turn);
            bring_queries(args_, memory_, item, turn);
            if (item.head < 0)
                return;
        }
    }

private:
    /// Whether this lane brings a box of the tile: 64 dimensions of a block of which some query sees something.
    __device__ __forceinline__ bool is_live(const PromptItem& item, int key) const {
        const int token = key + first_;
        return first_ < kPromptKeys && token < item.end && token + args_.kv.block_tokens > item.begin;
    }
    __device__ __forceinline__ int look_up(const PromptItem& item, int key) const {
        return is_live(item, key) ? args_.block_tables[std::int64_t{item.sequence} * args_.table_stride +
                                        (key + first_) / args_.kv.block_tokens]
                                  : 0;
    }
    __device__ __forceinline__ void bring(const PromptItem& item, int key, int block, int kv, int count,
        unsigned char (&tiles)[kPromptStages][Memory::kTileBytes], uint64_t (&full)[kPromptStages],
        uint64_t (&empty)[kPromptStages]) {
        const int stage = count % kPromptStages;
        barrier_wait(&empty[stage], (count / kPromptStages + 1) % 2);
        const bool live = is_live(item, key);
        const int boxes = __popc(__ballot_sync(0xFFFFFFFFU, live));
        if (lane_ == 0)
            barrier_expect(&full[stage], static_cast<uint32_t>(boxes * args_.kv.block_tokens * kPromptRowBytes));
        __syncwarp();
        if (live)
            box_copy(tiles[stage] + (part_ * kPromptKeys + first_) * kPromptRowBytes, map_, part_ * 64,
                static_cast<int>(kv_row(args_.kv, block, kv, item.head, 0)), &full[stage]);
        __syncwarp();
    }

    const AttentionArgs& args_;
    Memory& memory_;
    const CUtensorMap* map_;
    int lane_, part_;
    int first_; // token of this lane's box in a tile
    int count_ = 0; // tiles of items before
};

/// 8-bit keys and values: four warps that bring everything, tiles as f16.
template <KvType T, int HD>
class PromptDecoder {
public:
    using Memory = PromptMemory<HD>;
    __device__ __forceinline__ PromptDecoder(const AttentionArgs& args, Memory& memory)
        : args_(args), memory_(memory), thread_(static_cast<int>(threadIdx.x)) {}
    __device__ __forceinline__ void run() {
        int count = 0; // tiles of items before
        for (int turn = 0;; ++turn) {
            const PromptItem item = prompt_item(args_, turn);
            if (thread_ < 32)
                bring_queries(args_, memory_, item, turn);
            if (item.head < 0)
                return;
            const int tiles = item.num_tiles();
            int key = item.last_tile() * kPromptKeys;
            for (int i = 0; i <= tiles; ++i, key -= kPromptKeys) { // keys of a tile, values of the one before
                if (i < tiles)
                    bring(item, key, 0, count + i, memory_.keys, memory_.keys_full, memory_.keys_empty);
                if (i > 0)
                    bring(item, key + kPromptKeys, 1, count + i - 1, memory_.values, memory_.values_full,
                        memory_.values_empty);
            }
            count += tiles;
        }
    }

private:
    static constexpr int kChunks = HD / 16; // of 16 B of a row
    static constexpr int kUnits = kPromptKeys * kChunks / 128; // of a thread
    __device__ __forceinline__ int row_of(int i) const { return (i * 128 + thread_) / kChunks; }

    /// What no query sees is zero: in stale slots there may be anything.
    __device__ __forceinline__ void bring(const PromptItem& item, int key, int kv, int count,
        unsigned char (&tiles)[kPromptStages][Memory::kTileBytes], uint64_t (&full)[kPromptStages],
        uint64_t (&empty)[kPromptStages]) const {
        const int chunk = thread_ % kChunks;
        const int* blocks = args_.block_tables + std::int64_t{item.sequence} * args_.table_stride;
        uint4 bytes[kUnits];
        float scale[kUnits];
#pragma unroll
        for (int i = 0; i < kUnits; ++i) {
            const int token = key + row_of(i);
            bytes[i] = uint4{};
            scale[i] = 0;
            if (token < item.begin || token >= item.end)
                continue;
            const int block = __ldg(blocks + (token >> shift_));
            const std::int64_t row = kv_row(args_.kv, block, kv, item.head, token & (args_.kv.block_tokens - 1));
            bytes[i] =
                *reinterpret_cast<const uint4*>(static_cast<const uchar*>(args_.kv.data) + row * HD + chunk * 16);
            if constexpr (T == KvType::int8)
                scale[i] = args_.kv.token_scales[row];
        }
        const int stage = count % kPromptStages;
        barrier_wait(&empty[stage], (count / kPromptStages + 1) % 2);
#pragma unroll
        for (int i = 0; i < kUnits; ++i) {
            const int row = row_of(i);
            unsigned char* line = tiles[stage] + (chunk / 4 * kPromptKeys + row) * kPromptRowBytes;
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const uint2 part = half == 0 ? uint2{bytes[i].x, bytes[i].y} : uint2{bytes[i].z, bytes[i].w};
                uint4 values = load8<T>(&part, 0);
                if constexpr (T == KvType::int8)
                    values = times(values, scale[i]);
                *reinterpret_cast<uint4*>(line + (((chunk % 4 * 2 + half) ^ row) % 8) * 16) = values;
            }
        }
        async_proxy_fence();
        __syncwarp();
        if (thread_ % 32 == 0)
            barrier_arrive(&full[stage]);
    }

    const AttentionArgs& args_;
    Memory& memory_;
    int thread_;
    int shift_ = __ffs(args_.kv.block_tokens) - 1;
};
#endif // VITRINE_HOPPER

} // namespace vitrine::kernels
