// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what a block of attention_prompt.cu does at a time, its shared memory, and the warps that fill it.
#pragma once

#include <cuda.h>

#include "kernels/cuda/device/attention.cuh"
#include "kernels/cuda/device/hopper.cuh"

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
/// Two warps that bring everything.
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
            bring_queries(item, turn);
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
    __device__ __forceinline__ void bring_queries(const PromptItem& item, int turn) const {
        barrier_wait(&memory_.staged_empty, (turn + 1) % 2);
        if (lane_ == 0) {
            memory_.item = item;
            barrier_expect(&memory_.staged_full, item.head >= 0 ? sizeof(memory_.staged) : 0);
        }
        __syncwarp();
        if (item.head < 0)
            return;
        const int group = args_.num_heads / args_.kv.num_kv_heads;
        for (int i = lane_; i < kQueryTile; i += 32) {
            const int flat = min(item.first + i, item.num_rows * group - 1);
            const std::int64_t row =
                std::int64_t{item.query_start + flat / group} * args_.num_heads + item.head * group + flat % group;
            bulk_copy(memory_.staged + i * HD, args_.query + row * HD, HD * 4, &memory_.staged_full);
        }
        __syncwarp();
    }

    const AttentionArgs& args_;
    Memory& memory_;
    const CUtensorMap* map_;
    int lane_, part_;
    int first_; // token of this lane's box in a tile
    int count_ = 0; // tiles of items before
};
#endif // VITRINE_HOPPER

} // namespace vitrine::kernels
