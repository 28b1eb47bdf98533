// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: the online softmax of attentions whose keys lie on the mma's side of sixteen rows.
#pragma once

#include "kernels/cuda/device/attention.cuh"

namespace vitrine::kernels {

inline constexpr float kSlack = 8; // a maximum is kept until a score exceeds it by 2^8: probabilities stay in f16

/// Sixteen more keys of a query, the `e`-th of lane (g, t): its scores of keys g and g + 8 become weights relative to
/// 2^`largest`.  `total`: of this lane's weights; `sums`: of values, in [..][e] and [..][2 + e].
template <int kSums>
__device__ __forceinline__ void soften_column(
    float& low, float& high, int t, int e, float& largest, float& total, float (&sums)[kSums][4]) {
    const float top = fmaxf(low, high);
    const unsigned over =
        __ballot_sync(0xFFFFFFFFU, top > largest + kSlack || (largest == -INFINITY && top > -INFINITY));
    if (over != 0) {
        float most = fmaxf(top, largest);
#pragma unroll
        for (int step = 4; step < 32; step *= 2)
            most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
        if ((over & (0x11111111U << t)) != 0) {
            const float shrink = exp2f(largest - most);
            largest = most;
            total *= shrink;
#pragma unroll
            for (int i = 0; i < kSums; ++i) {
                sums[i][e] *= shrink;
                sums[i][2 + e] *= shrink;
            }
        }
    }
    const float base = largest == -INFINITY ? 0 : largest; // nothing seen yet: exp2(-inf) = 0, not NaN
    low = exp2f(low - base);
    high = exp2f(high - base);
    total += low + high;
}

} // namespace vitrine::kernels
