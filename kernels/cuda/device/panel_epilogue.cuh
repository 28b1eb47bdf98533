// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what the panel kernel makes of a tile's products with many places.  The same values as
// finish_pair() (epilogue.cuh), ordered for throughput: what depends on the tile is found once, what depends on the place lies
// in shared memory before the products end, and what must come from memory is asked for a batch ahead.
#pragma once

#include "kernels/cuda/device/quads.cuh"

namespace vitrine::kernels {

/// What the epilogue needs to know of each place of a block, and what it leaves of them for the next op.
template <int N, int kTiles>
struct PanelPlaces {
    struct Output {
        float scale; // of the products
        int offset; // of the row, from the output's first
    };
    struct Token {
        int turns; // offset in the rope table
        int kv_row; // row of the pool of the first key head
    };
    Output output[N];
    Token token[N]; // rope_kv
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
            places.output[i].scale = args.row_scales[place] * factor;
        } else {
            const float shrink = fed_factor(args, place);
            rescales = rescales || shrink != 1;
            places.output[i].scale = shrink * factor * (args.gain != nullptr ? fed_norm(args, place) : 1.0F);
        }
        places.largest[i] = 0;
        places.output[i].offset =
            e.kind == EpilogueKind::rope_kv ? row : (e.output_by_place ? place : row) * e.output_stride;
        if (e.kind != EpilogueKind::rope_kv)
            continue;
        places.token[i].turns = e.rope != nullptr ? e.positions[row] * args.segment[0].half_rotary : 0;
        const int slot = e.slots[row];
        const KvTarget& kv = e.kv;
        // Of 8-bit types the rows go elsewhere and nothing of the pool is known here.
        places.token[i].kv_row = kv.block_tokens > 0
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

/// What a warp's tile adds to the feed, two lanes to a place.
template <int N, int kTiles>
class PanelFeeder {
public:
    __device__ __forceinline__ PanelFeeder(
        const EpilogueArgs& e, const QuadRows& rows, int first_place, PanelPlaces<N, kTiles>& places)
        : feed_(e.feed), places_(places), low_(rows.a, N), low_next_(rows.a + 2, N), high_(rows.b, N),
          high_next_(rows.b + 2, N) {
        block_ = feed_.panel.image + first_place / N * (column_block_bytes(N, feed_.panel.padded_dim) / 2);
        for (int i = 0; i < 4; ++i) {
            gain_.low[i] = feed_.gain != nullptr && rows.inside ? feed_.gain[rows.a + i] : 1;
            gain_.high[i] = feed_.gain != nullptr && rows.inside ? feed_.gain[rows.b + i] : 1;
        }
    }
    /// `kHalf`: rows of q.low alone.  Both lanes of a place call it; `live`: this one has rows.
    template <bool kHalf>
    __device__ __forceinline__ void add(int column, const Quad& q, bool live) const {
        float most = 0;
        float sum = 0;
        if (live) {
            put(low_.at(column), low_next_.at(column), q.low, gain_.low, most, sum);
            if constexpr (!kHalf)
                put(high_.at(column), high_next_.at(column), q.high, gain_.high, most, sum);
        }
        const unsigned mask = 3U << (threadIdx.x & 30);
        most = fmaxf(most, __shfl_xor_sync(mask, most, 1));
        const bool first = threadIdx.x % 2 == 0;
        if (first)
            atomicMax(&places_.largest[column], __float_as_int(most));
        if (feed_.panel.parts == nullptr)
            return;
        sum += __shfl_xor_sync(mask, sum, 1);
        if (first)
            places_.squares[threadIdx.x / 32][column] = sum;
    }

private:
    __device__ __forceinline__ void put(
        int at, int next, const float (&values)[4], const float (&gain)[4], float& most, float& sum) const {
        float fed[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            fed[i] = values[i] * gain[i];
            most = fmaxf(most, fabsf(fed[i]));
            sum = fmaf(values[i], values[i], sum);
        }
        *reinterpret_cast<uint32_t*>(block_ + at) = pack_half2(fed[0], fed[1]);
        *reinterpret_cast<uint32_t*>(block_ + next) = pack_half2(fed[2], fed[3]);
    }

    const FeedArgs& feed_;
    PanelPlaces<N, kTiles>& places_;
    PanelOffset low_, low_next_, high_, high_next_;
    std::uint16_t* block_ = nullptr;
    Quad gain_;
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

/// One warp's tile: places [begin, end) of the block, sixteen at a time, two lanes each.  Every instruction counts once for each
/// of the SM's warps, so what a product's kind does not need is told apart outside the loops.
template <int N, int kTiles, class Sums>
class PanelFinish {
public:
    /// Requires: lies_in_quads().
    __device__ __forceinline__ PanelFinish(const LinearArgs& args, int segment, int tile, int first_place, int begin,
        int end, PanelPlaces<N, kTiles>& places, const Sums& sums)
        : e_(args.epilogue), matrix_(args.segment[segment]), places_(places), sums_(sums),
          segment_(args.first_segment + segment), first_place_(first_place), end_(end) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const int g = lane % 2 * 4;
        rows_ = quad_rows(matrix_, tile, g);
        first_ = begin + lane / 2;
        if (matrix_.row_scales != nullptr) {
            load_four(scale_.low, matrix_.row_scales + tile * 16 + g);
            load_four(scale_.high, matrix_.row_scales + tile * 16 + g + 8);
        }
        if (rows_.inside && e_.bias[segment_] != nullptr && e_.kind != EpilogueKind::gated) {
            const int step = rows_.b == rows_.a + 1 ? 2 : 1;
            for (int i = 0; i < 4; ++i) {
                bias_.low[i] = e_.bias[segment_][rows_.a + i * step];
                bias_.high[i] = e_.bias[segment_][rows_.b + i * step];
            }
        }
    }
    __device__ __forceinline__ void run() const {
        const bool feeds = N <= kFeedWidth && e_.feed.panel.image != nullptr;
        switch (e_.kind) {
        case EpilogueKind::store:
            return run_plain([](float value) { return value; });
        case EpilogueKind::logits:
            return e_.softcap == 0
                ? run_plain([this](float value) { return value * e_.scale; })
                : run_plain([this](float value) { return e_.softcap * tanhf(value * e_.scale / e_.softcap); });
        case EpilogueKind::add_residual:
            return feeds ? run_residual<N <= kFeedWidth>() : run_residual<false>();
        case EpilogueKind::rope_kv:
            return run_rope_kv();
        case EpilogueKind::gated:
            if (e_.gate == GateKind::silu)
                return feeds ? run_gated<GateKind::silu, N <= kFeedWidth>() : run_gated<GateKind::silu, false>();
            return feeds ? run_gated<GateKind::gelu_tanh, N <= kFeedWidth>() : run_gated<GateKind::gelu_tanh, false>();
        }
    }

private:
    struct Nothing {};
    using Output = typename PanelPlaces<N, kTiles>::Output;

    /// load(column) a batch ahead, then use(column, offset, products, loaded).  Both lanes of a place come.
    template <class Load, class Use>
    __device__ __forceinline__ void for_columns(Load&& load, Use&& use) const {
        constexpr int kBatch = N <= 32 ? 1 : 2;
        constexpr int kStep = 16;
        using Input = decltype(load(0));
        Input ahead[kBatch];
#pragma unroll
        for (int j = 0; j < kBatch; ++j) {
            if (first_ + j * kStep < end_)
                ahead[j] = load(first_ + j * kStep);
        }
#pragma unroll 1
        for (int base = first_; base < end_; base += kBatch * kStep) {
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                const int column = base + j * kStep;
                if (column >= end_)
                    break;
                const Input input = ahead[j];
                if (column + kBatch * kStep < end_)
                    ahead[j] = load(column + kBatch * kStep);
                Quad q;
                sums_(column, q);
                const Output output = places_.output[column];
                finish_products(q, output.scale);
                use(column, output.offset, q, input);
            }
        }
    }
    __device__ __forceinline__ void finish_products(Quad& q, float scale) const {
        if (matrix_.row_scales != nullptr) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                q.low[i] *= scale_.low[i];
                q.high[i] *= scale_.high[i];
            }
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            q.low[i] = fmaf(q.low[i], scale, bias_.low[i]);
            q.high[i] = fmaf(q.high[i], scale, bias_.high[i]);
        }
    }
    template <class Map>
    __device__ __forceinline__ void run_plain(Map&& map) const {
        for_columns([](int) { return Nothing{}; },
            [&](int, int offset, Quad& q, Nothing) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    q.low[i] = map(q.low[i]);
                    q.high[i] = map(q.high[i]);
                }
                if (rows_.inside)
                    put_pairs(e_.output + offset, rows_.a, rows_.b, q);
            });
    }
    template <bool kFeeds>
    __device__ __forceinline__ void run_residual() const {
        float* low = e_.output + rows_.a;
        float* high = e_.output + rows_.b;
        const auto feeder = feeder_if<kFeeds>();
        for_columns(
            [&](int column) {
                Quad before{};
                if (rows_.inside) {
                    load_four(before.low, low + places_.output[column].offset);
                    load_four(before.high, high + places_.output[column].offset);
                }
                return before;
            },
            [&](int column, int offset, Quad& q, const Quad& before) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    q.low[i] = fmaf(q.low[i], e_.scale, before.low[i]);
                    q.high[i] = fmaf(q.high[i], e_.scale, before.high[i]);
                }
                if (rows_.inside) {
                    put_four(low + offset, q.low[0], q.low[1], q.low[2], q.low[3]);
                    put_four(high + offset, q.high[0], q.high[1], q.high[2], q.high[3]);
                }
                if constexpr (kFeeds)
                    feeder.template add<false>(column, q, rows_.inside);
            });
    }
    template <GateKind kGate, bool kFeeds>
    __device__ __forceinline__ void run_gated() const {
        float* low = e_.output + rows_.a;
        const auto feeder = feeder_if<kFeeds>();
        for_columns([](int) { return Nothing{}; },
            [&](int column, int offset, Quad& q, Nothing) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    q.low[i] = gated(kGate, q.low[i], q.high[i]);
                if (rows_.inside)
                    put_four(low + offset, q.low[0], q.low[1], q.low[2], q.low[3]);
                if constexpr (kFeeds)
                    feeder.template add<true>(column, q, rows_.inside);
            });
    }
    template <bool kFeeds>
    __device__ __forceinline__ auto feeder_if() const {
        if constexpr (kFeeds)
            return PanelFeeder<N, kTiles>(e_, rows_, first_place_, places_);
        else
            return Nothing{};
    }
    __device__ __forceinline__ void run_rope_kv() const {
        if (segment_ < 2 && e_.rope != nullptr && rows_.pair < matrix_.half_rotary)
            rope_to<true>();
        else
            rope_to<false>();
    }
    template <bool kTurns>
    __device__ __forceinline__ void rope_to() const {
        float* plain = segment_ == 0 ? e_.output : segment_ == 1 ? e_.keys : e_.values;
        if (plain != nullptr) {
            const std::int64_t stride = matrix_.out_dim;
            rope_columns<kTurns>(
                [&](int, int row, const Quad& q) { put_pairs(plain + row * stride, rows_.a, rows_.b, q); });
        } else if (e_.kv.type == KvType::f16) {
            rope_to_pool<kTurns>(static_cast<__half*>(e_.kv.data));
        } else {
            rope_to_pool<kTurns>(static_cast<__nv_bfloat16*>(e_.kv.data));
        }
    }
    template <bool kTurns, class T>
    __device__ __forceinline__ void rope_to_pool(T* data) const {
        // From the first of a token's first key head.
        const int head = rows_.a / e_.kv.head_dim;
        const std::int64_t stride = e_.kv.head_dim;
        T* to =
            data + static_cast<std::int64_t>((segment_ - 1) * e_.kv.num_kv_heads + head) * e_.kv.block_tokens * stride;
        const int a = rows_.a - head * e_.kv.head_dim;
        const int b = rows_.b - head * e_.kv.head_dim;
        rope_columns<kTurns>(
            [&](int column, int, const Quad& q) { put_pairs(to + places_.token[column].kv_row * stride, a, b, q); });
    }
    template <bool kTurns, class Put>
    __device__ __forceinline__ void rope_columns(Put&& put) const {
        struct Turns {
            float4 first, second; // cos, sin of two pairs each
        };
        for_columns(
            [&](int column) {
                if (!kTurns)
                    return Turns{};
                const auto* at = reinterpret_cast<const float4*>(e_.rope + places_.token[column].turns + rows_.pair);
                return Turns{at[0], at[1]};
            },
            [&](int column, int row, Quad& q, const Turns& turns) {
                if (kTurns) {
                    turn(q.low[0], q.high[0], turns.first.x, turns.first.y);
                    turn(q.low[1], q.high[1], turns.first.z, turns.first.w);
                    turn(q.low[2], q.high[2], turns.second.x, turns.second.y);
                    turn(q.low[3], q.high[3], turns.second.z, turns.second.w);
                }
                if (rows_.inside)
                    put(column, row, q);
            });
    }
    __device__ __forceinline__ static void turn(float& low, float& high, float cosine, float sine) {
        const float x = low;
        low = x * cosine - high * sine;
        high = x * sine + high * cosine;
    }

    const EpilogueArgs& e_;
    const TileMatrix& matrix_;
    PanelPlaces<N, kTiles>& places_;
    const Sums& sums_;
    QuadRows rows_;
    Quad bias_{}, scale_{};
    int segment_, first_place_, first_, end_;
};

/// Any shape, without a feed: pair by pair.
template <int N, int kTiles, class Sums>
__device__ __forceinline__ void finish_pairs(const LinearArgs& args, int segment, int tile, int first_place, int begin,
    int end, const PanelPlaces<N, kTiles>& places, const Sums& sums) {
    const TileMatrix& matrix = args.segment[segment];
    const int g = static_cast<int>(threadIdx.x) % 8;
#pragma unroll 1
    for (int column = begin + static_cast<int>(threadIdx.x) % 32 / 8; column < end; column += 4) {
        const int place = first_place + column;
        const float2 sum = sums.pair(column, g);
        const float scale = places.output[column].scale;
        const PairInput input = load_pair(args.epilogue, matrix, args.first_segment + segment, tile, g, place);
        finish_pair(
            args.epilogue, matrix, args.first_segment + segment, tile, g, place, input, sum.x * scale, sum.y * scale);
    }
}

} // namespace vitrine::kernels
