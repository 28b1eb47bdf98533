// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: a tile of keys and values widened to f32 once, for many query rows.
#pragma once

#include "kernels/cpu/body/attention_work.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

// ---- widening ------------------------------------------------------------------------------------------------------

template <class Kv>
void widen(const Work& work, int first_token, int end_token) {
    const AttentionArgs& args = work.args;
    for (int token = first_token; token < end_token; token += args.block_tokens) {
        const std::int64_t block = args.blocks[token / args.block_tokens];
        const std::uint8_t* keys = args.head.keys + block * args.block_bytes;
        const std::uint8_t* values = args.head.values + block * args.block_bytes;
        const float* key_scales = args.head.key_scales + block * args.scale_stride;
        const float* value_scales = args.head.value_scales + block * args.scale_stride;
        const int column = token - first_token;
        for (int t = 0; t < args.block_tokens; t += kLanes) {
            const F scale = Kv::kScalePerToken ? load(key_scales + t) : splat(Kv::kScalePerHead ? *key_scales : 1.0F);
            for (int d = 0; d < args.head_dim; ++d) {
                const F x = Kv::get(keys + (d * args.block_tokens + t) * Kv::kBytes);
                store(work.keys + d * kTile + column + t, Kv::kScalePerToken || Kv::kScalePerHead ? x * scale : x);
            }
        }
        const int count = end_token - token < args.block_tokens ? end_token - token : args.block_tokens;
        for (int t = 0; t < count; ++t) {
            const F scale = splat(Kv::kScalePerToken ? value_scales[t] : Kv::kScalePerHead ? *value_scales : 1.0F);
            float* out = work.values + (column + t) * work.padded;
            for (int d = 0; d < work.padded; d += kLanes) {
                const F x = Kv::get(values + (t * args.head_dim + d) * Kv::kBytes);
                store(out + d, Kv::kScalePerToken || Kv::kScalePerHead ? x * scale : x);
            }
        }
    }
}

// ---- scores ----------------------------------------------------------------------------------------------------------

template <int kRows>
[[gnu::always_inline]] inline void score_rows(const Work& work, int row, int num_keys) {
    const float* q[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
        q[r] = work.query(row + r);
    for (int key = 0; key < num_keys; key += 2 * kLanes) {
        F left[kRows];
        F right[kRows];
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r)
            left[r] = right[r] = zero();
        const float* keys = work.keys + key;
        for (int d = 0; d < work.args.head_dim; ++d, keys += kTile) {
            const F a = load(keys);
            const F b = load(keys + kLanes);
#pragma GCC unroll 8
            for (int r = 0; r < kRows; ++r) {
                const F x = splat(q[r][d]);
                left[r] = fma_lanes(a, x, left[r]);
                right[r] = fma_lanes(b, x, right[r]);
            }
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            store(work.scores + (row + r) * kTile + key, left[r]);
            store(work.scores + (row + r) * kTile + key + kLanes, right[r]);
        }
    }
}

void score_tile(const Work& work, int first_token) {
    int row = 0;
    for (; row + kScoreRows <= work.rows; row += kScoreRows)
        score_rows<kScoreRows>(work, row, keys_seen(work, row + kScoreRows - 1, first_token));
    for (; row + 3 <= work.rows; row += 3)
        score_rows<3>(work, row, keys_seen(work, row + 2, first_token));
    for (; row < work.rows; ++row)
        score_rows<1>(work, row, keys_seen(work, row, first_token));
}

// ---- values ----------------------------------------------------------------------------------------------------------

/// Sum over keys lo..hi of p * v, in key order, folded into columns `first`.. of the rows' split.
template <int kRows, int kParts>
[[gnu::always_inline]] inline void mix_rows(const Work& work, int row, int lo, int hi, int first) {
    F sum[kRows][kParts];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int i = 0; i < kParts; ++i)
            sum[r][i] = zero();
    const float* p = work.scores + row * kTile;
    const float* v = work.values + lo * work.padded + first;
    for (int key = lo; key < hi; ++key, v += work.padded) {
        F part[kParts];
#pragma GCC unroll 4
        for (int i = 0; i < kParts; ++i)
            part[i] = load(v + i * kLanes);
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
            const F weight = splat(p[r * kTile + key]);
#pragma GCC unroll 4
            for (int i = 0; i < kParts; ++i)
                sum[r][i] = fma_lanes(part[i], weight, sum[r][i]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
        const F old_factor = splat(work.factors.old_part[row + r]);
        const F new_factor = splat(work.factors.new_part[row + r]);
        float* o = work.split.o + (row + r) * work.padded + first;
#pragma GCC unroll 4
        for (int i = 0; i < kParts; ++i)
            fold_into(o + i * kLanes, sum[r][i], old_factor, new_factor);
    }
}

template <int kRows>
void mix_tile_rows(const Work& work, int row, int lo, int hi) {
    int first = 0;
    for (; first + 4 * kLanes <= work.padded; first += 4 * kLanes)
        mix_rows<kRows, 4>(work, row, lo, hi, first);
    for (; first < work.padded; first += kLanes)
        mix_rows<kRows, 1>(work, row, lo, hi, first);
}

void mix_some_rows(const Work& work, int row, int count, int lo, int hi) {
    switch (count) {
    case 4:
        return mix_tile_rows<4>(work, row, lo, hi);
    case 3:
        return mix_tile_rows<3>(work, row, lo, hi);
    case 2:
        return mix_tile_rows<2>(work, row, lo, hi);
    default:
        return mix_tile_rows<1>(work, row, lo, hi);
    }
}

void widen_any(const Work& work, int first_token, int end_token) {
    switch (work.args.type) {
    case KvType::f16:
        return widen<KvF16>(work, first_token, end_token);
    case KvType::bf16:
        return widen<KvBf16>(work, first_token, end_token);
    case KvType::int8:
        return widen<KvInt8>(work, first_token, end_token);
    case KvType::int8_head:
        return widen<KvInt8Head>(work, first_token, end_token);
    case KvType::fp8_e4m3:
        return widen<KvFp8>(work, first_token, end_token);
    }
}

/// One tile of keys: scores, exponentials, values, folded into `work.split`.
void attend_tile_wide(const Work& work, int first_token, int end_token) {
    widen_any(work, first_token, end_token);
    score_tile(work, first_token);
    for (int row = 0; row < work.rows; ++row) {
        const KeyRange range = range_of(work, row, first_token);
        softmax_row(work, row, range.lo, range.hi);
    }
    fold_sums(work.split, work.tile, work.rows, work.factors);
    for (int row = 0; row < work.rows; row += kValueRows) {
        const int count = work.rows - row < kValueRows ? work.rows - row : kValueRows;
        // Later rows see later keys: the first one's oldest and the last one's newest bound all.
        const int lo = range_of(work, row, first_token).lo;
        const int hi = range_of(work, row + count - 1, first_token).hi;
        if (lo < hi)
            mix_some_rows(work, row, count, lo, hi);
    }
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
