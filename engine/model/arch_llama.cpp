// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Llama 1 to 3, Mistral 7B, SmolLM2, TinyLlama: pre-norm, grouped heads, SwiGLU.
#include <cmath>

#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_llama(ProgramBuilder& builder, const ModelConfig& config) {
    AttentionBlock attention;
    attention.rope = builder.add_rope(config.rope, true);
    attention.scale =
        config.attention_scale > 0 ? config.attention_scale : 1 / std::sqrt(static_cast<float>(config.head_dim));
    if (config.sliding_window > 0)
        attention.window_tokens = config.sliding_window;
    builder.embed(config.embedding_scale);
    for (int layer = 0; layer < config.num_layers; ++layer) {
        builder.attention(layer, attention);
        builder.feed_forward(layer, FeedForwardBlock{});
    }
    builder.head(config.logit_scale, config.final_softcap);
}

} // namespace vitrine::engine
