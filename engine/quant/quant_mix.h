// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: which format each tensor of a quantized file gets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/weight_format.h"

namespace vitrine::engine {

/// Which layers a rule of a mix is for.  more: the first and last eighth, and every third between.
enum class MixLayers : std::uint8_t { all, first_two, first_four, first_eighth, first_sixteenth, more };

/// Matrices of a name that get a finer format than the rest.
struct MixRule {
    std::string_view matrix; // "attn_v"
    MixLayers layers = MixLayers::all;
    kernels::WeightFormat format{};
};

/// A file type as people name it: one format for most matrices, finer ones where they pay.
struct QuantMix {
    std::string name; // "q4_k_m"
    kernels::WeightFormat base{}; // most matrices
    kernels::WeightFormat vocabulary{}; // token_embd and output
    std::span<const MixRule> rules; // the first that applies wins
    std::int64_t file_type = 0; // general.file_type, as llama.cpp numbers it
};

/// A GGUF type ("q8_0") or a mix ("q4_k_m", "q5_k_m", "q4_k_s", "q6_k").  Error unsupported lists the names.
[[nodiscard]] Result<QuantMix> quant_mix_from_name(std::string_view name);

/// Every name that quant_mix_from_name() takes.
[[nodiscard]] std::vector<std::string_view> quant_mix_names();

/// The format of a matrix; the row length decides fall-backs.  layer: of num_layers, -1 outside the layers.
[[nodiscard]] kernels::WeightFormat mixed_format(
    const QuantMix& mix, std::string_view tensor, int layer, int num_layers, std::int64_t in_dim);

} // namespace vitrine::engine
