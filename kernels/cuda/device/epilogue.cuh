// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what becomes of a product: two rows of a tile (g and g + 8) for one token.
#pragma once

#include <cuda_bf16.h>

#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

__device__ __forceinline__ float gated(GateKind kind, float gate, float up) {
    if (kind == GateKind::silu)
        return __fdividef(gate, 1 + __expf(-gate)) * up;
    // The tanh form of GELU (Hendrycks and Gimpel, 2016).
    const float inner = 0.7978845608F * (gate + 0.044715F * gate * gate * gate);
    return 0.5F * gate * (1 + tanhf(inner)) * up;
}

/// The epilogue that kernels are compiled for; or of whatever kind the arguments say: kAnyKind.
inline constexpr int kAnyKind = -1;
template <int kKind>
__device__ __forceinline__ EpilogueKind kind_of(const EpilogueArgs& e) {
    return kKind == kAnyKind ? e.kind : static_cast<EpilogueKind>(kKind);
}

/// First element of the head row of a token: [block][K|V][kv head][token][head_dim].
__device__ __forceinline__ std::int64_t kv_row(const KvTarget& kv, int block, int part, int head, int offset) {
    return (((static_cast<std::int64_t>(block) * 2 + part) * kv.num_kv_heads + head) * kv.block_tokens + offset);
}

__device__ __forceinline__ void store_kv(const KvTarget& kv, int slot, int part, int index, float value) {
    const int head = index / kv.head_dim;
    const std::int64_t at =
        kv_row(kv, slot / kv.block_tokens, part, head, slot % kv.block_tokens) * kv.head_dim + index % kv.head_dim;
    if (kv.type == KvType::f16)
        static_cast<__half*>(kv.data)[at] = __float2half_rn(value);
    else
        static_cast<__nv_bfloat16*>(kv.data)[at] = __float2bfloat16_rn(value);
}

/// Logical row of row `g` (or g + 8: `second`) of a tile, and the pair's place in the head where the order pairs rows.
struct TileRow {
    int row;
    int pair; // index into the rope table; >= half_rotary: not rotated
};
__device__ __forceinline__ TileRow tile_row(const TileMatrix& matrix, int tile, int g, bool second) {
    if (matrix.order == RowOrder::plain)
        return {tile * 16 + g + (second ? 8 : 0), 0};
    const int index = tile * 8 + g;
    if (matrix.order == RowOrder::gate_up)
        return {index, 0};
    const int half = matrix.head_dim / 2;
    const int head = index / half;
    const int pair = index % half;
    int at = 2 * pair + (second ? 1 : 0); // interleaved, and what no rotation touches
    if (matrix.order == RowOrder::paired_neox && pair < matrix.half_rotary)
        at = pair + (second ? matrix.half_rotary : 0);
    return {head * matrix.head_dim + at, pair};
}

/// What the epilogue of a pair reads: loaded for several pairs before the first of them stores, since stores that may alias
/// would hold the loads of the next pair back.
struct PairInput {
    float low = 0, high = 0; // residual
    float2 turn{1, 0}; // cos, sin of the rotation
    int slot = 0; // of the keys and values
    float2 gain{1, 1}; // of the norm that reads the values next
};
/// What a lane has of a tile, the same for all places: kernels with many places find it once.
struct PairRows {
    int tile, g;
    TileRow a, b; // logical rows of g and g + 8
    float low = 1, high = 1; // what their products are multiplied by
};
__device__ __forceinline__ PairRows pair_rows(const TileMatrix& matrix, int tile, int g) {
    PairRows rows{tile, g, tile_row(matrix, tile, g, false), tile_row(matrix, tile, g, true)};
    if (matrix.row_scales != nullptr) {
        rows.low = matrix.row_scales[tile * 16 + g];
        rows.high = matrix.row_scales[tile * 16 + g + 8];
    }
    return rows;
}

template <int kKind = kAnyKind>
__device__ __forceinline__ PairInput load_pair(
    const EpilogueArgs& e, const TileMatrix& matrix, int segment, const PairRows& rows, int place) {
    PairInput input;
    const EpilogueKind kind = kind_of<kKind>(e);
    if (kind != EpilogueKind::add_residual && kind != EpilogueKind::rope_kv)
        return input;
    const int row = e.rows != nullptr ? e.rows[place] : place;
    const TileRow &a = rows.a, &b = rows.b;
    if (kind == EpilogueKind::add_residual) {
        const float* line = e.output + static_cast<std::int64_t>(row) * e.output_stride;
        input.low = a.row < matrix.out_dim ? line[a.row] : 0;
        input.high = b.row < matrix.out_dim ? line[b.row] : 0;
        if (e.feed.gain != nullptr) {
            input.gain.x = a.row < matrix.out_dim ? e.feed.gain[a.row] : 0;
            input.gain.y = b.row < matrix.out_dim ? e.feed.gain[b.row] : 0;
        }
        return input;
    }
    if (segment < 2 && e.rope != nullptr && a.pair < matrix.half_rotary)
        input.turn = e.rope[static_cast<std::int64_t>(e.positions[row]) * matrix.half_rotary + a.pair];
    input.slot = e.slots[row];
    return input;
}
template <int kKind = kAnyKind>
__device__ __forceinline__ PairInput load_pair(
    const EpilogueArgs& e, const TileMatrix& matrix, int segment, int tile, int g, int place) {
    const PairRows rows{tile, g, tile_row(matrix, tile, g, false), tile_row(matrix, tile, g, true)};
    return load_pair<kKind>(e, matrix, segment, rows, place);
}

__device__ inline void finish_rope_kv(const EpilogueArgs& e, const TileMatrix& matrix, int segment, int row, TileRow a,
    TileRow b, const PairInput& input, float low, float high) {
    const int limit = matrix.out_dim;
    if (e.bias[segment] != nullptr) {
        low += a.row < limit ? e.bias[segment][a.row] : 0;
        high += b.row < limit ? e.bias[segment][b.row] : 0;
    }
    if (segment < 2 && e.rope != nullptr && a.pair < matrix.half_rotary) {
        const float x = low;
        low = x * input.turn.x - high * input.turn.y;
        high = x * input.turn.y + high * input.turn.x;
    }
    float* plain = segment == 0 ? e.output : segment == 1 ? e.keys : e.values;
    if (plain != nullptr) {
        float* out = plain + static_cast<std::int64_t>(row) * limit;
        if (a.row < limit)
            out[a.row] = low;
        if (b.row < limit)
            out[b.row] = high;
        return;
    }
    if (a.row < limit)
        store_kv(e.kv, input.slot, segment - 1, a.row, low);
    if (b.row < limit)
        store_kv(e.kv, input.slot, segment - 1, b.row, high);
}

/// What was stored; `residual`: what was there.
template <int kKind = kAnyKind>
__device__ inline float finish_value(
    const EpilogueArgs& e, int segment, std::int64_t line, int r, float value, float residual) {
    float* out = e.output + line * e.output_stride + r;
    if (e.bias[segment] != nullptr)
        value += e.bias[segment][r];
    const EpilogueKind kind = kind_of<kKind>(e);
    if (kind == EpilogueKind::add_residual) {
        value = fmaf(value, e.scale, residual);
    } else if (kind == EpilogueKind::logits) {
        value *= e.scale;
        value = e.softcap == 0 ? value : e.softcap * tanhf(value / e.softcap);
    }
    *out = value;
    return value;
}

__device__ __forceinline__ void feed_value(const FeedArgs& feed, int place, int k, float value) {
    feed.image[fragment_offset(k, place, feed.lanes)] = __half_as_ushort(__float2half_rn(value));
}

/// Where value k of a place lies in PanelFeed::image, in halves from the first of the place's block.
struct PanelOffset {
    int line; // of place 0 of the block
    int chunk, half; // before the swizzle
    __device__ __forceinline__ PanelOffset(int k, int width)
        : line(k / 64 * width * 64), chunk(k % 64 / 16 * 2 + k / 2 % 2), half(k % 16 / 4 * 2 + k % 2) {}
    __device__ __forceinline__ int at(int n) const { return line + n * 64 + (chunk ^ (n & 7)) * 8 + half; }
};

/// Eight neighbouring lanes call it with the eight g of one tile and place.  Returns what the next op reads of a residual.
/// `place`: index among the rows of the op; low, high: products of rows g and g + 8 of the tile.
template <int kKind = kAnyKind>
__device__ __forceinline__ float2 finish_pair(const EpilogueArgs& e, const TileMatrix& matrix, int segment,
    const PairRows& rows, int place, const PairInput& input, float low, float high) {
    low *= rows.low;
    high *= rows.high;
    const int row = e.rows != nullptr ? e.rows[place] : place;
    const TileRow &a = rows.a, &b = rows.b;
    const EpilogueKind kind = kind_of<kKind>(e);
    if (kind == EpilogueKind::rope_kv) {
        finish_rope_kv(e, matrix, segment, row, a, b, input, low, high);
        return {};
    }
    const std::int64_t line = e.output_by_place ? place : row;
    if (kind == EpilogueKind::gated) {
        if (a.row >= matrix.out_dim)
            return {};
        const float value = gated(e.gate, low, high);
        e.output[line * e.output_stride + a.row] = value;
        if (e.feed.image != nullptr)
            feed_value(e.feed, place, a.row, value);
        return {};
    }
    low = a.row < matrix.out_dim ? finish_value<kKind>(e, segment, line, a.row, low, input.low) : 0;
    high = b.row < matrix.out_dim ? finish_value<kKind>(e, segment, line, b.row, high, input.high) : 0;
    const float2 fed{low * input.gain.x, high * input.gain.y};
    if (e.feed.image != nullptr && a.row < matrix.out_dim)
        feed_value(e.feed, place, a.row, fed.x);
    if (e.feed.image != nullptr && b.row < matrix.out_dim)
        feed_value(e.feed, place, b.row, fed.y);
    if (e.feed.squares == nullptr)
        return fed;
    const float sum = octet_sum(pair_square(low, high), 0xFFU << (threadIdx.x & 24));
    if (rows.g == 0)
        e.feed.squares[static_cast<std::int64_t>(place) * e.feed.squares_stride + rows.tile] = sum;
    return fed;
}
template <int kKind = kAnyKind>
__device__ inline float2 finish_pair(const EpilogueArgs& e, const TileMatrix& matrix, int segment, int tile, int g,
    int place, const PairInput& input, float low, float high) {
    return finish_pair<kKind>(e, matrix, segment, pair_rows(matrix, tile, g), place, input, low, high);
}

} // namespace vitrine::kernels
