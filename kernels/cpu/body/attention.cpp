// SPDX-License-Identifier: GPL-3.0-or-later
// Paged attention in one pass, decode and prefill alike.  A row's arithmetic is fixed by absolute token: tiles of 64 fold into
// splits of 256, splits into the result, always in order, so neither the batch, nor the chunking, nor the threads change its
// bits.
#include "kernels/cpu/body/attention_direct.h"
#include "kernels/cpu/body/attention_wide.h"
#include "kernels/cpu/body/entries.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

/// A decode step finds the cache in memory: asking for a whole tile, one tile ahead, keeps many lines in flight.
void prefetch_tile(const AttentionArgs& args, int first_token, int end_token) {
    const int element_bytes = args.type == KvType::f16 || args.type == KvType::bf16 ? 2 : 1;
    const int bytes = args.head_dim * args.block_tokens * element_bytes;
    for (int token = first_token; token < end_token; token += args.block_tokens) {
        const std::int64_t offset = args.blocks[token / args.block_tokens] * args.block_bytes;
        for (int i = 0; i < bytes; i += 64) {
            __builtin_prefetch(args.head.keys + offset + i);
            __builtin_prefetch(args.head.values + offset + i);
        }
    }
}

void write_partials(const Work& work) {
    const int head_dim = work.args.head_dim;
    for (int row = 0; row < work.rows; ++row) {
        float* out = work.args.partial + static_cast<std::int64_t>(row) * (head_dim + 2);
        for (int d = 0; d < head_dim; ++d)
            out[d] = work.split.o[row * work.padded + d];
        out[head_dim] = work.split.m[row];
        out[head_dim + 1] = work.split.l[row];
    }
}

/// 1 / (l + exp(sink - m)): a sink takes its part of the softmax and gives no value.
[[gnu::always_inline]] inline float inverse_sum(float l, float m, const float* sink) {
    if (sink == nullptr)
        return 1.0F / l;
    const float distance = *sink - m;
    return 1.0F / (l + exp_lanes(splat(distance < 88.0F ? distance : 88.0F))[0]);
}

void write_output(const Work& work) {
    const AttentionArgs& args = work.args;
    for (int row = 0; row < work.rows; ++row) {
        float* out = args.output + row / args.group * args.output_stride + row % args.group * args.head_dim;
        const float* o = work.total.o + row * work.padded;
        const float* sink = args.sinks == nullptr ? nullptr : args.sinks + row % args.group;
        const F inverse = splat(inverse_sum(work.total.l[row], work.total.m[row], sink));
        int d = 0;
        for (; d + kLanes <= args.head_dim; d += kLanes)
            store(out + d, load(o + d) * inverse);
        for (; d < args.head_dim; ++d)
            out[d] = o[d] * inverse[0];
    }
}

/// Hands out parts of the scratch.
struct ScratchCursor {
    float* at;
    float* take(std::int64_t count) {
        float* start = at;
        at += count;
        return start;
    }
    Fold take_fold(std::int64_t rows, int padded) { return {take(rows * padded), take(rows), take(rows)}; }
};

void attention(const AttentionArgs& args) {
    const int rows = args.num_queries * args.group;
    const int padded = static_cast<int>(round_up(args.head_dim, 16));
    const std::int64_t whole_rows = round_up(rows, 16);
    ScratchCursor scratch{args.scratch};
    const Work work{args, rows, padded, scratch.take(std::int64_t{kTile} * padded),
        scratch.take(std::int64_t{kTile} * padded), scratch.take(whole_rows * kTile),
        scratch.take_fold(whole_rows, padded), scratch.take_fold(whole_rows, padded), scratch.take_fold(whole_rows, 0),
        {scratch.take(whole_rows), scratch.take(whole_rows)}};
    clear(work.total, rows, padded);
    const int all_visible = work.visible(rows - 1);
    const int last_visible = all_visible < args.split_end * kSplitTokens ? all_visible : args.split_end * kSplitTokens;
    const int first_token = args.split_begin * kSplitTokens;
    for (int split = args.split_begin; split < args.split_end; ++split) {
        clear(work.split, rows, padded);
        const int split_end = (split + 1) * kSplitTokens;
        const int end = split_end < last_visible ? split_end : last_visible;
        for (int token = split * kSplitTokens; token < end; token += kTile) {
            if (token + kTile <= work.oldest(0))
                continue;
            const int tile_end = token + kTile < end ? token + kTile : end;
            if (token == first_token)
                prefetch_tile(args, token, tile_end);
            prefetch_tile(args, tile_end, tile_end + kTile < last_visible ? tile_end + kTile : last_visible);
            if (rows <= kDirectRows)
                attend_tile_direct(work, token);
            else
                attend_tile_wide(work, token, tile_end);
        }
        if (args.partial != nullptr) {
            write_partials(work);
            return;
        }
        fold(work.total, work.split, rows, padded, work.factors);
    }
    write_output(work);
}

void combine(const CombineArgs& args) {
    const int padded = static_cast<int>(round_up(args.head_dim, 16));
    ScratchCursor scratch{args.scratch};
    const Fold total = scratch.take_fold(16, padded);
    const Fold part = scratch.take_fold(16, padded);
    const Factors factors{scratch.take(16), scratch.take(16)};
    clear(total, 1, padded);
    clear(part, 1, padded);
    for (int split = 0; split < args.num_splits; ++split) {
        const float* partial = args.partials + split * args.split_stride;
        for (int d = 0; d < args.head_dim; ++d)
            part.o[d] = partial[d];
        part.m[0] = partial[args.head_dim];
        part.l[0] = partial[args.head_dim + 1];
        fold(total, part, 1, padded, factors);
    }
    const float inverse = inverse_sum(total.l[0], total.m[0], args.sink);
    for (int d = 0; d < args.head_dim; ++d)
        args.output[d] = total.o[d] * inverse;
}

} // namespace

void add_attention(IsaTable& table) {
    table.attention = attention;
    table.combine = combine;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
