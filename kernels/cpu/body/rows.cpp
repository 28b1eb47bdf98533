// SPDX-License-Identifier: GPL-3.0-or-later
// What works on one row at a time: norm, rotation, gate, residual, logits, and rows on their way into a panel or the pool.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/simd/lanes.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

[[gnu::always_inline]] inline F abs_lanes(F x) {
    return (F)((I)x & splat_int(0x7FFFFFFF));
}

/// 32 values as vectors.
struct Block32 {
    static constexpr int kParts = 32 / kLanes;
    F part[kParts];
};

[[gnu::always_inline]] inline Block32 load_block(const float* x) {
    Block32 block;
#pragma GCC unroll 4
    for (int i = 0; i < Block32::kParts; ++i)
        block.part[i] = load(x + i * kLanes);
    return block;
}

[[gnu::always_inline]] inline float largest(const Block32& block) {
    F best = abs_lanes(block.part[0]);
#pragma GCC unroll 4
    for (int i = 1; i < Block32::kParts; ++i)
        best = max_lanes(best, abs_lanes(block.part[i]));
    return reduce_max(best);
}

[[gnu::always_inline]] inline I clamp_code(I x) {
    const I high = splat_int(127);
    const I low = splat_int(-127);
    const I too_high = x > high;
    const I capped = (too_high & high) | (~too_high & x);
    const I too_low = capped < low;
    return (too_low & low) | (~too_low & capped);
}

struct BlockSums {
    std::int32_t all, first;
};

/// Sum of codes[0..] and of the first 16.
[[gnu::always_inline]] inline BlockSums sums_of(const I* codes) {
    I first = codes[0];
#pragma GCC unroll 4
    for (int i = 1; i < Block32::kParts / 2; ++i)
        first = first + codes[i];
    I second = codes[Block32::kParts / 2];
#pragma GCC unroll 4
    for (int i = Block32::kParts / 2 + 1; i < Block32::kParts; ++i)
        second = second + codes[i];
    const std::int32_t first_sum = reduce_add_int(first);
    return {first_sum + reduce_add_int(second), first_sum};
}

/// x ~ d * q1, or d / 256 * (256 * q1 + q2) with two planes.
template <bool kExact>
void panel_row(const PanelRow& row) {
    constexpr int kPlanes = kExact ? 2 : 1;
    const std::int64_t block_bytes = std::int64_t{row.size} * (32 * kPlanes + 16);
    std::uint8_t* at = row.tile + row.first_block * block_bytes;
    for (std::int64_t k = 0; k < row.count; k += kQuantBlock, at += block_bytes) {
        const Block32 block = load_block(row.x + k);
        const float amax = largest(block);
        const float d = amax / 127.0F;
        const F inverse = splat(amax > 0 ? 127.0F / amax : 0.0F);
        auto* codes = reinterpret_cast<std::int8_t*>(at) + 32 * row.index;
        I high[Block32::kParts];
        I low[Block32::kParts];
#pragma GCC unroll 4
        for (int i = 0; i < Block32::kParts; ++i) {
            const F scaled = block.part[i] * inverse;
            high[i] = to_int(scaled);
            store_s8(codes + i * kLanes, high[i]);
            if constexpr (kExact) {
                low[i] = clamp_code(to_int((scaled - to_float(high[i])) * splat(256.0F)));
                store_s8(codes + 32 * row.size + i * kLanes, low[i]);
            }
        }
        BlockSums sums = sums_of(high);
        float unit = d;
        if constexpr (kExact) {
            const BlockSums rest = sums_of(low);
            sums = {256 * sums.all + rest.all, 256 * sums.first + rest.first};
            unit = d / 256.0F;
        }
        auto* reals = reinterpret_cast<float*>(at + 32 * kPlanes * row.size) + row.index;
        reals[0] = unit;
        reals[row.size] = unit * static_cast<float>(sums.all);
        auto* integers = reinterpret_cast<std::int32_t*>(reals);
        integers[2 * row.size] = -128 * sums.all;
        integers[3 * row.size] = -128 * sums.first;
    }
}

void dense_row(const PanelRow& row) {
    float* at = reinterpret_cast<float*>(row.tile) + row.first_block * kQuantBlock * row.size + row.index;
    for (std::int64_t k = 0; k < row.count; ++k)
        at[k * row.size] = row.x[k];
}

void rms_norm(const NormArgs& args) {
    F even = zero();
    F odd = zero();
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= args.dim; i += 2 * kLanes) {
        const F a = load(args.x + i);
        const F b = load(args.x + i + kLanes);
        even = fma_lanes(a, a, even);
        odd = fma_lanes(b, b, odd);
    }
    float squares = reduce_add(even + odd);
    for (std::int64_t k = i; k < args.dim; ++k)
        squares += args.x[k] * args.x[k];
    const float inverse = 1.0F / __builtin_sqrtf(squares / static_cast<float>(args.dim) + args.eps);
    const F factor = splat(inverse);
    for (i = 0; i + kLanes <= args.dim; i += kLanes)
        store(args.y + i, load(args.x + i) * factor * load(args.gain + i));
    for (; i < args.dim; ++i)
        args.y[i] = args.x[i] * inverse * args.gain[i];
}

void layer_norm(const NormArgs& args) {
    F sums = zero();
    std::int64_t i = 0;
    for (; i + kLanes <= args.dim; i += kLanes)
        sums = sums + load(args.x + i);
    float sum = reduce_add(sums);
    for (std::int64_t k = i; k < args.dim; ++k)
        sum += args.x[k];
    const float mean = sum / static_cast<float>(args.dim);
    F square_sums = zero();
    for (i = 0; i + kLanes <= args.dim; i += kLanes) {
        const F centered = load(args.x + i) - splat(mean);
        square_sums = fma_lanes(centered, centered, square_sums);
    }
    float squares = reduce_add(square_sums);
    for (std::int64_t k = i; k < args.dim; ++k)
        squares += (args.x[k] - mean) * (args.x[k] - mean);
    const float inverse = 1.0F / __builtin_sqrtf(squares / static_cast<float>(args.dim) + args.eps);
    for (std::int64_t k = 0; k < args.dim; ++k)
        args.y[k] = (args.x[k] - mean) * inverse * args.gain[k] + (args.bias == nullptr ? 0.0F : args.bias[k]);
}

void rope_neox(const RopeArgs& args) {
    const int half = args.rotary_dim / 2;
    float* low = args.x;
    float* high = args.x + half;
    int i = 0;
    for (; i + kLanes <= half; i += kLanes) {
        const F a = load(low + i);
        const F b = load(high + i);
        const F c = load(args.cosine + i);
        const F s = load(args.sine + i);
        store(low + i, a * c - b * s);
        store(high + i, b * c + a * s);
    }
    for (; i < half; ++i) {
        const float a = low[i];
        const float b = high[i];
        low[i] = a * args.cosine[i] - b * args.sine[i];
        high[i] = b * args.cosine[i] + a * args.sine[i];
    }
}

void rope(const RopeArgs& args) {
    if (args.neox) {
        rope_neox(args);
        return;
    }
    const int count = args.first + args.count <= args.rotary_dim ? args.count : args.rotary_dim - args.first;
    const float* cosine = args.cosine + args.first;
    const float* sine = args.sine + args.first;
    int i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const F x = load(args.x + i);
        store(args.x + i, x * load(cosine + i) + swap_pairs(x) * load(sine + i));
    }
    for (; i < count; i += 2) {
        const float a = args.x[i];
        const float b = args.x[i + 1];
        args.x[i] = a * cosine[i] + b * sine[i];
        args.x[i + 1] = b * cosine[i + 1] + a * sine[i + 1];
    }
}

template <GateKind kKind>
[[gnu::always_inline]] inline F gated_lanes(F gate, F up) {
    if constexpr (kKind == GateKind::silu)
        return silu_lanes(gate) * up;
    else if constexpr (kKind == GateKind::gelu_tanh)
        return gelu_tanh_lanes(gate) * up;
    else if constexpr (kKind == GateKind::gelu)
        return gelu_lanes(gate) * up;
    else
        return swiglu_clamped_lanes(gate, up);
}

template <GateKind kKind>
void gate_row(const float* gate, const float* up, float* out, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, gated_lanes<kKind>(load(gate + i), up == nullptr ? splat(1.0F) : load(up + i)));
    if (i == count)
        return;
    float gate_tail[kLanes] = {}; // the same lanes arithmetic for the rest of a row
    float up_tail[kLanes] = {};
    for (std::int64_t k = i; k < count; ++k) {
        gate_tail[k - i] = gate[k];
        up_tail[k - i] = up == nullptr ? 1.0F : up[k];
    }
    store(gate_tail, gated_lanes<kKind>(load(gate_tail), load(up_tail)));
    for (std::int64_t k = i; k < count; ++k)
        out[k] = gate_tail[k - i];
}

void gate(const float* gate, const float* up, float* out, std::int64_t count, GateKind kind) {
    switch (kind) {
    case GateKind::silu:
        return gate_row<GateKind::silu>(gate, up, out, count);
    case GateKind::gelu_tanh:
        return gate_row<GateKind::gelu_tanh>(gate, up, out, count);
    case GateKind::gelu:
        return gate_row<GateKind::gelu>(gate, up, out, count);
    case GateKind::swiglu_clamped:
        return gate_row<GateKind::swiglu_clamped>(gate, up, out, count);
    }
}

template <bool kKeep, bool kBias>
void add_row(const AddArgs& args, float* target, const float* source) {
    const F factor = splat(args.scale);
    std::int64_t i = 0;
    for (; i + kLanes <= args.num_columns; i += kLanes) {
        F x = load(source + i);
        if constexpr (kBias)
            x = x + load(args.bias + i);
        x = x * factor;
        store(target + i, kKeep ? load(target + i) + x : x);
    }
    for (; i < args.num_columns; ++i) {
        const float x = (kBias ? source[i] + args.bias[i] : source[i]) * args.scale;
        target[i] = kKeep ? target[i] + x : x;
    }
}

void add(const AddArgs& args) {
    const auto row_function = args.bias != nullptr ? (args.keep ? add_row<true, true> : add_row<false, true>)
                                                   : (args.keep ? add_row<true, false> : add_row<false, false>);
    for (int row = 0; row < args.num_rows; ++row)
        row_function(args, args.target + row * args.target_stride, args.source + row * args.source_stride);
}

void logits(const float* y, float* out, float scale, float softcap, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        float tail[kLanes] = {};
        const bool whole = i + kLanes <= count;
        for (std::int64_t k = i; !whole && k < count; ++k)
            tail[k - i] = y[k];
        F x = load(whole ? y + i : tail) * splat(scale);
        if (softcap > 0)
            x = splat(softcap) * tanh_lanes(x / splat(softcap));
        store(whole ? out + i : tail, x);
        for (std::int64_t k = i; !whole && k < count; ++k)
            out[k] = tail[k - i];
    }
}

std::int64_t argmax(const float* x, std::int64_t count) {
    F best = splat(-__builtin_inff());
    I best_at = splat_int(-1);
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const F value = load(x + i);
        const I better = value > best;
        best = (F)((better & (I)value) | (~better & (I)best));
        best_at = (better & splat_int(static_cast<std::int32_t>(i))) | (~better & best_at);
    }
    float top = -__builtin_inff();
    std::int64_t top_at = -1;
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::int64_t at = best_at[lane] < 0 ? -1 : best_at[lane] + lane;
        if (at >= 0 && (best[lane] > top || (best[lane] == top && at < top_at))) {
            top = best[lane];
            top_at = at;
        }
    }
    for (; i < count; ++i) {
        if (x[i] > top) {
            top = x[i];
            top_at = i;
        }
    }
    return top_at;
}

} // namespace

void add_rows(IsaTable& table) {
    table.panel_row[static_cast<int>(PanelKind::int8)] = panel_row<false>;
    table.panel_row[static_cast<int>(PanelKind::int8x2)] = panel_row<true>;
    table.panel_row[static_cast<int>(PanelKind::dense)] = dense_row;
    table.rms_norm = rms_norm;
    table.layer_norm = layer_norm;
    table.rope = rope;
    table.gate = gate;
    table.add = add;
    table.logits = logits;
    table.argmax = argmax;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
