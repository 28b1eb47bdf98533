// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Gemma 1 and 2: scaled embedding, tanh GELU; the second adds norms after, soft caps, and a window in
// every other layer.
#include <cmath>

#include "engine/model/architecture.h"

namespace vitrine::engine {
namespace {

constexpr int kWindowPeriod = 2; // layers 0, 2, 4 ... see the window
constexpr int kLayersOf27B = 46;

} // namespace

void build_gemma(ProgramBuilder& builder, const ModelConfig& config) {
    DecoderStyle style;
    style.embedding_scale = std::sqrt(static_cast<float>(config.embedding_dim));
    style.gate = kernels::GateKind::gelu_tanh;
    build_decoder(builder, plain_attention(builder), style);
}

void build_gemma2(ProgramBuilder& builder, const ModelConfig& config) {
    AttentionBlock global = plain_attention(builder);
    if (config.num_layers == kLayersOf27B && config.attention_scale == 0)
        global.scale = 1 / std::sqrt(static_cast<float>(config.embedding_dim) / static_cast<float>(config.num_heads));
    global.window_tokens.reset();
    DecoderStyle style;
    style.embedding_scale = std::sqrt(static_cast<float>(config.embedding_dim));
    style.gate = kernels::GateKind::gelu_tanh;
    style.post_norm = true;
    style.vary = [&](int layer, AttentionBlock& block) {
        if (config.is_windowed(layer, kWindowPeriod))
            block.window_tokens = config.sliding_window;
    };
    build_decoder(builder, global, style);
}

} // namespace vitrine::engine
