// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of up to eight tokens: a persistent grid of two blocks per SM, each of eight warps
// that own eight fixed slices of K; weights go from global memory straight into mma fragments (gpu_measurements: "LD").
#pragma once

#include <type_traits>

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/prepare.cuh"

namespace vitrine::kernels {

inline constexpr int kWarps = 8; // K slices: part of the result's bits
inline constexpr int kReduceFloats = kWarps * kTileRows * kMaxColumns;

struct SmallShared {
    float* reduce; // [2][warp][row][column]
    float* scales; // [column], then 16 floats of work memory
};

struct TilePlace {
    int segment;
    int tile; // inside the segment
};
__device__ __forceinline__ TilePlace place_of(const LinearArgs& args, int tile) {
    TilePlace place{0, tile};
    while (place.segment + 1 < args.num_segments && place.tile >= args.segment[place.segment].num_tiles) {
        place.tile -= args.segment[place.segment].num_tiles;
        ++place.segment;
    }
    return place;
}

/// The tiles of one format that this block computes, one after the other, the next chunks always under way.
template <class F>
class TileStream {
public:
    static constexpr TileInfo kInfo = tile_info(F::kFormat);

    __device__ __forceinline__ TileStream(const LinearArgs& args, int warp, int lane)
        : args_(args), warp_(warp), lane_(lane) {
        const int chunks = args.padded_dim / kInfo.chunk_weights;
        begin_ = chunks * warp / kWarps;
        end_ = chunks * (warp + 1) / kWarps;
        stride_ = static_cast<std::int64_t>(chunks) * kInfo.chunk_bytes;
    }

    /// Loads of the first chunks; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start() {
        tile_ = next_tile(static_cast<int>(blockIdx.x));
        chunk_ = begin_;
        if (tile_ < args_.total_tiles)
            fill();
    }

    __device__ __forceinline__ void run(const ColumnView& x, const SmallShared& shared, int& parity) {
        while (tile_ < args_.total_tiles) {
            const int tile = tile_;
            float acc[4] = {0, 0, 0, 0};
            int chunk = begin_;
            do {
                typename F::Regs current[F::kDepth];
#pragma unroll
                for (int d = 0; d < F::kDepth; ++d)
                    current[d] = regs_[d];
                advance();
#pragma unroll
                for (int d = 0; d < F::kDepth; ++d) {
                    if (chunk + d < end_)
                        F::multiply(current[d], chunk + d, x, acc);
                }
                chunk += F::kDepth;
            } while (chunk < end_);
            finish(tile, acc, shared, parity);
            parity ^= 1;
        }
    }

private:
    /// The first tile from `tile` on, in steps of the grid, whose segment has this format.
    __device__ __forceinline__ int next_tile(int tile) const {
        while (tile < args_.total_tiles && args_.segment[place_of(args_, tile).segment].format != F::kFormat)
            tile += static_cast<int>(gridDim.x);
        return tile;
    }
    __device__ __forceinline__ void fill() {
        const TilePlace place = place_of(args_, tile_);
        const std::uint8_t* at = args_.segment[place.segment].tiles + place.tile * stride_ +
            static_cast<std::int64_t>(chunk_) * kInfo.chunk_bytes;
#pragma unroll
        for (int d = 0; d < F::kDepth; ++d) {
            if (chunk_ + d < end_)
                F::load(regs_[d], at + d * kInfo.chunk_bytes, lane_);
        }
    }
    __device__ __forceinline__ void advance() {
        chunk_ += F::kDepth;
        if (chunk_ >= end_) {
            chunk_ = begin_;
            tile_ = next_tile(tile_ + static_cast<int>(gridDim.x));
        }
        if (tile_ < args_.total_tiles)
            fill();
    }
    /// Sums of the eight slices in fixed order, then the epilogue; one barrier per tile, two buffers in turn.
    __device__ __forceinline__ void finish(int tile, const float (&acc)[4], const SmallShared& shared, int parity) const {
        float* reduce = shared.reduce + parity * kReduceFloats;
        const int g = lane_ / 4;
        const int column = lane_ % 4 * 2;
        if (column < args_.num_columns) {
            float* mine = reduce + warp_ * kTileRows * kMaxColumns + column;
            *reinterpret_cast<float2*>(mine + g * kMaxColumns) = {acc[0], acc[1]};
            *reinterpret_cast<float2*>(mine + (g + 8) * kMaxColumns) = {acc[2], acc[3]};
        }
        __syncthreads();
        const int thread = static_cast<int>(threadIdx.x);
        const int m = thread / 8;
        if (m >= args_.num_columns)
            return;
        float low = 0;
        float high = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
            low += reduce[(w * kTileRows + thread % 8) * kMaxColumns + m];
            high += reduce[(w * kTileRows + thread % 8 + 8) * kMaxColumns + m];
        }
        const TilePlace place = place_of(args_, tile);
        const float scale = shared.scales[m];
        finish_pair(args_.epilogue, args_.segment[place.segment], args_.first_segment + place.segment, place.tile, thread % 8,
            args_.first_place + m, low * scale, high * scale);
    }

    const LinearArgs& args_;
    typename F::Regs regs_[F::kDepth];
    std::int64_t stride_;
    int warp_, lane_, begin_, end_, tile_, chunk_;
};

/// One token: the block prepares the row for itself.
__device__ inline void prepare_single(const LinearArgs& args, uint16_t* fragments, float* sums, const SmallShared& shared) {
    const int place = args.first_place;
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const RowSource source{args.input + static_cast<std::int64_t>(row) * args.in_dim, args.gain, args.eps, args.in_dim,
        args.padded_dim};
    const float scale = prepare_row(source, shared.scales + kMaxColumns, [&](int k, uint2 halves, float sum) {
        *reinterpret_cast<uint2*>(fragments + fragment_offset(k, 0, 4)) = halves;
        if (k % 16 == 0)
            *reinterpret_cast<float2*>(sums + k / 16 * 2) = {sum, 0};
    });
    if (threadIdx.x == 0)
        shared.scales[0] = scale;
}

/// Prepared rows: copies the columns in use.
__device__ inline void stage_columns(const LinearArgs& args, uint16_t* fragments, float* sums, int sum_stride) {
    const int group = args.first_place / kMaxColumns;
    const int lanes = args.num_columns * 4;
    const auto* source = reinterpret_cast<const uint4*>(args.fragments + static_cast<std::int64_t>(group) * args.padded_dim * kMaxColumns);
    auto* target = reinterpret_cast<uint4*>(fragments);
    const int lines = args.padded_dim / 32;
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < lines * 32; i += kPrepareThreads) {
        if (i % 32 < lanes)
            target[i / 32 * lanes + i % 32] = source[i];
    }
    const float* from = args.sums + static_cast<std::int64_t>(group) * (args.padded_dim / 16) * kMaxColumns;
    for (int i = static_cast<int>(threadIdx.x); i < args.padded_dim / 16 * sum_stride; i += kPrepareThreads)
        sums[i] = from[i / sum_stride * kMaxColumns + i % sum_stride];
}

template <class A, class B, bool kStaged>
__global__ void __launch_bounds__(kWarps * 32, 2) small_linear(const __grid_constant__ LinearArgs args) {
    extern __shared__ __align__(16) unsigned char memory[];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    TileStream<A> first(args, warp, lane);
    first.start();
    pdl_trigger();

    const SmallShared shared{reinterpret_cast<float*>(memory), reinterpret_cast<float*>(memory) + 2 * kReduceFloats};
    auto* fragments = reinterpret_cast<uint16_t*>(shared.scales + 32);
    const int stored_lanes = kStaged ? args.num_columns * 4 : 32;
    const int sum_stride = kStaged ? (args.num_columns + 1) / 2 * 2 : kMaxColumns;
    auto* sums = reinterpret_cast<float*>(fragments + args.padded_dim * args.num_columns);
    pdl_wait();
    const int group = args.first_place / kMaxColumns;
    if (args.fragments == nullptr)
        prepare_single(args, fragments, sums, shared);
    else if (kStaged)
        stage_columns(args, fragments, sums, sum_stride);
    if (args.fragments != nullptr && static_cast<int>(threadIdx.x) < args.num_columns)
        shared.scales[threadIdx.x] = args.row_scales[args.first_place + static_cast<int>(threadIdx.x)];
    __syncthreads();

    const uint16_t* global = args.fragments + static_cast<std::int64_t>(group) * args.padded_dim * kMaxColumns;
    const float* global_sums = args.sums + static_cast<std::int64_t>(group) * (args.padded_dim / 16) * kMaxColumns;
    const ColumnView x{(kStaged ? fragments : global) + lane * 8, (kStaged ? sums : global_sums) + lane % 4 * 2,
        stored_lanes, sum_stride, lane < args.num_columns * 4, lane % 4 * 2 < args.num_columns};
    int parity = 0;
    first.run(x, shared, parity);
    if constexpr (!std::is_same_v<A, B>) {
        TileStream<B> second(args, warp, lane);
        second.start();
        second.run(x, shared, parity);
    }
}

template <class A, class B, bool kStaged>
cudaError_t launch_small(const LinearArgs& args, int num_sms, cudaStream_t stream) {
    const int shared = small_linear_shared_bytes(args.padded_dim, args.num_columns, kStaged);
    const auto kernel = small_linear<A, B, kStaged>;
    static const cudaError_t configured = [kernel] {
        const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
        return status != cudaSuccess ? status
                                     : cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, kStaged ? 100 : 10);
    }();
    if (configured != cudaSuccess)
        return configured;
    const int per_sm = shared > 113 * 1024 ? 1 : 2;
    const int blocks = args.total_tiles < num_sms * per_sm ? args.total_tiles : num_sms * per_sm;
    return launch(kernel, dim3(blocks), dim3(kWarps * 32), shared, stream, args);
}

template <class A, class B>
cudaError_t launch_small(const LinearArgs& args, int num_sms, bool staged, cudaStream_t stream) {
    return staged ? launch_small<A, B, true>(args, num_sms, stream) : launch_small<A, B, false>(args, num_sms, stream);
}

} // namespace vitrine::kernels
