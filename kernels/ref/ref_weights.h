// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: uploaded weights as plain float matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/api/ids.h"

namespace vitrine::kernels {

/// Row-major [out_dim, in_dim], dequantized exactly.
struct RefMatrix {
    std::int64_t out_dim = 0;
    std::int64_t in_dim = 0;
    std::vector<float> values;

    [[nodiscard]] const float* row(std::int64_t index) const noexcept {
        return values.data() + static_cast<std::size_t>(index * in_dim);
    }
};

/// index == WeightGroupId, then member; a group not uploaded has no members.
using RefWeights = std::vector<std::vector<RefMatrix>>;

[[nodiscard]] inline const RefMatrix& matrix_of(const RefWeights& weights, WeightGroupId id, int member = 0) {
    return weights[static_cast<std::size_t>(id.value)][static_cast<std::size_t>(member)];
}

} // namespace vitrine::kernels
