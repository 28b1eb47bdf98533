// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: random but sensible weights in every GGUF format: random codes, scales of one magnitude.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/api/weight_format.h"
#include "kernels/ref/half.h"

namespace vitrine::testing {

using namespace kernels;

using Random = std::mt19937;

namespace detail {

inline void put16(std::byte* at, std::uint16_t bits) {
    std::memcpy(at, &bits, sizeof bits);
}

/// Where a block keeps its half-precision scale and minimum (-1: none), and what the minimum is as a multiple of the scale so
/// that weights centre on zero.
struct ScalePlace {
    int scale = 0;
    int min = -1;
    float min_ratio = 0;
};

[[nodiscard]] inline ScalePlace scale_place(WeightFormat format) {
    switch (format) {
    case WeightFormat::q4_1:
        return {0, 2, -7.5F};
    case WeightFormat::q5_1:
        return {0, 2, -15.5F};
    case WeightFormat::q2_k:
        return {80, 82, 1.5F};
    case WeightFormat::q3_k:
        return {108};
    case WeightFormat::q4_k:
        return {0, 2, 7.5F};
    case WeightFormat::q5_k:
        return {0, 2, 15.5F};
    case WeightFormat::q6_k:
        return {208};
    default:
        return {0};
    }
}

inline void random_block(WeightFormat format, Random& random, std::byte* block) {
    const FormatInfo& info = format_info(format);
    std::normal_distribution<float> normal(0, 0.05F);
    if (format == WeightFormat::f32) {
        const float value = normal(random);
        std::memcpy(block, &value, sizeof value);
        return;
    }
    if (format == WeightFormat::f16 || format == WeightFormat::bf16) {
        const float value = normal(random);
        put16(block, format == WeightFormat::f16 ? f32_to_f16(value) : f32_to_bf16(value));
        return;
    }
    for (int i = 0; i < info.block_bytes; ++i)
        block[i] = static_cast<std::byte>(random() >> 24);
    if (format == WeightFormat::mxfp4) {
        block[0] = static_cast<std::byte>(118 + random() % 5);
        return;
    }
    std::uniform_real_distribution<float> spread(0.5F, 1.5F);
    const ScalePlace place = scale_place(format);
    const bool negative = place.min < 0 && random() % 4 == 0; // search and plain rule both write negative scales
    const float scale = spread(random) * (negative ? -0.01F : 0.01F);
    put16(block + place.scale, f32_to_f16(scale));
    if (place.min >= 0)
        put16(block + place.min, f32_to_f16(scale * place.min_ratio * (0.9F + 0.2F * (spread(random) - 0.5F))));
}

} // namespace detail

/// Rows in file order, row_bytes(format, in_dim) each.
[[nodiscard]] inline std::vector<std::byte> random_weights(
    WeightFormat format, std::int64_t out_dim, std::int64_t in_dim, Random& random) {
    const FormatInfo& info = format_info(format);
    std::vector<std::byte> bytes(static_cast<std::size_t>(row_bytes(format, in_dim) * out_dim));
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(info.block_bytes))
        detail::random_block(format, random, bytes.data() + at);
    return bytes;
}

} // namespace vitrine::testing
