// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: matrices as whole numbers with a scale and a zero point a group of inputs, as GPTQ and AWQ files hold them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/quant/dense_math.h"

namespace vitrine::engine {

/// How the weights of a group become codes.
struct GroupRule {
    int bits = 4; // 4 or 8
    int group_size = 128; // inputs; the last group may be shorter
    bool symmetric = false; // zero point in the middle of the codes
};

/// weight[o][k] = (codes[o][k] - zeros[g][o]) * scales[g][o], g = group_of[k].
struct GroupCodes {
    GroupRule rule;
    std::int64_t out_dim = 0, in_dim = 0, num_groups = 0;
    std::vector<std::uint8_t> codes; // [out_dim, in_dim]
    std::vector<float> scales; // [num_groups, out_dim], rounded to 16 bits
    std::vector<std::uint8_t> zeros; // [num_groups, out_dim]
    std::vector<std::int32_t> group_of; // [in_dim]

    GroupCodes() = default;
    /// Codes of nothing yet; groups of neighbours.
    GroupCodes(GroupRule rule, std::int64_t out_dim, std::int64_t in_dim);
};

struct ScaleZero {
    float scale = 0; // as 16 bits hold it, above 0
    int zero = 0;
};

/// The code of a weight and the value it stands for.
[[nodiscard]] int group_code(float x, ScaleZero rule, int bits) noexcept;
[[nodiscard]] float group_value(float x, ScaleZero rule, int bits) noexcept;

/// Scale and zero point of one row's weights in one group.  Smallest and largest weight fall on the ends of the codes; of that
/// range and ranges shrunk by up to 40 % the one with the smallest weighted sum of squared errors wins.
/// importance: empty, or as long as x (the mean square of what is multiplied).  The zero point is never 0: GPTQ's files store
/// it less one.
[[nodiscard]] ScaleZero fit_group(std::span<const float> x, std::span<const float> importance, GroupRule rule) noexcept;

/// Round to nearest.   weights: [out_dim, in_dim]   importance: empty, or [in_dim]
[[nodiscard]] GroupCodes round_to_groups(
    const DenseMatrix& weights, std::span<const float> importance, GroupRule rule, int num_threads);

/// What the codes stand for: [out_dim, in_dim].
[[nodiscard]] DenseMatrix restore(const GroupCodes& codes);

} // namespace vitrine::engine
