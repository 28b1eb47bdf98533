// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the rounding rules of quantized KV caches, shared by the backends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/api/kv_pool.h"
#include "kernels/ref/half.h"

namespace vitrine::kernels {

/// Scales per head are fixed by the first step that writes a layer: the largest magnitude of that step's rows (padding
/// left out), times a headroom for what later tokens bring; larger values saturate.  An exponent is cheap in fp8.
inline constexpr float kInt8HeadHeadroom = 1.25F;
inline constexpr float kFp8Headroom = 2;

/// One scale per layer, head and K or V instead of none, or one per token and head.
[[nodiscard]] constexpr bool has_head_scales(KvType type) noexcept {
    return type == KvType::int8_head || type == KvType::fp8_e4m3;
}

/// Keys and values lie in the cache rotated: with one scale for all channels and tokens, a few loud channels of a head would
/// leave the others no codes.  A rotation of q and K leaves their products, one of V is undone on the output.
[[nodiscard]] constexpr bool rotates_heads(KvType type) noexcept {
    return type == KvType::int8_head;
}
/// x times an orthonormal Hadamard matrix, its own inverse; of blocks where head_dim is no power of two (QuaRot, Ashkboos
/// et al. 2024).  The same order of additions everywhere.
template <class T>
void rotate_head(T* x, int head_dim) noexcept {
    const int block = head_dim & -head_dim; // largest power of two that divides it
    const T norm = T{1} / std::sqrt(static_cast<T>(block));
    for (int half = 1; half < block; half *= 2) {
        for (int base = 0; base < head_dim; base += 2 * half) {
            for (int i = base; i < base + half; ++i) {
                const T a = x[i];
                const T b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
    for (int i = 0; i < head_dim; ++i)
        x[i] *= norm;
}

/// Scale from a largest magnitude.  int8: of one token and head.  int8_head, fp8_e4m3: of the calibrating step.
/// 0 gives 0: every code is 0.  f16, bf16: 1.
[[nodiscard]] constexpr float kv_scale(KvType type, float largest) noexcept {
    switch (type) {
    case KvType::int8:
        return largest / 127;
    case KvType::int8_head:
        return largest * kInt8HeadHeadroom / 127;
    case KvType::fp8_e4m3:
        return largest * kFp8Headroom / 448;
    case KvType::f16:
    case KvType::bf16:
        break;
    }
    return 1;
}

/// Round half to even, saturating at +-127; scale 0 gives 0.
[[nodiscard]] inline std::int8_t kv_int8_code(float value, float scale) noexcept {
    if (scale == 0)
        return 0;
    return static_cast<std::int8_t>(std::clamp(std::nearbyint(value / scale), -127.0F, 127.0F));
}

/// The stored bits of one element: 16 bits, or 8 in the low half.
[[nodiscard]] inline std::uint16_t kv_encode(KvType type, float value, float scale) noexcept {
    switch (type) {
    case KvType::f16:
        return f32_to_f16(value);
    case KvType::bf16:
        return f32_to_bf16(value);
    case KvType::int8:
    case KvType::int8_head:
        return static_cast<std::uint8_t>(kv_int8_code(value, scale));
    case KvType::fp8_e4m3:
        break;
    }
    return scale == 0 ? std::uint16_t{0} : f32_to_fp8_e4m3(value / scale);
}

[[nodiscard]] inline float kv_decode(KvType type, std::uint16_t bits, float scale) noexcept {
    switch (type) {
    case KvType::f16:
        return f16_to_f32(bits);
    case KvType::bf16:
        return bf16_to_f32(bits);
    case KvType::int8:
    case KvType::int8_head:
        return static_cast<float>(static_cast<std::int8_t>(bits)) * scale;
    case KvType::fp8_e4m3:
        break;
    }
    return fp8_e4m3_to_f32(static_cast<std::uint8_t>(bits)) * scale;
}

} // namespace vitrine::kernels
