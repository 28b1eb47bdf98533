// SPDX-License-Identifier: GPL-3.0-or-later
// The loops themselves.  Each file that includes this compiles them for one instruction set, so nothing here may be shared with
// another: no inline function of the standard library, everything in an unnamed namespace.  Sums run in sixteen parts, in vectors
// of kWidth floats, and are put together in one order: every width gives the same bits.
#pragma once

#include <cstring>

#include "engine/quant/fit_loops.h"

namespace vitrine::engine {
namespace {

template <int kWidth>
struct Vectors;
template <>
struct Vectors<4> {
    using Floats = float __attribute__((vector_size(16)));
    using Ints = std::int32_t __attribute__((vector_size(16)));
    using Halves = std::uint16_t __attribute__((vector_size(8)));
};
template <>
struct Vectors<8> {
    using Floats = float __attribute__((vector_size(32)));
    using Ints = std::int32_t __attribute__((vector_size(32)));
    using Halves = std::uint16_t __attribute__((vector_size(16)));
};
template <>
struct Vectors<16> {
    using Floats = float __attribute__((vector_size(64)));
    using Ints = std::int32_t __attribute__((vector_size(64)));
    using Halves = std::uint16_t __attribute__((vector_size(32)));
};

constexpr std::size_t kParts = 16; // of every sum
constexpr float kMagic = 12582912.0F; // 1.5 * 2^23: two additions round half to even for |code| < 2^22

/// Sixteen floats.
template <int kWidth>
struct Lanes {
    using Floats = typename Vectors<kWidth>::Floats;
    static constexpr std::size_t kVectors = kParts / kWidth;
    Floats v[kVectors] = {};

    // A vector at a time, and every loop over them unrolled, so that they live in registers.
    void load(const float* x) noexcept {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kVectors; ++i)
            std::memcpy(&v[i], x + i * kWidth, sizeof v[i]);
    }
    void store(float* x) const noexcept {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kVectors; ++i)
            std::memcpy(x + i * kWidth, &v[i], sizeof v[i]);
    }
    /// In double from four parts on.
    [[nodiscard, gnu::always_inline]] inline double total() const noexcept {
        using Four = Vectors<4>::Floats;
        Four four[4];
        static_assert(sizeof four == sizeof v);
        std::memcpy(four, v, sizeof v);
        const Four sum = (four[0] + four[2]) + (four[1] + four[3]);
        return (static_cast<double>(sum[0]) + static_cast<double>(sum[1])) +
            (static_cast<double>(sum[2]) + static_cast<double>(sum[3]));
    }
};

/// From a value to its code: clamped before rounding, so that the rounding is exact.
struct CodeRule {
    float inverse, offset, low, high;

    CodeRule(Affine rule, CodeRange range) noexcept
        : inverse(rule.scale == 0 ? 0 : 1 / rule.scale), offset(rule.offset), low(static_cast<float>(range.low)),
          high(static_cast<float>(range.high)) {}

    template <class Floats>
    void apply(const Floats& x, Floats& code) const noexcept {
        const Floats lows = Floats{} + low, highs = Floats{} + high;
        code = (x - offset) * inverse;
        code = code > lows ? code : lows;
        code = code < highs ? code : highs;
        code = (code + kMagic) - kMagic;
    }
};

template <int kWidth>
struct Loops {
    using L = Lanes<kWidth>;
    using Floats = typename L::Floats;
    using Ints = typename Vectors<kWidth>::Ints;

    // Inlined, so that sums that a search does not look at are not made.
    template <bool kWeighted>
    [[gnu::always_inline]] static inline FitSums sums_under(
        const float* x, const float* importance, std::size_t count, Affine affine, CodeRange range) noexcept {
        const CodeRule rule(affine, range);
        L ones, sum, code_sum, square_sum, product_sum;
        for (std::size_t start = 0; start < count; start += kParts) {
            L value, weight;
            value.load(x + start);
            if constexpr (kWeighted)
                weight.load(importance + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                Floats code;
                rule.apply(value.v[i], code);
                const Floats weighted = kWeighted ? weight.v[i] * code : code;
                if constexpr (kWeighted)
                    ones.v[i] += weight.v[i];
                sum.v[i] += kWeighted ? weight.v[i] * value.v[i] : value.v[i];
                code_sum.v[i] += weighted;
                square_sum.v[i] += weighted * code;
                product_sum.v[i] += weighted * value.v[i];
            }
        }
        const double all = kWeighted ? ones.total() : static_cast<double>(count);
        return {all, sum.total(), code_sum.total(), square_sum.total(), product_sum.total()};
    }

    template <bool kWeighted>
    static double error_under(
        const float* x, const float* importance, std::size_t count, Affine affine, CodeRange range) noexcept {
        const CodeRule rule(affine, range);
        L sum;
        for (std::size_t start = 0; start < count; start += kParts) {
            L value, weight;
            value.load(x + start);
            if constexpr (kWeighted)
                weight.load(importance + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                Floats code;
                rule.apply(value.v[i], code);
                const Floats error = value.v[i] - (code * affine.scale + affine.offset);
                sum.v[i] += kWeighted ? weight.v[i] * error * error : error * error;
            }
        }
        return sum.total();
    }

    /// A refitted rule and by how much it lowers the sum of squares (larger is better).
    struct Candidate {
        Affine rule;
        double gain = -1;
    };

    static Candidate refit_scale(const FitSums& sums) noexcept {
        if (sums.code_code == 0)
            return {{0, 0}, 0};
        return {{static_cast<float>(sums.x_code / sums.code_code), 0}, sums.x_code * sums.x_code / sums.code_code};
    }

    // Searches run sixteen starts at once, one in each lane, so that nothing is summed across lanes.
    static constexpr std::size_t kStarts = kParts;

    /// Sums over the block of codes, their squares and x * code, for every start.   inverse, offset: [kStarts]
    template <bool kWeighted, bool kOffset>
    [[gnu::always_inline]] static inline void search(const float* x, const float* importance, std::size_t count,
        const L& inverse, const L& offset, CodeRange range, L& codes, L& squares, L& products) noexcept {
        const Floats low = Floats{} + static_cast<float>(range.low), high = Floats{} + static_cast<float>(range.high);
        for (std::size_t at = 0; at < count; ++at) {
            const float value = x[at];
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                Floats code = kOffset ? (value - offset.v[i]) * inverse.v[i] : value * inverse.v[i];
                code = code > low ? code : low;
                code = code < high ? code : high;
                code = (code + kMagic) - kMagic;
                const Floats weighted = kWeighted ? importance[at] * code : code;
                if constexpr (kOffset)
                    codes.v[i] += weighted;
                squares.v[i] += weighted * code;
                products.v[i] += weighted * value;
            }
        }
    }

    template <bool kWeighted>
    static Affine best_symmetric(const float* x, const float* importance, std::size_t count, CodeRange range) noexcept {
        const Extremes ends = extremes(x, count);
        const float largest = ends.high >= -ends.low ? ends.high : ends.low;
        if (largest == 0)
            return {};
        // Codes, not all whole, on which the largest value may fall: both ends of the range, and somewhat beyond them.
        constexpr float kSteps[kStarts / 2] = {0, -0.06F, 0.03F, 0.06F, 0.09F, 0.12F, 0.15F, 0.18F};
        float starts[kStarts];
        for (std::size_t i = 0; i < kStarts; ++i)
            starts[i] = static_cast<float>(i < kStarts / 2 ? range.low : range.high) * (1 + kSteps[i % (kStarts / 2)]) /
                largest;
        L inverse, codes, squares, products;
        inverse.load(starts);
        search<kWeighted, false>(x, importance, count, inverse, inverse, range, codes, squares, products);
        return {best_ratio(products, squares), 0};
    }

    /// The scale that lowers the sum of squares most: products^2 over squares says by how much.  Without branches: which
    /// start wins is not to be foreseen.
    static float best_ratio(const L& products, const L& squares) noexcept {
        L gain;
#pragma GCC unroll 4
        for (std::size_t i = 0; i < L::kVectors; ++i) {
            gain.v[i] = products.v[i] * products.v[i] / squares.v[i];
            gain.v[i] = squares.v[i] > 0 ? gain.v[i] : Floats{}; // nothing that counts lies on a code but 0
        }
        float gains[kStarts], product[kStarts], square[kStarts], most[kStarts / 2];
        gain.store(gains);
        products.store(product);
        squares.store(square);
        for (std::size_t i = 0; i < kStarts / 2; ++i)
            most[i] = gains[i] > gains[i + kStarts / 2] ? gains[i] : gains[i + kStarts / 2];
        for (std::size_t half = kStarts / 4; half > 0; half /= 2)
            for (std::size_t i = 0; i < half; ++i)
                most[i] = most[i] > most[i + half] ? most[i] : most[i + half];
        std::size_t best = 0;
        for (std::size_t i = kStarts; i-- > 0;)
            best = gains[i] == most[0] ? i : best;
        return square[best] > 0 ? product[best] / square[best] : 0;
    }

    template <bool kWeighted>
    static Affine best_affine(
        const float* x, const float* importance, std::size_t count, int high, bool negative_offset) noexcept {
        const Extremes ends = extremes(x, count);
        const float low = negative_offset && ends.low > 0 ? 0 : ends.low;
        const float width = ends.high - low;
        if (width <= 0)
            return {0, low};
        // The range shrinks from either end, so that the many small values get finer steps than the few large ones.  Or it
        // spans fewer steps than there are: weights that were quantized before seldom use the last codes, and are found again.
        struct Start {
            float low, high; // parts of the range cut off
            float unused = 0; // steps
        };
        constexpr Start kTries[kStarts] = {{0, 0}, {0, 0.03F}, {0, 0.06F}, {0, 0.10F}, {0.03F, 0}, {0.03F, 0.03F},
            {0.03F, 0.06F}, {0.03F, 0.10F}, {0.06F, 0}, {0.06F, 0.03F}, {0.06F, 0.06F}, {0.10F, 0}, {0.10F, 0.03F},
            {0, 0, 0.5F}, {0, 0, 1}, {0, 0, 2}};
        float inverses[kStarts], offsets[kStarts];
        for (std::size_t i = 0; i < kStarts; ++i) {
            const Start& start = kTries[i];
            inverses[i] = (static_cast<float>(high) - start.unused) / (width * (1 - start.low - start.high));
            offsets[i] = low + width * start.low;
        }
        L inverse, offset, codes, squares, products;
        inverse.load(inverses);
        offset.load(offsets);
        search<kWeighted, true>(x, importance, count, inverse, offset, {0, high}, codes, squares, products);
        float code[kStarts], code_code[kStarts], x_code[kStarts];
        codes.store(code);
        squares.store(code_code);
        products.store(x_code);
        const FitSums all = sums_under<kWeighted>(x, importance, count, {}, {0, 0}); // count and x, the same for all
        // Least squares of scale and offset to the codes of every start.
        const double per_count = all.count > 0 ? 1 / all.count : 0;
        double scale[kStarts], shift[kStarts], gain[kStarts], determinant[kStarts];
        for (std::size_t i = 0; i < kStarts; ++i) {
            const double sum = static_cast<double>(code[i]);
            const double product = static_cast<double>(x_code[i]);
            determinant[i] = all.count * static_cast<double>(code_code[i]) - sum * sum;
            scale[i] = (all.count * product - all.x * sum) / determinant[i];
            shift[i] = (all.x - scale[i] * sum) * per_count;
            gain[i] = scale[i] * product + shift[i] * all.x;
        }
        Candidate best;
        for (std::size_t i = 0; i < kStarts; ++i) {
            Candidate candidate{{static_cast<float>(scale[i]), static_cast<float>(shift[i])}, gain[i]};
            if (determinant[i] <= 0 || (negative_offset && shift[i] > 0))
                candidate = refit_scale({all.count, all.x, static_cast<double>(code[i]),
                    static_cast<double>(code_code[i]), static_cast<double>(x_code[i])});
            if (candidate.gain > best.gain && candidate.rule.scale >= 0)
                best = candidate;
        }
        return best.rule;
    }

    /// Of sixteen rules at once, one in each lane.
    template <bool kWeighted>
    static void errors_under(const float* x, const float* importance, std::size_t count, const float* scales,
        const float* offsets, CodeRange range, float* out) noexcept {
        const Floats low = Floats{} + static_cast<float>(range.low), high = Floats{} + static_cast<float>(range.high);
        L scale, offset, inverse, sum;
        scale.load(scales);
        offset.load(offsets);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < L::kVectors; ++i)
            inverse.v[i] = scale.v[i] == Floats{} ? Floats{} : 1.0F / scale.v[i];
        for (std::size_t at = 0; at < count; ++at)
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                Floats code = (x[at] - offset.v[i]) * inverse.v[i];
                code = code > low ? code : low;
                code = code < high ? code : high;
                code = (code + kMagic) - kMagic;
                const Floats error = x[at] - (code * scale.v[i] + offset.v[i]);
                sum.v[i] += kWeighted ? importance[at] * error * error : error * error;
            }
        sum.store(out);
    }
    static void errors(const float* x, const float* importance, std::size_t count, const float* scales,
        const float* offsets, CodeRange range, float* out) noexcept {
        importance == nullptr ? errors_under<false>(x, importance, count, scales, offsets, range, out)
                              : errors_under<true>(x, importance, count, scales, offsets, range, out);
    }

    static FitSums sums(
        const float* x, const float* importance, std::size_t count, Affine rule, CodeRange range) noexcept {
        return importance == nullptr ? sums_under<false>(x, importance, count, rule, range)
                                     : sums_under<true>(x, importance, count, rule, range);
    }
    static double error(
        const float* x, const float* importance, std::size_t count, Affine rule, CodeRange range) noexcept {
        return importance == nullptr ? error_under<false>(x, importance, count, rule, range)
                                     : error_under<true>(x, importance, count, rule, range);
    }
    static Affine symmetric(const float* x, const float* importance, std::size_t count, CodeRange range) noexcept {
        return importance == nullptr ? best_symmetric<false>(x, importance, count, range)
                                     : best_symmetric<true>(x, importance, count, range);
    }
    static Affine affine(
        const float* x, const float* importance, std::size_t count, int high, bool negative_offset) noexcept {
        return importance == nullptr ? best_affine<false>(x, importance, count, high, negative_offset)
                                     : best_affine<true>(x, importance, count, high, negative_offset);
    }

    /// The entry nearest to each value over the scale.
    [[gnu::always_inline]] static inline Floats nearest_entry(const Floats& value, const FitTable& table) noexcept {
        Floats entry = Floats{} + table.entries[0];
        for (std::size_t i = 0; i < 15; ++i)
            entry = value >= table.borders[i] ? Floats{} + table.entries[i + 1] : entry;
        return entry;
    }

    template <bool kWeighted>
    static float best_table_scale(
        const float* x, const float* importance, std::size_t count, const FitTable& table) noexcept {
        const Extremes ends = extremes(x, count);
        const float largest = ends.high >= -ends.low ? ends.high : ends.low;
        if (largest == 0)
            return 0;
        // Either end of the table takes the largest value, or what is somewhat beyond it or within.
        constexpr float kSteps[kStarts / 2] = {0.84F, 0.88F, 0.92F, 0.96F, 1, 1.04F, 1.08F, 1.13F};
        float starts[kStarts];
        for (std::size_t i = 0; i < kStarts; ++i)
            starts[i] = table.entries[i < kStarts / 2 ? 0 : 15] * kSteps[i % (kStarts / 2)] / largest;
        L inverse, squares, products;
        inverse.load(starts);
        for (std::size_t at = 0; at < count; ++at)
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                const Floats entry = nearest_entry(x[at] * inverse.v[i], table);
                const Floats weighted = kWeighted ? importance[at] * entry : entry;
                squares.v[i] += weighted * entry;
                products.v[i] += weighted * x[at];
            }
        return best_ratio(products, squares);
    }

    template <bool kWeighted>
    static TableSums table_sums_under(
        const float* x, const float* importance, std::size_t count, float scale, const FitTable& table) noexcept {
        const float inverse = scale == 0 ? 0 : 1 / scale;
        L products, squares, errors;
        for (std::size_t start = 0; start < count; start += kParts) {
            L value, weight;
            value.load(x + start);
            if constexpr (kWeighted)
                weight.load(importance + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                const Floats entry = nearest_entry(value.v[i] * inverse, table);
                const Floats weighted = kWeighted ? weight.v[i] * entry : entry;
                const Floats error = value.v[i] - scale * entry;
                products.v[i] += weighted * value.v[i];
                squares.v[i] += weighted * entry;
                errors.v[i] += kWeighted ? weight.v[i] * error * error : error * error;
            }
        }
        return {products.total(), squares.total(), errors.total()};
    }

    static float table_scale(
        const float* x, const float* importance, std::size_t count, const FitTable& table) noexcept {
        return importance == nullptr ? best_table_scale<false>(x, importance, count, table)
                                     : best_table_scale<true>(x, importance, count, table);
    }
    static TableSums table_sums(
        const float* x, const float* importance, std::size_t count, float scale, const FitTable& table) noexcept {
        return importance == nullptr ? table_sums_under<false>(x, importance, count, scale, table)
                                     : table_sums_under<true>(x, importance, count, scale, table);
    }

    static void codes(const float* x, std::size_t count, Affine affine, CodeRange range, std::int8_t* out) noexcept {
        const CodeRule rule(affine, range);
        for (std::size_t start = 0; start < count; start += kParts) {
            L value;
            value.load(x + start);
            std::int32_t whole[kParts];
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                Floats code;
                rule.apply(value.v[i], code);
                const Ints ints = __builtin_convertvector(code, Ints);
                std::memcpy(whole + i * kWidth, &ints, sizeof ints);
            }
            for (std::size_t i = 0; i < kParts; ++i)
                out[start + i] = static_cast<std::int8_t>(whole[i]);
        }
    }

    static Extremes extremes(const float* x, std::size_t count) noexcept {
        L low, high;
        low.load(x);
        high = low;
        for (std::size_t start = kParts; start < count; start += kParts) {
            L value;
            value.load(x + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                low.v[i] = value.v[i] < low.v[i] ? value.v[i] : low.v[i];
                high.v[i] = value.v[i] > high.v[i] ? value.v[i] : high.v[i];
            }
        }
        float lows[kParts], highs[kParts];
        std::memcpy(lows, low.v, sizeof lows);
        std::memcpy(highs, high.v, sizeof highs);
        for (std::size_t half = kParts / 2; half > 0; half /= 2)
            for (std::size_t i = 0; i < half; ++i) {
                lows[i] = lows[i + half] < lows[i] ? lows[i + half] : lows[i];
                highs[i] = highs[i + half] > highs[i] ? highs[i + half] : highs[i];
            }
        return {lows[0], highs[0]};
    }

    static void size_weights(const float* x, std::size_t count, float* out) noexcept {
        L squares;
        for (std::size_t start = 0; start < count; start += kParts) {
            L value;
            value.load(x + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i)
                squares.v[i] += value.v[i] * value.v[i];
        }
        const auto middle = static_cast<float>(__builtin_sqrt(squares.total() / static_cast<double>(count)));
        for (std::size_t start = 0; start < count; start += kParts) {
            L value;
            value.load(x + start);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                const Floats size = value.v[i] < 0 ? -value.v[i] : value.v[i];
                value.v[i] = size > middle ? size : Floats{} + middle;
            }
            value.store(out + start);
        }
    }

    static bool are_within(const float* x, std::size_t count, float limit) noexcept {
        Ints bad[L::kVectors] = {};
        std::size_t at = 0;
        for (; at + kParts <= count; at += kParts) {
            L value;
            value.load(x + at);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i)
                bad[i] |= ~((value.v[i] <= limit) & (value.v[i] >= -limit));
        }
        std::int32_t any = 0;
        for (std::size_t i = 0; i < kParts; ++i)
            any |= bad[i / kWidth][i % kWidth];
        for (; at < count; ++at)
            any |= x[at] <= limit && x[at] >= -limit ? 0 : -1;
        return any == 0;
    }

    static void halves(const std::byte* halves, std::size_t count, float* out) noexcept {
        std::size_t at = 0;
        for (; at + kWidth <= count; at += kWidth)
            widen(halves + 2 * at, out + at);
        if (at == count)
            return;
        std::byte last[2 * kWidth] = {};
        float values[kWidth];
        std::memcpy(last, halves + 2 * at, 2 * (count - at));
        widen(last, values);
        std::memcpy(out + at, values, sizeof(float) * (count - at));
    }

    /// Exponents move by a constant; infinities and subnormal numbers once more, the latter less the bit that this implies.
    static void widen(const std::byte* halves, float* out) noexcept {
        typename Vectors<kWidth>::Halves bits;
        std::memcpy(&bits, halves, sizeof bits);
        const Ints half = __builtin_convertvector(bits, Ints);
        const Ints sign = (half & 0x8000) << 16;
        const Ints magnitude = (half & 0x7FFF) << 13;
        const Ints exponent = magnitude & 0x0F800000;
        const Ints is_largest = exponent == 0x0F800000, is_zero = exponent == 0;
        const Ints moved = magnitude + (112 << 23) + (is_largest & (112 << 23)) + (is_zero & (1 << 23));
        const Ints implied = is_zero & (113 << 23);
        Floats value, less;
        std::memcpy(&value, &moved, sizeof value);
        std::memcpy(&less, &implied, sizeof less);
        value -= less; // taken for subnormal numbers alone: it would make a signalling NaN a quiet one
        Ints lowered;
        std::memcpy(&lowered, &value, sizeof lowered);
        const Ints result = (is_zero & lowered) | (~is_zero & moved) | sign;
        std::memcpy(out, &result, sizeof result);
    }

    static RowError row_error(const float* before, const float* after, std::size_t count) noexcept {
        L difference, norm;
        std::size_t at = 0;
        for (; at + kParts <= count; at += kParts) {
            L a, b;
            a.load(before + at);
            b.load(after + at);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < L::kVectors; ++i) {
                const Floats change = a.v[i] - b.v[i];
                difference.v[i] += change * change;
                norm.v[i] += a.v[i] * a.v[i];
            }
        }
        RowError error{difference.total(), norm.total()};
        for (; at < count; ++at) {
            const double x = static_cast<double>(before[at]), change = x - static_cast<double>(after[at]);
            error.difference += change * change;
            error.norm += x * x;
        }
        return error;
    }
};

template <int kWidth>
constexpr FitLoops loops_named(const char* name) noexcept {
    using L = Loops<kWidth>;
    return {name, L::sums, L::error, L::errors, L::symmetric, L::affine, L::table_scale, L::table_sums, L::codes,
        L::extremes, L::size_weights, L::are_within, L::halves, L::row_error};
}

} // namespace
} // namespace vitrine::engine
