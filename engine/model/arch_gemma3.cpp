// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Gemma 3 text: scaled embedding, norms before and after, five window layers to each global one.
#include <cmath>

#include "engine/model/architecture.h"

namespace vitrine::engine {
namespace {

constexpr int kDefaultPeriod = 6; // layers 5, 11, 17 ... see the whole context
constexpr int kLayersOf27B = 62;

/// query_pre_attn_scalar is the head dimension, except in the 27B model: embedding / heads.
float query_scale(const ModelConfig& config) {
    if (config.attention_scale > 0)
        return config.attention_scale;
    const float scalar = config.num_layers == kLayersOf27B
        ? static_cast<float>(config.embedding_dim) / static_cast<float>(config.num_heads)
        : static_cast<float>(config.head_dim);
    return 1 / std::sqrt(scalar);
}

} // namespace

void build_gemma3(ProgramBuilder& builder, const ModelConfig& config) {
    AttentionBlock global = plain_attention(builder);
    global.scale = query_scale(config);
    global.window_tokens.reset();
    // Window layers never see far, so no scaling rule applies to their rotation.
    const auto near = config.sliding_window > 0 ? builder.add_rope(local_rope(config), false) : global.rope;
    DecoderStyle style;
    style.embedding_scale = std::sqrt(static_cast<float>(config.embedding_dim));
    style.gate = kernels::GateKind::gelu_tanh;
    style.post_norm = true;
    style.vary = [&](int layer, AttentionBlock& block) {
        if (!config.is_windowed(layer, kDefaultPeriod))
            return;
        block.rope = near;
        block.window_tokens = config.sliding_window;
    };
    build_decoder(builder, global, style);
}

} // namespace vitrine::engine
