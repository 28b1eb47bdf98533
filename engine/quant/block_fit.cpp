// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/block_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::engine {
namespace {

/// Round half to even for |x| < 2^22 by two additions, which vectorize; std::nearbyint does not without SSE4.
float round_even(float x) noexcept {
    constexpr float kMagic = 12582912.0F; // 1.5 * 2^23
    return (x + kMagic) - kMagic;
}

float inverse_of(float scale) noexcept {
    return scale == 0 ? 0 : 1 / scale;
}

struct Limits {
    float low;
    float high;
};

float code_of(float x, float inverse, float offset, Limits limits) noexcept {
    // Clamped before rounding, so that the argument stays where round_even is exact.
    return round_even(std::min(std::max((x - offset) * inverse, limits.low), limits.high));
}

constexpr std::size_t kLanes = 8; // sums in as many parts, so that they vectorize

double total(const std::array<float, kLanes>& lanes) noexcept {
    double value = 0;
    for (const float lane : lanes)
        value += static_cast<double>(lane);
    return value;
}

template <bool kWeighted>
FitSums sums_under(const Block& block, Affine rule, CodeRange range) noexcept {
    const std::span<const float> x = block.x;
    const Limits limits{static_cast<float>(range.low), static_cast<float>(range.high)};
    const float inverse = inverse_of(rule.scale);
    std::array<float, kLanes> count{};
    std::array<float, kLanes> sum{};
    std::array<float, kLanes> code_sum{};
    std::array<float, kLanes> square_sum{};
    std::array<float, kLanes> product_sum{};
    for (std::size_t start = 0; start < x.size(); start += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float value = x[start + lane];
            const float code = code_of(value, inverse, rule.offset, limits);
            const float weight = kWeighted ? block.importance[start + lane] : 1;
            if constexpr (kWeighted)
                count[lane] += weight;
            sum[lane] += weight * value;
            code_sum[lane] += weight * code;
            square_sum[lane] += weight * code * code;
            product_sum[lane] += weight * value * code;
        }
    }
    const double all = kWeighted ? total(count) : static_cast<double>(x.size());
    return {all, total(sum), total(code_sum), total(square_sum), total(product_sum)};
}

template <bool kWeighted>
double error_under(const Block& block, Affine rule, CodeRange range) noexcept {
    const Limits limits{static_cast<float>(range.low), static_cast<float>(range.high)};
    const float inverse = inverse_of(rule.scale);
    std::array<float, kLanes> lanes{};
    for (std::size_t start = 0; start < block.x.size(); start += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float value = block.x[start + lane];
            const float error = value - (code_of(value, inverse, rule.offset, limits) * rule.scale + rule.offset);
            lanes[lane] += kWeighted ? block.importance[start + lane] * error * error : error * error;
        }
    }
    return total(lanes);
}

/// A refitted rule and by how much it lowers the sum of squares (larger is better).
struct Candidate {
    Affine rule;
    double gain = -1;
};

Candidate refit_scale(const FitSums& sums) noexcept {
    if (sums.code_code == 0)
        return {{0, 0}, 0};
    return {{static_cast<float>(sums.x_code / sums.code_code), 0}, sums.x_code * sums.x_code / sums.code_code};
}

Candidate refit_affine(const FitSums& sums, bool negative_offset) noexcept {
    const double determinant = sums.count * sums.code_code - sums.code * sums.code;
    if (determinant <= 0)
        return refit_scale(sums);
    const double scale = (sums.count * sums.x_code - sums.x * sums.code) / determinant;
    const double offset = (sums.x - scale * sums.code) / sums.count;
    if (negative_offset && offset > 0)
        return refit_scale(sums);
    return {{static_cast<float>(scale), static_cast<float>(offset)}, scale * sums.x_code + offset * sums.x};
}

} // namespace

float largest_magnitude(std::span<const float> x) noexcept {
    float largest = 0;
    for (const float value : x) {
        if (std::abs(value) > std::abs(largest))
            largest = value;
    }
    return largest;
}

int nearest_code(float x, Affine rule, CodeRange range) noexcept {
    const Limits limits{static_cast<float>(range.low), static_cast<float>(range.high)};
    return static_cast<int>(code_of(x, inverse_of(rule.scale), rule.offset, limits));
}

FitSums fit_sums(const Block& block, Affine rule, CodeRange range) noexcept {
    return block.importance.empty() ? sums_under<false>(block, rule, range) : sums_under<true>(block, rule, range);
}

double squared_error(const Block& block, Affine rule, CodeRange range) noexcept {
    return block.importance.empty() ? error_under<false>(block, rule, range) : error_under<true>(block, rule, range);
}

Affine plain_symmetric(std::span<const float> x, CodeRange range) noexcept {
    return {largest_magnitude(x) / static_cast<float>(range.low), 0};
}

Affine plain_affine(std::span<const float> x, int high) noexcept {
    const auto [low, top] = std::minmax_element(x.begin(), x.end());
    return {(*top - *low) / static_cast<float>(high), *low};
}

Affine fit_symmetric(const Block& block, CodeRange range) noexcept {
    const float largest = largest_magnitude(block.x);
    if (largest == 0)
        return {};
    // Codes, not all whole, on which the largest value may fall: both ends of the range, and somewhat beyond them.
    constexpr std::array<float, 5> kSteps{0, -0.06F, 0.06F, 0.12F, 0.18F};
    Candidate best;
    for (const int end : {range.low, range.high}) {
        for (const float step : kSteps) {
            const float code = static_cast<float>(end) * (1 + step);
            const Candidate candidate = refit_scale(fit_sums(block, {largest / code, 0}, range));
            if (candidate.gain > best.gain)
                best = candidate;
        }
    }
    return best.rule;
}

Affine fit_affine(const Block& block, int high, bool negative_offset) noexcept {
    const auto [lowest, highest] = std::minmax_element(block.x.begin(), block.x.end());
    const float low = negative_offset ? std::min(*lowest, 0.0F) : *lowest;
    const float width = *highest - low;
    if (width <= 0)
        return negative_offset ? Affine{0, std::min(low, 0.0F)} : Affine{0, low};
    // The range shrinks from either end, so that the many small values get finer steps than the few large ones.
    constexpr std::array<float, 4> kShrink{0, 0.03F, 0.06F, 0.10F};
    Candidate best;
    for (const float below : kShrink) {
        for (const float above : kShrink) {
            const Affine start{width * (1 - below - above) / static_cast<float>(high), low + width * below};
            const Candidate candidate = refit_affine(fit_sums(block, start, {0, high}), negative_offset);
            if (candidate.gain > best.gain && candidate.rule.scale >= 0)
                best = candidate;
        }
    }
    return best.rule;
}

} // namespace vitrine::engine
