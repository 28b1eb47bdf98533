// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of few tokens: a persistent grid of two blocks per SM, each of eight warps that own
// eight fixed slices of K; weights go from global memory straight into mma fragments (gpu_measurements: "LD").
#pragma once

#include <type_traits>

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/prepare.cuh"

namespace vitrine::kernels {

inline constexpr int kWarps = 8; // K slices: part of the result's bits

template <class View>
inline constexpr int kViewColumns = View::kSingle ? 1 : View::kTiles* kMaxColumns;
template <class View>
inline constexpr int kReduceFloats = kWarps* kTileRows* kViewColumns<View>;

struct TilePlace {
    int segment;
    int tile; // inside the segment
};
__device__ __forceinline__ TilePlace place_of(const LinearArgs& args, int tile) {
    TilePlace place{0, tile};
    if (args.num_segments > 1 && place.tile >= args.segment[0].num_tiles) {
        place = {1, place.tile - args.segment[0].num_tiles};
        if (args.num_segments > 2 && place.tile >= args.segment[1].num_tiles)
            place = {2, place.tile - args.segment[1].num_tiles};
    }
    return place;
}

/// The tiles of one format that this block computes, one after the other, the next chunks always under way.
template <class F, class View>
class TileStream {
public:
    static constexpr TileInfo kInfo = tile_info(F::kFormat);

    __device__ __forceinline__ TileStream(const LinearArgs& args, int warp, int lane)
        : args_(args), warp_(warp), lane_(lane) {
        const int chunks = args.padded_dim / kInfo.chunk_weights;
        begin_ = chunks * warp / kWarps;
        end_ = chunks * (warp + 1) / kWarps;
        stride_ = chunks * kInfo.chunk_bytes;
    }

    /// Loads of the first chunks; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start() {
        tile_ = next_tile(static_cast<int>(blockIdx.x));
        chunk_ = begin_;
        if (tile_ < args_.total_tiles) {
            locate();
            fill();
        }
    }

    /// `reduce`: two buffers; `scales`: what the product of each column must be multiplied by.
    __device__ __forceinline__ void run(const View& x, float* reduce, const float* scales, int& parity) {
        while (tile_ < args_.total_tiles) {
            const int tile = tile_;
            float acc[View::kTiles][4] = {};
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
            finish(tile, acc, reduce + parity % 2 * kReduceFloats<View>, scales, parity);
            ++parity;
        }
    }

private:
    /// The first tile from `tile` on, in steps of the grid, whose segment has this format.
    __device__ __forceinline__ int next_tile(int tile) const {
        if (args_.num_segments == 1)
            return tile;
        while (tile < args_.total_tiles && args_.segment[place_of(args_, tile).segment].format != F::kFormat)
            tile += static_cast<int>(gridDim.x);
        return tile;
    }
    __device__ __forceinline__ void locate() {
        const TilePlace place = place_of(args_, tile_);
        at_ = args_.segment[place.segment].tiles + static_cast<std::int64_t>(place.tile) * stride_ +
            begin_ * kInfo.chunk_bytes;
    }
    __device__ __forceinline__ void fill() {
#pragma unroll
        for (int d = 0; d < F::kDepth; ++d) {
            if (chunk_ + d < end_)
                F::load(regs_[d], at_ + d * kInfo.chunk_bytes, lane_);
        }
    }
    __device__ __forceinline__ void advance() {
        chunk_ += F::kDepth;
        at_ += F::kDepth * kInfo.chunk_bytes;
        if (chunk_ >= end_) {
            chunk_ = begin_;
            tile_ = next_tile(tile_ + static_cast<int>(gridDim.x));
            if (tile_ >= args_.total_tiles)
                return;
            locate();
        }
        fill();
    }
    /// Sums of the eight slices in fixed order, then the epilogue; one barrier per tile, two buffers and the warps in turn.
    __device__ __forceinline__ void finish(
        int tile, const float (&acc)[View::kTiles][4], float* reduce, const float* scales, int turn) const {
        constexpr int kColumns = kViewColumns<View>;
        const int g = lane_ / 4;
        float* mine = reduce + (warp_ * kTileRows + g) * kColumns;
        if constexpr (View::kSingle) {
            if (lane_ % 4 == 0) {
                mine[0] = acc[0][0];
                mine[8] = acc[0][2];
            }
        } else {
#pragma unroll
            for (int n = 0; n < View::kTiles; ++n) {
                float* column = mine + n * kMaxColumns + lane_ % 4 * 2;
                *reinterpret_cast<float2*>(column) = {acc[n][0], acc[n][1]};
                *reinterpret_cast<float2*>(column + 8 * kColumns) = {acc[n][2], acc[n][3]};
            }
        }
        __syncthreads();
        // Pair (g, m): thread g + 8 m; the warps take turns so that none is always late.
        const int thread = (static_cast<int>(threadIdx.x) - turn * 32) & (kWarps * 32 - 1);
        const int row = thread % 8;
        const int m = thread / 8;
        if (m >= args_.num_columns)
            return;
        float low = 0;
        float high = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
            low += reduce[(w * kTileRows + row) * kColumns + m];
            high += reduce[(w * kTileRows + row + 8) * kColumns + m];
        }
        const TilePlace place = place_of(args_, tile);
        const float scale = scales[m];
        finish_pair(args_.epilogue, args_.segment[place.segment], args_.first_segment + place.segment, place.tile, row,
            args_.first_place + m, low * scale, high * scale);
    }

    const LinearArgs& args_;
    typename F::Regs regs_[F::kDepth];
    const std::uint8_t* at_ = nullptr; // of the chunks in regs_
    int stride_, warp_, lane_, begin_, end_, tile_, chunk_;
};

/// One token: the block prepares the row for itself.
__device__ __forceinline__ void prepare_single(
    const LinearArgs& args, uint16_t* fragments, float* sums, float* scales) {
    const int place = args.first_place;
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const RowSource source{
        args.input + static_cast<std::int64_t>(row) * args.in_dim, args.gain, args.eps, args.in_dim, args.padded_dim};
    float* sums_32 = sums + sums32_offset(args.padded_dim, 1);
    scales[0] = prepare_row(source, scales + 32, [&](int k, uint2 halves, float sum, float sum32) {
        *reinterpret_cast<uint2*>(fragments + fragment_offset(k, 0, 4)) = halves;
        if (k % 16 == 0)
            sums[k / 16] = sum;
        if (k % 32 == 0)
            sums_32[k / 32] = sum32;
    });
}

/// Eight prepared rows to shared memory.
__device__ __forceinline__ void stage_columns(
    const uint16_t* from, const float* from_sums, int padded_dim, uint16_t* fragments, float* sums) {
    const auto* source = reinterpret_cast<const uint4*>(from);
    auto* target = reinterpret_cast<uint4*>(fragments);
#pragma unroll 8
    for (int i = static_cast<int>(threadIdx.x); i < padded_dim; i += kPrepareThreads)
        target[i] = source[i];
    const auto* source_sums = reinterpret_cast<const float4*>(from_sums);
    auto* target_sums = reinterpret_cast<float4*>(sums);
    const int count = static_cast<int>(sums_size(padded_dim)) / 4;
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kPrepareThreads)
        target_sums[i] = source_sums[i];
}

/// The view of this lane, its data in place and its scales set.
template <SmallMode kMode, class View>
__device__ __forceinline__ View prepare_view(const LinearArgs& args, float* scales, uint16_t* fragments, int lane) {
    if constexpr (kMode == SmallMode::single) {
        auto* sums = reinterpret_cast<float*>(fragments + args.padded_dim);
        prepare_single(args, fragments, sums, scales);
        return {fragments + lane % 4 * 8, sums, sums + sums32_offset(args.padded_dim, 1)};
    } else {
        const int group = args.first_place / kMaxColumns;
        const uint16_t* shown = args.fragments + static_cast<std::int64_t>(group) * args.padded_dim * kMaxColumns;
        const float* shown_sums = args.sums + group * sums_size(args.padded_dim);
        if (static_cast<int>(threadIdx.x) < args.num_columns)
            scales[threadIdx.x] = args.row_scales[args.first_place + static_cast<int>(threadIdx.x)];
        if constexpr (kMode == SmallMode::staged) {
            auto* sums = reinterpret_cast<float*>(fragments + args.padded_dim * kMaxColumns);
            stage_columns(shown, shown_sums, args.padded_dim, fragments, sums);
            shown = fragments;
            shown_sums = sums;
        }
        const float* mine = shown_sums + lane % 4 * 2;
        return {shown + lane * 8, mine, mine + sums32_offset(args.padded_dim, kMaxColumns),
            args.padded_dim * kMaxColumns, static_cast<int>(sums_size(args.padded_dim))};
    }
}

template <class A, class B, SmallMode kMode, class View>
__global__ void __launch_bounds__(kWarps * 32, 2) small_linear(const __grid_constant__ LinearArgs args) {
    extern __shared__ __align__(16) unsigned char memory[];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    TileStream<A, View> first(args, warp, lane);
    first.start();
    pdl_trigger();
    auto* reduce = reinterpret_cast<float*>(memory);
    float* scales = reduce + 2 * kReduceFloats<View>;
    auto* fragments = reinterpret_cast<uint16_t*>(scales + 64);
    pdl_wait();
    const View x = prepare_view<kMode, View>(args, scales, fragments, lane);
    __syncthreads();
    int turn = 0;
    first.run(x, reduce, scales, turn);
    if constexpr (!std::is_same_v<A, B>) {
        TileStream<B, View> second(args, warp, lane);
        second.start();
        second.run(x, reduce, scales, turn);
    }
}

template <class A, class B, SmallMode kMode, class View>
cudaError_t launch_small(const LinearArgs& args, int num_sms, cudaStream_t stream) {
    const int shared = small_linear_shared_bytes(args.padded_dim, kMode, View::kTiles);
    const auto kernel = small_linear<A, B, kMode, View>;
    static const cudaError_t configured =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    if (configured != cudaSuccess)
        return configured;
    const int per_sm = shared > 113 * 1024 ? 1 : 2;
    const int blocks = args.total_tiles < num_sms * per_sm ? args.total_tiles : num_sms * per_sm;
    return launch(kernel, dim3(blocks), dim3(kWarps * 32), shared, stream, args);
}

template <class A, class B>
cudaError_t launch_small(const LinearArgs& args, SmallMode mode, int column_tiles, int num_sms, cudaStream_t stream) {
    if (mode == SmallMode::single)
        return launch_small<A, B, SmallMode::single, SingleView>(args, num_sms, stream);
    if (mode == SmallMode::staged)
        return launch_small<A, B, SmallMode::staged, GroupView<1>>(args, num_sms, stream);
    switch (column_tiles) {
    case 1:
        return launch_small<A, B, SmallMode::direct, GroupView<1>>(args, num_sms, stream);
    case 2:
        return launch_small<A, B, SmallMode::direct, GroupView<2>>(args, num_sms, stream);
    default:
        return launch_small<A, B, SmallMode::direct, GroupView<4>>(args, num_sms, stream);
    }
}

} // namespace vitrine::kernels
