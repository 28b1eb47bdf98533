// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what the panel kernel makes of a tile's products with many places.  The same values as
// finish_pair() (epilogue.cuh), ordered for throughput: what depends on the tile is found once, what depends on the place lies
// in shared memory before the products end, and what must come from memory is asked for a batch ahead.
#pragma once

#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {

/// What the epilogue needs to know of each place of a block, and what it leaves of them for the next op.
template <int N, int kTiles>
struct PanelPlaces {
    float scale[N]; // of the products
    int line[N]; // row of the output
    int position[N]; // rope_kv
    int kv_row[N]; // rope_kv: row of the pool of the token's first key head
    int rescales; // f16 does not hold what was fed: the products are made again with scaled rows
    int largest[N]; // fed: bits of the largest magnitude
    float squares[kTiles][N]; // fed: sums of the squares of a tile's rows
};

/// 1 / rms of a fed row.
__device__ __forceinline__ float fed_norm(const LinearArgs& args, int place) {
    constexpr int kBatch = 8; // loads under way
    const float* at = args.fed.parts + place;
    const int count = *args.fed.num_parts;
    float sum = 0;
    for (int first = 0; first < count; first += kBatch) {
        float part[kBatch];
#pragma unroll
        for (int i = 0; i < kBatch; ++i)
            part[i] = first + i < count ? at[(first + i) * kPanelRows] : 0.0F;
#pragma unroll
        for (int i = 0; i < kBatch; ++i)
            sum += part[i];
    }
    return rsqrtf(sum / static_cast<float>(args.in_dim) + args.eps);
}
/// What a fed row must be divided by for f16.
__device__ __forceinline__ float fed_factor(const LinearArgs& args, int place) {
    return slice_factor(__int_as_float(args.fed.largest[place]));
}

/// A warp; after pdl_wait().
template <int N, int kTiles>
__device__ __forceinline__ void load_places(
    PanelPlaces<N, kTiles>& places, const LinearArgs& args, int first_place, int columns, float factor) {
    const EpilogueArgs& e = args.epilogue;
    bool rescales = false;
    for (int i = static_cast<int>(threadIdx.x) % 32; i < columns; i += 32) {
        const int place = first_place + i;
        const int row = e.rows != nullptr ? e.rows[place] : place;
        if (args.fed.image == nullptr) {
            places.scale[i] = args.row_scales[place] * factor;
        } else {
            const float shrink = fed_factor(args, place);
            rescales = rescales || shrink != 1;
            places.scale[i] = shrink * factor * (args.gain != nullptr ? fed_norm(args, place) : 1.0F);
        }
        places.largest[i] = 0;
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
    rescales = __any_sync(0xFFFFFFFFU, rescales);
    if (threadIdx.x % 32 == 0)
        places.rescales = rescales ? 1 : 0;
}

/// Eight values of a fed row in the order of a 16 B chunk: `chunk` of the 64 of K from k on.
__device__ __forceinline__ uint4 scaled_chunk(const LinearArgs& args, int place, int k, int chunk, float factor) {
    const float* line = args.input + static_cast<std::int64_t>(place) * args.in_dim;
    const int base = k + chunk / 2 * 16 + chunk % 2 * 2;
    uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int at = base + i * 4;
        float low = line[at] / factor;
        float high = line[at + 1] / factor;
        if (args.gain != nullptr) {
            low = line[at] * args.gain[at] / factor;
            high = line[at + 1] * args.gain[at + 1] / factor;
        }
        words[i] = pack_half2(low, high);
    }
    return {words[0], words[1], words[2], words[3]};
}

/// What a warp's tile adds to the feed.
template <int N, int kTiles>
class PanelFeeder {
public:
    __device__ __forceinline__ PanelFeeder(const EpilogueArgs& e, const PairRows& rows, bool has_low, bool has_high,
        int first_place, PanelPlaces<N, kTiles>& places)
        : feed_(e.feed), places_(places), low_(rows.a.row, N), high_(rows.b.row, N), has_low_(has_low),
          has_high_(has_high) {
        if (feed_.panel.image == nullptr)
            return;
        block_ = feed_.panel.image + first_place / N * (column_block_bytes(N, feed_.panel.padded_dim) / 2);
        if (feed_.gain != nullptr) {
            gain_.x = has_low ? feed_.gain[rows.a.row] : 0;
            gain_.y = has_high ? feed_.gain[rows.b.row] : 0;
        }
    }
    /// The eight lanes of a place.
    __device__ __forceinline__ void add(int column, float low, float high) const {
        if (feed_.panel.image == nullptr)
            return;
        const float x = low * gain_.x;
        const float y = high * gain_.y;
        if (has_low_)
            block_[low_.at(column)] = __half_as_ushort(__float2half_rn(x));
        if (has_high_)
            block_[high_.at(column)] = __half_as_ushort(__float2half_rn(y));
        const unsigned mask = 0xFFU << (threadIdx.x & 24);
        float most = fmaxf(has_low_ ? fabsf(x) : 0, has_high_ ? fabsf(y) : 0);
        most = fmaxf(most, __shfl_xor_sync(mask, most, 1));
        most = fmaxf(most, __shfl_xor_sync(mask, most, 2));
        most = fmaxf(most, __shfl_xor_sync(mask, most, 4));
        const bool first = threadIdx.x % 8 == 0;
        if (first)
            atomicMax(&places_.largest[column], __float_as_int(most));
        if (feed_.panel.parts == nullptr)
            return;
        const float sum = octet_sum(pair_square(has_low_ ? low : 0, has_high_ ? high : 0), mask);
        if (first)
            places_.squares[threadIdx.x / 32][column] = sum;
    }

private:
    const FeedArgs& feed_;
    PanelPlaces<N, kTiles>& places_;
    PanelOffset low_, high_;
    std::uint16_t* block_ = nullptr;
    float2 gain_{1, 1};
    bool has_low_, has_high_;
};
/// A thread for each of the block's places, once all tiles have added theirs.
template <int N, int kTiles>
__device__ __forceinline__ void leave_feed(const PanelFeed& feed, const PanelPlaces<N, kTiles>& places, int first_place,
    int begin, int end, int tiles, int part) {
    const int column = begin + static_cast<int>(threadIdx.x);
    if (column >= end)
        return;
    atomicMax(feed.largest + first_place + column, places.largest[column]);
    if (feed.parts == nullptr)
        return;
    float sum = 0;
    for (int tile = 0; tile < tiles; ++tile)
        sum += places.squares[tile][column];
    feed.parts[part * kPanelRows + first_place + column] = sum;
}

/// One warp's tile: places [begin, end) of the block, four at a time, eight lanes each.
template <int N, int kTiles, class Sums>
class PanelFinish {
public:
    __device__ __forceinline__ PanelFinish(const LinearArgs& args, int segment, int tile, int first_place, int begin,
        int end, PanelPlaces<N, kTiles>& places, const Sums& sums)
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
        const PanelFeeder<N, kTiles> feeder(e_, rows_, has_low_, has_high_, first_place_, places_);
        for_columns<8>(
            [&](int column) {
                const float* line = line_of(column);
                return float2{has_low_ ? line[rows_.a.row] : 0, has_high_ ? line[rows_.b.row] : 0};
            },
            [&](int column, float2 sum, float2 before) {
                float* line = line_of(column);
                const float low = fmaf(sum.x + bias_.x, e_.scale, before.x);
                const float high = fmaf(sum.y + bias_.y, e_.scale, before.y);
                if (has_low_)
                    line[rows_.a.row] = low;
                if (has_high_)
                    line[rows_.b.row] = high;
                feeder.add(column, low, high);
            });
    }
    __device__ __forceinline__ void run_gated() const {
        const PanelFeeder<N, kTiles> feeder(e_, rows_, has_low_, false, first_place_, places_);
        for_columns<4>([](int) { return Nothing{}; },
            [&](int column, float2 sum, Nothing) {
                const float value = gated(e_.gate, sum.x, sum.y);
                if (has_low_)
                    line_of(column)[rows_.a.row] = value;
                feeder.add(column, value, 0);
            });
    }
    __device__ __forceinline__ void run_rope_kv() const {
        const bool turns = segment_ < 2 && e_.rope != nullptr && rows_.a.pair < matrix_.half_rotary;
        float* plain = segment_ == 0 ? e_.output : segment_ == 1 ? e_.keys : e_.values;
        const KvPlace low = kv_place(rows_.a.row);
        const KvPlace high = kv_place(rows_.b.row);
        for_columns<4>(
            [&](int column) {
                return turns
                    ? e_.rope[places_.position[column] * static_cast<std::int64_t>(matrix_.half_rotary) + rows_.a.pair]
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
    PanelPlaces<N, kTiles>& places_;
    const Sums& sums_;
    PairRows rows_;
    float2 bias_{0, 0};
    int segment_, first_place_, first_, end_;
    bool has_low_, has_high_;
};

} // namespace vitrine::kernels
