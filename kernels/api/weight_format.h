// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: weight formats as GGUF stores them: names, type numbers, block sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::kernels {

enum class WeightFormat : std::uint8_t {
    f32,
    f16,
    bf16,
    q4_0,
    q4_1,
    q5_0,
    q5_1,
    q8_0,
    q2_k,
    q3_k,
    q4_k,
    q5_k,
    q6_k,
    iq4_nl,
    iq4_xs,
    mxfp4,
};
inline constexpr int kNumWeightFormats = 16;

/// One row of the format table.  A row of K weights takes K / block_weights * block_bytes bytes; K must divide.
struct FormatInfo {
    WeightFormat format;
    std::string_view name; // lower case: "q4_1", as in --quant
    std::string_view gguf_name; // "Q4_1"
    int ggml_type; // number in the GGUF tensor table (ggml.h)
    int block_weights;
    int block_bytes;
};

[[nodiscard]] const FormatInfo& format_info(WeightFormat format) noexcept;
[[nodiscard]] std::optional<WeightFormat> format_from_ggml_type(int ggml_type) noexcept;
[[nodiscard]] std::optional<WeightFormat> format_from_name(std::string_view name) noexcept; // either case
/// Bytes of one row of `in_dim` weights.  Requires: in_dim % block_weights == 0.
[[nodiscard]] std::int64_t row_bytes(WeightFormat format, std::int64_t in_dim) noexcept;

} // namespace vitrine::kernels
