// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Qwen 3 (dense): as Llama, with a norm on each head of q and k.
#include <cmath>

#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_qwen3(ProgramBuilder& builder, const ModelConfig& config) {
    AttentionBlock attention;
    attention.rope = builder.add_rope(config.rope, true);
    attention.scale = 1 / std::sqrt(static_cast<float>(config.head_dim));
    attention.qk_norm = true;
    builder.embed(1);
    for (int layer = 0; layer < config.num_layers; ++layer) {
        builder.attention(layer, attention);
        builder.feed_forward(layer, FeedForwardBlock{});
    }
    builder.head(1, 0);
}

} // namespace vitrine::engine
