// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: parts of chain.cu: how the blocks of the cluster divide the work and their shared memory, how
// results travel between them, and how weights come.
#pragma once

#include "kernels/cuda/chain_launch.h"
#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

inline constexpr int kChainWarps = 12;
inline constexpr int kChainThreads = kChainWarps * 32;
/// Chunks that a warp multiplies at once: two groups each, a column of an mma for each group.
inline constexpr int kChainDepth = 3;

enum ChainOp : int { kQkv, kOut, kGateUp, kDown, kChainOps };
/// What blocks send each other, in the order of a layer.
enum ChainExchange : int { kHeads, kPartials, kMixed, kResidual, kGated, kNext, kExchanges };

/// The first of `count` things that is block `part`'s of `parts`.
__host__ __device__ constexpr int chain_share(int count, int part, int parts) {
    return count * part / parts;
}
/// Whose thing `index` is then.
__host__ __device__ constexpr int chain_owner(int count, int index, int parts) {
    return (parts * (index + 1) - 1) / count;
}
__host__ __device__ constexpr int chain_most(int count, int parts) {
    return (count + parts - 1) / parts;
}

/// What a warp does of an op.
struct alignas(16) ChainTask {
    int first, count; // tiles [first, first + count) are this block's
    int chunks; // of a tile
    int slices; // of K; divides kChainWarps
    int begin, depth; // its slice: chunks [begin, begin + depth)
    int tile, stride; // of the block's tiles: `tile`, `tile` + `stride` and so on
    int image, tiles, sums; // offsets: the activations of the slice, the chunks of the first tile's slice, its sums
    int squares; // of the op's norm, or of any
};

struct ChainShape {
    int dim, ff_dim, num_heads, num_kv_heads, head_dim, num_layers;
    int chunk_weights, chunk_bytes;
    __host__ __device__ int query_dim() const { return num_heads * head_dim; }
    __host__ __device__ int kv_dim() const { return num_kv_heads * head_dim; }
    __host__ __device__ int group() const { return num_heads / num_kv_heads; }
    __host__ __device__ int tiles(int op) const {
        return op == kQkv   ? (query_dim() + 2 * kv_dim()) / kTileRows
            : op == kGateUp ? ff_dim / (kTileRows / 2)
                            : dim / kTileRows;
    }
    __host__ __device__ int chunks(int op) const {
        return (op == kOut ? query_dim() : op == kDown ? ff_dim : dim) / chunk_weights;
    }
    __host__ __device__ int most_tiles(int op) const { return chain_most(tiles(op), kChainBlocks); }
    /// In how many slices K is divided: so that the warps have the least to do one after the other.  0: it is too deep.
    __host__ __device__ int slices(int op) const {
        int best = 0;
        int least = 0;
        for (int s = 1; s <= kChainWarps; ++s) {
            if (kChainWarps % s != 0 || chain_most(chunks(op), s) > kChainDepth)
                continue;
            const int turns = chain_most(most_tiles(op) * s, kChainWarps) * chain_most(chunks(op), s);
            if (best == 0 || turns < least) {
                best = s;
                least = turns;
            }
        }
        return best;
    }
};

/// The blocks that share a KV head: [first, first + count), this one is number `own`; and its quads: fours of the head's outputs.
struct ChainTeam {
    int head, first, count, own;
    int quads, first_quad, num_quads;
    __host__ __device__ ChainTeam(const ChainShape& s, int rank) {
        head = chain_owner(kChainBlocks, rank, s.num_kv_heads);
        first = first_of(s, head);
        count = first_of(s, head + 1) - first;
        own = rank - first;
        quads = s.group() * s.head_dim / 4;
        first_quad = chain_share(quads, own, count);
        num_quads = chain_share(quads, own + 1, count) - first_quad;
    }
    __host__ __device__ static int first_of(const ChainShape& s, int head) {
        return chain_share(kChainBlocks, head, s.num_kv_heads);
    }
};

/// Byte offsets in a block's shared memory.
struct ChainLayout {
    int tasks, layers; // tables: [op][warp], [layer]
    int start; // f32: x as it came
    int image[kChainOps]; // f16: what an op reads
    int squares[2]; // sums of the squares of x before the attention and before gate and up
    int heads; // f16: queries, keys, values of the token
    int residual, mixed, gated; // f32: this block's own outputs
    int staged; // f16: a warp's outputs on their way: [warp][16]
    int gathered, stats; // partial attentions of the team: [block][quad], [block][query head] maximum and sum
    int sums; // [tile][slice][16]
    int partial, partial_stats; // of the warps: [warp][column][head_dim + 8], [warp][column]
    int angles; // rope of the token
    int weights[kChainOps]; // the block's tiles of a layer
    int team_quads; // at most
    int total;
};
inline constexpr int kChainHead = 128; // barriers: of the exchanges, then of the weights

inline ChainLayout chain_layout(const ChainShape& s) {
    ChainLayout at{};
    int end = kChainHead;
    const auto take = [&end](int bytes) {
        const int begin = end;
        end += (bytes + 15) / 16 * 16;
        return begin;
    };
    at.tasks = take(kChainOps * kChainWarps * static_cast<int>(sizeof(ChainTask)));
    at.layers = take(s.num_layers * static_cast<int>(sizeof(ChainLayer)));
    at.start = take(s.dim * 4);
    for (int op = 0; op < kChainOps; ++op)
        at.image[op] = take(s.chunks(op) * s.chunk_weights * 2);
    for (int& squares : at.squares)
        squares = take(s.dim / kTileRows * 4);
    at.heads = take((s.query_dim() + 2 * s.kv_dim()) * 2);
    at.staged = take(kChainWarps * kTileRows * 2);
    at.residual = take(s.most_tiles(kOut) * kTileRows * 4);
    at.gated = take(s.most_tiles(kGateUp) * kTileRows / 2 * 4);
    const int team = kChainBlocks / s.num_kv_heads; // blocks, at least
    at.team_quads = chain_most(s.group() * s.head_dim / 4, team);
    at.mixed = take(at.team_quads * 16);
    at.gathered = take((team + 1) * at.team_quads * 16);
    at.stats = take((team + 1) * s.group() * 8);
    int most = 0;
    for (int op = 0; op < kChainOps; ++op) {
        const int count = s.most_tiles(op) * s.slices(op);
        most = count > most ? count : most;
    }
    at.sums = take(most * kTileRows * 4);
    at.partial = take(kChainWarps * s.group() * (s.head_dim + 8) * 4);
    at.partial_stats = take(kChainWarps * s.group() * 8);
    at.angles = take(s.head_dim / 2 * 8);
    end = (end + 127) / 128 * 128;
    for (int op = 0; op < kChainOps; ++op)
        at.weights[op] = take(s.most_tiles(op) * s.chunks(op) * s.chunk_bytes);
    at.total = end;
    return at;
}

/// Barriers and memory of the blocks: what is stored is counted in bytes where it arrives.
class ChainLinks {
public:
    __device__ __forceinline__ ChainLinks(unsigned char* memory)
        : memory_(memory), barriers_(reinterpret_cast<uint64_t*>(memory)) {}
    /// One thread, before the blocks meet.
    __device__ __forceinline__ void init() const {
        for (int i = 0; i < kExchanges + kChainOps; ++i)
            barrier_init(barriers_ + i, 1);
        barrier_init_fence();
    }
    /// One thread, once for each time: how much will come.
    __device__ __forceinline__ void expect(ChainExchange what, uint32_t bytes) const {
        barrier_expect(barriers_ + what, bytes);
    }
    /// `turn`: how often it was complete before.
    __device__ __forceinline__ void wait(ChainExchange what, int turn) const {
        barrier_wait(barriers_ + what, static_cast<uint32_t>(turn & 1));
    }
    [[nodiscard]] __device__ __forceinline__ uint64_t* weights(int op) const { return barriers_ + kExchanges + op; }

    /// The memory of a block, as send() takes it.
    [[nodiscard]] __device__ __forceinline__ uint32_t block(int rank) const {
        return cluster_address(memory_, static_cast<uint32_t>(rank));
    }
    __device__ __forceinline__ void send(ChainExchange what, uint32_t block, int offset, uint4 value) const {
#if __CUDA_ARCH__ >= 900
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                         block + static_cast<uint32_t>(offset)),
                     "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(block + what * 8U)
                     : "memory");
#endif
    }
    __device__ __forceinline__ void send(ChainExchange what, uint32_t block, int offset, float2 value) const {
        store_counted(block + static_cast<uint32_t>(offset), value, block + what * 8U);
    }
    __device__ __forceinline__ void send(ChainExchange what, uint32_t block, int offset, float value) const {
        store_counted(block + static_cast<uint32_t>(offset), value, block + what * 8U);
    }

private:
    unsigned char* memory_;
    uint64_t* barriers_;
};

/// Three lanes of a warp: ask for the block's tiles of an op, those of queries, keys and values from three places; its memory is free.
__device__ __forceinline__ void chain_fetch(const ChainShape& shape, const ChainTask& task, const ChainLayer& layer,
    int op, unsigned char* target, uint64_t* barrier) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int tile_bytes = task.chunks * shape.chunk_bytes;
    if (lane == 0)
        barrier_expect(barrier, static_cast<uint32_t>(task.count * tile_bytes));
    __syncwarp();
    const uint8_t* source = op == kOut ? layer.o : op == kGateUp ? layer.gate_up : layer.down;
    int begin = 0;
    int tiles = lane == 0 ? shape.tiles(op) : 0;
    if (op == kQkv) {
        const int query_tiles = shape.query_dim() / kTileRows;
        const int kv_tiles = shape.kv_dim() / kTileRows;
        source = lane == 0 ? layer.q : lane == 1 ? layer.k : layer.v;
        begin = lane == 0 ? 0 : lane == 1 ? query_tiles : query_tiles + kv_tiles;
        tiles = lane == 0 ? query_tiles : lane < 3 ? kv_tiles : 0;
    }
    const int from = max(task.first, begin);
    const int until = min(task.first + task.count, begin + tiles);
    if (from < until)
        bulk_copy(target + (from - task.first) * tile_bytes,
            source + static_cast<std::int64_t>(from - begin) * tile_bytes,
            static_cast<uint32_t>((until - from) * tile_bytes), barrier);
}

} // namespace vitrine::kernels
