// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: the state of one attention item: scores, softmax of a tile, and how partial softmaxes fold.
#pragma once

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
    [[nodiscard]] int visible(int row) const { return args.first_visible + (args.causal ? row / args.group : 0); }
    [[nodiscard]] int oldest(int row) const { // first key inside the window
        return args.window > 0 && visible(row) > args.window ? visible(row) - args.window : 0;
    }
};

/// Keys of the tile that the last of these rows sees.
[[gnu::always_inline]] inline int keys_seen(const Work& work, int last_row, int first_token) {
    const int seen = work.visible(last_row) - first_token;
    return seen < kTile ? seen : kTile;
}

/// Keys of the tile that a row sees.
struct KeyRange {
    int lo, hi;
};
[[gnu::always_inline]] inline KeyRange range_of(const Work& work, int row, int first_token) {
    const int oldest = work.oldest(row) - first_token;
    return {oldest > 0 ? oldest : 0, keys_seen(work, row, first_token)};
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

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
