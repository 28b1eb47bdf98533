// SPDX-License-Identifier: GPL-3.0-or-later
// File order to tiles, once per matrix at load: one thread builds what one lane of one chunk will read.
#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/raw_formats.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

namespace vitrine::kernels {
namespace {

/// Row `g` or `g + 8` of a tile in the file, or null beyond the matrix.
__device__ const uchar* source_row(const RepackArgs& args, int tile, int g, bool second) {
    const int row = tile_row(args.matrix, tile, g, second).row;
    if (row >= args.matrix.out_dim)
        return nullptr;
    const bool up = args.matrix.order == RowOrder::gate_up && second;
    return args.source[up ? 1 : 0] + row * args.row_bytes;
}

template <WeightFormat F>
struct Reader {
    static constexpr int kWeights = BlockShape<F>::kWeights;
    const uchar* row;
    int block_bytes;
    int in_dim;

    __device__ bool holds(int k) const { return row != nullptr && k < in_dim; }
    __device__ const uchar* block(int k) const { return row + k / kWeights * static_cast<std::int64_t>(block_bytes); }
};

template <WeightFormat F>
__device__ int four_bits(const Reader<F>& r, int k) {
    if (!r.holds(k))
        return 0;
    if constexpr (F == WeightFormat::q4_0)
        return Raw<F>::code(r.block(k), k % 32) + 8;
    else if constexpr (F == WeightFormat::q6_k)
        return Raw<F>::unsigned_code(r.block(k), k % 256) & 15;
    else
        return Raw<F>::code(r.block(k), k % Reader<F>::kWeights);
}

/// The eight codes of a step as nibbles_to_half takes them apart.
template <WeightFormat F>
__device__ uint32_t nibble_word(const Reader<F>& low, const Reader<F>& high, int k) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        const int shift = (i & 1) * 16 + (i >> 1) * 8;
        word |= static_cast<uint32_t>(four_bits(low, k + i)) << shift;
        word |= static_cast<uint32_t>(four_bits(high, k + i)) << (shift + 4);
    }
    return word;
}

template <WeightFormat F>
__device__ uint32_t byte_word(const Reader<F>& r, int k) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        const int code = r.holds(k + i) ? Raw<F>::code(r.block(k + i), (k + i) % Reader<F>::kWeights) : 0;
        word |= static_cast<uint32_t>(code + 128) << (i * 8);
    }
    return word;
}

template <WeightFormat F>
__device__ void put_q4(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    auto* codes = reinterpret_cast<uint32_t*>(chunk + lane * 16);
    for (int j = 0; j < 4; ++j)
        codes[j] = nibble_word(low, high, k + j * 16 + lane % 4 * 4);
    if (lane % 4 != 0)
        return;
    const auto pair = [&](const Reader<F>& r, int at) -> uint32_t {
        if (!r.holds(at))
            return 0;
        const float scale = Raw<F>::scale(r.block(at), 0);
        return pack_half2(scale, F == WeightFormat::q4_0 ? -8 * scale : -Raw<F>::min(r.block(at), 0));
    };
    *reinterpret_cast<uint4*>(chunk + 512 + lane / 4 * 16) = {
        pair(low, k), pair(low, k + 32), pair(high, k), pair(high, k + 32)};
}

template <WeightFormat F>
__device__ void put_q4k(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    for (int j = 0; j < 16; ++j)
        reinterpret_cast<uint32_t*>(chunk + j / 4 * 512 + lane * 16)[j % 4] =
            nibble_word(low, high, k + j * 16 + lane % 4 * 4);
    if (lane % 4 != 0)
        return;
    for (int second = 0; second < 2; ++second) {
        const Reader<F>& r = second == 0 ? low : high;
        uchar* scales = chunk + 2048 + lane / 4 * 32 + second * 16;
        const bool live = r.holds(k);
        for (int group = 0; group < 8; ++group) {
            scales[group] = live ? static_cast<uchar>(k_scale(r.block(k) + 4, group)) : 0;
            scales[8 + group] = live ? static_cast<uchar>(k_min(r.block(k) + 4, group)) : 0;
        }
        reinterpret_cast<uint32_t*>(chunk + 2304 + lane / 4 * 8)[second] = live ? raw32(r.block(k)) : 0;
    }
}

template <WeightFormat F>
__device__ void put_q6k(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    constexpr int kShift[2][4] = {{4, 8, 6, 10}, {0, 12, 2, 14}}; // of a0..a3, see TileQ6K::add_bits
    const auto top = [&](const Reader<F>& r, int at) {
        return r.holds(at) ? static_cast<uint32_t>(Raw<F>::unsigned_code(r.block(at), at % 256)) >> 4 : 0U;
    };
    for (int j = 0; j < 16; ++j)
        reinterpret_cast<uint32_t*>(chunk + j / 4 * 512 + lane * 16)[j % 4] =
            nibble_word(low, high, k + j * 16 + lane % 4 * 4);
    for (int w = 0; w < 8; ++w) {
        uint32_t word = 0;
        for (int s = 0; s < 2; ++s) {
            const int at = k + (2 * w + s) * 16 + lane % 4 * 4;
            for (int i = 0; i < 4; ++i) {
                word |= top(low, at + i) << (kShift[s][i / 2 * 2] + i % 2 * 16);
                word |= top(high, at + i) << (kShift[s][i / 2 * 2 + 1] + i % 2 * 16);
            }
        }
        reinterpret_cast<uint32_t*>(chunk + 2048 + w / 4 * 512 + lane * 16)[w % 4] = word;
    }
    if (lane % 4 != 0)
        return;
    for (int second = 0; second < 2; ++second) {
        const Reader<F>& r = second == 0 ? low : high;
        const bool live = r.holds(k);
        for (int group = 0; group < 16; ++group)
            chunk[3072 + lane / 4 * 32 + second * 16 + group] = live ? r.block(k)[192 + group] ^ 0x80 : 0x80;
        reinterpret_cast<uint16_t*>(chunk + 3328 + lane / 4 * 4)[second] =
            live ? static_cast<uint16_t>(raw16(r.block(k) + 208)) : 0;
    }
}

template <WeightFormat F>
__device__ void put_bytes(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    for (int j = 0; j < 4; ++j) {
        auto* words = reinterpret_cast<uint32_t*>(chunk + j / 2 * 512 + lane * 16 + j % 2 * 8);
        words[0] = byte_word(low, k + j * 16 + lane % 4 * 4);
        words[1] = byte_word(high, k + j * 16 + lane % 4 * 4);
    }
}

template <WeightFormat F>
__device__ void put_q8(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    put_bytes(low, high, k, chunk, lane);
    if (lane % 4 != 0)
        return;
    auto* scales = reinterpret_cast<uint16_t*>(chunk + 1024 + lane / 4 * 8);
    for (int i = 0; i < 4; ++i) {
        const Reader<F>& r = i < 2 ? low : high;
        const int at = k + i % 2 * 32;
        scales[i] = r.holds(at) ? static_cast<uint16_t>(raw16(r.block(at))) : 0;
    }
}

template <WeightFormat F>
__device__ void put_g8(const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane) {
    put_bytes(low, high, k, chunk, lane);
    if (lane % 4 != 0)
        return;
    for (int j = 0; j < 4; ++j) {
        const int at = k + j * 16;
        const auto scale = [&](const Reader<F>& r) {
            return r.holds(at) ? Raw<F>::scale(r.block(at), at % Reader<F>::kWeights) : 0;
        };
        const auto min = [&](const Reader<F>& r) {
            return r.holds(at) ? Raw<F>::min(r.block(at), at % Reader<F>::kWeights) : 0;
        };
        *reinterpret_cast<float4*>(chunk + 1024 + j * 128 + lane / 4 * 16) = {
            scale(low), min(low), scale(high), min(high)};
    }
}

template <WeightFormat F>
__device__ void put_h16(
    const Reader<F>& low, const Reader<F>& high, int k, uchar* chunk, int lane, float shrink_low, float shrink_high) {
    const auto value = [&](const Reader<F>& r, int at, float shrink) {
        return r.holds(at) ? raw_value<F>(r.block(at), 0) * shrink : 0.0F;
    };
    for (int j = 0; j < 4; ++j) {
        const int at = k + j * 16 + lane % 4 * 4;
        *reinterpret_cast<uint4*>(chunk + j * 512 + lane * 16) = {
            pack_half2(value(low, at, shrink_low), value(low, at + 1, shrink_low)),
            pack_half2(value(high, at, shrink_high), value(high, at + 1, shrink_high)),
            pack_half2(value(low, at + 2, shrink_low), value(low, at + 3, shrink_low)),
            pack_half2(value(high, at + 2, shrink_high), value(high, at + 3, shrink_high))};
    }
}

template <WeightFormat F>
__global__ void repack(const __grid_constant__ RepackArgs args) {
    constexpr TileFormat kTile = tile_format_of(F);
    constexpr TileInfo kInfo = tile_info(kTile);
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * 8 + threadIdx.x / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int tile = static_cast<int>(item / args.matrix.num_chunks);
    const int index = static_cast<int>(item % args.matrix.num_chunks);
    if (tile >= args.matrix.num_tiles)
        return;
    const int block_bytes = static_cast<int>(args.row_bytes / (args.in_dim / BlockShape<F>::kWeights));
    const Reader<F> low{source_row(args, tile, lane / 4, false), block_bytes, args.in_dim};
    const Reader<F> high{source_row(args, tile, lane / 4, true), block_bytes, args.in_dim};
    auto* chunk = const_cast<uchar*>(args.matrix.tiles) + item * kInfo.chunk_bytes;
    const int k = index * kInfo.chunk_weights;
    if constexpr (kTile == TileFormat::q4)
        put_q4(low, high, k, chunk, lane);
    else if constexpr (kTile == TileFormat::q4k)
        put_q4k(low, high, k, chunk, lane);
    else if constexpr (kTile == TileFormat::q6k)
        put_q6k(low, high, k, chunk, lane);
    else if constexpr (kTile == TileFormat::q8)
        put_q8(low, high, k, chunk, lane);
    else if constexpr (kTile == TileFormat::g8)
        put_g8(low, high, k, chunk, lane);
    else
        put_h16(low, high, k, chunk, lane, 1 / args.matrix.row_scales[tile * 16 + lane / 4],
            1 / args.matrix.row_scales[tile * 16 + lane / 4 + 8]);
}

/// Power of two that brings the largest weight of a row into f16's upper range; 1 for F16.  One warp per row of a tile.
template <WeightFormat F>
__global__ void measure_rows(const __grid_constant__ RepackArgs args) {
    const int line = static_cast<int>(blockIdx.x) * 8 + static_cast<int>(threadIdx.x) / 32;
    if (line >= args.matrix.num_tiles * 16)
        return;
    const Reader<F> row{source_row(args, line / 16, line % 8, line % 16 >= 8),
        static_cast<int>(args.row_bytes / args.in_dim), args.in_dim};
    float largest = 0;
    for (int k = static_cast<int>(threadIdx.x) % 32; k < args.in_dim && row.row != nullptr; k += 32)
        largest = fmaxf(largest, fabsf(raw_value<F>(row.block(k), 0)));
    largest = warp_max(largest);
    const bool scaled = F != WeightFormat::f16 && largest > 0 && largest < INFINITY;
    if (threadIdx.x % 32 == 0)
        const_cast<float*>(args.matrix.row_scales)[line] = scaled ? exp2f(static_cast<float>(ilogbf(largest))) : 1.0F;
}

} // namespace

cudaError_t launch_repack(const RepackArgs& args, cudaStream_t stream) {
    return with_format(args.format, [&](auto tag) {
        constexpr WeightFormat kFormat = decltype(tag)::kFormat;
        if constexpr (tile_format_of(kFormat) == TileFormat::h16) {
            measure_rows<kFormat><<<static_cast<unsigned>(args.matrix.num_tiles) * 2, 256, 0, stream>>>(args);
            const cudaError_t status = cudaGetLastError();
            if (status != cudaSuccess)
                return status;
        }
        const std::int64_t items = static_cast<std::int64_t>(args.matrix.num_tiles) * args.matrix.num_chunks;
        repack<kFormat><<<static_cast<unsigned>((items + 7) / 8), 256, 0, stream>>>(args);
        return cudaGetLastError();
    });
}

} // namespace vitrine::kernels
