// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: GGUF blocks in file order: weight = scale(group) * code - min(group).
// Block layouts: the GGUF specification (ggml).  Blocks are read by bytes: they are not aligned.
#pragma once

#include "kernels/api/weight_format.h"
#include "kernels/cuda/device/primitives.cuh"

namespace vitrine::kernels {

__device__ __forceinline__ uint32_t raw16(const uchar* at) {
    return at[0] | static_cast<uint32_t>(at[1]) << 8;
}
__device__ __forceinline__ uint32_t raw32(const uchar* at) {
    return raw16(at) | raw16(at + 2) << 16;
}
__device__ __forceinline__ float raw_half(const uchar* at) {
    return half_bits(raw16(at));
}
__device__ __forceinline__ int nibble32(const uchar* quants, int i) { // low nibbles are weights 0..15
    return i < 16 ? quants[i] & 15 : quants[i - 16] >> 4;
}

template <WeightFormat F>
struct Raw;

template <>
struct Raw<WeightFormat::q4_0> {
    __device__ static int code(const uchar* b, int i) { return nibble32(b + 2, i) - 8; }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar*, int) { return 0; }
};
template <>
struct Raw<WeightFormat::q4_1> {
    __device__ static int code(const uchar* b, int i) { return nibble32(b + 4, i); }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar* b, int) { return -raw_half(b + 2); }
};
template <>
struct Raw<WeightFormat::q5_0> {
    __device__ static int code(const uchar* b, int i) {
        return (nibble32(b + 6, i) | static_cast<int>((raw32(b + 2) >> i & 1U) << 4)) - 16;
    }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar*, int) { return 0; }
};
template <>
struct Raw<WeightFormat::q5_1> {
    __device__ static int code(const uchar* b, int i) {
        return nibble32(b + 8, i) | static_cast<int>((raw32(b + 4) >> i & 1U) << 4);
    }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar* b, int) { return -raw_half(b + 2); }
};
template <>
struct Raw<WeightFormat::q8_0> {
    __device__ static int code(const uchar* b, int i) { return static_cast<signed char>(b[2 + i]); }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar*, int) { return 0; }
};
/// Two-bit code of weight i in the planes of Q2_K and Q3_K.
__device__ __forceinline__ int code2(const uchar* quants, int i) {
    return quants[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
}
template <>
struct Raw<WeightFormat::q2_k> {
    __device__ static int code(const uchar* b, int i) { return code2(b + 16, i); }
    __device__ static float scale(const uchar* b, int i) {
        return __fmul_rn(raw_half(b + 80), static_cast<float>(b[i / 16] & 15));
    }
    __device__ static float min(const uchar* b, int i) {
        return __fmul_rn(raw_half(b + 82), static_cast<float>(b[i / 16] >> 4));
    }
};
template <>
struct Raw<WeightFormat::q3_k> {
    __device__ static int code(const uchar* b, int i) { return code2(b + 32, i) - (b[i % 32] >> (i / 32) & 1 ? 0 : 4); }
    __device__ static float scale(const uchar* b, int i) {
        const uchar* scales = b + 96;
        const int group = i / 16;
        const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
        const int high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
        return __fmul_rn(raw_half(b + 108), static_cast<float>((low | high << 4) - 32));
    }
    __device__ static float min(const uchar*, int) { return 0; }
};
/// Six-bit scale and minimum of 32 weights, packed in 12 bytes (Q4_K, Q5_K).
__device__ __forceinline__ int k_scale(const uchar* packed, int group) {
    return group < 4 ? packed[group] & 63 : (packed[group + 4] & 15) | packed[group - 4] >> 6 << 4;
}
__device__ __forceinline__ int k_min(const uchar* packed, int group) {
    return group < 4 ? packed[group + 4] & 63 : packed[group + 4] >> 4 | packed[group] >> 6 << 4;
}
__device__ __forceinline__ int k_nibble(const uchar* quants, int i) {
    const int pair = quants[i / 64 * 32 + i % 32];
    return i % 64 < 32 ? pair & 15 : pair >> 4;
}
struct RawK45 {
    __device__ static float scale(const uchar* b, int i) {
        return __fmul_rn(raw_half(b), static_cast<float>(k_scale(b + 4, i / 32)));
    }
    __device__ static float min(const uchar* b, int i) {
        return __fmul_rn(raw_half(b + 2), static_cast<float>(k_min(b + 4, i / 32)));
    }
};
template <>
struct Raw<WeightFormat::q4_k> : RawK45 {
    __device__ static int code(const uchar* b, int i) { return k_nibble(b + 16, i); }
};
template <>
struct Raw<WeightFormat::q5_k> : RawK45 {
    __device__ static int code(const uchar* b, int i) {
        return k_nibble(b + 48, i) | (b[16 + i % 32] >> (i / 32) & 1) << 4;
    }
};
template <>
struct Raw<WeightFormat::q6_k> {
    __device__ static int unsigned_code(const uchar* b, int i) {
        const int quarter = i % 128 / 32;
        const int low = b[i / 128 * 64 + quarter % 2 * 32 + i % 32];
        const int high = b[128 + i / 128 * 32 + i % 32] >> (quarter * 2) & 3;
        return (quarter < 2 ? low & 15 : low >> 4) | high << 4;
    }
    __device__ static int code(const uchar* b, int i) { return unsigned_code(b, i) - 32; }
    __device__ static float scale(const uchar* b, int i) {
        return __fmul_rn(raw_half(b + 208), static_cast<float>(static_cast<signed char>(b[192 + i / 16])));
    }
    __device__ static float min(const uchar*, int) { return 0; }
};
__device__ __forceinline__ int iq4_value(int code) {
    constexpr signed char kValues[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    return kValues[code];
}
template <>
struct Raw<WeightFormat::iq4_nl> {
    __device__ static int code(const uchar* b, int i) { return iq4_value(nibble32(b + 2, i)); }
    __device__ static float scale(const uchar* b, int) { return raw_half(b); }
    __device__ static float min(const uchar*, int) { return 0; }
};
template <>
struct Raw<WeightFormat::iq4_xs> {
    __device__ static int code(const uchar* b, int i) { return iq4_value(nibble32(b + 8 + i / 32 * 16, i % 32)); }
    __device__ static float scale(const uchar* b, int i) {
        const int group = i / 32;
        const int low = b[4 + group / 2] >> (group % 2 * 4) & 15;
        const int high = static_cast<int>(raw16(b + 2) >> (group * 2)) & 3;
        return __fmul_rn(raw_half(b), static_cast<float>((low | high << 4) - 32));
    }
    __device__ static float min(const uchar*, int) { return 0; }
};
template <>
struct Raw<WeightFormat::mxfp4> {
    __device__ static int code(const uchar* b, int i) { // twice e2m1
        constexpr signed char kValues[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
        return kValues[nibble32(b + 1, i)];
    }
    __device__ static float scale(const uchar* b, int) { // half of 2^(e - 127); the two smallest are subnormal floats
        const uint32_t e = b[0];
        return __uint_as_float(e < 2 ? 0x00200000U << e : (e - 1) << 23);
    }
    __device__ static float min(const uchar*, int) { return 0; }
};

/// Weight i of a block, rounded as kernels/ref does.
template <WeightFormat F>
__device__ __forceinline__ float raw_value(const uchar* block, int i) {
    if constexpr (F == WeightFormat::f32)
        return __uint_as_float(raw32(block));
    else if constexpr (F == WeightFormat::f16)
        return raw_half(block);
    else if constexpr (F == WeightFormat::bf16)
        return __uint_as_float(raw16(block) << 16);
    else
        return __fsub_rn(
            __fmul_rn(Raw<F>::scale(block, i), static_cast<float>(Raw<F>::code(block, i))), Raw<F>::min(block, i));
}

template <WeightFormat F>
struct BlockShape {
    static constexpr bool kK = F == WeightFormat::q2_k || F == WeightFormat::q3_k || F == WeightFormat::q4_k ||
        F == WeightFormat::q5_k || F == WeightFormat::q6_k || F == WeightFormat::iq4_xs;
    static constexpr bool kDense = F == WeightFormat::f32 || F == WeightFormat::f16 || F == WeightFormat::bf16;
    static constexpr int kWeights = kDense ? 1 : kK ? 256 : 32;
};

/// Calls `call` with the format as a type: call(std::integral_constant<WeightFormat, F>{}).
template <WeightFormat F>
struct FormatTag {
    static constexpr WeightFormat kFormat = F;
};
template <class Call>
cudaError_t with_format(WeightFormat format, Call&& call) {
    using enum WeightFormat;
    switch (format) {
    case f32:
        return call(FormatTag<f32>{});
    case f16:
        return call(FormatTag<f16>{});
    case bf16:
        return call(FormatTag<bf16>{});
    case q4_0:
        return call(FormatTag<q4_0>{});
    case q4_1:
        return call(FormatTag<q4_1>{});
    case q5_0:
        return call(FormatTag<q5_0>{});
    case q5_1:
        return call(FormatTag<q5_1>{});
    case q8_0:
        return call(FormatTag<q8_0>{});
    case q2_k:
        return call(FormatTag<q2_k>{});
    case q3_k:
        return call(FormatTag<q3_k>{});
    case q4_k:
        return call(FormatTag<q4_k>{});
    case q5_k:
        return call(FormatTag<q5_k>{});
    case q6_k:
        return call(FormatTag<q6_k>{});
    case iq4_nl:
        return call(FormatTag<iq4_nl>{});
    case iq4_xs:
        return call(FormatTag<iq4_xs>{});
    case mxfp4:
        return call(FormatTag<mxfp4>{});
    }
    return cudaErrorInvalidValue;
}

} // namespace vitrine::kernels
