// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: PTX of sm_90a: registers that warpgroups trade, tensor maps, and wgmma with its first matrix in
// registers or in shared memory.
#pragma once

#include "kernels/cuda/device/primitives.cuh"

namespace vitrine::kernels {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define VITRINE_HOPPER 1

template <int kRegisters>
__device__ __forceinline__ void give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

/// The box of a tensor map at (column, row), completes on `barrier`, which expects it.
__device__ __forceinline__ void box_copy(void* target, const void* map, int column, int row, uint64_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(target)),
        "l"(map), "r"(column), "r"(row), "r"(shared_address(barrier))
        : "memory");
}

__device__ __forceinline__ void wgmma_fence() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kLeft>
__device__ __forceinline__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}
/// Sums that wgmma_wait() has waited for: nothing may read them before it.
template <int kCount>
__device__ __forceinline__ void wgmma_settled(float (&sums)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        asm volatile("" : "+f"(sums[i])::"memory");
}
/// What this thread stored in shared memory, before wgmma or a bulk copy comes to it.
__device__ __forceinline__ void async_proxy_fence() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// Rows of 128 B, swizzled, eight to a group of 1024 B; `at` may be 32 B steps into the first row.
__device__ __forceinline__ uint64_t wgmma_descriptor(uint32_t at) {
    return (static_cast<uint64_t>((at & 0x3FFFFU) >> 4)) | (uint64_t{1} << 16) | (uint64_t{64} << 32) |
        (uint64_t{1} << 62);
}

/// The same of a matrix whose rows are K: 16 of them, and parts of 64 of N `part` bytes apart.
__device__ __forceinline__ uint64_t wgmma_rows_descriptor(uint32_t at, uint32_t part) {
    return (static_cast<uint64_t>((at & 0x3FFFFU) >> 4)) | (static_cast<uint64_t>(part >> 4) << 16) |
        (uint64_t{64} << 32) | (uint64_t{1} << 62);
}

/// 16 of K without swizzle: [n / 8][k / 8][n % 8][16 B].
__device__ __forceinline__ uint64_t wgmma_plain_descriptor(uint32_t at) {
    return (static_cast<uint64_t>((at & 0x3FFFFU) >> 4)) | (uint64_t{8} << 16) | (uint64_t{16} << 32);
}

/// The sums of a product as operands of asm, which takes no arrays, and their places in its text.
#define VITRINE_SUMS_8(d, i)                                                                                           \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),        \
        "+f"(d[i + 7])
#define VITRINE_SUMS_32(d, i)                                                                                          \
    VITRINE_SUMS_8(d, i), VITRINE_SUMS_8(d, i + 8), VITRINE_SUMS_8(d, i + 16), VITRINE_SUMS_8(d, i + 24)
#define VITRINE_SUMS_64(d) VITRINE_SUMS_32(d, 0), VITRINE_SUMS_32(d, 32)
#define VITRINE_PLACES_64                                                                                              \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

/// d = a * b (+ d if `add`); a: this warp's 16 x 16, b: 16 x 16 in shared memory.
__device__ __forceinline__ void wgmma(float (&d)[8], const uint32_t (&a)[4], uint64_t b, bool add) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %13, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7"
                 "}, {%8, %9, %10, %11}, %12, p, 1, 1, 0;\n"
                 "}\n"
                 : VITRINE_SUMS_8(d, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
}
/// d = a * b (+ d if `add`); a: this warp's 16 x 16, b: 16 x 32 in shared memory.
__device__ __forceinline__ void wgmma(float (&d)[16], const uint32_t (&a)[4], uint64_t b, bool add) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %21, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
                 "}, {%16, %17, %18, %19}, %20, p, 1, 1, 0;\n"
                 "}\n"
                 : VITRINE_SUMS_8(d, 0), VITRINE_SUMS_8(d, 8)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
}
/// d = a * b (+ d if `add`); a: this warp's 16 x 16, b: 16 x 64 in shared memory; kRows: its rows are K.
template <int kRows = 0>
__device__ __forceinline__ void wgmma(float (&d)[32], const uint32_t (&a)[4], uint64_t b, bool add) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
                 "}, {%32, %33, %34, %35}, %36, p, 1, 1, %38;\n"
                 "}\n"
                 : VITRINE_SUMS_32(d, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(kRows));
}
/// d = a * b (+ d if `add`); a: this warp's 16 x 16, b: 16 x 128 in shared memory; kRows: its rows are K.
template <int kRows = 0>
__device__ __forceinline__ void wgmma(float (&d)[64], const uint32_t (&a)[4], uint64_t b, bool add) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" VITRINE_PLACES_64
                 "}, {%64, %65, %66, %67}, %68, p, 1, 1, %70;\n"
                 "}\n"
                 : VITRINE_SUMS_64(d)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(kRows));
}
/// d = a * b (+ d if `add`); a: 64 x 16, b: 16 x 128, both in shared memory.
__device__ __forceinline__ void wgmma(float (&d)[64], uint64_t a, uint64_t b, bool add) {
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" VITRINE_PLACES_64
                 "}, %64, %65, p, 1, 1, 0, 0;\n"
                 "}\n"
                 : VITRINE_SUMS_64(d)
                 : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}
#undef VITRINE_SUMS_8
#undef VITRINE_SUMS_32
#undef VITRINE_SUMS_64
#undef VITRINE_PLACES_64
#endif

} // namespace vitrine::kernels
