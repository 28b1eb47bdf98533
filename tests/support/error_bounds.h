// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: how far a kernel may be from float64 on exactly dequantized weights: the only copy in code.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace vitrine::testing {

/// How a product of weights and activations is computed.
enum class NumberPath : std::uint8_t {
    float64, // the reference itself; its results leave as float
    float32, // float weights, activations and sums
    int8_per_32, // activations int8 with a scale per 32 values, sums in int32
    int16_per_32, // two int8 planes per 32 values
    codes_bf16, // exact codes, scale on the float sum, bf16 activations
    weights_f16, // weights and activations rounded to f16
    weights_bf16, // weights and activations rounded to bf16
    int8_few_rows, // int8_per_32 for a few rows, weights_bf16 for more
    int8_per_token,
    fp8_e4m3,
};

/// Largest e = ||out - ref|| / ||ref||.
struct Bound {
    double own; // fed values that the path's rounding of activations leaves alone
    double unrounded; // fed Gaussian values
    double outlier; // fed Gaussian values, one of them fifty times larger
};

// kernels.md 8.2.  The expected errors are three to ten times smaller.  int8 per 32 with an outlier, derived: the other 31
// values of its block take steps of 50/127 sigma, an error of 1.1e-2 of the norm at K = 512 beside the usual 5e-3: 1.25e-2
// expected; the limit is that of the table's int8 row with outliers.
[[nodiscard]] constexpr Bound linear_bound(NumberPath path) noexcept {
    switch (path) {
    case NumberPath::float64:
        return {1e-6, 1e-6, 1e-6};
    case NumberPath::float32:
        return {1e-5, 1e-5, 1e-5};
    case NumberPath::int8_per_32:
        return {5e-5, 1.5e-2, 3e-2};
    case NumberPath::int16_per_32:
        return {5e-5, 3e-4, 3e-4};
    case NumberPath::codes_bf16:
        return {1e-4, 4e-3, 4e-3};
    case NumberPath::weights_f16:
        return {1.5e-3, 1.5e-3, 1.5e-3};
    case NumberPath::weights_bf16:
        return {6e-3, 6e-3, 6e-3};
    case NumberPath::int8_few_rows:
        return {6e-3, 1.5e-2, 3e-2};
    case NumberPath::int8_per_token:
        return {5e-5, 3e-2, 3e-2};
    case NumberPath::fp8_e4m3:
        return {4e-3, 8e-2, 8e-2};
    }
    return {0, 0, 0};
}

inline constexpr double kBf16StoreBound = 3e-3; // added where an output is stored as bf16
inline constexpr double kAttentionBound = 5e-3; // f16 or bf16 KV, probabilities bf16
inline constexpr double kAttentionInt8Bound = 2e-2; // int8 KV against unquantized KV
inline constexpr double kAttentionFp8Bound = 6e-2; // e4m3 KV against unquantized KV
inline constexpr double kNormBound = 5e-6; // RMSNorm and gate in float
inline constexpr double kRopeBound = 1e-6; // double table, positions below 131k
inline constexpr double kF16StoreBound = 5e-4; // f16 rounding of one stored value, relative to the norm
inline constexpr double kBf16KvBound = 3e-3;
/// Codes of quantized KV may differ by one where a value lies between two of them.
inline constexpr double kInt8KvBound = 1e-2;
inline constexpr double kFp8KvBound = 3e-2;

/// ||out - ref|| / ||ref||; infinity for NaN, infinite values and different lengths.
[[nodiscard]] inline double norm_error(std::span<const float> out, std::span<const float> ref) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < ref.size() && i < out.size(); ++i) {
        const double delta = static_cast<double>(out[i]) - static_cast<double>(ref[i]);
        difference += delta * delta;
        norm += static_cast<double>(ref[i]) * static_cast<double>(ref[i]);
    }
    const double error = norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
    const bool usable = out.size() == ref.size() && std::isfinite(error);
    return usable ? error : std::numeric_limits<double>::infinity();
}

} // namespace vitrine::testing
