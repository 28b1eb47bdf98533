// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: how blocks of the small linear kernel divide the work and their shared memory.
#pragma once

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

inline constexpr int kSmallWarps = 8;
inline constexpr int kSmallThreads = kSmallWarps * 32;
inline constexpr int kSmallBlocks = 2; // on an SM; those of two kernels of the chain may share it
inline constexpr int kSmallStages = 2; // of a warp's ring
/// Of a thread.
template <int kCols>
inline constexpr int kSmallRegisters = kCols == 1 ? 96 : 128;

/// Chunks that one stage of the ring holds: about 256 of K.
__host__ __device__ constexpr int stage_chunks(TileFormat format) {
    constexpr int kMostBytes = 3360;
    const TileInfo info = tile_info(format);
    const int by_bytes = kMostBytes / info.chunk_bytes;
    const int by_weights = 256 / info.chunk_weights;
    const int chunks = by_bytes < by_weights ? by_bytes : by_weights;
    return chunks > 1 ? chunks : 1;
}
__host__ __device__ constexpr int stage_bytes(TileFormat format) {
    return stage_chunks(format) * tile_info(format).chunk_bytes;
}

/// What depends on how many columns a block can take: `kCols` is 1 or 8.
template <int kCols>
struct SmallShape {
    static constexpr bool kSingle = kCols == 1;
    static constexpr int kSlots = kSingle ? 4 : 2; // tiles whose sums may wait for the epilogue
    static constexpr int kSliceFloats = kTileRows * kCols;
};

/// Byte offsets in shared memory, from the barriers on; found on the host.
struct SmallLayout {
    int slice_scales, row_scales, largest, reduce, sums, fragments, ring, total;
    int cluster_log2; // blocks that share the slices of K
    int split_tile; // the first tile in the second format
};
template <int kCols>
SmallLayout small_layout(int padded_dim, int unit, int columns, int cluster_log2, int ring_stage_bytes) {
    using S = SmallShape<kCols>;
    const int slices = kSlices >> cluster_log2;
    const int span = (padded_dim / unit * slices + kSlices - 1) / kSlices * unit; // K of a block, at most
    const auto aligned = [](int bytes) { return (bytes + 15) / 16 * 16; };
    SmallLayout at{};
    at.slice_scales = (2 * S::kSlots + kSlices) * 8;
    at.row_scales = at.slice_scales + slices * kCols * 4;
    at.largest = at.row_scales + kCols * 4;
    at.reduce = aligned(at.largest + slices * kCols * 4);
    at.sums = at.reduce + S::kSlots * kSlices * S::kSliceFloats * 4;
    at.fragments = aligned(at.sums + (span + 255) / 256 * 8 * columns * 4);
    at.ring = at.fragments + span * columns * 2;
    at.total = at.ring + kSmallWarps * kSmallStages * ring_stage_bytes;
    at.cluster_log2 = cluster_log2;
    return at;
}

/// Which tiles and slices a warp works on: a cluster of blocks shares groups of as many tiles; a block has `slices` of the
/// eight slices of K, for each tile of the group, and finishes the tile at its rank.
struct SmallPlace {
    int warp, lane;
    int cluster, rank; // blocks of the cluster, this one's place
    int slices; // of a block
    int local_slice, slice; // of this warp: in the block, in K
    int sub; // tile of the group that this warp multiplies
    int first_tile; // of this cluster's first group
    int step; // from group to group
};
template <int kCols>
__device__ __forceinline__ SmallPlace small_place(const SmallLayout& layout) {
    const int log2 = SmallShape<kCols>::kSingle ? 0 : layout.cluster_log2; // one column alone fits into a block
    SmallPlace at;
    at.warp = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0);
    at.lane = static_cast<int>(threadIdx.x) % 32;
    at.cluster = 1 << log2;
    at.rank = static_cast<int>(blockIdx.x) & (at.cluster - 1);
    at.slices = kSlices >> log2;
    at.local_slice = at.warp & (at.slices - 1);
    at.slice = at.rank * at.slices + at.local_slice;
    at.sub = at.warp >> (3 - log2);
    at.first_tile = static_cast<int>(blockIdx.x) - at.rank;
    at.step = static_cast<int>(gridDim.x);
    return at;
}

} // namespace vitrine::kernels
