// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: 8 x 8 matrices of f16 between shared memory, fragments and their transposes.
#pragma once

#include <cstdint>

namespace vitrine::kernels {

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}
/// b[g][2t, 2t + 1] of a fragment whose lane holds b[2t, 2t + 1][g].
__device__ __forceinline__ uint32_t transpose(uint32_t fragment) {
    uint32_t out;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out) : "r"(fragment));
    return out;
}

} // namespace vitrine::kernels
