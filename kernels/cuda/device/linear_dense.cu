// SPDX-License-Identifier: GPL-3.0-or-later
// Around products of many tokens: rows to f16, tiles to f16, and the epilogue of what cuBLAS leaves.
#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/prepare.cuh"

namespace vitrine::kernels {
namespace {

__global__ void __launch_bounds__(kPrepareThreads) prepare_rows(const __grid_constant__ PrepareArgs args) {
    __shared__ float work[16];
    pdl_trigger();
    pdl_wait();
    const int place = static_cast<int>(blockIdx.x);
    const int group = place / kMaxColumns;
    uint16_t* fragments = args.fragments + static_cast<std::int64_t>(group) * args.padded_dim * kMaxColumns;
    float* sums = args.sums + group * sums_size(args.padded_dim);
    float* sums_32 = sums + sums32_offset(args.padded_dim, kMaxColumns);
    const int column = place % kMaxColumns;
    if (place >= args.num_rows) { // the rest of the last group reads as zero
        for (int k = static_cast<int>(threadIdx.x) * 4; k < args.padded_dim; k += kPrepareThreads * 4) {
            *reinterpret_cast<uint2*>(fragments + fragment_offset(k, column, 32)) = uint2{0, 0};
            if (k % 16 == 0)
                sums[k / 16 * kMaxColumns + column] = 0;
            if (k % 32 == 0)
                sums_32[k / 32 * kMaxColumns + column] = 0;
        }
        return;
    }
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const RowSource source{
        args.input + static_cast<std::int64_t>(row) * args.in_dim, args.gain, args.eps, args.in_dim, args.padded_dim};
    const float scale = prepare_row(source, work, [&](int k, uint2 halves, float sum, float sum32) {
        if (args.row_major != nullptr) {
            *reinterpret_cast<uint2*>(args.row_major + static_cast<std::int64_t>(place) * args.padded_dim + k) = halves;
            return;
        }
        *reinterpret_cast<uint2*>(fragments + fragment_offset(k, column, 32)) = halves;
        if (k % 16 == 0)
            sums[k / 16 * kMaxColumns + column] = sum;
        if (k % 32 == 0)
            sums_32[k / 32 * kMaxColumns + column] = sum32;
    });
    if (threadIdx.x == 0)
        args.row_scales[place] = scale;
}

/// One warp per chunk of a tile.
template <class F>
__global__ void __launch_bounds__(256)
    dequantize(TileMatrix matrix, int first_tile, int num_tiles, int padded_dim, uint16_t* out) {
    constexpr TileInfo kInfo = tile_info(F::kFormat);
    pdl_trigger();
    const int chunks = padded_dim / kInfo.chunk_weights;
    const int item = static_cast<int>(blockIdx.x) * 8 + static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool live = item < num_tiles * chunks;
    const int tile = item / chunks;
    const int chunk = item % chunks;
    typename F::Regs regs;
    if (live)
        F::load(regs,
            matrix.tiles + (static_cast<std::int64_t>(first_tile + tile) * chunks + chunk) * kInfo.chunk_bytes, lane);
    pdl_wait(); // `out` may still be read by the product before
    if (!live)
        return;
    uint16_t* low = out + (static_cast<std::int64_t>(tile) * 16 + lane / 4) * padded_dim + chunk * kInfo.chunk_weights +
        lane % 4 * 4;
    uint16_t* high = low + static_cast<std::int64_t>(8) * padded_dim;
#pragma unroll
    for (int j = 0; j < kInfo.chunk_weights / 16; ++j) {
        float w[8];
        F::values(regs, j, w);
        *reinterpret_cast<uint2*>(low + j * 16) = {pack_half2(w[0], w[1]), pack_half2(w[2], w[3])};
        *reinterpret_cast<uint2*>(high + j * 16) = {pack_half2(w[4], w[5]), pack_half2(w[6], w[7])};
    }
}

template <class F>
cudaError_t run_dequantize(
    const TileMatrix& matrix, int first_tile, int num_tiles, int padded_dim, uint16_t* out, cudaStream_t stream) {
    const int items = num_tiles * (padded_dim / tile_info(F::kFormat).chunk_weights);
    return launch(
        dequantize<F>, dim3((items + 7) / 8), dim3(256), 0, stream, matrix, first_tile, num_tiles, padded_dim, out);
}

/// One thread per pair of rows (g, g + 8) and token; neighbours are neighbours in the tile.
__global__ void __launch_bounds__(256)
    epilogue(const __grid_constant__ LinearArgs args, int first_tile, int num_tiles, const float* y) {
    pdl_trigger();
    pdl_wait();
    const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int place = static_cast<int>(blockIdx.y);
    const int tile = index / 8;
    const int g = index % 8;
    if (tile >= num_tiles)
        return;
    const float* at = y + (static_cast<std::int64_t>(place) * num_tiles + tile) * 16 + g;
    const float scale = args.row_scales[place];
    finish_pair(
        args.epilogue, args.segment[0], args.first_segment, first_tile + tile, g, place, at[0] * scale, at[8] * scale);
}

} // namespace

cudaError_t launch_prepare_rows(const PrepareArgs& args, cudaStream_t stream) {
    const int rows =
        args.row_major != nullptr ? args.num_rows : (args.num_rows + kMaxColumns - 1) / kMaxColumns * kMaxColumns;
    return launch(prepare_rows, dim3(rows), dim3(kPrepareThreads), 0, stream, args);
}

cudaError_t launch_dequantize(
    const TileMatrix& matrix, int first_tile, int num_tiles, int padded_dim, std::uint16_t* out, cudaStream_t stream) {
    switch (matrix.format) {
    case TileFormat::q4:
        return run_dequantize<TileQ4>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    case TileFormat::q4k:
        return run_dequantize<TileQ4K>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    case TileFormat::q6k:
        return run_dequantize<TileQ6K>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    case TileFormat::q8:
        return run_dequantize<TileQ8>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    case TileFormat::g8:
        return run_dequantize<TileG8>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    case TileFormat::h16:
        return run_dequantize<TileH16>(matrix, first_tile, num_tiles, padded_dim, out, stream);
    }
    return cudaErrorInvalidValue;
}

cudaError_t launch_epilogue(
    const LinearArgs& args, int first_tile, int num_tiles, int num_rows, const float* y, cudaStream_t stream) {
    return launch(
        epilogue, dim3((num_tiles * 8 + 255) / 256, num_rows), dim3(256), 0, stream, args, first_tile, num_tiles, y);
}

} // namespace vitrine::kernels
