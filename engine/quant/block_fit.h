// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: least-squares fit of scale and offset to one block of weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::engine {

/// x is approximated by scale * code + offset.
struct Affine {
    float scale = 0;
    float offset = 0;
};

struct CodeRange {
    int low = 0;
    int high = 0;
};

/// Values of one block, and how much the square of each one's error counts; no importance: all the same.
struct FitBlock {
    std::span<const float> x;
    std::span<const float> importance{}; // as long as x, not negative, or empty

    [[nodiscard]] FitBlock part(std::size_t first, std::size_t count) const {
        return {x.subspan(first, count), importance.empty() ? importance : importance.subspan(first, count)};
    }
    [[nodiscard]] double weight(std::size_t i) const {
        return importance.empty() ? 1 : static_cast<double>(importance[i]);
    }
};

// All blocks: a multiple of sixteen values.

/// The value farthest from zero, with its sign; the positive one where two are as far.
[[nodiscard]] float largest_magnitude(std::span<const float> x) noexcept;

/// Nearest code of each value under a rule; with scale 0 the one nearest to zero.  Requires: range fits eight bits.
void nearest_codes(std::span<const float> x, Affine rule, CodeRange range, std::int8_t* codes) noexcept;

/// Weighted sums that decide a least-squares fit, every value on its nearest code.
struct FitSums {
    double count = 0;
    double x = 0;
    double code = 0;
    double code_code = 0;
    double x_code = 0;
};
[[nodiscard]] FitSums fit_sums(const FitBlock& block, Affine rule, CodeRange range) noexcept;

/// Weighted sum of squared differences, every value on its nearest code.
[[nodiscard]] double squared_error(const FitBlock& block, Affine rule, CodeRange range) noexcept;

/// squared_error() under several rules at once; those beyond `count` mean nothing.
struct RuleSet {
    static constexpr std::size_t kMost = 16;
    std::array<float, kMost> scales{}, offsets{};
    std::size_t count = 0;

    void add(Affine rule) noexcept {
        scales[count] = rule.scale;
        offsets[count++] = rule.offset;
    }
};
[[nodiscard]] std::array<float, RuleSet::kMost> squared_errors(
    const FitBlock& block, const RuleSet& rules, CodeRange range) noexcept;

/// Offset 0; the scale may be negative, so that the value of largest magnitude can take the longer side of the range.
/// Several starting scales are tried; for each the codes are rounded and the scale refitted to them.
[[nodiscard]] Affine fit_symmetric(const FitBlock& block, CodeRange range) noexcept;

/// Codes 0..high, scale >= 0.  `negative_offset`: offset <= 0, as the K formats store it.
[[nodiscard]] Affine fit_affine(const FitBlock& block, int high, bool negative_offset) noexcept;

/// The rules of the formats' definition, without a search: largest magnitude on the end of the range, or smallest value on
/// code 0 and largest on `high`.
[[nodiscard]] Affine plain_symmetric(std::span<const float> x, CodeRange range) noexcept;
[[nodiscard]] Affine plain_affine(std::span<const float> x, int high) noexcept;

} // namespace vitrine::engine
