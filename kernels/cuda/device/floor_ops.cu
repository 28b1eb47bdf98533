// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that few models have: one thread or warp for each value, sums in a fixed order.
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/raw_formats.cuh"
#include "kernels/cuda/floor_launch.h"

namespace vitrine::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kLinearRows = 8; // that share one reading of a weight

unsigned blocks_of(std::int64_t count, int size) {
    return static_cast<unsigned>((count + size - 1) / size);
}

/// One warp per group; the mean first, so that a large one costs no digits.
__global__ void __launch_bounds__(kThreads) layer_norm(const __grid_constant__ LayerNormArgs args) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
    if (group >= args.num_groups)
        return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const float* from = args.input + group * args.group_dim;
    float* to = args.output + group * args.group_dim;
    float sum = 0;
    for (int i = lane; i < args.group_dim; i += 32)
        sum += from[i];
    const float mean = warp_sum(sum) / static_cast<float>(args.group_dim);
    float squares = 0;
    for (int i = lane; i < args.group_dim; i += 32)
        squares += (from[i] - mean) * (from[i] - mean);
    const float inverse = 1 / sqrtf(warp_sum(squares) / static_cast<float>(args.group_dim) + args.eps);
    for (int i = lane; i < args.group_dim; i += 32)
        to[i] = (from[i] - mean) * inverse * args.gain[i] + (args.bias != nullptr ? args.bias[i] : 0.0F);
}

/// As kernels/ref/ref_floor_ops.cpp: gated().
__device__ float activated(GateKind kind, float gate, float up) {
    switch (kind) {
    case GateKind::silu:
        return gate / (1 + expf(-gate)) * up;
    case GateKind::gelu_tanh:
        return 0.5F * gate * (1 + tanhf(0.7978845608F * (gate + 0.044715F * gate * gate * gate))) * up;
    case GateKind::gelu:
        return 0.5F * gate * (1 + erff(gate * 0.7071067812F)) * up;
    case GateKind::swiglu_clamped: {
        const float capped = fminf(gate, 7);
        return capped / (1 + expf(-1.702F * capped)) * (fminf(fmaxf(up, -7), 7) + 1);
    }
    }
    return 0;
}

__global__ void __launch_bounds__(kThreads)
    activate(const float* gate, const float* up, float* output, GateKind kind, std::int64_t count) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < count)
        output[i] = activated(kind, gate[i], up != nullptr ? up[i] : 1.0F);
}

__global__ void __launch_bounds__(kThreads) head_copy(const __grid_constant__ HeadCopyArgs args) {
    pdl_trigger();
    pdl_wait();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const std::int64_t head = i / args.to.dim; // of all rows
    if (head >= static_cast<std::int64_t>(args.num_rows) * args.num_heads)
        return;
    const int place = static_cast<int>(i % args.to.dim) - args.to.first;
    if (place >= 0 && place < args.count) {
        const std::int64_t source_head = args.source_heads == 1 ? head / args.num_heads : head;
        args.target[i] = args.source[source_head * args.from.dim + args.from.first + place];
    } else if (args.clear) {
        args.target[i] = 0;
    }
}

/// A warp for each row of a head's matrix; its weights are read once for kLinearRows rows of the step.
template <WeightFormat F>
__global__ void __launch_bounds__(kThreads) head_linear(const __grid_constant__ HeadLinearArgs args) {
    constexpr int kWeights = BlockShape<F>::kWeights;
    pdl_trigger();
    pdl_wait();
    const int line = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
    if (line >= args.num_heads * args.out_dim)
        return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int head = line / args.out_dim;
    const int first = static_cast<int>(blockIdx.y) * kLinearRows;
    const int rows = min(kLinearRows, args.num_rows - first);
    const std::int64_t stride = static_cast<std::int64_t>(args.num_heads) * args.from.dim;
    const float* x = args.source + first * stride + head * args.from.dim + args.from.first;
    const uchar* weights = args.table + line * args.row_bytes;
    const std::int64_t block_bytes = args.row_bytes / (args.in_dim / kWeights);
    float sums[kLinearRows] = {};
    for (int k = lane; k < args.in_dim; k += 32) {
        const float weight = raw_value<F>(weights + k / kWeights * block_bytes, k % kWeights);
#pragma unroll
        for (int row = 0; row < kLinearRows; ++row)
            if (row < rows)
                sums[row] += weight * x[row * stride + k];
    }
#pragma unroll
    for (int row = 0; row < kLinearRows; ++row) {
        const float sum = warp_sum(sums[row]);
        if (lane == 0 && row < rows)
            args.target[(static_cast<std::int64_t>(first + row) * args.num_heads + head) * args.to.dim + args.to.first +
                line % args.out_dim] = sum;
    }
}

// ---- attention -----------------------------------------------------------------------------------------------------
constexpr int kAttentionThreads = 128;
constexpr int kKeys = 64; // scored together
constexpr int kValuesPerThread = kMaxPlainHeadDim / kAttentionThreads;

/// Scale of a line of the cache: a token's head, K or V.
__device__ float line_scale(const KvTarget& kv, std::int64_t line, int part, int head) {
    if (kv.type == KvType::int8)
        return kv.token_scales[line];
    return kv.head_scales != nullptr ? kv.head_scales[part * kv.num_kv_heads + head] : 1.0F;
}
__device__ float line_value(const KvTarget& kv, std::int64_t line, int i) {
    const std::int64_t at = line * kv.head_dim + i;
    if (kv.type == KvType::f16)
        return __half2float(static_cast<const __half*>(kv.data)[at]);
    if (kv.type == KvType::bf16)
        return __bfloat162float(static_cast<const __nv_bfloat16*>(kv.data)[at]);
    if (kv.type == KvType::fp8_e4m3)
        return __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<const uchar*>(kv.data)[at], __NV_E4M3)));
    return static_cast<float>(static_cast<const signed char*>(kv.data)[at]);
}

__device__ int sequence_of(const int* query_starts, int num_seqs, int row) {
    int low = 0;
    int high = num_seqs;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (query_starts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// One block per row and head; softmax in one pass over chunks of kKeys.
__global__ void __launch_bounds__(kAttentionThreads)
    plain_attention(const __grid_constant__ AttentionArgs args, bool causal) {
    __shared__ float query[kMaxPlainHeadDim];
    __shared__ float scores[kKeys];
    pdl_trigger();
    pdl_wait();
    const KvTarget& kv = args.kv;
    const int row = static_cast<int>(blockIdx.x);
    const int head = static_cast<int>(blockIdx.y);
    const int thread = static_cast<int>(threadIdx.x);
    const int kv_head = head / (args.num_heads / kv.num_kv_heads);
    const int seq = sequence_of(args.query_starts, args.num_seqs, row);
    const int visible = args.context_lens[seq] - (causal ? args.query_starts[seq + 1] - 1 - row : 0);
    const int* table = args.block_tables + static_cast<std::int64_t>(seq) * args.table_stride;
    const std::int64_t place = (static_cast<std::int64_t>(row) * args.num_heads + head) * kv.head_dim;
    for (int i = thread; i < kv.head_dim; i += kAttentionThreads)
        query[i] = args.query[place + i];
    const auto line_of = [&](int part, int token) {
        return kv_row(kv, table[token / kv.block_tokens], part, kv_head, token % kv.block_tokens);
    };
    float largest = args.sinks != nullptr ? args.sinks[head] : -INFINITY;
    float total = args.sinks != nullptr ? 1.0F : 0.0F;
    float sums[kValuesPerThread] = {};
    for (int base = args.window > 0 ? max(0, visible - args.window) : 0; base < visible; base += kKeys) {
        const int count = min(kKeys, visible - base);
        __syncthreads(); // the query is there; the scores before are used up
        for (int key = thread / 32; key < count; key += kAttentionThreads / 32) {
            const std::int64_t line = line_of(0, base + key);
            float sum = 0;
            for (int i = thread % 32; i < kv.head_dim; i += 32)
                sum += query[i] * line_value(kv, line, i);
            sum = warp_sum(sum) * line_scale(kv, line, 0, kv_head) * args.scale;
            if (thread % 32 == 0)
                scores[key] = args.softcap == 0 ? sum : args.softcap * tanhf(sum / args.softcap);
        }
        __syncthreads();
        float top = largest;
        for (int key = 0; key < count; ++key)
            top = fmaxf(top, scores[key]);
        const float kept = largest == -INFINITY ? 0.0F : expf(largest - top);
        largest = top;
        total *= kept;
        for (float& sum : sums)
            sum *= kept;
        for (int key = 0; key < count; ++key) {
            const std::int64_t line = line_of(1, base + key);
            const float weight = expf(scores[key] - top);
            total += weight;
            const float scaled = weight * line_scale(kv, line, 1, kv_head);
#pragma unroll
            for (int v = 0; v < kValuesPerThread; ++v) {
                const int i = thread + v * kAttentionThreads;
                if (i < kv.head_dim)
                    sums[v] += scaled * line_value(kv, line, i);
            }
        }
    }
#pragma unroll
    for (int v = 0; v < kValuesPerThread; ++v) {
        const int i = thread + v * kAttentionThreads;
        if (i < kv.head_dim)
            args.output[place + i] = visible > 0 ? sums[v] / total : 0.0F;
    }
}

} // namespace

cudaError_t launch_layer_norm(const LayerNormArgs& args, cudaStream_t stream) {
    return launch(layer_norm, dim3(blocks_of(args.num_groups, kWarps)), dim3(kThreads), 0, stream, args);
}

cudaError_t launch_activate(
    const float* gate, const float* up, float* output, GateKind kind, std::int64_t count, cudaStream_t stream) {
    return launch(activate, dim3(blocks_of(count, kThreads)), dim3(kThreads), 0, stream, gate, up, output, kind, count);
}

cudaError_t launch_head_copy(const HeadCopyArgs& args, cudaStream_t stream) {
    const std::int64_t count = static_cast<std::int64_t>(args.num_rows) * args.num_heads * args.to.dim;
    return launch(head_copy, dim3(blocks_of(count, kThreads)), dim3(kThreads), 0, stream, args);
}

cudaError_t launch_head_linear(const HeadLinearArgs& args, cudaStream_t stream) {
    const dim3 grid(blocks_of(static_cast<std::int64_t>(args.num_heads) * args.out_dim, kWarps),
        blocks_of(args.num_rows, kLinearRows));
    return with_format(args.format,
        [&](auto tag) { return launch(head_linear<decltype(tag)::kFormat>, grid, dim3(kThreads), 0, stream, args); });
}

cudaError_t launch_plain_attention(const AttentionArgs& args, int num_rows, bool causal, cudaStream_t stream) {
    if (args.kv.head_dim > kMaxPlainHeadDim)
        return cudaErrorInvalidValue;
    return launch(plain_attention, dim3(static_cast<unsigned>(num_rows), static_cast<unsigned>(args.num_heads)),
        dim3(kAttentionThreads), 0, stream, args, causal);
}

} // namespace vitrine::kernels
