// SPDX-License-Identifier: GPL-3.0-or-later
// The ops around products: gather, norm, rope, KV write, add, gate, argmax.
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/raw_formats.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kThreads = 256;

template <WeightFormat F>
__global__ void __launch_bounds__(kThreads) gather(const __grid_constant__ GatherArgs args) {
    constexpr int kWeights = BlockShape<F>::kWeights;
    pdl_trigger();
    pdl_wait();
    const int row = static_cast<int>(blockIdx.y);
    const int k = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    if (k >= args.dim)
        return;
    int token = args.tokens[row];
    if (token < 0)
        token = max(args.sampled[-1 - token], 0);
    const uchar* line = args.table + token * args.row_bytes;
    const std::int64_t block_bytes = args.row_bytes / (args.dim / kWeights);
    args.output[static_cast<std::int64_t>(row) * args.dim + k] =
        args.scale * raw_value<F>(line + k / kWeights * block_bytes, k % kWeights);
}

/// One warp per group; three passes over what L1 holds.
__global__ void __launch_bounds__(kThreads)
    norm_groups(const float* input, float* output, const float* gain, float eps, int dim, std::int64_t num_groups) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
    if (group >= num_groups)
        return;
    const float* from = input + group * dim;
    float* to = output + group * dim;
    float squares = 0;
    for (int i = static_cast<int>(threadIdx.x) % 32; i < dim; i += 32)
        squares += from[i] * from[i];
    squares = warp_sum(squares);
    const float inverse = 1 / sqrtf(squares / static_cast<float>(dim) + eps);
    for (int i = static_cast<int>(threadIdx.x) % 32; i < dim; i += 32)
        to[i] = from[i] * inverse * gain[i];
}

__global__ void rope_table(const double* inv_freq, double factor, int half, int num_positions, float2* table) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= static_cast<std::int64_t>(num_positions) * half)
        return;
    double sine = 0;
    double cosine = 0;
    sincos(static_cast<double>(i / half) * inv_freq[i % half], &sine, &cosine);
    table[i] = {static_cast<float>(cosine * factor), static_cast<float>(sine * factor)};
}

__global__ void __launch_bounds__(kThreads)
    rope(float* value, const float2* table, const int* positions, int num_heads, int head_dim, int half, bool neox) {
    pdl_trigger();
    pdl_wait();
    const int row = static_cast<int>(blockIdx.y);
    const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    if (i >= num_heads * half)
        return;
    float* head = value + (static_cast<std::int64_t>(row) * num_heads + i / half) * head_dim;
    const int pair = i % half;
    float& first = head[neox ? pair : 2 * pair];
    float& second = head[neox ? pair + half : 2 * pair + 1];
    const float2 turn = table[static_cast<std::int64_t>(positions[row]) * half + pair];
    const float a = first;
    const float b = second;
    first = a * turn.x - b * turn.y;
    second = a * turn.y + b * turn.x;
}

constexpr int kMaxHeadDim = 640; // of the plain attention

/// One warp a head.
__global__ void __launch_bounds__(kThreads)
    rotate_heads(const float* from, float* to, std::int64_t num_heads, int head_dim) {
    __shared__ float heads[kThreads / 32][kMaxHeadDim];
    pdl_trigger();
    pdl_wait();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t head = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + warp;
    if (head >= num_heads)
        return;
    float* x = heads[warp];
    for (int i = lane; i < head_dim; i += 32)
        x[i] = from[head * head_dim + i];
    __syncwarp();
    const int block = head_dim & -head_dim;
    for (int half = 1; half < block; half *= 2) {
        for (int pair = lane; pair < head_dim / 2; pair += 32) {
            const int i = pair / half * 2 * half + pair % half;
            const float a = x[i];
            const float b = x[i + half];
            x[i] = a + b;
            x[i + half] = a - b;
        }
        __syncwarp();
    }
    const float norm = rsqrtf(static_cast<float>(block));
    for (int i = lane; i < head_dim; i += 32)
        to[head * head_dim + i] = x[i] * norm;
}

/// Scales per head are fixed by the first step that writes the layer; see kernels/ref/kv_codec.h.  One block per head and part.
__global__ void __launch_bounds__(kThreads) calibrate(
    const float* keys, const float* values, const int* slots, int num_rows, const __grid_constant__ KvTarget kv) {
    __shared__ float largest[kThreads / 32];
    pdl_trigger();
    pdl_wait();
    const int head = static_cast<int>(blockIdx.x);
    const int part = static_cast<int>(blockIdx.y);
    int* flag = kv.calibrated + part * kv.num_kv_heads + head;
    if (*flag != 0)
        return;
    const float* source = part == 0 ? keys : values;
    float top = 0;
    bool any = false;
    for (int row = 0; row < num_rows; ++row) {
        if (slots[row] < kv.block_tokens)
            continue; // padding
        any = true;
        const float* from = source + (static_cast<std::int64_t>(row) * kv.num_kv_heads + head) * kv.head_dim;
        for (int i = static_cast<int>(threadIdx.x); i < kv.head_dim; i += kThreads)
            top = fmaxf(top, fabsf(from[i]));
    }
    top = warp_max(top);
    if (threadIdx.x % 32 == 0)
        largest[threadIdx.x / 32] = top;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (const float value : largest)
        top = fmaxf(top, value);
    const float divided = kv.type == KvType::int8_head ? top * 1.25F / 127 : top * 2 / 448;
    kv.head_scales[part * kv.num_kv_heads + head] = divided;
    if (any)
        *flag = 1;
}

__device__ __forceinline__ uchar int8_code(float value, float scale) {
    return scale == 0
        ? 0
        : static_cast<uchar>(static_cast<signed char>(fminf(fmaxf(rintf(value / scale), -127.0F), 127.0F)));
}

/// One warp per (row, head, K or V).
__global__ void __launch_bounds__(kThreads) kv_write(
    const float* keys, const float* values, const int* slots, int num_rows, const __grid_constant__ KvTarget kv) {
    pdl_trigger();
    pdl_wait();
    const int item = static_cast<int>(blockIdx.x) * (kThreads / 32) + static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int part = item % 2;
    const int head = item / 2 % kv.num_kv_heads;
    const int row = item / 2 / kv.num_kv_heads;
    if (row >= num_rows)
        return;
    const float* from =
        (part == 0 ? keys : values) + (static_cast<std::int64_t>(row) * kv.num_kv_heads + head) * kv.head_dim;
    const int slot = slots[row];
    const std::int64_t line = kv_row(kv, slot / kv.block_tokens, part, head, slot % kv.block_tokens);
    float scale = 1;
    if (kv.type == KvType::int8) {
        float top = 0;
        for (int i = lane; i < kv.head_dim; i += 32)
            top = fmaxf(top, fabsf(from[i]));
        scale = warp_max(top) / 127;
        if (lane == 0)
            kv.token_scales[line] = scale;
    } else if (kv.head_scales != nullptr) {
        scale = kv.head_scales[part * kv.num_kv_heads + head];
    }
    for (int i = lane; i < kv.head_dim; i += 32) {
        const std::int64_t at = line * kv.head_dim + i;
        if (kv.type == KvType::f16)
            static_cast<__half*>(kv.data)[at] = __float2half_rn(from[i]);
        else if (kv.type == KvType::bf16)
            static_cast<__nv_bfloat16*>(kv.data)[at] = __float2bfloat16_rn(from[i]);
        else if (kv.type == KvType::fp8_e4m3)
            static_cast<uchar*>(kv.data)[at] =
                scale == 0 ? 0 : __nv_cvt_float_to_fp8(from[i] / scale, __NV_SATFINITE, __NV_E4M3);
        else
            static_cast<uchar*>(kv.data)[at] = int8_code(from[i], scale);
    }
}

/// One block of the pool in canonical order, dequantized; for tests.
__global__ void kv_read(const __grid_constant__ KvTarget kv, int block, float* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int lines = 2 * kv.num_kv_heads * kv.block_tokens;
    if (i >= lines * kv.head_dim)
        return;
    const std::int64_t line = static_cast<std::int64_t>(block) * lines + i / kv.head_dim;
    const std::int64_t at = line * kv.head_dim + i % kv.head_dim;
    const float scale = kv.type == KvType::int8 ? kv.token_scales[line]
        : kv.head_scales != nullptr             ? kv.head_scales[i / kv.head_dim / kv.block_tokens]
                                                : 1.0F;
    if (kv.type == KvType::f16)
        out[i] = __half2float(static_cast<const __half*>(kv.data)[at]);
    else if (kv.type == KvType::bf16)
        out[i] = __bfloat162float(static_cast<const __nv_bfloat16*>(kv.data)[at]);
    else if (kv.type == KvType::fp8_e4m3)
        out[i] =
            scale * __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<const uchar*>(kv.data)[at], __NV_E4M3)));
    else
        out[i] = scale * static_cast<float>(static_cast<const signed char*>(kv.data)[at]);
}

__global__ void __launch_bounds__(kThreads) add(float* target, const float* source, float scale, std::int64_t count) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < count)
        target[i] += source[i] * scale;
}

__global__ void __launch_bounds__(kThreads)
    gate(const float* gate, const float* up, float* output, GateKind kind, std::int64_t count) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < count)
        output[i] = gated(kind, gate[i], up[i]);
}

struct Best {
    float value;
    int token;
};
__device__ __forceinline__ Best better(Best a, Best b) { // ties: lowest id; -1 loses
    const bool take = b.token >= 0 && (a.token < 0 || b.value > a.value || (b.value == a.value && b.token < a.token));
    return take ? b : a;
}
__device__ Best block_best(Best mine) {
    __shared__ Best shared[kThreads / 32];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        mine = better(
            mine, {__shfl_xor_sync(0xFFFFFFFFU, mine.value, step), __shfl_xor_sync(0xFFFFFFFFU, mine.token, step)});
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = mine;
    __syncthreads();
    for (const Best& other : shared)
        mine = better(mine, other);
    return mine;
}

__global__ void __launch_bounds__(kThreads) argmax_parts(const float* logits, std::int64_t vocab, Best* parts) {
    pdl_trigger();
    pdl_wait();
    const float* row = logits + blockIdx.y * vocab;
    Best best{-INFINITY, -1};
    for (std::int64_t i = blockIdx.x * kThreads + threadIdx.x; i < vocab; i += kArgmaxBlocks * kThreads) {
        const float value = row[i];
        if (value > -INFINITY) // false for NaN
            best = better(best, {value, static_cast<int>(i)});
    }
    best = block_best(best);
    if (threadIdx.x == 0)
        parts[blockIdx.y * kArgmaxBlocks + blockIdx.x] = best;
}
__global__ void __launch_bounds__(kThreads) argmax_rows(const Best* parts, int* tokens) {
    pdl_trigger();
    pdl_wait();
    Best best{-INFINITY, -1};
    if (threadIdx.x < kArgmaxBlocks)
        best = parts[blockIdx.x * kArgmaxBlocks + threadIdx.x];
    best = block_best(best);
    if (threadIdx.x == 0)
        tokens[blockIdx.x] = best.token;
}

unsigned blocks_for(std::int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

} // namespace

bool has_code_for_device() noexcept {
    cudaFuncAttributes attributes{};
    const cudaError_t status = cudaFuncGetAttributes(&attributes, rope_table);
    (void)cudaGetLastError(); // an answer, not a failure
    return status != cudaErrorNoKernelImageForDevice;
}

cudaError_t launch_gather(const GatherArgs& args, cudaStream_t stream) {
    return with_format(args.format, [&](auto tag) {
        return launch(
            gather<decltype(tag)::kFormat>, dim3(blocks_for(args.dim), args.num_rows), dim3(kThreads), 0, stream, args);
    });
}
cudaError_t launch_norm(const float* input, float* output, const float* gain, float eps, int group_dim,
    std::int64_t num_groups, cudaStream_t stream) {
    return launch(norm_groups, dim3(static_cast<unsigned>((num_groups + 7) / 8)), dim3(kThreads), 0, stream, input,
        output, gain, eps, group_dim, num_groups);
}
cudaError_t launch_rope_table(
    const double* inv_freq, double factor, int half_rotary, int num_positions, float2* table, cudaStream_t stream) {
    rope_table<<<blocks_for(static_cast<std::int64_t>(num_positions) * half_rotary), kThreads, 0, stream>>>(
        inv_freq, factor, half_rotary, num_positions, table);
    return cudaGetLastError();
}
cudaError_t launch_rope(float* value, const float2* table, const int* positions, int num_rows, int num_heads,
    int head_dim, int half_rotary, bool neox, cudaStream_t stream) {
    return launch(rope, dim3(blocks_for(num_heads * half_rotary), num_rows), dim3(kThreads), 0, stream, value, table,
        positions, num_heads, head_dim, half_rotary, neox);
}
cudaError_t launch_rotate_heads(
    const float* from, float* to, std::int64_t num_heads, int head_dim, cudaStream_t stream) {
    if (head_dim > kMaxHeadDim)
        return cudaErrorInvalidValue;
    constexpr int kHeads = kThreads / 32;
    const auto blocks = static_cast<unsigned>((num_heads + kHeads - 1) / kHeads);
    return launch(rotate_heads, dim3(blocks), dim3(kThreads), 0, stream, from, to, num_heads, head_dim);
}
cudaError_t launch_kv_write(const float* keys, const float* values, const int* slots, int num_rows,
    const KvTarget& target, cudaStream_t stream) {
    if (target.head_scales != nullptr) {
        const cudaError_t status = launch(
            calibrate, dim3(target.num_kv_heads, 2), dim3(kThreads), 0, stream, keys, values, slots, num_rows, target);
        if (status != cudaSuccess)
            return status;
    }
    return launch(kv_write, dim3((num_rows * target.num_kv_heads * 2 + 7) / 8), dim3(kThreads), 0, stream, keys, values,
        slots, num_rows, target);
}
cudaError_t launch_kv_read(const KvTarget& target, int block, float* out, cudaStream_t stream) {
    kv_read<<<blocks_for(2LL * target.num_kv_heads * target.block_tokens * target.head_dim), kThreads, 0, stream>>>(
        target, block, out);
    return cudaGetLastError();
}
cudaError_t launch_add(float* target, const float* source, float scale, std::int64_t count, cudaStream_t stream) {
    return launch(add, dim3(blocks_for(count)), dim3(kThreads), 0, stream, target, source, scale, count);
}
cudaError_t launch_gate(
    const float* gate_values, const float* up, float* output, GateKind kind, std::int64_t count, cudaStream_t stream) {
    return launch(gate, dim3(blocks_for(count)), dim3(kThreads), 0, stream, gate_values, up, output, kind, count);
}
cudaError_t launch_argmax(
    const float* logits, std::int64_t vocab, int num_rows, int* tokens, float* scratch, cudaStream_t stream) {
    auto* parts = reinterpret_cast<Best*>(scratch);
    const cudaError_t status =
        launch(argmax_parts, dim3(kArgmaxBlocks, num_rows), dim3(kThreads), 0, stream, logits, vocab, parts);
    return status != cudaSuccess ? status
                                 : launch(argmax_rows, dim3(num_rows), dim3(kThreads), 0, stream, parts, tokens);
}

} // namespace vitrine::kernels
