// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: PTX wrappers and reductions.
#pragma once

#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace vitrine::kernels {

using uchar = unsigned char;

/// Waits until the previous kernel of the stream has ended and its writes are visible.
__device__ __forceinline__ void pdl_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Lets the next kernel become resident; it still waits for this one's end.
__device__ __forceinline__ void pdl_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Reads all lines of a kernel's argument now.  The first reader of a line of the constant cache waits as long as for memory:
/// better before pdl_wait() than behind it.
template <class Args>
__device__ __forceinline__ void touch_all(const Args& args) {
    constexpr int kLine = 64;
    const auto* words = reinterpret_cast<const uint32_t*>(&args);
    uint32_t all = 0;
#pragma unroll
    for (int i = 0; i < static_cast<int>((sizeof(Args) + kLine - 1) / kLine); ++i)
        all += words[i * (kLine / 4)];
    if (all == 0x9E3779B9U) // or the reads would be left out as useless; no harm if it is so by chance
        asm volatile("membar.cta;" ::: "memory");
}

/// Weights are read once: they should not push activations out of L1.
__device__ __forceinline__ uint4 load_stream16(const void* at) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at));
    return v;
}
__device__ __forceinline__ uint2 load_stream8(const void* at) {
    uint2 v;
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0,%1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(at));
    return v;
}
__device__ __forceinline__ uint32_t load_stream4(const void* at) {
    uint32_t v;
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(at));
    return v;
}

__device__ __forceinline__ uint32_t shared_address(const void* at) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}
__device__ __forceinline__ void copy_async16(void* target, const void* source) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)), "l"(source) : "memory");
}
/// The same for data that is read once, in order.
__device__ __forceinline__ void copy_async_stream16(uint32_t target, const void* source) {
    asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
}
/// The same, and what kernels share should stay in L2 before it.
__device__ __forceinline__ void copy_async_once16(uint32_t target, const void* source) {
    uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile(
        "cp.async.cg.shared.global.L2::cache_hint.L2::256B [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "l"(policy)
        : "memory");
}
__device__ __forceinline__ void copy_async4(void* target, const void* source) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(target)), "l"(source) : "memory");
}
__device__ __forceinline__ void copy_async_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kLeft>
__device__ __forceinline__ void copy_async_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

/// Blocks of a cluster; before sm_90 there are none and nobody calls these.
__device__ __forceinline__ void cluster_sync() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// The two halves of a barrier that orders barrier_init_fence() alone: what releases memory waits for all loads and stores.
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
}
/// A float of the block `rank` of the cluster; `address`: of the same variable here.
__device__ __forceinline__ float load_cluster(uint32_t address, uint32_t rank) {
    float value = 0;
#if __CUDA_ARCH__ >= 900
    uint32_t remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(remote));
#endif
    return value;
}
/// The same for sixteen bytes: the address, then the load.
__device__ __forceinline__ uint32_t remote_address(uint32_t address, uint32_t rank) {
    uint32_t remote = address;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
#endif
    return remote;
}
__device__ __forceinline__ float4 load_cluster4(uint32_t remote) {
    float4 v{};
#if __CUDA_ARCH__ >= 900
    asm volatile("ld.shared::cluster.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(remote));
#endif
    return v;
}
/// Address of the same variable in the block `rank` of the cluster.
__device__ __forceinline__ uint32_t cluster_address(const void* at, uint32_t rank) {
    uint32_t remote = shared_address(at);
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(at)), "r"(rank));
#endif
    return remote;
}
/// Stores in a block of the cluster and counts the bytes at a barrier there; both of cluster_address().
__device__ __forceinline__ void store_counted(uint32_t address, float value, uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(address), "f"(value),
                 "r"(barrier)
                 : "memory");
#endif
}
__device__ __forceinline__ void store_counted(uint32_t address, float2 value, uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(address),
                 "f"(value.x), "f"(value.y), "r"(barrier)
                 : "memory");
#endif
}

/// Barriers in shared memory.
__device__ __forceinline__ void barrier_init(uint64_t* barrier, uint32_t count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}
/// Lets the other blocks of the cluster see new barriers, once they meet this one.
__device__ __forceinline__ void barrier_init_fence() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
__device__ __forceinline__ void barrier_arrive(uint64_t* barrier) {
    asm volatile("{\n"
                 ".reg .b64 state;\n"
                 "mbarrier.arrive.shared.b64 state, [%0];\n"
                 "}\n" ::"r"(shared_address(barrier))
                 : "memory");
}
/// At a barrier of another block; `address`: of cluster_address().
__device__ __forceinline__ void barrier_arrive_cluster(uint32_t address) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(address) : "memory");
#endif
}
/// An arrival that also announces `bytes` of copies or counted stores.
__device__ __forceinline__ void barrier_expect(uint64_t* barrier, uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
#endif
}
/// Global to shared memory, multiples of 16 B; completes on `barrier`, which expects it.
__device__ __forceinline__ void bulk_copy(void* target, const void* source, uint32_t bytes, uint64_t* barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(target)),
                 "l"(source), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
#endif
}
__device__ __forceinline__ void barrier_wait(uint64_t* barrier, uint32_t parity) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
#if __CUDA_ARCH__ >= 900
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
#else
                 "mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
#endif
                 "@!done bra again;\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

/// (a & mask) | other
__device__ __forceinline__ uint32_t and_or(uint32_t a, uint32_t mask, uint32_t other) {
    uint32_t out;
    asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(out) : "r"(a), "r"(mask), "r"(other));
    return out;
}

/// c += a * b; a: 16x16 f16, b: 16x8 f16 (fragment order of PTX mma.m16n8k16).
__device__ __forceinline__ void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, step);
    return value;
}
__device__ __forceinline__ float warp_max(float value) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFU, value, step));
    return value;
}

__device__ __forceinline__ uint32_t pack_half2(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&pair);
}
__device__ __forceinline__ float2 unpack_half2(uint32_t bits) {
    return __half22float2(*reinterpret_cast<const __half2*>(&bits));
}
__device__ __forceinline__ float half_bits(uint32_t bits) {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
}

/// Lets blocks of a kernel have up to `bytes` of shared memory, or what the GPU has.  The same split of the SM's memory for all
/// kernels of a step: else the next one cannot start beside this one.
template <class Kernel>
cudaError_t raise_shared_limit(Kernel kernel, int bytes) {
    int device = 0;
    int most = 0;
    if (const cudaError_t status = cudaGetDevice(&device); status != cudaSuccess)
        return status;
    if (const cudaError_t status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        status != cudaSuccess)
        return status;
    if (const cudaError_t status = cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
        status != cudaSuccess)
        return status;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes < most ? bytes : most);
}

/// Starts a kernel that begins early and waits for its predecessor itself, in clusters of `cluster` blocks along x.
template <class... Params, class... Args>
cudaError_t launch_cluster(void (*kernel)(Params...), dim3 grid, dim3 block, int cluster, std::size_t shared,
    cudaStream_t stream, Args&&... args) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return cudaSuccess;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = static_cast<unsigned>(cluster);
    attributes[1].val.clusterDim.y = 1;
    attributes[1].val.clusterDim.z = 1;
    config.attrs = attributes;
    config.numAttrs = cluster > 1 ? 2 : 1;
    return cudaLaunchKernelEx(&config, kernel, static_cast<Params>(args)...);
}
template <class... Params, class... Args>
cudaError_t launch(
    void (*kernel)(Params...), dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, Args&&... args) {
    return launch_cluster(kernel, grid, block, 1, shared, stream, static_cast<Args&&>(args)...);
}

} // namespace vitrine::kernels
