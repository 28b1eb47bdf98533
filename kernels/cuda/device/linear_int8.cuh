// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of one token with int8 activations.  Eight warps own the eight slices of K; each brings
// its chunks through a ring of bulk copies of its own.  The slices' sums meet as in linear_small.cuh.
#pragma once

#include <cstdlib>
#include <type_traits>

#include "kernels/cuda/device/int8_columns.cuh"
#include "kernels/cuda/device/linear_small.cuh"

#ifdef VT_STAMPS
namespace vitrine::kernels {
unsigned long long* stamp_slot(const LinearArgs& args, int blocks, const char* name);
__device__ __forceinline__ unsigned long long global_time() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
} // namespace vitrine::kernels
#define VT_STAMP_FIELD unsigned long long* stamps;
#define VT_STAMP(layout, i) if (threadIdx.x == 0) (layout).stamps[blockIdx.x * 8 + i] = global_time();
#else
#define VT_STAMP_FIELD
#define VT_STAMP(layout, i)
#endif

namespace vitrine::kernels {

/// Byte offsets in a team's shared memory, from its barriers on, and where tiles lie.
struct Int8Layout {
    SmallLayout sums; // row_scales and reduce alone are set
    int halves, chunks, teams; // of the block: activations, then its teams' memory
    int full, ring, total; // of a team
    int early; // chunks of a warp that are loaded before the wait
    int split_tile; // the first tile in the second format
    VT_STAMP_FIELD
    int num_chunks; // of a tile
    int end_tile[kMaxSegments]; // of the op, members in order
    const std::uint8_t* base[kMaxSegments]; // of tile 0 of the op, were it in this member
};

/// What a warp brings, tile after tile, whatever their format.
template <class A, class B, int kStages>
class ChunkRing {
public:
    static constexpr int kBytesA = tile_info(A::kFormat).chunk_bytes;
    static constexpr int kBytesB = tile_info(B::kFormat).chunk_bytes;
    static constexpr int kStageBytes = kBytesA > kBytesB ? kBytesA : kBytesB;

    __device__ __forceinline__ ChunkRing(const LinearArgs& args, const Int8Layout& layout, const SmallPlace& at, int begin,
        int count, unsigned char* ring, uint64_t* full)
        : args_(args), layout_(layout), at_(at), ring_(ring), full_(full), begin_(begin), count_(count) {}
    /// Loads of the first `early` chunks; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start(int early) {
        if (at_.lane == 0) {
#pragma unroll 1
            for (int stage = 0; stage < kStages; ++stage)
                barrier_init(full_ + stage, 1);
            barrier_init_fence();
        }
        tile_ = count_ > 0 ? at_.first_tile : args_.total_tiles;
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
            barrier_expect(full_ + stage, static_cast<uint32_t>(bytes));
            bulk_copy(ring_ + stage * kStageBytes,
                layout_.base[segment] +
                    static_cast<std::int64_t>(tile_ * layout_.num_chunks + begin_ + next_) * bytes,
                static_cast<uint32_t>(bytes), full_ + stage);
        }
        if (++next_ == count_) {
            next_ = 0;
            tile_ += at_.step;
        }
    }

    const LinearArgs& args_;
    const Int8Layout& layout_;
    const SmallPlace& at_;
    unsigned char* ring_;
    uint64_t* full_;
    int begin_, count_; // chunks of the slice
    int tile_ = 0, next_ = 0; // of the next load
    int stage_ = 0;
    uint32_t parity_ = 0;
};

/// kTeams: of eight warps, each with tiles of its own.
template <class A, class B, EpilogueKind kKind, int kTeams, int kStages, int kRegisters>
__global__ void __launch_bounds__(kTeams * kSmallThreads) __maxnreg__(kRegisters)
    int8_linear(const __grid_constant__ LinearArgs args, const __grid_constant__ Int8Layout layout) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(1024) unsigned char memory[];
    constexpr bool kMixed = !std::is_same_v<A, B>;
    using Ring = ChunkRing<A, B, kStages>;
    pdl_trigger();
    VT_STAMP(layout, 0)
    const int warp = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0);
    SmallPlace at;
    at.lane = static_cast<int>(threadIdx.x) % 32;
    at.warp = at.slice = at.local_slice = warp % kSmallWarps;
    at.cluster = 1;
    at.rank = at.sub = 0;
    at.slices = kSlices;
    at.first_tile = static_cast<int>(blockIdx.x) * kTeams + warp / kSmallWarps;
    at.step = static_cast<int>(gridDim.x) * kTeams;
    const int team = warp / kSmallWarps;
    unsigned char* own = memory + layout.teams + team * layout.total;
    const int begin = slice_begin(args.padded_dim, args.unit, at.slice) / 256;
    const int count = slice_begin(args.padded_dim, args.unit, at.slice + 1) / 256 - begin;
    Ring ring(args, layout, at, begin, count, own + layout.ring + at.warp * kStages * Ring::kStageBytes,
        reinterpret_cast<uint64_t*>(own + layout.full) + at.warp * kStages);
    ring.start(layout.early);
    SliceSums<1, static_cast<int>(kKind)> sums(args, at, own, layout.sums);
    if (threadIdx.x % kSmallThreads == 0)
        sums.init();
    __syncthreads();
    auto* chunks = reinterpret_cast<Int8Chunk*>(memory + layout.chunks) + begin;
    auto* row_scales = reinterpret_cast<float*>(own + layout.sums.row_scales);
    // The teams share the work of a slice's activations.
    const int skipped = team * ((count + 1) / 2);
    const int staged = kTeams == 1 ? count : team == 0 ? (count + 1) / 2 : count / 2;
    auto* halves = reinterpret_cast<uint16_t*>(memory + layout.halves) + (begin + skipped) * 256;
    touch_arguments<kKind>(args);
    sums.template fetch_first<true>();
    pdl_wait();
    VT_STAMP(layout, 1)
    request_single(args, halves, begin + skipped, staged, at.lane);
    ring.fill(layout.early);
    sums.template fetch_first<false>();
    NormParts norm;
    constexpr int kNormWarp = kSmallWarps - 1; // warp 0 has the first epilogue
    const bool normed = at.warp == kNormWarp && args.squares != nullptr;
    if (normed)
        norm.load(args.squares, args.in_dim, at.lane);
    stage_single<A::kMins || B::kMins, A::kHalves || B::kHalves>(
        args, halves, chunks + skipped, begin + skipped, staged, at.lane);
    if constexpr (kTeams > 1)
        asm volatile("bar.sync %0, %1;" ::"r"(1 + at.warp), "n"(kTeams * 32) : "memory");
    if (at.warp == kNormWarp) {
        const float scale = normed ? norm.scale(args.in_dim, args.eps) : 1.0F;
        if (at.lane == 0)
            row_scales[0] = scale;
        __syncwarp();
    }
    VT_STAMP(layout, 2)
    for (int round = 0;; ++round) {
        const int tile = at.first_tile + round * at.step;
        if (tile < args.total_tiles) {
            float low = 0;
            float high = 0;
            const bool second = kMixed && tile >= layout.split_tile;
#pragma unroll 1
            for (int i = 0; i < count; ++i) {
                const uint8_t* chunk = ring.wait();
                if (!second)
                    A::add_single(chunk, chunks[i], at.lane, low, high);
                else
                    B::add_single(chunk, chunks[i], at.lane, low, high);
                ring.release();
            }
            low += __shfl_xor_sync(0xFFFFFFFFU, low, 1);
            high += __shfl_xor_sync(0xFFFFFFFFU, high, 1);
            low += __shfl_xor_sync(0xFFFFFFFFU, low, 2);
            high += __shfl_xor_sync(0xFFFFFFFFU, high, 2);
            const float acc[4] = {low, 0, high, 0};
            sums.put(acc, round, {1, 1});
            if (round == 0) { VT_STAMP(layout, 3) }
            VT_STAMP(layout, 4)
        }
        if (round > 0)
            sums.finish(round - 1, row_scales);
        if (tile >= args.total_tiles)
            break;
    }
    VT_STAMP(layout, 5)
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

template <class A, class B, EpilogueKind kKind, int kTeams, int kStages, int kRegisters>
cudaError_t launch_int8_as(const LinearArgs& args, const SmallLimits& limits, int blocks_per_sm, cudaStream_t stream) {
    using S = SmallShape<1>;
    const auto kernel = int8_linear<A, B, kKind, kTeams, kStages, kRegisters>;
    static const cudaError_t configured = raise_shared_limit(kernel, 227 * 1024);
    if (configured != cudaSuccess)
        return configured;
    const auto aligned = [](int bytes) { return (bytes + 127) / 128 * 128; };
    Int8Layout layout{};
    place_tiles<A>(args, layout);
    layout.full = 2 * S::kSlots * 8; // behind the barriers of the sums
    layout.sums.row_scales = layout.full + kSmallWarps * kStages * 8;
    layout.sums.reduce = layout.sums.row_scales + 16;
    layout.ring = aligned(layout.sums.reduce + S::kSlots * kSlices * S::kSliceFloats * 4);
    layout.total = aligned(layout.ring + kSmallWarps * kStages * ChunkRing<A, B, kStages>::kStageBytes);
    layout.chunks = layout.halves + args.padded_dim * 2;
    layout.teams = aligned(layout.chunks + layout.num_chunks * static_cast<int>(sizeof(Int8Chunk)));
    const int least = limits.sm_bytes / (blocks_per_sm + 1) - 1024 + 16; // no more on an SM
    const int shared = layout.teams + kTeams * layout.total > least ? layout.teams + kTeams * layout.total : least;
    if (shared > limits.block_bytes)
        return cudaErrorInvalidValue;
#ifdef VT_STAMPS
    layout.stamps = stamp_slot(args, 1024, "single");
#endif
    static const int early = std::getenv("VT_EARLY") == nullptr ? 0 : std::atoi(std::getenv("VT_EARLY"));
    // The whole of an op before the wait; else not so much that the activations come late.
    const bool whole = args.total_tiles <= limits.num_sms * 2 && (layout.num_chunks + kSlices - 1) / kSlices <= kStages;
    layout.early = early > 0 ? (early < kStages ? early : kStages) : whole ? kStages : 1;
    const int teams = limits.num_sms * 2 < args.total_tiles ? limits.num_sms * 2 : args.total_tiles;
    return launch(kernel, dim3((teams + kTeams - 1) / kTeams), dim3(kTeams * kSmallThreads), shared, stream, args, layout);
}

template <class A, class B, EpilogueKind kKind>
cudaError_t launch_int8_kind(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    static const int config = [] {
        const char* text = std::getenv("VT_INT8");
        return text == nullptr ? 0 : std::atoi(text);
    }();
    constexpr bool kSmall = std::is_same_v<A, Int8Q4K> && std::is_same_v<B, Int8Q4K>;
    switch (config) {
    case 1:
        return launch_int8_as<A, B, kKind, 1, kSmall ? 3 : 2, 128>(args, limits, 2, stream);
    case 2:
        return launch_int8_as<A, B, kKind, 2, 2, 128>(args, limits, 1, stream);
    case 3:
        return launch_int8_as<A, B, kKind, 2, 3, 128>(args, limits, 1, stream);
    case 4:
        return args.padded_dim > 8192 ? launch_int8_as<A, B, kKind, 2, 2, 128>(args, limits, 1, stream)
                                      : launch_int8_as<A, B, kKind, 1, 2, 128>(args, limits, 2, stream);
    default:
        return launch_int8_as<A, B, kKind, 1, 2, 128>(args, limits, 2, stream);
    }
}

template <class A, class B>
cudaError_t launch_int8(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    return with_kind(
        args.epilogue.kind, [&](auto kind) { return launch_int8_kind<A, B, kind()>(args, limits, stream); });
}

} // namespace vitrine::kernels
