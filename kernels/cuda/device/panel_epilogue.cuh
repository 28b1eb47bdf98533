// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what the panel kernel makes of a tile's products with many places.  The same values as
// finish_pair() (epilogue.cuh), ordered for throughput: what depends on the tile is found once, what depends on the place lies
// in shared memory before the products end, and what must come from memory is asked for a batch ahead.
#pragma once

#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {

/// What the epilogue needs to know of each place of a block.
template <int N>
struct PanelPlaces {
    float scale[N]; // of the products
    int line[N]; // row of the output
    int position[N]; // rope_kv
    int kv_row[N]; // rope_kv: row of the pool of the token's first key head
};

/// A warp; after pdl_wait().
template <int N>
__device__ __forceinline__ void load_places(
    PanelPlaces<N>& places, const LinearArgs& args, int first_place, int columns, float factor) {
    const EpilogueArgs& e = args.epilogue;
    for (int i = static_cast<int>(threadIdx.x) % 32; i < columns; i += 32) {
        const int place = first_place + i;
        const int row = e.rows != nullptr ? e.rows[place] : place;
        places.scale[i] = args.row_scales[place] * factor;
        places.line[i] = e.output_by_place ? place : row;
        if (e.kind != EpilogueKind::rope_kv)
            continue;
        places.position[i] = e.rope != nullptr ? e.positions[row] : 0;
        const int slot = e.slots[row];
        const KvTarget& kv = e.kv;
        // Of 8-bit types the rows go elsewhere and nothing of the pool is known here.
        places.kv_row[i] = kv.block_tokens > 0
            ? slot / kv.block_tokens * 2 * kv.num_kv_heads * kv.block_tokens + slot % kv.block_tokens
            : 0;
    }
}

/// One warp's tile: places [begin, end) of the block, four at a time, eight lanes each.
template <int N, class Sums>
class PanelFinish {
public:
    __device__ __forceinline__ PanelFinish(const LinearArgs& args, int segment, int tile, int first_place, int begin,
        int end, const PanelPlaces<N>& places, const Sums& sums)
        : e_(args.epilogue), matrix_(args.segment[segment]), places_(places), sums_(sums),
          segment_(args.first_segment + segment), first_place_(first_place), end_(end) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        rows_ = pair_rows(matrix_, tile, lane % 8);
        first_ = begin + lane / 8;
        has_low_ = rows_.a.row < matrix_.out_dim;
        has_high_ = rows_.b.row < matrix_.out_dim;
        if (e_.bias[segment_] != nullptr && e_.kind != EpilogueKind::gated) {
            bias_.x = has_low_ ? e_.bias[segment_][rows_.a.row] : 0;
            bias_.y = has_high_ ? e_.bias[segment_][rows_.b.row] : 0;
        }
    }
    __device__ __forceinline__ void run() const {
        switch (e_.kind) {
        case EpilogueKind::store:
            return run_plain([](float value) { return value; });
        case EpilogueKind::logits:
            return run_plain([this](float value) {
                value *= e_.scale;
                return e_.softcap == 0 ? value : e_.softcap * tanhf(value / e_.softcap);
            });
        case EpilogueKind::add_residual:
            return run_residual();
        case EpilogueKind::rope_kv:
            return run_rope_kv();
        case EpilogueKind::gated:
            return run_gated();
        }
    }

private:
    struct Nothing {};

    /// load(column) a batch ahead, then use(column, products, loaded).
    template <int kBatch, class Load, class Use>
    __device__ __forceinline__ void for_columns(Load&& load, Use&& use) const {
        using Input = decltype(load(0));
        Input ahead[kBatch];
#pragma unroll
        for (int j = 0; j < kBatch; ++j) {
            if (first_ + j * 4 < end_)
                ahead[j] = load(first_ + j * 4);
        }
        for (int base = first_; base < end_; base += kBatch * 4) {
            Input input[kBatch];
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                input[j] = ahead[j];
                const int next = base + (kBatch + j) * 4;
                if (next < end_)
                    ahead[j] = load(next);
            }
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                const int column = base + j * 4;
                if (column >= end_)
                    continue;
                const float2 sum = sums_(column);
                const float scale = places_.scale[column];
                use(column, float2{sum.x * (scale * rows_.low), sum.y * (scale * rows_.high)}, input[j]);
            }
        }
    }
    __device__ __forceinline__ float* line_of(int column) const {
        return e_.output + static_cast<std::int64_t>(places_.line[column]) * e_.output_stride;
    }
    template <class Map>
    __device__ __forceinline__ void run_plain(Map&& map) const {
        for_columns<4>([](int) { return Nothing{}; },
            [&](int column, float2 sum, Nothing) {
                float* line = line_of(column);
                if (has_low_)
                    line[rows_.a.row] = map(sum.x + bias_.x);
                if (has_high_)
                    line[rows_.b.row] = map(sum.y + bias_.y);
            });
    }
    __device__ __forceinline__ void run_residual() const {
        for_columns<8>(
            [&](int column) {
                const float* line = line_of(column);
                return float2{has_low_ ? line[rows_.a.row] : 0, has_high_ ? line[rows_.b.row] : 0};
            },
            [&](int column, float2 sum, float2 before) {
                float* line = line_of(column);
                if (has_low_)
                    line[rows_.a.row] = fmaf(sum.x + bias_.x, e_.scale, before.x);
                if (has_high_)
                    line[rows_.b.row] = fmaf(sum.y + bias_.y, e_.scale, before.y);
            });
    }
    __device__ __forceinline__ void run_gated() const {
        if (!has_low_)
            return;
        for_columns<4>([](int) { return Nothing{}; },
            [&](int column, float2 sum, Nothing) { line_of(column)[rows_.a.row] = gated(e_.gate, sum.x, sum.y); });
    }
    __device__ __forceinline__ void run_rope_kv() const {
        const bool turns = segment_ < 2 && e_.rope != nullptr && rows_.a.pair < matrix_.half_rotary;
        float* plain = segment_ == 0 ? e_.output : segment_ == 1 ? e_.keys : e_.values;
        const KvPlace low = kv_place(rows_.a.row);
        const KvPlace high = kv_place(rows_.b.row);
        for_columns<4>(
            [&](int column) {
                return turns ? e_.rope[places_.position[column] * static_cast<std::int64_t>(matrix_.half_rotary) +
                                   rows_.a.pair]
                             : float2{1, 0};
            },
            [&](int column, float2 sum, float2 turn) {
                const float x = sum.x + bias_.x;
                const float y = sum.y + bias_.y;
                const float first = turns ? x * turn.x - y * turn.y : x;
                const float second = turns ? x * turn.y + y * turn.x : y;
                if (plain != nullptr) {
                    float* line = plain + static_cast<std::int64_t>(places_.line[column]) * matrix_.out_dim;
                    if (has_low_)
                        line[rows_.a.row] = first;
                    if (has_high_)
                        line[rows_.b.row] = second;
                    return;
                }
                if (has_low_)
                    put_kv(places_.kv_row[column], low, first);
                if (has_high_)
                    put_kv(places_.kv_row[column], high, second);
            });
    }
    /// Of one dimension of a head: what is the same for all tokens.
    struct KvPlace {
        int row, dim;
    };
    __device__ __forceinline__ KvPlace kv_place(int index) const {
        if (e_.kind != EpilogueKind::rope_kv || segment_ == 0 || e_.kv.head_dim == 0)
            return {0, 0};
        const int head = index / e_.kv.head_dim;
        return {((segment_ - 1) * e_.kv.num_kv_heads + head) * e_.kv.block_tokens, index - head * e_.kv.head_dim};
    }
    __device__ __forceinline__ void put_kv(int token, const KvPlace& place, float value) const {
        const std::int64_t at = static_cast<std::int64_t>(token + place.row) * e_.kv.head_dim + place.dim;
        if (e_.kv.type == KvType::f16)
            static_cast<__half*>(e_.kv.data)[at] = __float2half_rn(value);
        else
            static_cast<__nv_bfloat16*>(e_.kv.data)[at] = __float2bfloat16_rn(value);
    }

    const EpilogueArgs& e_;
    const TileMatrix& matrix_;
    const PanelPlaces<N>& places_;
    const Sums& sums_;
    PairRows rows_;
    float2 bias_{0, 0};
    int segment_, first_place_, first_, end_;
    bool has_low_, has_high_;
};

} // namespace vitrine::kernels
