// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: format mixes.
#include "engine/quant/quant_mix.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "engine/quant/row_quantizer.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

struct MixRow {
    std::string_view name;
    WeightFormat base, sensitive, vocabulary;
    std::int64_t file_type; // llama.cpp's numbers
};

// The single-format names keep the vocabulary at 8 bits or more: with tied heads it decides every token.
constexpr std::array kMixes{
    MixRow{"f32", WeightFormat::f32, WeightFormat::f32, WeightFormat::f32, 0},
    MixRow{"f16", WeightFormat::f16, WeightFormat::f16, WeightFormat::f16, 1},
    MixRow{"bf16", WeightFormat::bf16, WeightFormat::bf16, WeightFormat::bf16, 32},
    MixRow{"q8_0", WeightFormat::q8_0, WeightFormat::q8_0, WeightFormat::q8_0, 7},
    MixRow{"q4_0", WeightFormat::q4_0, WeightFormat::q4_0, WeightFormat::q8_0, 2},
    MixRow{"q4_1", WeightFormat::q4_1, WeightFormat::q4_1, WeightFormat::q8_0, 3},
    MixRow{"q5_0", WeightFormat::q5_0, WeightFormat::q5_0, WeightFormat::q8_0, 8},
    MixRow{"q5_1", WeightFormat::q5_1, WeightFormat::q5_1, WeightFormat::q8_0, 9},
    MixRow{"q4_k", WeightFormat::q4_k, WeightFormat::q4_k, WeightFormat::q6_k, 14},
    MixRow{"q4_k_s", WeightFormat::q4_k, WeightFormat::q4_k, WeightFormat::q6_k, 14},
    MixRow{"q4_k_m", WeightFormat::q4_k, WeightFormat::q6_k, WeightFormat::q6_k, 15},
    MixRow{"q5_k", WeightFormat::q5_k, WeightFormat::q5_k, WeightFormat::q6_k, 16},
    MixRow{"q5_k_s", WeightFormat::q5_k, WeightFormat::q5_k, WeightFormat::q6_k, 16},
    MixRow{"q5_k_m", WeightFormat::q5_k, WeightFormat::q6_k, WeightFormat::q6_k, 17},
    MixRow{"q6_k", WeightFormat::q6_k, WeightFormat::q6_k, WeightFormat::q6_k, 18},
    MixRow{"q2_k", WeightFormat::q2_k, WeightFormat::q4_k, WeightFormat::q6_k, 10},
    MixRow{"q2_k_s", WeightFormat::q2_k, WeightFormat::q2_k, WeightFormat::q6_k, 21},
    MixRow{"q3_k", WeightFormat::q3_k, WeightFormat::q5_k, WeightFormat::q6_k, 12},
    MixRow{"q3_k_s", WeightFormat::q3_k, WeightFormat::q3_k, WeightFormat::q6_k, 11},
    MixRow{"q3_k_m", WeightFormat::q3_k, WeightFormat::q5_k, WeightFormat::q6_k, 12},
    MixRow{"q3_k_l", WeightFormat::q3_k, WeightFormat::q6_k, WeightFormat::q6_k, 13},
    MixRow{"iq4_xs", WeightFormat::iq4_xs, WeightFormat::iq4_xs, WeightFormat::q6_k, 30},
    MixRow{"mxfp4", WeightFormat::mxfp4, WeightFormat::mxfp4, WeightFormat::q8_0, 38},
    MixRow{"iq4_nl", WeightFormat::iq4_nl, WeightFormat::iq4_nl, WeightFormat::q6_k, 25},
};

/// The first and last eighth of the layers and every third between: where llama.cpp's *_M mixes spend their bits.
bool gets_more_bits(int layer, int num_layers) {
    return layer < num_layers / 8 || layer >= 7 * num_layers / 8 || (layer - num_layers / 8) % 3 == 2;
}

} // namespace

Result<QuantMix> quant_mix_from_name(std::string_view name) {
    std::string lower(name);
    std::transform(
        lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string known;
    for (const MixRow& row : kMixes) {
        if (row.name == lower)
            return QuantMix{lower, row.base, row.sensitive, row.vocabulary, row.file_type};
        known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
    }
    return fail(ErrorCode::unsupported, fmt::format("\"{}\" is not a quantization this build can write", name),
        fmt::format("Use one of {}.", known));
}

WeightFormat mixed_format(
    const QuantMix& mix, std::string_view tensor, int layer, int num_layers, std::int64_t in_dim) {
    const auto ends_with = [&](std::string_view tail) { return tensor.ends_with(tail); };
    WeightFormat wanted = mix.base;
    if (layer < 0)
        wanted = mix.vocabulary;
    else if ((ends_with("attn_v.weight") || ends_with("ffn_down.weight")) && gets_more_bits(layer, num_layers))
        wanted = mix.sensitive;
    return fallback_format(wanted, in_dim);
}

} // namespace vitrine::engine
