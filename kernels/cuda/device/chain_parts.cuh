// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: parts of chain.cu: how the blocks of the cluster divide the work and their shared memory, how
// results travel between them, and how weights come.
#pragma once

#include "kernels/cuda/chain_launch.h"
#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

inline constexpr int kChainWarps = 16;
inline constexpr int kChainThreads = kChainWarps * 32;
inline constexpr int kChainStages = 6; // of a warp's ring, at most
inline constexpr int kChainTiles = 16; // of one op in a block, at most

enum ChainOp : int { kQkv, kOut, kGateUp, kDown, kChainOps };
/// What blocks send each other, in the order of a layer.
enum ChainExchange : int { kHeads, kPartials, kMixed, kResidual, kGated, kNext, kExchanges };

/// Tiles [first, first + count) of an op are this block's.
struct ChainShare {
    int first, count;
    int chunks; // of a tile
    int tiles; // of all blocks
};
__host__ __device__ constexpr int chain_first_tile(int tiles, int block) {
    return tiles * block / kChainBlocks;
}

/// Byte offsets in a block's shared memory.
struct ChainLayout {
    int shares, layers, flags, grow; // tables
    int image[2], squares[2]; // f16 fragments of x before the attention and before gate and up, and the sums of their squares
    int mixed_image, gated_image; // f16 fragments
    int heads; // f16: queries, keys, values of the token
    int residual, mixed, gated; // f32: this block's own outputs
    int gathered, stats; // partial attentions of the blocks: [block][own dims], [block][query head] maximum and sum
    int sums; // [tile][slice][16]
    int partial, partial_stats; // of the warps: [warp][column][head_dim + 8], [warp][column]
    int turns; // rope of the token
    int ring, stage_bytes, stages, total;
};
struct ChainShape {
    int dim, ff_dim, num_heads, num_kv_heads, head_dim, num_layers;
    int chunk_weights, chunk_bytes;
    __host__ __device__ int query_dim() const { return num_heads * head_dim; }
    __host__ __device__ int kv_dim() const { return num_kv_heads * head_dim; }
    __host__ __device__ int group() const { return num_heads / num_kv_heads; }
    __host__ __device__ int own_dims() const { return query_dim() / kChainBlocks; } // of the attention's output
    __host__ __device__ int tiles(int op) const {
        return op == kQkv ? (query_dim() + 2 * kv_dim()) / kTileRows
            : op == kGateUp ? ff_dim / (kTileRows / 2)
                            : dim / kTileRows;
    }
    __host__ __device__ int depth(int op) const { return op == kOut ? query_dim() : op == kDown ? ff_dim : dim; }
    __host__ __device__ int chunks(int op) const { return depth(op) / chunk_weights; }
    __host__ __device__ int most_tiles(int op) const { return (tiles(op) + kChainBlocks - 1) / kChainBlocks; }
};
inline constexpr int kChainHead = 1024; // barriers: of the exchanges, then of the rings

inline ChainLayout chain_layout(const ChainShape& s, int block_bytes) {
    ChainLayout at{};
    int end = kChainHead;
    const auto take = [&end](int bytes) {
        const int begin = end;
        end += (bytes + 15) / 16 * 16;
        return begin;
    };
    at.shares = take(kChainOps * static_cast<int>(sizeof(ChainShare)));
    at.layers = take(s.num_layers * static_cast<int>(sizeof(ChainLayer)));
    at.flags = take(kChainOps * kSlices);
    at.grow = take(kSlices * 4);
    for (int i = 0; i < 2; ++i) {
        at.image[i] = take(s.dim * 2);
        at.squares[i] = take(s.dim / kTileRows * 4);
    }
    at.mixed_image = take(s.query_dim() * 2);
    at.gated_image = take(s.ff_dim * 2);
    at.heads = take((s.query_dim() + 2 * s.kv_dim()) * 2);
    at.residual = take(s.most_tiles(kOut) * kTileRows * 4);
    at.mixed = take(s.own_dims() * 4);
    at.gated = take(s.most_tiles(kGateUp) * kTileRows / 2 * 4);
    at.gathered = take(kChainBlocks * s.own_dims() * 4);
    at.stats = take(kChainBlocks * s.num_heads * 8);
    int most = 0;
    for (int op = 0; op < kChainOps; ++op)
        most = s.most_tiles(op) > most ? s.most_tiles(op) : most;
    at.sums = take(most * kSlices * kTileRows * 4);
    at.partial = take(kChainWarps * s.group() * (s.head_dim + 8) * 4);
    at.partial_stats = take(kChainWarps * s.group() * 8);
    at.turns = take(s.head_dim / 2 * 8);
    int chunks = 0;
    for (int op = 0; op < kChainOps; ++op)
        chunks = s.chunks(op) > chunks ? s.chunks(op) : chunks;
    at.stage_bytes = (chunks + kSlices - 1) / kSlices * s.chunk_bytes;
    end = (end + 127) / 128 * 128;
    at.ring = end;
    at.stages = (block_bytes - end) / (kChainWarps * at.stage_bytes);
    at.stages = at.stages > kChainStages ? kChainStages : at.stages;
    at.total = end + kChainWarps * at.stages * at.stage_bytes;
    return at;
}

/// Barriers and memory of the blocks: eight bytes to each of them, counted where they arrive.
class ChainLinks {
public:
    __device__ __forceinline__ ChainLinks(unsigned char* memory) : memory_(memory) {
        barriers_ = reinterpret_cast<uint64_t*>(memory);
    }
    /// One thread, before the blocks meet.
    __device__ __forceinline__ void init() const {
        for (int i = 0; i < kExchanges; ++i)
            barrier_init(barriers_ + i, 1);
        barrier_init_fence();
    }
    /// One thread, once for each time: how much will come.
    __device__ __forceinline__ void expect(ChainExchange what, uint32_t bytes) const {
        barrier_expect(barriers_ + what, bytes);
    }
    __device__ __forceinline__ void wait(ChainExchange what, int layer) const {
        barrier_wait(barriers_ + what, static_cast<uint32_t>(layer & 1));
    }
    __device__ __forceinline__ void send(ChainExchange what, int offset, int block, uint2 value) const {
        const auto rank = static_cast<uint32_t>(block);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(
                         cluster_address(memory_ + offset, rank)),
                     "r"(value.x), "r"(value.y), "r"(cluster_address(barriers_ + what, rank))
                     : "memory");
    }
    __device__ __forceinline__ void send(ChainExchange what, int offset, int block, float value) const {
        const auto rank = static_cast<uint32_t>(block);
        store_counted(cluster_address(memory_ + offset, rank), value, cluster_address(barriers_ + what, rank));
    }

private:
    unsigned char* memory_;
    uint64_t* barriers_;
};

/// The products of a warp: of each op, step i: its slice of tile 2 i + half of the block's.  The slices turn from step to step,
/// because they are not all of one length.
struct ChainTurn {
    int half, seat;
    __device__ __forceinline__ explicit ChainTurn(int warp) : half(warp / kSlices), seat(warp % kSlices) {}
    __device__ __forceinline__ int tile(int step) const { return 2 * step + half; }
    __device__ __forceinline__ int slice(int step) const { return (seat - step) & (kSlices - 1); }
};
__device__ __forceinline__ int chain_slice(int chunks, int slice) {
    return chunks * slice / kSlices;
}

/// Where weights are.
struct ChainPlaces {
    const ChainShare* shares;
    const ChainLayer* layers;
    int chunk_bytes, q_tiles, k_tiles;

    __device__ __forceinline__ ChainPlaces(unsigned char* memory, const ChainLayout& at, const ChainShape& shape)
        : chunk_bytes(shape.chunk_bytes), q_tiles(shape.query_dim() / kTileRows), k_tiles(shape.kv_dim() / kTileRows) {
        shares = reinterpret_cast<const ChainShare*>(memory + at.shares);
        layers = reinterpret_cast<const ChainLayer*>(memory + at.layers);
    }
    /// First byte of a slice of tile `tile` of an op.
    __device__ __forceinline__ const uint8_t* of(int layer, int op, int tile, int slice) const {
        const ChainLayer& l = layers[layer];
        const uint8_t* base = op == kOut ? l.o : op == kGateUp ? l.gate_up : op == kDown ? l.down : l.q;
        if (op == kQkv && tile >= q_tiles) {
            tile -= q_tiles;
            base = l.k;
            if (tile >= k_tiles) {
                tile -= k_tiles;
                base = l.v;
            }
        }
        const int chunks = shares[op].chunks;
        return base + static_cast<std::int64_t>(tile * chunks + chain_slice(chunks, slice)) * chunk_bytes;
    }
};

/// Slices of tiles, layer after layer, a ring's length ahead of the products.
class ChainRing {
public:
    __device__ __forceinline__ ChainRing(
        unsigned char* memory, const ChainLayout& at, const ChainShape& shape, int warp)
        : places_(memory, at, shape), turn_(warp), num_layers_(shape.num_layers), stages_(at.stages),
          stage_bytes_(at.stage_bytes) {
        ring_ = memory + at.ring + warp * at.stages * at.stage_bytes;
        full_ = reinterpret_cast<uint64_t*>(memory) + kExchanges + warp * kChainStages;
        lane_ = static_cast<int>(threadIdx.x) % 32;
    }
    __device__ __forceinline__ void init() const {
        if (lane_ != 0)
            return;
        for (int i = 0; i < stages_; ++i)
            barrier_init(full_ + i, 1);
        barrier_init_fence();
    }
    /// Once the tables are there.
    __device__ __forceinline__ void start() {
        settle();
        for (int i = 0; i < stages_; ++i)
            load(i);
    }
    __device__ __forceinline__ const uint8_t* wait() const {
        barrier_wait(full_ + stage_, parity_);
        return ring_ + stage_ * stage_bytes_;
    }
    /// All lanes have what they need of it.
    __device__ __forceinline__ void release() {
        __syncwarp();
        load(stage_);
        if (++stage_ == stages_) {
            stage_ = 0;
            parity_ ^= 1;
        }
    }

private:
    __device__ __forceinline__ int count() const {
        const int chunks = places_.shares[op_].chunks;
        const int slice = turn_.slice(step_);
        return chain_slice(chunks, slice + 1) - chain_slice(chunks, slice);
    }
    /// To the next step that has a product, from this one on.
    __device__ __forceinline__ void settle() {
        while (layer_ < num_layers_) {
            if (turn_.tile(step_) >= places_.shares[op_].count) {
                step_ = 0;
                if (++op_ == kChainOps) {
                    op_ = 0;
                    ++layer_;
                }
            } else if (count() == 0) {
                ++step_;
            } else {
                return;
            }
        }
    }
    __device__ __forceinline__ void load(int stage) {
        if (layer_ >= num_layers_)
            return;
        if (lane_ == 0) {
            const auto bytes = static_cast<uint32_t>(count() * places_.chunk_bytes);
            barrier_expect(full_ + stage, bytes);
            bulk_copy(ring_ + stage * stage_bytes_,
                places_.of(layer_, op_, places_.shares[op_].first + turn_.tile(step_), turn_.slice(step_)), bytes, full_ + stage);
        }
        ++step_;
        settle();
    }

    ChainPlaces places_;
    ChainTurn turn_;
    int num_layers_, stages_, stage_bytes_, lane_;
    unsigned char* ring_;
    uint64_t* full_;
    int layer_ = 0, op_ = 0, step_ = 0; // of the next load
    int stage_ = 0;
    uint32_t parity_ = 0;
};

} // namespace vitrine::kernels
