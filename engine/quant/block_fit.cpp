// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/block_fit.h"

#include "engine/quant/fit_loops.h"

namespace vitrine::engine {
namespace {

const float* importance_of(const FitBlock& block) noexcept {
    return block.importance.empty() ? nullptr : block.importance.data();
}

} // namespace

float largest_magnitude(std::span<const float> x) noexcept {
    const Extremes ends = fit_loops().extremes(x.data(), x.size());
    return ends.high >= -ends.low ? ends.high : ends.low;
}

void nearest_codes(std::span<const float> x, Affine rule, CodeRange range, std::int8_t* codes) noexcept {
    fit_loops().codes(x.data(), x.size(), rule, range, codes);
}

FitSums fit_sums(const FitBlock& block, Affine rule, CodeRange range) noexcept {
    return fit_loops().sums(block.x.data(), importance_of(block), block.x.size(), rule, range);
}

double squared_error(const FitBlock& block, Affine rule, CodeRange range) noexcept {
    return fit_loops().error(block.x.data(), importance_of(block), block.x.size(), rule, range);
}

std::array<float, RuleSet::kMost> squared_errors(
    const FitBlock& block, const RuleSet& rules, CodeRange range) noexcept {
    std::array<float, RuleSet::kMost> errors;
    fit_loops().errors(block.x.data(), importance_of(block), block.x.size(), rules.scales.data(), rules.offsets.data(),
        range, errors.data());
    return errors;
}

Affine plain_symmetric(std::span<const float> x, CodeRange range) noexcept {
    return {largest_magnitude(x) / static_cast<float>(range.low), 0};
}

Affine plain_affine(std::span<const float> x, int high) noexcept {
    const Extremes ends = fit_loops().extremes(x.data(), x.size());
    return {(ends.high - ends.low) / static_cast<float>(high), ends.low};
}

Affine fit_symmetric(const FitBlock& block, CodeRange range) noexcept {
    return fit_loops().symmetric(block.x.data(), importance_of(block), block.x.size(), range);
}

Affine fit_affine(const FitBlock& block, int high, bool negative_offset) noexcept {
    return fit_loops().affine(block.x.data(), importance_of(block), block.x.size(), high, negative_offset);
}

} // namespace vitrine::engine
