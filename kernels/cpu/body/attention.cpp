// SPDX-License-Identifier: GPL-3.0-or-later
// Paged attention in one pass, decode and prefill alike: keys and values of 64 tokens are widened to f32 once and serve
// every query row and every head of the group.  A row's arithmetic is fixed by absolute token: tiles of 64 fold into splits
// of 256, splits into the result, always in order, so neither the batch, nor the chunking, nor the threads change its bits.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/kv_codec.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kTile = kAttentionTile;
constexpr int kScoreRows = kLanes == 16 ? 8 : 4; // rows x 2 key vectors of accumulators
constexpr int kValueRows = kLanes == 16 ? 4 : 2; // rows x 4 value vectors

/// Partial softmaxes of all rows: o [rows][padded], m and l [rows, whole vectors].
struct Fold {
    float* o;
    float* m;
    float* l;
};

/// What a fold multiplies the old and the new part of each row with: [rows, whole vectors].
struct Factors {
    float* old_part;
    float* new_part;
};

struct Work {
    const AttentionArgs& args;
    int rows; // queries * group
    int padded; // head_dim rounded up to whole vectors
    float* keys; // [head_dim][kTile]
    float* values; // [kTile][padded]
    float* scores; // [rows][kTile]
    Fold split, total;
    Fold tile; // m and l only: its o goes straight into the split
    Factors factors;

    [[nodiscard]] const float* query(int row) const {
        return args.query + row / args.group * args.query_stride + row % args.group * args.head_dim;
    }
    [[nodiscard]] int visible(int row) const { return args.first_visible + row / args.group; }
    [[nodiscard]] int oldest(int row) const { // first key inside the window
        return args.window > 0 && visible(row) > args.window ? visible(row) - args.window : 0;
    }
};

// ---- widening ------------------------------------------------------------------------------------------------------

/// A decode step finds the cache in memory: asking for a whole tile at once keeps many lines in flight.
template <class Kv>
void prefetch_tile(const AttentionArgs& args, int first_token, int end_token) {
    const int bytes = args.head_dim * args.block_tokens * Kv::kBytes;
    for (int token = first_token; token < end_token; token += args.block_tokens) {
        const std::int64_t offset = args.blocks[token / args.block_tokens] * args.block_bytes;
        for (int i = 0; i < bytes; i += 64) {
            __builtin_prefetch(args.head.keys + offset + i);
            __builtin_prefetch(args.head.values + offset + i);
        }
    }
}

template <class Kv>
void widen(const Work& work, int first_token, int end_token) {
    const AttentionArgs& args = work.args;
    prefetch_tile<Kv>(args, first_token, end_token);
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

/// Keys of the tile that the last of these rows sees.
[[gnu::always_inline]] inline int keys_seen(const Work& work, int last_row, int first_token) {
    const int seen = work.visible(last_row) - first_token;
    return seen < kTile ? seen : kTile;
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

// ---- softmax ---------------------------------------------------------------------------------------------------------

/// Scores of one row -> exponentials, zero outside [lo, hi); max and sum into `work.tile`.
void softmax_row(const Work& work, int row, int lo, int hi) {
    float* s = work.scores + row * kTile;
    const float infinity = __builtin_inff();
    int k = 0;
    work.tile.m[row] = -infinity;
    work.tile.l[row] = 0;
    if (lo < hi) {
        F best = splat(-infinity);
        for (; k < hi; k += kLanes) {
            F x = load(s + k) * splat(work.args.scale);
            if (work.args.softcap > 0)
                x = splat(work.args.softcap) * tanh_lanes(x / splat(work.args.softcap));
            if (k < lo || k + kLanes > hi)
                x = keep_lanes(x, lo - k, hi - k, -infinity);
            best = max_lanes(best, x);
            store(s + k, x);
        }
        const float m = reduce_max(best);
        F sum = zero();
        for (int i = 0; i < k; i += kLanes) {
            const F p = exp_lanes(load(s + i) - splat(m));
            sum = sum + p;
            store(s + i, p);
        }
        work.tile.m[row] = m;
        work.tile.l[row] = reduce_add(sum);
    }
    for (; k < kTile; k += kLanes)
        store(s + k, zero());
}

// ---- folding ---------------------------------------------------------------------------------------------------------

void clear(const Fold& fold, int rows, int padded) {
    for (int i = 0; i < rows * padded; i += kLanes)
        store(fold.o + i, zero());
    for (int row = 0; row < rows; row += kLanes) {
        store(fold.m + row, splat(-__builtin_inff()));
        store(fold.l + row, zero());
    }
}

/// m and l of into (+) part, and the factors by which the o of both join: the one rule of all folds.  A row without
/// keys so far, or in the part, has m = -infinity and l = 0; its factor is 0, or its o is.
void fold_sums(const Fold& into, const Fold& part, int rows, const Factors& factors) {
    for (int row = 0; row < rows; row += kLanes) {
        const F old_m = load(into.m + row);
        const F new_m = load(part.m + row);
        const F top = max_lanes(max_lanes(old_m, new_m), splat(-1e30F)); // finite: no difference of infinities
        const F old_factor = exp_lanes(old_m - top);
        const F new_factor = exp_lanes(new_m - top);
        store(factors.old_part + row, old_factor);
        store(factors.new_part + row, new_factor);
        store(into.m + row, max_lanes(old_m, new_m));
        store(into.l + row, fma_lanes(load(part.l + row), new_factor, load(into.l + row) * old_factor));
    }
}

[[gnu::always_inline]] inline void fold_into(float* o, F part, F old_factor, F new_factor) {
    store(o, fma_lanes(part, new_factor, load(o) * old_factor));
}

/// into <- into (+) part, o included.
void fold(const Fold& into, const Fold& part, int rows, int padded, const Factors& factors) {
    fold_sums(into, part, rows, factors);
    for (int row = 0; row < rows; ++row) {
        const F old_factor = splat(factors.old_part[row]);
        const F new_factor = splat(factors.new_part[row]);
        for (int d = row * padded; d < (row + 1) * padded; d += kLanes)
            fold_into(into.o + d, load(part.o + d), old_factor, new_factor);
    }
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

/// Keys of the tile that a row sees.
struct KeyRange {
    int lo, hi;
};
[[gnu::always_inline]] inline KeyRange range_of(const Work& work, int row, int first_token) {
    const int oldest = work.oldest(row) - first_token;
    return {oldest > 0 ? oldest : 0, keys_seen(work, row, first_token)};
}

/// One tile of keys: scores, exponentials, values, folded into `work.split`.
void attend_tile(const Work& work, int first_token) {
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

void write_output(const Work& work) {
    const AttentionArgs& args = work.args;
    for (int row = 0; row < work.rows; ++row) {
        float* out = args.output + row / args.group * args.output_stride + row % args.group * args.head_dim;
        const float* o = work.total.o + row * work.padded;
        const F inverse = splat(1.0F / work.total.l[row]);
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
    const int last_visible = work.visible(rows - 1);
    for (int split = args.split_begin; split < args.split_end; ++split) {
        clear(work.split, rows, padded);
        const int split_end = (split + 1) * kSplitTokens;
        const int end = split_end < last_visible ? split_end : last_visible;
        for (int token = split * kSplitTokens; token < end; token += kTile) {
            if (token + kTile <= work.oldest(0))
                continue;
            widen_any(work, token, token + kTile < end ? token + kTile : end);
            attend_tile(work, token);
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
    const float inverse = 1.0F / total.l[0];
    for (int d = 0; d < args.head_dim; ++d)
        args.output[d] = total.o[d] * inverse;
}

// ---- writing ---------------------------------------------------------------------------------------------------------

float amax_of(const float* x, int count) {
    float best = 0;
    for (int i = 0; i < count; ++i)
        best = __builtin_fabsf(x[i]) > best ? __builtin_fabsf(x[i]) : best;
    return best;
}

/// Elements as they lie in the pool, one after the other.
void encode(const KvWriteArgs& args, float scale, std::uint8_t* out) {
    auto* wide = reinterpret_cast<std::uint16_t*>(out);
    switch (args.type) {
    case KvType::f16: {
        float tail[kLanes] = {};
        for (int i = 0; i < args.count; i += kLanes) {
            for (int k = i; i + kLanes > args.count && k < args.count; ++k)
                tail[k - i] = args.x[k];
            store_f16(wide + i, load(i + kLanes > args.count ? tail : args.x + i));
        }
        return;
    }
    case KvType::bf16:
        for (int i = 0; i < args.count; ++i)
            wide[i] = bf16_of(args.x[i]);
        return;
    case KvType::int8:
    case KvType::int8_head:
        for (int i = 0; i < args.count; ++i)
            out[i] = scale > 0 ? int8_of(args.x[i] / scale) : std::uint8_t{0};
        return;
    case KvType::fp8_e4m3:
        for (int i = 0; i < args.count; ++i)
            out[i] = scale > 0 ? fp8_of(args.x[i] / scale) : std::uint8_t{0};
        return;
    }
}

void kv_write(const KvWriteArgs& args) {
    float* scales = args.is_key ? args.head.key_scales : args.head.value_scales;
    float scale = 1;
    if (args.type == KvType::int8) {
        scale = amax_of(args.x, args.count) / 127.0F;
        scales[args.offset] = scale;
    } else if (scales != nullptr) {
        scale = scales[0];
    }
    alignas(64) std::uint8_t encoded[1024 + 64]; // head_dim is at most 512
    encode(args, scale, encoded);
    const bool wide = args.type == KvType::f16 || args.type == KvType::bf16;
    if (!args.is_key) {
        const int bytes = wide ? 2 : 1;
        std::uint8_t* out = args.head.values + (args.offset * args.head_dim + args.first) * bytes;
        __builtin_memcpy(out, encoded, static_cast<std::size_t>(args.count * bytes));
    } else if (wide) {
        auto* out = reinterpret_cast<std::uint16_t*>(args.head.keys) + args.first * args.block_tokens + args.offset;
        const auto* in = reinterpret_cast<const std::uint16_t*>(encoded);
        for (int d = 0; d < args.count; ++d)
            out[d * args.block_tokens] = in[d];
    } else {
        std::uint8_t* out = args.head.keys + args.first * args.block_tokens + args.offset;
        for (int d = 0; d < args.count; ++d)
            out[d * args.block_tokens] = encoded[d];
    }
}

} // namespace

void add_attention(IsaTable& table) {
    table.attention = attention;
    table.combine = combine;
    table.kv_write = kv_write;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
