// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the common decoder; an architecture says in which points it differs.
#pragma once

#include <functional>
#include <string_view>

#include "engine/model/blocks.h"

namespace vitrine::engine {

struct DecoderStyle {
    float embedding_scale = 1;
    float logit_scale = 1;
    kernels::GateKind gate = kernels::GateKind::silu;
    bool pre_norm = true; // false: blocks read the residual as it is (OLMo 2)
    bool post_norm = false; // post_attention_norm and post_ffw_norm before the additions
    bool parallel = false; // attention and feed-forward read the same normed residual (Phi 2)
    std::string_view ffn_norm = "ffn_norm"; // gpt-oss names it post_attention_norm
    bool normalize_experts = false; // weights of the chosen experts sum to 1
    std::function<void(int layer, AttentionBlock& block)> vary; // what differs from layer to layer
};

/// Scale, softcap and rope of the config; every layer windowed if the file names a window.
[[nodiscard]] AttentionBlock plain_attention(ProgramBuilder& builder);
/// Rope of layers that see a window: base of its own, no scaling rule.
[[nodiscard]] RopeConfig local_rope(const ModelConfig& config);
/// Embedding, layers, head.  Layers have experts where the config says so.
void build_decoder(ProgramBuilder& builder, const AttentionBlock& block, const DecoderStyle& style);

} // namespace vitrine::engine
