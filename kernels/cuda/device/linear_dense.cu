// SPDX-License-Identifier: GPL-3.0-or-later
// Before products of many tokens: tiles to f16.
#include "kernels/cuda/device/tile_formats.cuh"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {
namespace {

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
        load_chunk<F, StreamSource>(regs,
            matrix.tiles + (static_cast<std::int64_t>(first_tile + tile) * chunks + chunk) * kInfo.chunk_bytes, lane);
    pdl_wait(); // `out` may still be read by the product before
    if (!live)
        return;
    uint16_t* low = out + (static_cast<std::int64_t>(tile) * 16 + lane / 4) * padded_dim + chunk * kInfo.chunk_weights +
        lane % 4 * 4;
    uint16_t* high = low + static_cast<std::int64_t>(8) * padded_dim;
#pragma unroll
    for (int group = 0; group < kGroupsPerChunk<F>; ++group) {
        uint32_t a[2][4];
        GroupScale scale[kScalesPerGroup<F>];
        F::decode(regs, group, a, scale);
        to_weights<F>(a, scale);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            *reinterpret_cast<uint2*>(low + group * 32 + i * 16) = {a[i][0], a[i][2]};
            *reinterpret_cast<uint2*>(high + group * 32 + i * 16) = {a[i][1], a[i][3]};
        }
    }
}

template <class F>
cudaError_t run_dequantize(
    const TileMatrix& matrix, int first_tile, int num_tiles, int padded_dim, uint16_t* out, cudaStream_t stream) {
    const int items = num_tiles * (padded_dim / tile_info(F::kFormat).chunk_weights);
    return launch(
        dequantize<F>, dim3((items + 7) / 8), dim3(256), 0, stream, matrix, first_tile, num_tiles, padded_dim, out);
}

} // namespace

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

} // namespace vitrine::kernels
