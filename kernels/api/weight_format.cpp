// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/weight_format.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace vitrine::kernels {
namespace {

// Type numbers and block layouts: the GGUF specification (ggml).  index == WeightFormat
constexpr std::array<FormatInfo, kNumWeightFormats> kFormats{{
    {WeightFormat::f32, "f32", "F32", 0, 1, 4},
    {WeightFormat::f16, "f16", "F16", 1, 1, 2},
    {WeightFormat::bf16, "bf16", "BF16", 30, 1, 2},
    {WeightFormat::q4_0, "q4_0", "Q4_0", 2, 32, 18},
    {WeightFormat::q4_1, "q4_1", "Q4_1", 3, 32, 20},
    {WeightFormat::q5_0, "q5_0", "Q5_0", 6, 32, 22},
    {WeightFormat::q5_1, "q5_1", "Q5_1", 7, 32, 24},
    {WeightFormat::q8_0, "q8_0", "Q8_0", 8, 32, 34},
    {WeightFormat::q2_k, "q2_k", "Q2_K", 10, 256, 84},
    {WeightFormat::q3_k, "q3_k", "Q3_K", 11, 256, 110},
    {WeightFormat::q4_k, "q4_k", "Q4_K", 12, 256, 144},
    {WeightFormat::q5_k, "q5_k", "Q5_K", 13, 256, 176},
    {WeightFormat::q6_k, "q6_k", "Q6_K", 14, 256, 210},
    {WeightFormat::iq4_nl, "iq4_nl", "IQ4_NL", 20, 32, 18},
    {WeightFormat::iq4_xs, "iq4_xs", "IQ4_XS", 23, 256, 136},
    {WeightFormat::mxfp4, "mxfp4", "MXFP4", 39, 32, 17},
}};

} // namespace

const FormatInfo& format_info(WeightFormat format) noexcept {
    return kFormats[static_cast<std::size_t>(format)];
}

std::optional<WeightFormat> format_from_ggml_type(int ggml_type) noexcept {
    for (const FormatInfo& info : kFormats) {
        if (info.ggml_type == ggml_type)
            return info.format;
    }
    return std::nullopt;
}

std::optional<WeightFormat> format_from_name(std::string_view name) noexcept {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    for (const FormatInfo& info : kFormats) {
        if (std::equal(name.begin(), name.end(), info.name.begin(), info.name.end(), same))
            return info.format;
    }
    return std::nullopt;
}

std::int64_t row_bytes(WeightFormat format, std::int64_t in_dim) noexcept {
    const FormatInfo& info = format_info(format);
    return in_dim / info.block_weights * info.block_bytes;
}

} // namespace vitrine::kernels
