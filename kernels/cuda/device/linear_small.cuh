// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of few tokens.  Eight warps own the eight fixed slices of K; each brings its chunks
// through a ring of its own, so no warp waits for another before a tile's sums meet.  The sums of several tiles may wait
// for their epilogue.  Where the activations of all slices are too large for two blocks on an SM, a cluster of blocks shares
// the slices, each block finishing a tile of its own (gpu_measurements.md 4, 8).
#pragma once

#include <type_traits>

#include "kernels/cuda/device/small_columns.cuh"

namespace vitrine::kernels {

/// acc += what `scale` makes of one chunk's part.
template <bool kSingle>
__device__ __forceinline__ void add_scaled(float (&acc)[4], const float (&part)[4], float low, float high) {
    acc[0] = fmaf(low, part[0], acc[0]);
    acc[2] = fmaf(high, part[2], acc[2]);
    if constexpr (!kSingle) {
        acc[1] = fmaf(low, part[1], acc[1]);
        acc[3] = fmaf(high, part[3], acc[3]);
    }
}

/// A chunk in shared memory; `group`: its first group of 32, from the block's first K on.
template <class F, int kCols>
__device__ __forceinline__ void multiply(
    const uint8_t* chunk, int group, const SmallColumns<kCols>& x, int lane, float (&acc)[4]) {
    constexpr bool kSingle = SmallShape<kCols>::kSingle;
    typename F::Regs r;
    F::template load_base<SharedSource>(r, chunk, lane);
    float part[4] = {};
    float(&target)[4] = F::kChunkScale ? part : acc;
#pragma unroll
    for (int i = 0; i < kGroupsPerChunk<F>; ++i) {
        uint32_t a[2][4];
        if (i % 2 == 0)
            F::template load_piece<SharedSource>(r, chunk, lane, i / 2);
        decode_exact<F>(r, i, a);
        const uint4 b = x.piece(group + i);
        mma(target, a[0], b.x, b.y);
        mma(target, a[1], b.z, b.w);
    }
    if constexpr (F::kChunkScale) {
        const ChunkScale scale = F::chunk_scale(r);
        add_scaled<kSingle>(acc, part, scale.low, scale.high);
        if constexpr (F::kSums) {
            uint32_t mins[4];
            F::decode_mins(r, lane, mins);
            const uint2 b = x.sum(group / 8);
            float of_mins[4] = {};
            mma(of_mins, mins, b.x, b.y);
            add_scaled<kSingle>(acc, of_mins, scale.min_low, scale.min_high);
        }
    }
}

/// What the products of a tile in `format` must be multiplied by.
__device__ __forceinline__ float exact_factor(TileFormat format) {
    const bool exact = format == TileFormat::q4k || format == TileFormat::q6k;
    return exact ? 1.0F : 1.0F / weight_factor(format);
}

/// Where the slices' sums of a tile meet: in the block of the cluster whose rank is the tile's place in its group.
template <int kCols, int kKind = kAnyKind>
class SliceSums {
public:
    using S = SmallShape<kCols>;

    __device__ __forceinline__ SliceSums(
        const LinearArgs& args, const SmallPlace& at, unsigned char* memory, const SmallLayout& layout)
        : args_(args), at_(at) {
        done_ = reinterpret_cast<uint64_t*>(memory);
        free_ = done_ + S::kSlots;
        reduce_ = reinterpret_cast<float*>(memory + layout.reduce);
    }
    /// One thread of the block.
    __device__ __forceinline__ void init() const {
        for (int i = 0; i < S::kSlots; ++i) {
            barrier_init(done_ + i, clustered() ? 1 : kSlices);
            barrier_init(free_ + i, static_cast<uint32_t>(at_.cluster));
        }
        barrier_init_fence();
        for (int i = 0; clustered() && i < S::kSlots; ++i)
            barrier_expect(done_ + i, kSumBytes);
    }
    /// What the epilogue of the block's first tile reads, as far as one pair a lane goes.  kEarly: before the wait, which
    /// only what is no other kernel's output allows: positions, slots and the rope table.
    template <bool kEarly>
    __device__ __forceinline__ void fetch_first() {
        constexpr bool kIsEarly = kKind == static_cast<int>(EpilogueKind::rope_kv);
        if constexpr (kEarly != kIsEarly)
            return;
        const int tile = at_.first_tile + at_.rank;
        if (at_.warp != 0 || at_.lane >= args_.num_columns * 8 || tile >= args_.total_tiles)
            return;
        const TilePlace place = place_of(args_, tile);
        first_ = load_pair<kKind>(args_.epilogue, args_.segment[place.segment], args_.first_segment + place.segment,
            place.tile, at_.lane % 8, args_.first_place + at_.lane / 8);
    }
    /// The sums of this warp's slice in round `round`; `scale`: of the slice, of this lane's two columns.
    __device__ __forceinline__ void put(const float (&acc)[4], int round, float2 scale) const {
        const int slot = round % S::kSlots;
        if (round >= S::kSlots)
            barrier_wait(free_ + slot, static_cast<uint32_t>((round / S::kSlots - 1) & 1));
        float* mine = reduce_ + (slot * kSlices + at_.slice) * S::kSliceFloats + at_.lane / 4 * kCols;
        // Scales of slices are powers of two: it does not matter who multiplies.
        if constexpr (S::kSingle) {
            if (at_.lane % 4 == 0) {
                mine[0] = acc[0] * scale.x;
                mine[8] = acc[2] * scale.x;
            }
        } else {
            mine += at_.lane % 4 * 2;
            const float2 low{acc[0] * scale.x, acc[1] * scale.y};
            const float2 high{acc[2] * scale.x, acc[3] * scale.y};
            if (clustered()) {
                const auto rank = static_cast<uint32_t>(at_.sub);
                const uint32_t target = cluster_address(mine, rank);
                const uint32_t barrier = cluster_address(done_ + slot, rank);
                store_counted(target, low, barrier);
                store_counted(target + 8 * kCols * 4, high, barrier);
                return;
            }
            *reinterpret_cast<float2*>(mine) = low;
            *reinterpret_cast<float2*>(mine + 8 * kCols) = high;
        }
        __syncwarp();
        if (at_.lane == 0)
            barrier_arrive(done_ + slot);
    }
    /// The epilogue of round `round`, by the warp whose turn it is.
    __device__ __forceinline__ void finish(int round, const float* row_scales) const {
        if (((at_.warp ^ round) & (kSmallWarps - 1)) != 0)
            return;
        const int tile = at_.first_tile + at_.rank + round * at_.step;
        const int slot = round % S::kSlots;
        if (tile < args_.total_tiles) {
            barrier_wait(done_ + slot, static_cast<uint32_t>((round / S::kSlots) & 1));
            finish_tile(
                args_, tile, reduce_ + slot * kSlices * S::kSliceFloats, first_, round == 0, row_scales, at_.lane);
        }
        __syncwarp();
        // Nobody waits for a slot that is not used again, and may have ended.
        if (at_.first_tile + (round + S::kSlots) * at_.step >= args_.total_tiles)
            return;
        if (!clustered()) {
            if (at_.lane == 0)
                barrier_arrive(free_ + slot);
            return;
        }
        if (at_.lane == 0)
            barrier_expect(done_ + slot, kSumBytes);
        __syncwarp();
        if (at_.lane < at_.cluster)
            barrier_arrive_cluster(cluster_address(free_ + slot, static_cast<uint32_t>(at_.lane)));
    }

private:
    static constexpr uint32_t kSumBytes = kSlices * S::kSliceFloats * 4; // of one tile
    __device__ __forceinline__ bool clustered() const { return !S::kSingle && at_.cluster > 1; }
    /// `first`: what load_pair() gives for pair `lane`, if `fetched`.
    /// Inlined: a call would read its arguments from memory, not from the constant bank, each of them a round trip.
    __device__ __forceinline__ static void finish_tile(const LinearArgs& args, int tile, const float* reduce,
        PairInput first, bool fetched, const float* row_scales, int lane) {
        const TilePlace place = place_of(args, tile);
        const TileMatrix& matrix = args.segment[place.segment];
        const int segment = args.first_segment + place.segment;
        const float factor = exact_factor(matrix.format);
        for (int pair = lane; pair < args.num_columns * 8; pair += 32) {
            const int g = pair % 8;
            const int m = pair / 8;
            if (!fetched || pair >= 32)
                first = load_pair<kKind>(args.epilogue, matrix, segment, place.tile, g, args.first_place + m);
            const float* sums = reduce + g * kCols + m;
            float low = 0;
            float high = 0;
#pragma unroll
            for (int w = 0; w < kSlices; ++w) {
                low += sums[w * S::kSliceFloats];
                high += sums[w * S::kSliceFloats + 8 * kCols];
            }
            const float scale = row_scales[m] * factor;
            finish_pair<kKind>(
                args.epilogue, matrix, segment, place.tile, g, args.first_place + m, first, low * scale, high * scale);
        }
    }

    const LinearArgs& args_;
    const SmallPlace& at_;
    uint64_t *done_, *free_;
    float* reduce_;
    PairInput first_;
};

/// The tiles of one format that this warp multiplies, one after the other, the next chunks always under way.
template <class F, int kCols>
class TileStream {
public:
    static constexpr TileInfo kInfo = tile_info(F::kFormat);
    static constexpr int kChunks = stage_chunks(F::kFormat);
    static constexpr int kStageBytes = stage_bytes(F::kFormat);

    /// Tiles below `end_tile`.
    __device__ __forceinline__ TileStream(
        const LinearArgs& args, const SmallPlace& at, unsigned char* ring, int end_tile)
        : args_(args), at_(at), ring_(ring), end_tile_(end_tile) {
        begin_ = slice_begin(args.padded_dim, args.unit, at.slice) / kInfo.chunk_weights;
        end_ = slice_begin(args.padded_dim, args.unit, at.slice + 1) / kInfo.chunk_weights;
    }
    /// Loads of the first chunks from tile `tile` on; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start(int tile) {
        load_tile_ = tile;
        if (begin_ < end_ && tile < end_tile_)
            locate();
#pragma unroll
        for (int stage = 0; stage < kSmallStages; ++stage)
            load(stage);
    }
    /// All tiles of the stream from round `round` on; the next round.  kLast: and what is left of the epilogues, since rounds
    /// may end earlier for this warp's tile than for the block's own.
    template <bool kLast, class Sums>
    __device__ __forceinline__ int run(int round, const SmallColumns<kCols>& x, const Sums& sums) {
        const float2 scale = x.slice_scales();
        const float* row_scales = x.row_scales();
        int stage = 0;
        for (;; ++round) {
            const int group = at_.first_tile + round * at_.step;
            const bool mine = group + at_.sub < end_tile_;
            if (!kLast && !mine)
                return round;
            if (mine) {
                float acc[4] = {};
                for (int chunk = begin_; chunk < end_; chunk += kChunks) {
                    copy_async_wait<kSmallStages - 1>();
                    __syncwarp();
                    multiply_stage(chunk, stage, x, acc);
                    stage = stage + 1 == kSmallStages ? 0 : stage + 1;
                }
                sums.put(acc, round, scale);
            }
            if (round > 0)
                sums.finish(round - 1, row_scales);
            if (kLast && group >= args_.total_tiles)
                return round;
        }
    }

private:
    __device__ __forceinline__ void multiply_stage(
        int chunk, int stage, const SmallColumns<kCols>& x, float (&acc)[4]) {
        const uint8_t* at = ring_ + stage * kStageBytes;
        const int count = min(kChunks, end_ - chunk);
#pragma unroll
        for (int c = 0; c < kChunks; ++c) {
            if (c >= count)
                break;
            multiply<F, kCols>(at + c * kInfo.chunk_bytes, (chunk + c) * (kInfo.chunk_weights / 32) - x.first_group(),
                x, at_.lane, acc);
        }
        __syncwarp(); // all lanes have what they need
        load(stage);
    }
    /// The slice of tile load_tile_, and how many tiles of its matrix follow at equal distances.
    __device__ __forceinline__ void locate() {
        const TilePlace place = place_of(args_, load_tile_);
        const TileMatrix& matrix = args_.segment[place.segment];
        const int tile_bytes = args_.padded_dim / kInfo.chunk_weights * kInfo.chunk_bytes;
        from_ = matrix.tiles + static_cast<std::int64_t>(place.tile) * tile_bytes + begin_ * kInfo.chunk_bytes +
            at_.lane * 16;
        jump_ = static_cast<std::int64_t>(at_.step) * tile_bytes - (end_ - begin_) * kInfo.chunk_bytes;
        same_matrix_end_ = min(end_tile_, load_tile_ + matrix.num_tiles - place.tile);
        load_left_ = end_ - begin_;
    }
    /// The next chunks of the stream to a stage that all lanes have left.
    __device__ __forceinline__ void load(int stage) {
        if (load_left_ > 0) {
            const int count = min(kChunks, load_left_);
            const int bytes = count * kInfo.chunk_bytes;
            const uint32_t to = shared_address(ring_) + stage * kStageBytes + at_.lane * 16;
#pragma unroll
            for (int i = 0; i < (kStageBytes + 511) / 512; ++i) {
                if (i * 512 + at_.lane * 16 >= bytes)
                    continue;
                if constexpr (SmallShape<kCols>::kSingle) // measured: the hint pays with several columns alone
                    copy_async_stream16(to + i * 512, from_ + i * 512);
                else
                    copy_async_once16(to + i * 512, from_ + i * 512);
            }
            from_ += bytes;
            load_left_ -= count;
            if (load_left_ == 0)
                next_tile();
        }
        copy_async_commit();
    }
    __device__ __forceinline__ void next_tile() {
        load_tile_ += at_.step;
        if (load_tile_ < same_matrix_end_) {
            from_ += jump_;
            load_left_ = end_ - begin_;
        } else if (load_tile_ < end_tile_) {
            locate();
        }
    }

    const LinearArgs& args_;
    const SmallPlace& at_;
    uint8_t* ring_;
    int end_tile_;
    const uint8_t* from_ = nullptr; // what this lane loads of the next chunk
    std::int64_t jump_ = 0; // from the end of the slice in one tile to its begin in the next
    int begin_, end_;
    int load_tile_ = 0;
    int same_matrix_end_ = 0;
    int load_left_ = 0; // chunks of load_tile_
};

template <class A, class B, int kCols, EpilogueKind kKind>
__global__ void __maxnreg__(kSmallRegisters<kCols>)
    small_linear(const __grid_constant__ LinearArgs args, const __grid_constant__ SmallLayout layout) {
    extern __shared__ __align__(1024) unsigned char memory[];
    constexpr bool kMixed = !std::is_same_v<A, B>;
    constexpr int kStageBytes =
        stage_bytes(A::kFormat) > stage_bytes(B::kFormat) ? stage_bytes(A::kFormat) : stage_bytes(B::kFormat);
    pdl_trigger();
    const SmallPlace at = small_place<kCols>(layout);
    unsigned char* ring = memory + layout.ring + at.warp * kSmallStages * kStageBytes;
    TileStream<A, kCols> first(args, at, ring, kMixed ? layout.split_tile : args.total_tiles);
    TileStream<B, kCols> second(args, at, ring, args.total_tiles);
    const int tile = at.first_tile + at.sub;
    const bool only_second = kMixed && tile >= layout.split_tile;
    if (only_second)
        second.start(tile);
    else
        first.start(tile);
    SliceSums<kCols, static_cast<int>(kKind)> sums(args, at, memory, layout);
    SmallColumns<kCols> x(args, at, memory, layout);
    x.clear();
    if (threadIdx.x == 0)
        sums.init();
    __syncthreads();
    if (at.cluster > 1) {
        cluster_arrive();
        cluster_wait();
    }
    touch_all(args);
    sums.template fetch_first<true>();
    pdl_wait();
    sums.template fetch_first<false>();
    x.template stage<A::kSums || B::kSums>();
    if constexpr (kMixed) {
        int round = 0;
        if (!only_second) {
            round = first.template run<false>(0, x, sums);
            second.start(tile + round * at.step);
        }
        second.template run<true>(round, x, sums);
    } else {
        first.template run<true>(0, x, sums);
    }
}

/// call(kind) with the kind as a constant: kernels with one epilogue are half as long and need fewer registers.
template <class Call>
cudaError_t with_kind(EpilogueKind kind, Call&& call) {
    switch (kind) {
    case EpilogueKind::store:
        return call(std::integral_constant<EpilogueKind, EpilogueKind::store>{});
    case EpilogueKind::add_residual:
        return call(std::integral_constant<EpilogueKind, EpilogueKind::add_residual>{});
    case EpilogueKind::rope_kv:
        return call(std::integral_constant<EpilogueKind, EpilogueKind::rope_kv>{});
    case EpilogueKind::gated:
        return call(std::integral_constant<EpilogueKind, EpilogueKind::gated>{});
    case EpilogueKind::logits:
        return call(std::integral_constant<EpilogueKind, EpilogueKind::logits>{});
    }
    return cudaErrorInvalidValue;
}

template <class A, class B, int kCols, EpilogueKind kKind>
cudaError_t launch_small(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    constexpr int kStageBytes =
        stage_bytes(A::kFormat) > stage_bytes(B::kFormat) ? stage_bytes(A::kFormat) : stage_bytes(B::kFormat);
    const SmallPlan plan =
        small_plan(args.padded_dim, args.unit, args.num_columns, args.total_tiles, kStageBytes, limits);
    if (plan.blocks == 0)
        return cudaErrorInvalidValue;
    const auto kernel = small_linear<A, B, kCols, kKind>;
    static const cudaError_t configured = raise_shared_limit(kernel, 227 * 1024);
    if (configured != cudaSuccess)
        return configured;
    SmallLayout layout =
        small_layout<kCols>(args.padded_dim, args.unit, args.num_columns, plan.cluster_log2, kStageBytes);
    for (int s = 0; s < args.num_segments && args.segment[s].format == A::kFormat; ++s)
        layout.split_tile += args.segment[s].num_tiles;
    return launch_cluster(kernel, dim3(plan.blocks), dim3(kSmallThreads), 1 << plan.cluster_log2, plan.shared_bytes,
        stream, args, layout);
}

template <class A, class B>
cudaError_t launch_small(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    return with_kind(args.epilogue.kind, [&](auto kind) {
        return args.num_columns == 1 ? launch_small<A, B, 1, kind()>(args, limits, stream)
                                     : launch_small<A, B, 8, kind()>(args, limits, stream);
    });
}

} // namespace vitrine::kernels
