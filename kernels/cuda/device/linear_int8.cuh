// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of one to eight tokens with int8 activations.  A block has two teams of eight warps;
// the warps of a team own the eight slices of K of a tile, and each brings its chunks through a ring of bulk copies of its own.
// Where the activations of all slices are too large for an SM, a cluster of blocks shares the slices.  A row has the same bits
// alone and with others.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/cuda/device/int8_sums.cuh"
#include "kernels/cuda/device/linear_small.cuh"

namespace vitrine::kernels {

/// Byte offsets in a block's shared memory, and where tiles lie.
struct Int8Layout {
    int halves, chunks, teams; // of the block: activations as f16 and as int8, then its teams' memory
    int full, reduce, ring, total; // of a team
    int early; // chunks of a warp that are loaded before the wait
    int cluster_log2;
    int num_chunks; // of a tile
    int split_tile; // the first tile in the second format
    int end_tile[kMaxSegments]; // of the op, members in order
    const std::uint8_t* base[kMaxSegments]; // of tile 0 of the op, were it in this member
};
inline constexpr int kRowScalesAt = 64; // behind the slices' barriers
inline constexpr int kBlockHead = 128;
/// Of a thread.  Several rows: leaves an SM's registers for a block of the attention that follows.
template <int kCols>
inline constexpr int kInt8Registers = kCols == 1 ? 128 : 96;

/// What a warp brings, tile after tile, whatever their format.
template <class A, class B, int kStages>
class ChunkRing {
public:
    static constexpr int kBytesA = tile_info(A::kFormat).chunk_bytes;
    static constexpr int kBytesB = tile_info(B::kFormat).chunk_bytes;
    static constexpr int kStageBytes = kBytesA > kBytesB ? kBytesA : kBytesB;

    /// Chunks [begin, begin + count) of each tile.
    __device__ __forceinline__ ChunkRing(const LinearArgs& args, const Int8Layout& layout, const TeamPlace& at,
        int begin, int count, unsigned char* ring, uint64_t* full)
        : args_(args), layout_(layout), at_(at), ring_(ring), full_(full), begin_(begin), count_(count) {}
    /// Loads of the first `early` chunks; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start(int early) {
        if (at_.lane == 0) {
#pragma unroll 1
            for (int stage = 0; stage < kStages; ++stage)
                barrier_init(full_ + stage, 1);
            barrier_init_fence();
        }
        tile_ = count_ > 0 ? at_.tile(0, at_.sub, at_.team) : args_.total_tiles;
#pragma unroll 1
        for (int stage = 0; stage < early; ++stage)
            load(stage);
    }
    /// The loads of start() that are left.
    __device__ __forceinline__ void fill(int early) {
#pragma unroll 1
        for (int stage = early; stage < kStages; ++stage)
            load(stage);
    }
    /// The next chunk, once it is there.
    __device__ __forceinline__ const uint8_t* wait() const {
        barrier_wait(full_ + stage_, parity_);
        return ring_ + stage_ * kStageBytes;
    }
    /// All lanes have what they need of it.
    __device__ __forceinline__ void release() {
        __syncwarp();
        load(stage_);
        if (++stage_ == kStages) {
            stage_ = 0;
            parity_ ^= 1;
        }
    }

private:
    __device__ __forceinline__ void load(int stage) {
        if (tile_ >= args_.total_tiles)
            return;
        if (at_.lane == 0) {
            const int segment = tile_ < layout_.end_tile[0] ? 0 : tile_ < layout_.end_tile[1] ? 1 : 2;
            const int bytes = tile_ < layout_.split_tile ? kBytesA : kBytesB;
            const int chunk = tile_ * layout_.num_chunks + begin_ + next_;
            barrier_expect(full_ + stage, static_cast<uint32_t>(bytes));
            bulk_copy(ring_ + stage * kStageBytes, layout_.base[segment] + static_cast<std::int64_t>(chunk) * bytes,
                static_cast<uint32_t>(bytes), full_ + stage);
        }
        if (++next_ == count_) {
            next_ = 0;
            tile_ += at_.step;
        }
    }

    const LinearArgs& args_;
    const Int8Layout& layout_;
    const TeamPlace& at_;
    unsigned char* ring_;
    uint64_t* full_;
    int begin_, count_; // chunks of the slice
    int tile_ = 0, next_ = 0; // of the next load
    int stage_ = 0;
    uint32_t parity_ = 0;
};

/// One row: its activations of a slice, by the warps of both teams that own the slice.
template <bool kMins, bool kHalves>
class SingleActivations {
public:
    __device__ __forceinline__ SingleActivations(const LinearArgs& args, const Int8Layout& layout, const TeamPlace& at,
        unsigned char* memory, int begin, int count)
        : args_(args), at_(at) {
        chunks_ = reinterpret_cast<Int8Chunk*>(memory + layout.chunks) + begin;
        skipped_ = at.team * ((count + 1) / 2);
        begin_ = begin + skipped_;
        count_ = at.team == 0 ? (count + 1) / 2 : count / 2;
        halves_ = reinterpret_cast<uint16_t*>(memory + layout.halves) + begin_ * 256;
    }
    __device__ __forceinline__ void request() const { request_single(args_, halves_, begin_, count_, at_.lane); }
    __device__ __forceinline__ void settle() const {
        stage_single<kMins, kHalves>(args_, halves_, chunks_ + skipped_, begin_, count_, at_.lane);
        asm volatile("bar.sync %0, %1;" ::"r"(1 + at_.warp), "n"(kTeams * 32) : "memory");
    }
    /// This lane's share of a tile's product, in acc[0] and acc[2]; the sum over t is the product.
    template <class F>
    __device__ __forceinline__ void multiply(const uint8_t* chunk, int index, float (&acc)[4]) const {
        F::add_single(chunk, chunks_[index], at_.lane, acc[0], acc[2]);
    }
    __device__ __forceinline__ static void combine(float (&acc)[4]) {
        for (int i = 0; i < 4; i += 2) {
            acc[i] += __shfl_xor_sync(0xFFFFFFFFU, acc[i], 1);
            acc[i] += __shfl_xor_sync(0xFFFFFFFFU, acc[i], 2);
        }
    }

private:
    const LinearArgs& args_;
    const TeamPlace& at_;
    Int8Chunk* chunks_; // of the slice
    uint16_t* halves_; // of this warp's part
    int skipped_, begin_, count_; // this warp's part
};

/// Several rows: a slice comes by one bulk copy.
class RowsActivations {
public:
    __device__ __forceinline__ RowsActivations(const LinearArgs& args, const Int8Layout& layout, const TeamPlace& at,
        unsigned char* memory, int begin, int count)
        : args_(args), at_(at), begin_(begin), count_(count) {
        const int slices = kSlices >> layout.cluster_log2;
        const int first = slice_begin(args.padded_dim, args.unit, at.rank * slices) / 256; // of the block
        stride_ = args.place.stride();
        chunks_ = memory + layout.chunks + (begin - first) * stride_;
        arrived_ = reinterpret_cast<uint64_t*>(memory) + (at.slice & (slices - 1));
        asks_ = at.team == 0 && at.sub == 0 && count > 0;
    }
    __device__ __forceinline__ void request() const {
        if (!asks_ || at_.lane != 0)
            return;
        const auto bytes = static_cast<uint32_t>(count_ * stride_);
        barrier_expect(arrived_, bytes);
        bulk_copy(chunks_, args_.bytes + static_cast<std::int64_t>(begin_) * stride_, bytes, arrived_);
    }
    __device__ __forceinline__ void settle() const {
        if (count_ > 0)
            barrier_wait(arrived_, 0);
        if (at_.cluster > 1)
            __syncthreads(); // sums that come from other blocks do not order this one's row scales
    }
    template <class F>
    __device__ __forceinline__ void multiply(const uint8_t* chunk, int index, float (&acc)[4][4]) const {
        F::add_rows(chunk, rows_at(chunks_ + index * stride_, args_.place), at_.lane, acc);
    }
    __device__ __forceinline__ static void combine(float (&acc)[4][4]) {
        for (int i = 0; i < 4; ++i)
            acc[0][i] = (acc[0][i] + acc[1][i]) + (acc[2][i] + acc[3][i]);
    }

private:
    const LinearArgs& args_;
    const TeamPlace& at_;
    int begin_, count_, stride_;
    unsigned char* chunks_; // of the slice
    uint64_t* arrived_;
    bool asks_;
};

template <class A, class B, EpilogueKind kKind, int kCols, int kStages>
__global__ void __maxnreg__(kInt8Registers<kCols>)
    int8_linear(const __grid_constant__ LinearArgs args, const __grid_constant__ Int8Layout layout) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(1024) unsigned char memory[];
    constexpr bool kSingle = kCols == 1;
    constexpr bool kMixed = !std::is_same_v<A, B>;
    using Ring = ChunkRing<A, B, kStages>;
    using Activations =
        std::conditional_t<kSingle, SingleActivations<A::kMins || B::kMins, A::kHalves || B::kHalves>, RowsActivations>;
    pdl_trigger();
    const TeamPlace at = team_place(kSingle ? 0 : layout.cluster_log2);
    unsigned char* own = memory + layout.teams + at.team * layout.total;
    const int begin = slice_begin(args.padded_dim, args.unit, at.slice) / 256;
    const int count = slice_begin(args.padded_dim, args.unit, at.slice + 1) / 256 - begin;
    Ring ring(args, layout, at, begin, count, own + layout.ring + at.warp * kStages * Ring::kStageBytes,
        reinterpret_cast<uint64_t*>(own + layout.full) + at.warp * kStages);
    TeamSums<kCols, kKind> sums(args, at, memory + layout.teams, layout.total, layout.reduce);
    sums.fetch_step();
    ring.start(layout.early);
    for (int i = 0; threadIdx.x == 0 && i < kSlices; ++i)
        barrier_init(reinterpret_cast<uint64_t*>(memory) + i, 1);
    if (threadIdx.x % kSmallThreads == 0)
        sums.init(); // and the fence
    __syncthreads();
    if (at.cluster > 1) {
        cluster_arrive();
        cluster_wait();
    }
    const Activations x(args, layout, at, memory, begin, count);
    auto* row_scales = reinterpret_cast<float*>(memory + kRowScalesAt);
    touch_all(args);
    touch_all(layout);
    sums.template fetch_first<true>();
    pdl_wait();
    x.request();
    ring.fill(layout.early);
    sums.template fetch_first<false>();
    // Of one row not warp 0, which has the first epilogue.
    const int column = kSingle ? kSmallWarps - 1 - at.warp : at.warp;
    const bool normed = at.team == 0 && column < args.num_columns && args.squares != nullptr;
    NormParts norm;
    if (normed)
        norm.load(args.squares + static_cast<std::int64_t>(column) * args.squares_stride, args.in_dim, at.lane);
    if (at.team == 0 && column < args.num_columns) {
        const float scale = normed ? norm.scale(args.in_dim, args.eps) : 1.0F;
        if (at.lane == 0)
            row_scales[column] = scale;
    }
    x.settle();
    for (int round = 0;; ++round) {
        const int tile = at.tile(round, at.sub, at.team);
        if (tile < args.total_tiles) {
            std::conditional_t<kSingle, float[4], float[4][4]> acc = {};
            const bool second = kMixed && tile >= layout.split_tile;
#pragma unroll 1
            for (int i = 0; i < count; ++i) {
                const uint8_t* chunk = ring.wait();
                if (!second)
                    x.template multiply<A>(chunk, i, acc);
                else
                    x.template multiply<B>(chunk, i, acc);
                ring.release();
            }
            Activations::combine(acc);
            if constexpr (kSingle)
                sums.put(acc, round);
            else
                sums.put(acc[0], round);
        }
        if (round > 0)
            sums.finish(round - 1, row_scales);
        if (at.tile(round, 0, 0) >= args.total_tiles)
            break;
    }
#endif
}

/// Where the tiles of an op are; A: the first members' format.
template <class A>
void place_tiles(const LinearArgs& args, Int8Layout& layout) {
    layout.num_chunks = args.padded_dim / 256;
    int tiles = 0;
    for (int s = 0; s < args.num_segments; ++s) {
        const TileMatrix& matrix = args.segment[s];
        layout.base[s] =
            matrix.tiles - static_cast<std::int64_t>(tiles) * layout.num_chunks * tile_info(matrix.format).chunk_bytes;
        tiles += matrix.num_tiles;
        layout.end_tile[s] = tiles;
        if (matrix.format == A::kFormat)
            layout.split_tile = tiles;
    }
}

template <class A, class B, EpilogueKind kKind, int kCols>
cudaError_t launch_int8(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    using S = SmallShape<kCols>;
    constexpr int kStages = 2;
    const auto kernel = int8_linear<A, B, kKind, kCols, kStages>;
    static const cudaError_t configured = raise_shared_limit(kernel, 227 * 1024);
    if (configured != cudaSuccess)
        return configured;
    const auto aligned = [](int bytes) { return (bytes + 127) / 128 * 128; };
    Int8Layout layout{};
    place_tiles<A>(args, layout);
    layout.full = 2 * S::kSlots * 8; // behind the barriers of the sums
    layout.reduce = aligned(layout.full + kSmallWarps * kStages * 8);
    layout.ring = aligned(layout.reduce + S::kSlots * kSlices * S::kSliceFloats * 4);
    layout.total = aligned(layout.ring + kSmallWarps * kStages * ChunkRing<A, B, kStages>::kStageBytes);
    layout.halves = kBlockHead;
    layout.chunks = kBlockHead + (kCols == 1 ? args.padded_dim * 2 : 0);
    const int stride = kCols == 1 ? static_cast<int>(sizeof(Int8Chunk)) : args.place.stride();
    // The whole of an op before the wait; else not so much that the activations come late.
    const bool whole =
        args.total_tiles <= limits.num_sms * kTeams && (layout.num_chunks + kSlices - 1) / kSlices <= kStages;
    layout.early = kCols > 1 || whole ? kStages : 1;
    for (int log2 = 0; 1 << log2 <= (kCols == 1 ? 1 : std::min(limits.max_cluster, kSlices)); ++log2) {
        const int chunks = (layout.num_chunks * (kSlices >> log2) + kSlices - 1) / kSlices; // of a block, at most
        layout.teams = aligned(layout.chunks + chunks * stride);
        layout.cluster_log2 = log2;
        // Were there room for a second block on an SM, they would spread unevenly.
        const int alone = limits.sm_bytes / 2 - 1024 + 16;
        const int shared = std::max(layout.teams + kTeams * layout.total, alone);
        if (shared > limits.block_bytes)
            continue;
        const int tiles = kTeams << log2; // of a cluster at once
        const int clusters = std::min((args.total_tiles + tiles - 1) / tiles, std::max(limits.num_sms >> log2, 1));
        return launch_cluster(
            kernel, dim3(clusters << log2), dim3(kTeams * kSmallThreads), 1 << log2, shared, stream, args, layout);
    }
    return cudaErrorInvalidValue;
}

template <class A, class B>
cudaError_t launch_int8(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    return with_kind(args.epilogue.kind, [&](auto kind) {
        return args.num_columns == 1 ? launch_int8<A, B, kind(), 1>(args, limits, stream)
                                     : launch_int8<A, B, kind(), 8>(args, limits, stream);
    });
}

} // namespace vitrine::kernels
