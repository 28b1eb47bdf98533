// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of few tokens: a persistent grid of two blocks per SM, each of eight warps that own
// eight fixed slices of K; weights go from global memory straight into mma fragments (gpu_measurements: "LD").  A warp
// brings its slice of the activations itself, so no barrier stands before the first product.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {

inline constexpr int kWarps = kSlices;

/// Activations as the lanes of a warp read them.
template <bool kOne>
struct PlaceView {
    static constexpr bool kSingle = kOne; // one place: every lane reads the same column
    static constexpr int kStored = kOne ? 1 : kMaxColumns; // columns in memory
    const uint16_t* fragments; // at this lane (single: at its t)
    const uint32_t* sums; // [chunk of 256][column][8]: split_sum(), at this lane

    __device__ __forceinline__ uint4 piece(int c, int v) const {
        return *reinterpret_cast<const uint4*>(fragments + (c * 2 + v) * kStored * 32);
    }
    __device__ __forceinline__ uint2 sum(int chunk) const {
        return {sums[chunk * kStored * 8], sums[chunk * kStored * 8 + 4]};
    }
};
template <class View>
inline constexpr int kReduceFloats = kWarps* kTileRows* View::kStored;

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

template <class F, class View>
__device__ __forceinline__ void multiply(
    const typename F::Regs& r, int chunk, const View& x, int lane, float (&acc)[4]) {
    constexpr int kGroups = kGroupsPerChunk<F>;
    float part[4] = {};
    float(&target)[4] = F::kChunkScale ? part : acc;
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
        uint32_t a[2][4];
        decode_exact<F>(r, group, a);
        const uint4 b = x.piece(chunk * (kGroups / 2) + group / 2, group % 2);
        mma(target, a[0], b.x, b.y);
        mma(target, a[1], b.z, b.w);
    }
    if constexpr (F::kChunkScale) {
        const ChunkScale scale = F::chunk_scale(r);
        add_scaled<View::kSingle>(acc, part, scale.low, scale.high);
        if constexpr (F::kSums) {
            uint32_t mins[4];
            F::decode_mins(r, lane, mins);
            const uint2 b = x.sum(chunk);
            float of_mins[4] = {};
            mma(of_mins, mins, b.x, b.y);
            add_scaled<View::kSingle>(acc, of_mins, scale.min_low, scale.min_high);
        }
    }
}

/// The tiles of one format that this block computes, one after the other, the next chunks always under way.
template <class F, class View>
class TileStream {
public:
    static constexpr TileInfo kInfo = tile_info(F::kFormat);

    __device__ __forceinline__ TileStream(const LinearArgs& args, int warp, int lane)
        : args_(args), warp_(warp), lane_(lane) {
        begin_ = slice_begin(args.padded_dim, args.unit, warp) / kInfo.chunk_weights;
        end_ = slice_begin(args.padded_dim, args.unit, warp + 1) / kInfo.chunk_weights;
        stride_ = args.padded_dim / kInfo.chunk_weights * kInfo.chunk_bytes;
    }

    /// Loads of the first chunks; needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start() {
        tile_ = next_tile(static_cast<int>(blockIdx.x));
        load_tile_ = tile_;
        load_chunk_ = begin_;
        if (tile_ < args_.total_tiles)
            locate();
#pragma unroll
        for (int d = 0; d < F::kDepth; ++d)
            load(regs_[d]);
    }

    /// `reduce`: two buffers; `scales`: what a product must be multiplied by, [slice + 1][column], the row's own last.
    /// `first`: what the epilogue of the block's first tile reads.
    __device__ __forceinline__ void run(
        const View& x, float* reduce, const float* scales, const PairInput* first, int& turn) {
        float acc[4] = {};
        int chunk = begin_;
        while (tile_ < args_.total_tiles) {
#pragma unroll
            for (int d = 0; d < F::kDepth; ++d) {
                if (chunk < end_) {
                    multiply<F>(regs_[d], chunk, x, lane_, acc);
                    load(regs_[d]);
                    ++chunk;
                }
                if (chunk == end_) {
                    finish(acc, reduce + turn % 2 * kReduceFloats<View>, scales, first, turn);
                    ++turn;
                    acc[0] = acc[1] = acc[2] = acc[3] = 0;
                    chunk = begin_;
                    tile_ = next_tile(tile_ + static_cast<int>(gridDim.x));
                    if (tile_ >= args_.total_tiles)
                        return;
                }
            }
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
        const TilePlace place = place_of(args_, load_tile_);
        at_ = args_.segment[place.segment].tiles + static_cast<std::int64_t>(place.tile) * stride_ +
            begin_ * kInfo.chunk_bytes;
        // Tiles of the same segment follow at equal distances.
        left_ = (args_.segment[place.segment].num_tiles - 1 - place.tile) / static_cast<int>(gridDim.x);
    }
    /// The next chunk of the stream.
    __device__ __forceinline__ void load(typename F::Regs& regs) {
        if (load_tile_ >= args_.total_tiles || begin_ == end_)
            return;
        kernels::load_chunk<F, StreamSource>(regs, at_, lane_);
        at_ += kInfo.chunk_bytes;
        if (++load_chunk_ < end_)
            return;
        load_chunk_ = begin_;
        if (left_ > 0) {
            --left_;
            load_tile_ += static_cast<int>(gridDim.x);
            at_ += static_cast<std::int64_t>(gridDim.x) * stride_ - (end_ - begin_) * kInfo.chunk_bytes;
            return;
        }
        load_tile_ = next_tile(load_tile_ + static_cast<int>(gridDim.x));
        if (load_tile_ < args_.total_tiles)
            locate();
    }
    /// Sums of the eight slices in fixed order, then the epilogue; one barrier per tile, two buffers and the warps in turn.
    __device__ __forceinline__ void finish(
        const float (&acc)[4], float* reduce, const float* scales, const PairInput* first, int turn) const {
        constexpr int kColumns = View::kStored;
        const int g = lane_ / 4;
        float* mine = reduce + (warp_ * kTileRows + g) * kColumns;
        if constexpr (View::kSingle) {
            if (lane_ % 4 == 0) {
                mine[0] = acc[0];
                mine[8] = acc[2];
            }
        } else {
            float* column = mine + lane_ % 4 * 2;
            *reinterpret_cast<float2*>(column) = {acc[0], acc[1]};
            *reinterpret_cast<float2*>(column + 8 * kColumns) = {acc[2], acc[3]};
        }
        __syncthreads();
        // Pair (g, m): thread g + 8 m; the warps take turns so that none is always late.
        const int thread = (static_cast<int>(threadIdx.x) - turn * 32) & (kWarps * 32 - 1);
        if (thread / 8 < args_.num_columns)
            finish_column(reduce, scales, first, thread % 8, thread / 8);
    }
    __device__ __noinline__ void finish_column(
        const float* reduce, const float* scales, const PairInput* first, int row, int m) const {
        constexpr int kColumns = View::kStored;
        const TilePlace place = place_of(args_, tile_);
        const TileMatrix& matrix = args_.segment[place.segment];
        const int segment = args_.first_segment + place.segment;
        const PairInput input = tile_ == static_cast<int>(blockIdx.x)
            ? first[m * 8 + row]
            : load_pair(args_.epilogue, matrix, segment, place.tile, row, args_.first_place + m);
        float low = 0;
        float high = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
            low = fmaf(reduce[(w * kTileRows + row) * kColumns + m], scales[w * kColumns + m], low);
            high = fmaf(reduce[(w * kTileRows + row + 8) * kColumns + m], scales[w * kColumns + m], high);
        }
        const float scale = scales[kSlices * kColumns + m] * kExactFactor<F>;
        finish_pair(
            args_.epilogue, matrix, segment, place.tile, row, args_.first_place + m, input, low * scale, high * scale);
    }

    const LinearArgs& args_;
    typename F::Regs regs_[F::kDepth];
    const std::uint8_t* at_ = nullptr; // of the next chunk to load
    int stride_, warp_, lane_, begin_, end_, tile_;
    int load_tile_, load_chunk_;
    int left_ = 0; // tiles of the segment after the one being loaded
};

/// f16 numbers of a warp's slice that are out of range become numbers scaled by a power of two; `slice`: its first element.
/// Rare, so not fast.
template <int kStored>
__device__ __noinline__ float rescale_slice(
    const LinearArgs& args, int column, int begin, int end, uint16_t* fragments) {
    const int place = args.first_place + column;
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const float* values = args.input + static_cast<std::int64_t>(row) * args.in_dim;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const auto value = [&](int k) { return args.gain != nullptr ? values[k] * args.gain[k] : values[k]; };
    float largest = 0;
    for (int k = begin + lane; k < min(end, args.in_dim); k += 32)
        largest = fmaxf(largest, fabsf(value(k)));
    const float grow = slice_factor(warp_max(largest));
    for (int k = begin + lane; k < min(end, args.in_dim); k += 32)
        fragments[fragment_offset(k, column, kStored * 4)] = __half_as_ushort(__float2half_rn(value(k) / grow));
    __syncwarp();
    return grow;
}

/// Sums of the groups of 32 of this warp's slice, by the mma with ones; see split_sum().
template <class View>
__device__ __forceinline__ void sum_slice(const uint16_t* fragments, int begin, int end, int lane, uint32_t* sums) {
    constexpr uint32_t kOne[4] = {kOnes, kOnes, kOnes, kOnes};
    if constexpr (View::kSingle) { // a group in each column
        for (int first = begin / 32; first < end / 32; first += 8) {
            const int group = first + lane / 4;
            uint4 b{0, 0, 0, 0};
            if (group < end / 32)
                b = *reinterpret_cast<const uint4*>(fragments + group * 32 + lane % 4 * 8);
            float sum[4] = {};
            mma(sum, kOne, b.x, b.y);
            mma(sum, kOne, b.z, b.w);
            for (int i = 0; i < 2 && lane < 4; ++i) {
                if (first + lane * 2 + i < end / 32)
                    sums[first + lane * 2 + i] = split_sum(sum[i]);
            }
        }
    } else {
        for (int group = begin / 32; group < end / 32; ++group) {
            const uint4 b = *reinterpret_cast<const uint4*>(fragments + group * 256 + lane * 8);
            float sum[4] = {};
            mma(sum, kOne, b.x, b.y);
            mma(sum, kOne, b.z, b.w);
            if (lane >= 4)
                continue;
            uint32_t* at = sums + group / 8 * 64 + lane * 16 + group % 8;
            at[0] = split_sum(sum[0]);
            at[8] = split_sum(sum[1]);
        }
    }
    __syncwarp();
}

/// Brings the slice of this warp to shared memory and finds its scales.
template <class View>
__device__ __forceinline__ void stage_slice(
    const LinearArgs& args, int warp, int lane, uint16_t* fragments, float* scales) {
    constexpr int kStored = View::kStored;
    constexpr int kColumns = View::kStored;
    const int begin = slice_begin(args.padded_dim, args.unit, warp);
    const int end = slice_begin(args.padded_dim, args.unit, warp + 1);
    const uint16_t* image = args.image;
    const int last = end * kStored;
    for (int at = begin * kStored + lane * 8; at < last; at += 256)
        copy_async16(fragments + at, image + at);
    copy_async_commit();
    if (warp < args.num_columns) {
        const float scale = args.squares == nullptr
            ? 1.0F
            : norm_scale(
                  args.squares + static_cast<std::int64_t>(warp) * args.squares_stride, args.in_dim, args.eps, lane);
        if (lane == 0)
            scales[kSlices * kColumns + warp] = scale;
    }
    copy_async_wait<0>();
    __syncwarp();
    __half2 most = __float2half2_rn(0);
    for (int at = begin * kStored + lane * 8; at < last; at += 256) {
        const uint4 v = *reinterpret_cast<const uint4*>(fragments + at);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const uint32_t word = pick(v, i);
            most = __hmax2(most, __habs2(*reinterpret_cast<const __half2*>(&word)));
        }
    }
    float largest = fmaxf(__low2float(most), __high2float(most));
    if constexpr (View::kSingle) {
        largest = warp_max(largest);
    } else {
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, 1));
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, 2));
    }
    const int mine = View::kSingle ? 0 : lane / 4;
    const bool outside = mine < args.num_columns && begin < end && !in_f16_range(largest);
    if (lane % 4 == 0 && mine < kColumns)
        scales[warp * kColumns + mine] = 1;
    for (unsigned left = __ballot_sync(0xFFFFFFFFU, outside && lane % 4 == 0); left != 0; left &= left - 1) {
        const int column = View::kSingle ? 0 : (__ffs(static_cast<int>(left)) - 1) / 4;
        const float grow = rescale_slice<kStored>(args, column, begin, end, fragments);
        if (lane == 0)
            scales[warp * kColumns + column] = grow;
        if (View::kSingle)
            break;
    }
    __syncwarp();
}

/// What the epilogue of the block's first tile reads, one pair a thread.  `waited`: the residual is what an earlier kernel
/// writes, the rest is not.
__device__ __forceinline__ void fetch_first(const LinearArgs& args, bool waited, PairInput* first) {
    const int pair = static_cast<int>(threadIdx.x);
    const bool residual = args.epilogue.kind == EpilogueKind::add_residual;
    if (pair >= args.num_columns * 8 || residual != waited)
        return;
    const TilePlace place = place_of(args, static_cast<int>(blockIdx.x));
    const TileMatrix& matrix = args.segment[place.segment];
    const int m = args.first_place + pair / 8;
    if (!residual) {
        first[pair] = load_pair(args.epilogue, matrix, args.first_segment + place.segment, place.tile, pair % 8, m);
        return;
    }
    const int row = args.epilogue.rows != nullptr ? args.epilogue.rows[m] : m;
    const float* line = args.epilogue.output + static_cast<std::int64_t>(row) * args.epilogue.output_stride;
    const TileRow a = tile_row(matrix, place.tile, pair % 8, false);
    const TileRow b = tile_row(matrix, place.tile, pair % 8, true);
    if (a.row < matrix.out_dim)
        copy_async4(&first[pair].low, line + a.row);
    if (b.row < matrix.out_dim)
        copy_async4(&first[pair].high, line + b.row);
}

template <class A, class B, bool kSingle>
__global__ void __launch_bounds__(kWarps * 32, 2) small_linear(const __grid_constant__ LinearArgs args) {
    using View = PlaceView<kSingle>;
    extern __shared__ __align__(1024) unsigned char memory[];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    TileStream<A, View> first(args, warp, lane);
    first.start();
    pdl_trigger();
    auto* reduce = reinterpret_cast<float*>(memory);
    float* scales = reduce + 2 * kReduceFloats<View>;
    auto* sums = reinterpret_cast<uint32_t*>(scales + (kSlices + 1) * kMaxColumns);
    auto* inputs = reinterpret_cast<PairInput*>(sums + (args.padded_dim + 255) / 256 * 8 * View::kStored);
    auto* fragments = reinterpret_cast<uint16_t*>(inputs + 8 * kMaxColumns);
    fetch_first(args, false, inputs);
    pdl_wait();
    fetch_first(args, true, inputs);
    stage_slice<View>(args, warp, lane, fragments, scales);
    if constexpr (A::kSums || B::kSums)
        sum_slice<View>(fragments, slice_begin(args.padded_dim, args.unit, warp),
            slice_begin(args.padded_dim, args.unit, warp + 1), lane, sums);
    const View x{fragments + (kSingle ? lane % 4 : lane) * 8, sums + (kSingle ? 0 : lane / 4 * 8) + lane % 4};
    int turn = 0;
    first.run(x, reduce, scales, inputs, turn);
    if constexpr (!std::is_same_v<A, B>) {
        TileStream<B, View> second(args, warp, lane);
        second.start();
        second.run(x, reduce, scales, inputs, turn);
    }
}

template <class A, class B, bool kSingle>
cudaError_t launch_small(const LinearArgs& args, int num_sms, cudaStream_t stream) {
    const int shared = small_linear_shared_bytes(args.padded_dim, kSingle);
    const auto kernel = small_linear<A, B, kSingle>;
    static const cudaError_t configured = raise_shared_limit(kernel, kSmallSharedBytes);
    if (configured != cudaSuccess)
        return configured;
    const int blocks = args.total_tiles < num_sms * 2 ? args.total_tiles : num_sms * 2;
    return launch(kernel, dim3(blocks), dim3(kWarps * 32), shared, stream, args);
}

template <class A, class B>
cudaError_t launch_small(const LinearArgs& args, bool single, int num_sms, cudaStream_t stream) {
    return single ? launch_small<A, B, true>(args, num_sms, stream) : launch_small<A, B, false>(args, num_sms, stream);
}

} // namespace vitrine::kernels
