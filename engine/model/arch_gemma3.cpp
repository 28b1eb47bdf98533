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
    const float scalar = config.num_layers == kLayersOf27B
        ? static_cast<float>(config.embedding_dim) / static_cast<float>(config.num_heads)
        : static_cast<float>(config.head_dim);
    return 1 / std::sqrt(scalar);
}

} // namespace

void build_gemma3(ProgramBuilder& builder, const ModelConfig& config) {
    const int period = config.window_period > 0 ? config.window_period : kDefaultPeriod;
    AttentionBlock global;
    global.rope = builder.add_rope(config.rope, true);
    global.scale = query_scale(config);
    global.softcap = config.attention_softcap;
    global.qk_norm = true;
    global.post_norm = true;
    AttentionBlock local = global;
    if (config.sliding_window > 0) {
        // Window layers never see far, so no scaling rule applies to their rotation.
        RopeConfig rope;
        rope.base = config.local_rope_base;
        rope.rotary_dim = config.rope.rotary_dim;
        local.rope = builder.add_rope(rope, false);
        local.window_tokens = config.sliding_window;
    }
    builder.embed(std::sqrt(static_cast<float>(config.embedding_dim)));
    for (int layer = 0; layer < config.num_layers; ++layer) {
        builder.attention(layer, (layer + 1) % period == 0 ? global : local);
        builder.feed_forward(layer, FeedForwardBlock{kernels::GateKind::gelu_tanh, true});
    }
    builder.head(1, config.final_softcap);
}

} // namespace vitrine::engine
