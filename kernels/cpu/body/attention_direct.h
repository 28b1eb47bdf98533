// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: a tile of keys and values read straight from the cache, for the few rows of a decode step.
// Every sum runs in the order of attention_wide.h over the same numbers, so both give the same bits.
#pragma once

#include "kernels/cpu/body/attention_work.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kDirectRows = 4; // beyond, widening once is cheaper
constexpr int kDirectKeys = kLanes == 16 ? 4 : 2; // key vectors of accumulators per row

template <class Kv>
[[gnu::always_inline]] inline F scaled(F x, F scale) {
    return Kv::kScalePerToken || Kv::kScalePerHead ? x * scale : x;
}

template <class Kv, int kRows>
void score_direct(const Work& work, int first_token, int num_keys) {
    const AttentionArgs& args = work.args;
    const std::int64_t d_bytes = std::int64_t{args.block_tokens} * Kv::kBytes;
    const float* q[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
        q[r] = work.query(r);
    for (int key = 0; key < num_keys; key += kDirectKeys * kLanes) {
        const std::uint8_t* keys[kDirectKeys];
        F scale[kDirectKeys];
#pragma GCC unroll 4
        for (int v = 0; v < kDirectKeys; ++v) {
            // A vector beyond the visible keys repeats the first: its block may not exist.
            const int column = key + v * kLanes < num_keys ? key + v * kLanes : key;
            const int token = first_token + column;
            const std::int64_t block = args.blocks[token / args.block_tokens];
            const int offset = token % args.block_tokens;
            const float* scales = args.head.key_scales + block * args.scale_stride;
            keys[v] = args.head.keys + block * args.block_bytes + offset * Kv::kBytes;
            scale[v] = Kv::kScalePerToken ? load(scales + offset) : splat(Kv::kScalePerHead ? *scales : 1.0F);
        }
        F sum[kRows][kDirectKeys];
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < kDirectKeys; ++v)
                sum[r][v] = zero();
        for (int d = 0; d < args.head_dim; ++d) {
            F x[kDirectKeys];
#pragma GCC unroll 4
            for (int v = 0; v < kDirectKeys; ++v)
                x[v] = scaled<Kv>(Kv::get(keys[v] + d * d_bytes), scale[v]);
#pragma GCC unroll 4
            for (int r = 0; r < kRows; ++r) {
                const F weight = splat(q[r][d]);
#pragma GCC unroll 4
                for (int v = 0; v < kDirectKeys; ++v)
                    sum[r][v] = fma_lanes(x[v], weight, sum[r][v]);
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
            for (int v = 0; v < kDirectKeys; ++v)
                store(work.scores + r * kTile + key + v * kLanes, sum[r][v]);
    }
}

template <class Kv, int kRows, int kParts>
[[gnu::always_inline]] inline void mix_columns(const Work& work, int first_token, int lo, int hi, int first) {
    const AttentionArgs& args = work.args;
    F sum[kRows][kParts];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int i = 0; i < kParts; ++i)
            sum[r][i] = zero();
    for (int key = lo; key < hi;) {
        const int token = first_token + key;
        const std::int64_t block = args.blocks[token / args.block_tokens];
        const int offset = token % args.block_tokens;
        const int run = hi - key < args.block_tokens - offset ? hi - key : args.block_tokens - offset;
        const std::uint8_t* v =
            args.head.values + block * args.block_bytes + (offset * args.head_dim + first) * Kv::kBytes;
        const float* scales = args.head.value_scales + block * args.scale_stride;
        for (int t = 0; t < run; ++t, ++key, v += args.head_dim * Kv::kBytes) {
            const F scale = splat(Kv::kScalePerToken ? scales[offset + t] : Kv::kScalePerHead ? *scales : 1.0F);
            F part[kParts];
#pragma GCC unroll 4
            for (int i = 0; i < kParts; ++i)
                part[i] = scaled<Kv>(Kv::get(v + i * kLanes * Kv::kBytes), scale);
#pragma GCC unroll 4
            for (int r = 0; r < kRows; ++r) {
                const F weight = splat(work.scores[r * kTile + key]);
#pragma GCC unroll 4
                for (int i = 0; i < kParts; ++i)
                    sum[r][i] = fma_lanes(part[i], weight, sum[r][i]);
            }
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
        const F old_factor = splat(work.factors.old_part[r]);
        const F new_factor = splat(work.factors.new_part[r]);
        float* o = work.split.o + r * work.padded + first;
#pragma GCC unroll 4
        for (int i = 0; i < kParts; ++i)
            fold_into(o + i * kLanes, sum[r][i], old_factor, new_factor);
    }
}

template <class Kv, int kRows>
void attend_rows_direct(const Work& work, int first_token) {
    score_direct<Kv, kRows>(work, first_token, range_of(work, kRows - 1, first_token).hi);
    for (int row = 0; row < kRows; ++row) {
        const KeyRange range = range_of(work, row, first_token);
        softmax_row(work, row, range.lo, range.hi);
    }
    fold_sums(work.split, work.tile, kRows, work.factors);
    const int lo = range_of(work, 0, first_token).lo;
    const int hi = range_of(work, kRows - 1, first_token).hi;
    int first = 0;
    for (; first + 4 * kLanes <= work.padded; first += 4 * kLanes)
        mix_columns<Kv, kRows, 4>(work, first_token, lo, hi, first);
    for (; first < work.padded; first += kLanes)
        mix_columns<Kv, kRows, 1>(work, first_token, lo, hi, first);
}

template <class Kv>
void attend_direct(const Work& work, int first_token) {
    switch (work.rows) {
    case 1:
        return attend_rows_direct<Kv, 1>(work, first_token);
    case 2:
        return attend_rows_direct<Kv, 2>(work, first_token);
    case 3:
        return attend_rows_direct<Kv, 3>(work, first_token);
    default:
        return attend_rows_direct<Kv, 4>(work, first_token);
    }
}

/// One tile of keys for up to kDirectRows rows, folded into `work.split`.
void attend_tile_direct(const Work& work, int first_token) {
    switch (work.args.type) {
    case KvType::f16:
        return attend_direct<KvF16>(work, first_token);
    case KvType::bf16:
        return attend_direct<KvBf16>(work, first_token);
    case KvType::int8:
        return attend_direct<KvInt8>(work, first_token);
    case KvType::int8_head:
        return attend_direct<KvInt8Head>(work, first_token);
    case KvType::fp8_e4m3:
        return attend_direct<KvFp8>(work, first_token);
    }
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
