// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the products of many tokens that cuBLAS leaves in memory.  What counts is to keep memory busy: a thread takes
// four neighbouring pairs of rows of a tile for several tokens, all loads first, sixteen bytes each.
#include "kernels/cuda/device/quads.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kPlaces = 4; // of a thread

__device__ __forceinline__ void finish_gated(const EpilogueArgs& e, const QuadRows& rows, int row, const Quad& q) {
    float value[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        value[i] = gated(e.gate, q.low[i], q.high[i]);
    put_four(
        e.output + static_cast<std::int64_t>(row) * e.output_stride + rows.a, value[0], value[1], value[2], value[3]);
}
__device__ __forceinline__ void finish_rope_kv(
    const EpilogueArgs& e, const TileMatrix& matrix, int segment, const QuadRows& rows, int row, Quad& q) {
    if (segment < 2 && e.rope != nullptr && rows.pair < matrix.half_rotary) {
        const float2* turns = e.rope + static_cast<std::int64_t>(e.positions[row]) * matrix.half_rotary + rows.pair;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float2 turn = turns[i];
            const float x = q.low[i];
            const float y = q.high[i];
            q.low[i] = x * turn.x - y * turn.y;
            q.high[i] = x * turn.y + y * turn.x;
        }
    }
    float* plain = segment == 0 ? e.output : segment == 1 ? e.keys : e.values;
    if (plain != nullptr) {
        put_pairs(plain + static_cast<std::int64_t>(row) * matrix.out_dim, rows.a, rows.b, q);
        return;
    }
    const int slot = e.slots[row];
    const int head = rows.a / e.kv.head_dim;
    const int first = head * e.kv.head_dim;
    const std::int64_t at =
        kv_row(e.kv, slot / e.kv.block_tokens, segment - 1, head, slot % e.kv.block_tokens) * e.kv.head_dim;
    if (e.kv.type == KvType::f16)
        put_pairs(static_cast<__half*>(e.kv.data) + at, rows.a - first, rows.b - first, q);
    else
        put_pairs(static_cast<__nv_bfloat16*>(e.kv.data) + at, rows.a - first, rows.b - first, q);
}

/// Grid: (tiles, kPlaces tokens).
template <EpilogueKind kKind>
__global__ void __launch_bounds__(kThreads) epilogue_quads(
    const __grid_constant__ LinearArgs args, int first_tile, int num_tiles, int num_rows, const float* y) {
    pdl_trigger();
    const EpilogueArgs& e = args.epilogue;
    const TileMatrix& matrix = args.segment[0];
    const int index = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    const int tile = index / 2;
    const int g = index % 2 * 4;
    const int first_place = static_cast<int>(blockIdx.y) * kPlaces;
    const int segment = args.first_segment;
    QuadRows rows{0, 0, 0, false};
    Quad factor, bias{};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        factor.low[i] = factor.high[i] = 1 / weight_factor(matrix.format);
    if (tile < num_tiles) {
        rows = quad_rows(matrix, first_tile + tile, g);
        if (matrix.row_scales != nullptr) {
            load_four(factor.low, matrix.row_scales + (first_tile + tile) * 16 + g);
            load_four(factor.high, matrix.row_scales + (first_tile + tile) * 16 + g + 8);
        }
        if (kKind != EpilogueKind::gated && rows.inside && e.bias[segment] != nullptr) {
            const int step = rows.b == rows.a + 1 ? 2 : 1;
            for (int i = 0; i < 4; ++i) {
                bias.low[i] = e.bias[segment][rows.a + i * step];
                bias.high[i] = e.bias[segment][rows.b + i * step];
            }
        }
    }
    pdl_wait();
    if (!rows.inside)
        return;
    Quad quad[kPlaces], before[kPlaces];
    float scale[kPlaces];
    int row[kPlaces];
#pragma unroll
    for (int j = 0; j < kPlaces; ++j) {
        const int place = first_place + j;
        if (place >= num_rows)
            break;
        const float* at = y + (static_cast<std::int64_t>(place) * num_tiles + tile) * 16 + g;
        load_four(quad[j].low, at);
        load_four(quad[j].high, at + 8);
        scale[j] = args.row_scales[place];
        row[j] = e.rows != nullptr ? e.rows[place] : place;
        if (kKind == EpilogueKind::add_residual) {
            const float* line = e.output + static_cast<std::int64_t>(row[j]) * e.output_stride;
            load_four(before[j].low, line + rows.a);
            load_four(before[j].high, line + rows.b);
        }
    }
#pragma unroll
    for (int j = 0; j < kPlaces; ++j) {
        if (first_place + j >= num_rows)
            break;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            quad[j].low[i] = fmaf(quad[j].low[i], scale[j] * factor.low[i], bias.low[i]);
            quad[j].high[i] = fmaf(quad[j].high[i], scale[j] * factor.high[i], bias.high[i]);
        }
        if constexpr (kKind == EpilogueKind::gated) {
            finish_gated(e, rows, row[j], quad[j]);
        } else if constexpr (kKind == EpilogueKind::rope_kv) {
            finish_rope_kv(e, matrix, segment, rows, row[j], quad[j]);
        } else {
#pragma unroll
            for (int i = 0; kKind == EpilogueKind::add_residual && i < 4; ++i) {
                quad[j].low[i] = fmaf(quad[j].low[i], e.scale, before[j].low[i]);
                quad[j].high[i] = fmaf(quad[j].high[i], e.scale, before[j].high[i]);
            }
            put_pairs(e.output + static_cast<std::int64_t>(row[j]) * e.output_stride, rows.a, rows.b, quad[j]);
        }
    }
}

/// Any shape: one thread per pair of rows (g, g + 8) and token; neighbours are neighbours in the tile.
__global__ void __launch_bounds__(kThreads)
    epilogue_pairs(const __grid_constant__ LinearArgs args, int first_tile, int num_tiles, const float* y) {
    pdl_trigger();
    pdl_wait();
    const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int place = static_cast<int>(blockIdx.y);
    const int tile = index / 8;
    const int g = index % 8;
    if (tile >= num_tiles)
        return;
    const float* at = y + (static_cast<std::int64_t>(place) * num_tiles + tile) * 16 + g;
    const float scale = args.row_scales[place] / weight_factor(args.segment[0].format);
    const PairInput input = load_pair(args.epilogue, args.segment[0], args.first_segment, first_tile + tile, g, place);
    finish_pair(args.epilogue, args.segment[0], args.first_segment, first_tile + tile, g, place, input, at[0] * scale,
        at[8] * scale);
}

} // namespace

cudaError_t launch_epilogue(
    const LinearArgs& args, int first_tile, int num_tiles, int num_rows, const float* y, cudaStream_t stream) {
    const bool known = args.epilogue.kind != EpilogueKind::logits; // of few rows
    if (!known || !lies_in_quads(args.segment[0], args.epilogue))
        return launch(epilogue_pairs, dim3((num_tiles * 8 + kThreads - 1) / kThreads, num_rows), dim3(kThreads), 0,
            stream, args, first_tile, num_tiles, y);
    const dim3 grid((num_tiles * 2 + kThreads - 1) / kThreads, (num_rows + kPlaces - 1) / kPlaces);
    const auto run = [&](auto kernel) {
        return launch(kernel, grid, dim3(kThreads), 0, stream, args, first_tile, num_tiles, num_rows, y);
    };
    switch (args.epilogue.kind) {
    case EpilogueKind::gated:
        return run(epilogue_quads<EpilogueKind::gated>);
    case EpilogueKind::add_residual:
        return run(epilogue_quads<EpilogueKind::add_residual>);
    case EpilogueKind::rope_kv:
        return run(epilogue_quads<EpilogueKind::rope_kv>);
    default:
        return run(epilogue_quads<EpilogueKind::store>);
    }
}

} // namespace vitrine::kernels
