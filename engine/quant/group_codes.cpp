// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/group_codes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/quant/parallel_ranges.h"
#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

float as_half(float value) noexcept {
    return kernels::f16_to_f32(kernels::f32_to_f16(value));
}

/// Half a step of the smallest scale that 16 bits hold with full precision: a group of zeros gets it.
constexpr float kSmallestScale = 0x1p-14F;

ScaleZero rule_of(float low, float high, GroupRule rule) noexcept {
    const int top = (1 << rule.bits) - 1;
    const int middle = 1 << (rule.bits - 1);
    if (rule.symmetric) {
        const float largest = std::max(-low, high);
        return {std::max(as_half(2 * largest / static_cast<float>(top)), kSmallestScale), middle};
    }
    const float scale = std::max(as_half((high - low) / static_cast<float>(top)), kSmallestScale);
    return {scale, std::clamp(static_cast<int>(std::lround(-low / scale)), 1, top)};
}

/// Round half to even for |x| < 2^22 by two additions, which vectorize.
float round_even(float x) noexcept {
    constexpr float kMagic = 12582912.0F; // 1.5 * 2^23
    return (x + kMagic) - kMagic;
}

/// Of one value; `low` and `high` are codes less the zero point.
float error_of(float x, float inverse, float scale, float low, float high) noexcept {
    return x - round_even(std::min(std::max(x * inverse, low), high)) * scale;
}

/// Weighted sum of squared errors.
float error_under(std::span<const float> x, std::span<const float> importance, ScaleZero rule, int bits) noexcept {
    constexpr std::size_t kLanes = 8;
    const float inverse = 1 / rule.scale;
    const auto low = static_cast<float>(-rule.zero), high = static_cast<float>((1 << bits) - 1 - rule.zero);
    std::array<float, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= x.size(); i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float error = error_of(x[i + lane], inverse, rule.scale, low, high);
            lanes[lane] += importance.empty() ? error * error : error * error * importance[i + lane];
        }
    float total = 0;
    for (; i < x.size(); ++i) {
        const float error = error_of(x[i], inverse, rule.scale, low, high);
        total += importance.empty() ? error * error : error * error * importance[i];
    }
    for (const float lane : lanes)
        total += lane;
    return total;
}

} // namespace

GroupCodes::GroupCodes(GroupRule with, std::int64_t rows, std::int64_t columns)
    : rule(with), out_dim(rows), in_dim(columns), num_groups((columns + with.group_size - 1) / with.group_size),
      codes(static_cast<std::size_t>(rows * columns)), scales(static_cast<std::size_t>(num_groups * rows)),
      zeros(scales.size()), group_of(static_cast<std::size_t>(columns)) {
    for (std::int64_t k = 0; k < in_dim; ++k)
        group_of[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(k / rule.group_size);
}

int group_code(float x, ScaleZero rule, int bits) noexcept {
    const auto top = static_cast<float>((1 << bits) - 1);
    return static_cast<int>(round_even(std::clamp(x / rule.scale + static_cast<float>(rule.zero), 0.0F, top)));
}

float group_value(float x, ScaleZero rule, int bits) noexcept {
    return static_cast<float>(group_code(x, rule, bits) - rule.zero) * rule.scale;
}

ScaleZero fit_group(std::span<const float> x, std::span<const float> importance, GroupRule rule) noexcept {
    float low = 0, high = 0; // 0 stays a code
    for (const float value : x) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // At eight bits a step is so fine that only cutting ends off would change much, and that never pays.
    const int num_shrinks = rule.bits <= 4 ? 20 : 1;
    ScaleZero best = rule_of(low, high, rule);
    float least = error_under(x, importance, best, rule.bits);
    for (int step = 1; step < num_shrinks; ++step) {
        const float keep = 1 - 0.02F * static_cast<float>(step);
        const ScaleZero shrunk = rule_of(low * keep, high * keep, rule);
        const float error = error_under(x, importance, shrunk, rule.bits);
        if (error < least) {
            best = shrunk;
            least = error;
        }
    }
    return best;
}

GroupCodes round_to_groups(
    const DenseMatrix& weights, std::span<const float> importance, GroupRule rule, int num_threads) {
    GroupCodes result(rule, weights.num_rows, weights.num_columns);
    parallel_ranges(weights.num_rows, num_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t o = begin; o < end; ++o)
            for (std::int64_t group = 0; group < result.num_groups; ++group) {
                const auto first = static_cast<std::size_t>(group * rule.group_size);
                const std::size_t count =
                    std::min<std::size_t>(static_cast<std::size_t>(rule.group_size), result.group_of.size() - first);
                const auto x = weights.row_span(o).subspan(first, count);
                const ScaleZero fit =
                    fit_group(x, importance.empty() ? importance : importance.subspan(first, count), rule);
                const auto at = static_cast<std::size_t>(group * result.out_dim + o);
                result.scales[at] = fit.scale;
                result.zeros[at] = static_cast<std::uint8_t>(fit.zero);
                std::uint8_t* codes = result.codes.data() + o * result.in_dim + static_cast<std::int64_t>(first);
                for (std::size_t i = 0; i < count; ++i)
                    codes[i] = static_cast<std::uint8_t>(group_code(x[i], fit, rule.bits));
            }
    });
    return result;
}

DenseMatrix restore(const GroupCodes& codes) {
    DenseMatrix out(codes.out_dim, codes.in_dim);
    for (std::int64_t o = 0; o < codes.out_dim; ++o)
        for (std::int64_t k = 0; k < codes.in_dim; ++k) {
            const auto group =
                static_cast<std::size_t>(codes.group_of[static_cast<std::size_t>(k)] * codes.out_dim + o);
            out.row(o)[k] =
                static_cast<float>(codes.codes[static_cast<std::size_t>(o * codes.in_dim + k)] - codes.zeros[group]) *
                codes.scales[group];
        }
    return out;
}

} // namespace vitrine::engine
