// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of two to eight tokens with int8 activations, which a small kernel before has made
// while this one's weights come.  The teams of a block share its activations; where those of all slices are too large for an SM, a cluster of blocks shares the slices as in
// linear_small.cuh.  A row has the bits that linear_int8.cuh gives it alone.
#pragma once

#include "kernels/cuda/device/linear_int8.cuh"

namespace vitrine::kernels {

inline constexpr int kRowTeams = 2;

struct Int8RowsLayout {
    Int8Layout team; // `chunks` and `teams` of the block
    Int8RowsPlace place;
    const unsigned char* image; // of quantize_rows()
    int cluster_log2;
};

template <class A, class B, EpilogueKind kKind, int kRowStages>
__global__ void __launch_bounds__(kRowTeams * kSmallThreads, 1)
    int8_rows(const __grid_constant__ LinearArgs args, const __grid_constant__ Int8RowsLayout layout) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(1024) unsigned char memory[];
    constexpr bool kMixed = !std::is_same_v<A, B>;
    using Ring = ChunkRing<A, B, kRowStages>;
    pdl_trigger();
    VT_STAMP(layout.team, 0)
    const int warp = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0);
    const int team = warp / kSmallWarps;
    SmallPlace at;
    at.lane = static_cast<int>(threadIdx.x) % 32;
    at.warp = warp % kSmallWarps;
    at.cluster = 1 << layout.cluster_log2;
    at.rank = static_cast<int>(blockIdx.x) & (at.cluster - 1);
    at.slices = kSlices >> layout.cluster_log2;
    at.local_slice = at.warp & (at.slices - 1);
    at.slice = at.rank * at.slices + at.local_slice;
    at.sub = at.warp >> (3 - layout.cluster_log2);
    at.first_tile = ((static_cast<int>(blockIdx.x) >> layout.cluster_log2) * kRowTeams + team) << layout.cluster_log2;
    at.step = static_cast<int>(gridDim.x) * kRowTeams;
    unsigned char* own = memory + layout.team.teams + team * layout.team.total;
    const auto chunk_of = [&](int slice) { return slice_begin(args.padded_dim, args.unit, slice) / 256; };
    const int begin = chunk_of(at.slice);
    const int count = chunk_of(at.slice + 1) - begin;
    const int first = chunk_of(at.rank * at.slices); // of the block
    Ring ring(args, layout.team, at, begin, count, own + layout.team.ring + at.warp * kRowStages * Ring::kStageBytes,
        reinterpret_cast<uint64_t*>(own + layout.team.full) + at.warp * kRowStages);
    ring.start(layout.team.early);
    SliceSums<8, static_cast<int>(kKind)> sums(args, at, own, layout.team.sums);
    for (int i = 0; threadIdx.x == 0 && i < kSlices; ++i)
        barrier_init(reinterpret_cast<uint64_t*>(memory) + i, 1);
    if (threadIdx.x % kSmallThreads == 0)
        sums.init(); // and the fence
    __syncthreads();
    if (at.cluster > 1) {
        cluster_arrive();
        cluster_wait();
    }
    touch_arguments<kKind>(args);
    sums.template fetch_first<true>();
    pdl_wait();
    VT_STAMP(layout.team, 1)
    sums.template fetch_first<false>();
    auto* row_scales = reinterpret_cast<float*>(own + layout.team.sums.row_scales);
    NormParts norm;
    const bool normed = at.warp < args.num_columns && args.squares != nullptr;
    if (normed)
        norm.load(args.squares + static_cast<std::int64_t>(at.warp) * args.squares_stride, args.in_dim, at.lane);
    const int stride = layout.place.stride();
    unsigned char* chunks = memory + layout.team.chunks + (begin - first) * stride;
    uint64_t* arrived = reinterpret_cast<uint64_t*>(memory) + at.local_slice;
    if (warp < at.slices && at.lane == 0 && count > 0) {
        barrier_expect(arrived, static_cast<uint32_t>(count * stride));
        bulk_copy(chunks, layout.image + static_cast<std::int64_t>(begin) * stride, static_cast<uint32_t>(count * stride),
            arrived);
    }
    ring.fill(layout.team.early);
    const float row_scale = normed ? norm.scale(args.in_dim, args.eps) : 1.0F;
    if (at.lane == 0 && at.warp < args.num_columns)
        row_scales[at.warp] = row_scale;
    if (count > 0)
        barrier_wait(arrived, 0);
    VT_STAMP(layout.team, 2)
    for (int round = 0;; ++round) {
        const int group = at.first_tile + round * at.step;
        const int tile = group + at.sub;
        if (tile < args.total_tiles) {
            float acc[4][4] = {};
            const bool second = kMixed && tile >= layout.team.split_tile;
#pragma unroll 1
            for (int i = 0; i < count; ++i) {
                const uint8_t* chunk = ring.wait();
                const Int8Rows here = rows_at(chunks + i * stride, layout.place);
                if (!second)
                    A::add_rows(chunk, here, at.lane, acc);
                else
                    B::add_rows(chunk, here, at.lane, acc);
                ring.release();
            }
            float total[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                total[i] = (acc[0][i] + acc[1][i]) + (acc[2][i] + acc[3][i]);
            sums.put(total, round, {1, 1});
            if (round == 0) { VT_STAMP(layout.team, 3) }
            VT_STAMP(layout.team, 4)
        }
        if (round > 0)
            sums.finish(round - 1, row_scales);
        if (group >= args.total_tiles)
            break;
    }
    VT_STAMP(layout.team, 5)
#endif
}

/// cudaErrorInvalidConfiguration: the ring is too large.
template <class A, class B, EpilogueKind kKind, int kStages>
cudaError_t launch_int8_rows_as(const LinearArgs& args, Int8RowsLayout layout, const SmallLimits& limits, int log2,
    cudaStream_t stream) {
    using S = SmallShape<8>;
    const auto aligned = [](int bytes) { return (bytes + 127) / 128 * 128; };
    layout.team.full = 2 * S::kSlots * 8;
    layout.team.sums.row_scales = layout.team.full + kSmallWarps * kStages * 8;
    layout.team.sums.reduce = aligned(layout.team.sums.row_scales + 8 * 4);
    layout.team.ring = aligned(layout.team.sums.reduce + S::kSlots * kSlices * S::kSliceFloats * 4);
    layout.team.total = aligned(layout.team.ring + kSmallWarps * kStages * ChunkRing<A, B, kStages>::kStageBytes);
    const int chunks = (layout.team.num_chunks * (kSlices >> log2) + kSlices - 1) / kSlices; // of a block, at most
    layout.team.chunks = 128; // behind the slices' barriers
    layout.team.teams = aligned(layout.team.chunks + chunks * layout.place.stride());
    layout.team.early = kStages;
    layout.cluster_log2 = log2;
    const int shared = layout.team.teams + kRowTeams * layout.team.total;
    if (shared > limits.block_bytes)
        return cudaErrorInvalidConfiguration;
    const auto kernel = int8_rows<A, B, kKind, kStages>;
    static const cudaError_t configured = raise_shared_limit(kernel, 227 * 1024);
    if (configured != cudaSuccess)
        return configured;
#ifdef VT_STAMPS
    layout.team.stamps = stamp_slot(args, 1024, "rows");
#endif
    const int tiles = kRowTeams << log2; // of a cluster at once
    const int most = limits.num_sms >> log2;
    const int needed = (args.total_tiles + tiles - 1) / tiles;
    const int clusters = needed < most ? needed : most;
    return launch_cluster(
        kernel, dim3(clusters << log2), dim3(kRowTeams * kSmallThreads), 1 << log2, shared, stream, args, layout);
}

template <class A, class B, EpilogueKind kKind>
cudaError_t launch_int8_rows_kind(
    const LinearArgs& args, unsigned char* image, const SmallLimits& limits, cudaStream_t stream) {
    static const int most = std::getenv("VT_ROWS") == nullptr ? 3 : std::atoi(std::getenv("VT_ROWS"));
    Int8RowsLayout layout{};
    place_tiles<A>(args, layout.team);
    layout.place = {args.num_columns, A::kMins || B::kMins, A::kHalves || B::kHalves};
    layout.image = image;
    if (const cudaError_t status = launch(quantize_rows, dim3(layout.team.num_chunks), dim3(args.num_columns * 32), 0,
            stream, args, layout.place, image);
        status != cudaSuccess)
        return status;
    for (int log2 = 0; 1 << log2 <= limits.max_cluster && 1 << log2 <= kSlices; ++log2) {
        cudaError_t status = cudaErrorInvalidConfiguration;
        if (most >= 3)
            status = launch_int8_rows_as<A, B, kKind, 3>(args, layout, limits, log2, stream);
        if (status == cudaErrorInvalidConfiguration)
            status = launch_int8_rows_as<A, B, kKind, 2>(args, layout, limits, log2, stream);
        if (status != cudaErrorInvalidConfiguration)
            return status;
    }
    return cudaErrorInvalidValue;
}

template <class A, class B>
cudaError_t launch_int8_rows(
    const LinearArgs& args, unsigned char* image, const SmallLimits& limits, cudaStream_t stream) {
    return with_kind(args.epilogue.kind,
        [&](auto kind) { return launch_int8_rows_kind<A, B, kind()>(args, image, limits, stream); });
}

} // namespace vitrine::kernels
