// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: format mixes.
#include "engine/quant/quant_mix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "engine/base/nearest_name.h"
#include "engine/quant/row_quantizer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

using enum WeightFormat;
using Layers = MixLayers;

// Where llama.cpp's file types of these names spend their bits; never fewer here.  (It gives attn_v of Q2_K three bits where few
// query heads share a key head.)
constexpr std::array kRulesQ2K{MixRule{"attn_v", Layers::all, q4_k}, MixRule{"ffn_down", Layers::all, q3_k},
    MixRule{"attn_output", Layers::all, q3_k}};
constexpr std::array kRulesQ2KS{MixRule{"attn_v", Layers::all, q4_k}, MixRule{"ffn_down", Layers::first_eighth, q4_k}};
constexpr std::array kRulesQ3KM{MixRule{"attn_v", Layers::first_two, q5_k}, MixRule{"attn_v", Layers::all, q4_k},
    MixRule{"ffn_down", Layers::first_sixteenth, q5_k}, MixRule{"ffn_down", Layers::all, q4_k},
    MixRule{"attn_output", Layers::all, q4_k}, MixRule{"attn_qkv", Layers::all, q4_k}};
constexpr std::array kRulesQ3KL{MixRule{"attn_v", Layers::all, q5_k}, MixRule{"ffn_down", Layers::all, q5_k},
    MixRule{"attn_output", Layers::all, q5_k}, MixRule{"attn_qkv", Layers::all, q4_k}};
constexpr std::array kRulesQ4KS{
    MixRule{"attn_v", Layers::first_four, q5_k}, MixRule{"ffn_down", Layers::first_eighth, q5_k}};
constexpr std::array kRulesQ4KM{MixRule{"attn_v", Layers::more, q6_k}, MixRule{"ffn_down", Layers::more, q6_k},
    MixRule{"attn_qkv", Layers::all, q5_k}};
constexpr std::array kRulesQ5KM{MixRule{"attn_v", Layers::more, q6_k}, MixRule{"ffn_down", Layers::more, q6_k},
    MixRule{"attn_qkv", Layers::all, q6_k}};
constexpr std::array kRulesIq4{MixRule{"attn_v", Layers::all, q5_k}, MixRule{"ffn_down", Layers::first_eighth, q5_k}};

constexpr std::array kRulesExperts{MixRule{"ffn_gate_exps", Layers::all, mxfp4},
    MixRule{"ffn_up_exps", Layers::all, mxfp4}, MixRule{"ffn_down_exps", Layers::all, mxfp4}};

struct MixRow {
    std::string_view name;
    WeightFormat base, vocabulary;
    std::int64_t file_type; // llama.cpp's numbers
    std::span<const MixRule> rules{};
};

// The single-format names keep the vocabulary at 8 bits or more: with tied heads it decides every token.
constexpr std::array kMixes{MixRow{"f32", f32, f32, 0}, MixRow{"f16", f16, f16, 1}, MixRow{"bf16", bf16, bf16, 32},
    MixRow{"q8_0", q8_0, q8_0, 7}, MixRow{"q4_0", q4_0, q8_0, 2}, MixRow{"q4_1", q4_1, q8_0, 3},
    MixRow{"q5_0", q5_0, q8_0, 8}, MixRow{"q5_1", q5_1, q8_0, 9}, MixRow{"q4_k", q4_k, q6_k, 14},
    MixRow{"q4_k_s", q4_k, q6_k, 14, kRulesQ4KS}, MixRow{"q4_k_m", q4_k, q6_k, 15, kRulesQ4KM},
    MixRow{"q5_k", q5_k, q6_k, 16}, MixRow{"q5_k_s", q5_k, q6_k, 16}, MixRow{"q5_k_m", q5_k, q6_k, 17, kRulesQ5KM},
    MixRow{"q6_k", q6_k, q6_k, 18}, MixRow{"q2_k", q2_k, q6_k, 10, kRulesQ2K},
    MixRow{"q2_k_s", q2_k, q6_k, 21, kRulesQ2KS}, MixRow{"q3_k", q3_k, q6_k, 12, kRulesQ3KM},
    MixRow{"q3_k_s", q3_k, q6_k, 11}, MixRow{"q3_k_m", q3_k, q6_k, 12, kRulesQ3KM},
    MixRow{"q3_k_l", q3_k, q6_k, 13, kRulesQ3KL}, MixRow{"iq4_xs", iq4_xs, q6_k, 30, kRulesIq4},
    MixRow{"mxfp4", mxfp4, q8_0, 38}, MixRow{"mxfp4_moe", q8_0, q8_0, 38, kRulesExperts},
    MixRow{"iq4_nl", iq4_nl, q6_k, 25, kRulesIq4}};

bool applies(Layers layers, int layer, int num_layers) {
    switch (layers) {
    case Layers::all:
        return true;
    case Layers::first_two:
        return layer < 2;
    case Layers::first_four:
        return layer < 4;
    case Layers::first_eighth:
        return layer < num_layers / 8;
    case Layers::first_sixteenth:
        return layer < num_layers / 16;
    case Layers::more:
        return layer < num_layers / 8 || layer >= 7 * num_layers / 8 || (layer - num_layers / 8) % 3 == 2;
    }
    return false;
}

} // namespace

std::vector<std::string_view> quant_mix_names() {
    std::vector<std::string_view> names;
    for (const MixRow& row : kMixes)
        names.push_back(row.name);
    return names;
}

Result<QuantMix> quant_mix_from_name(std::string_view name) {
    std::string lower(name);
    std::transform(
        lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const MixRow& row : kMixes)
        if (row.name == lower)
            return QuantMix{lower, row.base, row.vocabulary, row.rules, row.file_type};
    return fail(
        ErrorCode::unsupported, say(Sentence::quantization_unknown, name), known_names(name, quant_mix_names()));
}

WeightFormat mixed_format(
    const QuantMix& mix, std::string_view tensor, int layer, int num_layers, std::int64_t in_dim) {
    if (layer < 0)
        return fallback_format(mix.vocabulary, in_dim);
    for (const MixRule& rule : mix.rules)
        if (tensor.ends_with(fmt::format(".{}.weight", rule.matrix)) && applies(rule.layers, layer, num_layers))
            return fallback_format(rule.format, in_dim);
    return fallback_format(mix.base, in_dim);
}

} // namespace vitrine::engine
