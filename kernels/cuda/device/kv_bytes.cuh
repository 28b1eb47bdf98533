// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: 8-bit keys and values as f16, for kernels that multiply them as such.
#pragma once

#include "kernels/cuda/device/attention.cuh"

namespace vitrine::kernels {

__device__ __forceinline__ uint4 times(uint4 v, float factor) {
    const __half2 two = __float2half2_rn(factor);
    uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (uint32_t& word : words) {
        const __half2 product = __hmul2(*reinterpret_cast<const __half2*>(&word), two);
        word = *reinterpret_cast<const uint32_t*>(&product);
    }
    return {words[0], words[1], words[2], words[3]};
}

} // namespace vitrine::kernels
