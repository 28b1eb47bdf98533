// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: what decode and prefill attention share.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {

inline constexpr float kLog2E = 1.4426950408889634F;

/// 2^x; what is too small for a normal number is 0.
__device__ __forceinline__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Eight elements as f16, without their scale.
template <KvType T>
__device__ __forceinline__ uint4 load8(const void* data, std::int64_t at) {
    if constexpr (T == KvType::f16) {
        return *reinterpret_cast<const uint4*>(static_cast<const __half*>(data) + at);
    } else if constexpr (T == KvType::bf16) {
        const uint4 v = *reinterpret_cast<const uint4*>(static_cast<const __nv_bfloat16*>(data) + at);
        const auto turn = [](uint32_t w) {
            return pack_half2(__uint_as_float(w << 16), __uint_as_float(w & 0xFFFF0000U));
        };
        return {turn(v.x), turn(v.y), turn(v.z), turn(v.w)};
    } else if constexpr (T == KvType::fp8_e4m3) {
        const uint2 v = *reinterpret_cast<const uint2*>(static_cast<const uchar*>(data) + at);
        const auto turn = [](uint32_t two) {
            const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(two), __NV_E4M3);
            return static_cast<uint32_t>(raw.x) | static_cast<uint32_t>(raw.y) << 16;
        };
        return {turn(v.x & 0xFFFFU), turn(v.x >> 16), turn(v.y & 0xFFFFU), turn(v.y >> 16)};
    } else {
        const uint2 v = *reinterpret_cast<const uint2*>(static_cast<const uchar*>(data) + at);
        const auto turn = [](uint32_t word, uint32_t selector) { // f16 1024 + (code + 128), minus 1152
            const uint32_t bits = __byte_perm(word ^ 0x80808080U, 0x64006400U, selector);
            const __half2 value = __hsub2(*reinterpret_cast<const __half2*>(&bits), __float2half2_rn(1152));
            return *reinterpret_cast<const uint32_t*>(&value);
        };
        return {turn(v.x, 0x5150), turn(v.x, 0x5352), turn(v.y, 0x5150), turn(v.y, 0x5352)};
    }
}

struct Sequence {
    int query_start;
    int num_rows;
    int context;
    const int* blocks;
};
__device__ __forceinline__ Sequence sequence_of(const AttentionArgs& args, int seq) {
    const int start = args.query_starts[seq];
    return {start, args.query_starts[seq + 1] - start, args.context_lens[seq],
        args.block_tables + static_cast<std::int64_t>(seq) * args.table_stride};
}

/// Keys [begin, end) that flattened query `flat` sees; none beyond the sequence's rows.
struct KeyRange {
    int begin, end;
};
__device__ __forceinline__ KeyRange keys_of(const AttentionArgs& args, const Sequence& seq, int flat, int group) {
    const int row = flat / group;
    const int end = row < seq.num_rows ? seq.context - (seq.num_rows - 1 - row) : 0;
    return {args.window > 0 && end > args.window ? end - args.window : 0, end};
}

/// Factor of a score, log2(e) not included: one scale per head of the keys may be part of it.
__device__ __forceinline__ float score_scale(const AttentionArgs& args, int kv_head) {
    return args.kv.head_scales != nullptr ? args.scale * args.kv.head_scales[kv_head] : args.scale;
}
__device__ __forceinline__ float value_scale(const AttentionArgs& args, int kv_head) {
    return args.kv.head_scales != nullptr ? args.kv.head_scales[args.kv.num_kv_heads + kv_head] : 1.0F;
}
/// The score in units of log2; `factor`: score_scale().
__device__ __forceinline__ float soft_score(const AttentionArgs& args, float score, float factor) {
    score *= factor;
    if (args.softcap != 0)
        score = args.softcap * tanhf(score / args.softcap);
    return score * kLog2E;
}

/// The sum of a query's weights, relative to 2^top, with its sink.
__device__ __forceinline__ float with_sink(
    const AttentionArgs& args, int kv_head, int group, int flat, float total, float top) {
    if (args.sinks == nullptr || total <= 0)
        return total;
    return total + exp2f(args.sinks[kv_head * group + flat % group] * kLog2E - top); // inf: nothing else counts
}

/// Dimension d of flattened query `flat`, also to what the next product reads.
__device__ __forceinline__ void put_output(
    const AttentionArgs& args, const Sequence& seq, int kv_head, int group, int flat, int d, float value) {
    const int place = seq.query_start + flat / group;
    const int at = (kv_head * group + flat % group) * args.kv.head_dim + d;
    args.output[static_cast<std::int64_t>(place) * args.num_heads * args.kv.head_dim + at] = value;
    if (args.feed.image != nullptr)
        feed_value(args.feed, place, at, value);
}

/// The same for a reader with many places; whole warps, each of one query.
__device__ __forceinline__ void put_panel_output(
    const AttentionArgs& args, const Sequence& seq, int kv_head, int group, int flat, int d, float value) {
    const PanelFeed& panel = args.feed.panel;
    const int place = seq.query_start + flat / group;
    const PanelOffset offset((kv_head * group + flat % group) * args.kv.head_dim + d, panel.width);
    auto* block = panel.image + place / panel.width * (column_block_bytes(panel.width, panel.padded_dim) / 2);
    block[offset.at(place % panel.width)] = __half_as_ushort(__float2half_rn(value));
    const float most = warp_max(fabsf(value));
    if (threadIdx.x % 32 == 0)
        atomicMax(panel.largest + place, __float_as_int(most));
}

template <class Call>
cudaError_t with_head_dim(int dim, Call&& call) {
    if (dim <= 64)
        return call(std::integral_constant<int, 64>{});
    if (dim <= 128)
        return call(std::integral_constant<int, 128>{});
    if (dim <= 256)
        return call(std::integral_constant<int, 256>{});
    return cudaErrorInvalidValue;
}
template <class Call>
cudaError_t with_kv(KvType type, Call&& call) {
    switch (type) {
    case KvType::f16:
        return call(std::integral_constant<KvType, KvType::f16>{});
    case KvType::bf16:
        return call(std::integral_constant<KvType, KvType::bf16>{});
    case KvType::int8:
        return call(std::integral_constant<KvType, KvType::int8>{});
    case KvType::int8_head:
        return call(std::integral_constant<KvType, KvType::int8_head>{});
    case KvType::fp8_e4m3:
        return call(std::integral_constant<KvType, KvType::fp8_e4m3>{});
    }
    return cudaErrorInvalidValue;
}

} // namespace vitrine::kernels
