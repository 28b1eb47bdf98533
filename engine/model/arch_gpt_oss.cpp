// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: gpt-oss: experts with biases and a clamped gate, attention sinks, a window in every other layer.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_gpt_oss(ProgramBuilder& builder, const ModelConfig& config) {
    constexpr int kWindowPeriod = 2; // layers 0, 2, 4 ... see the window
    AttentionBlock global = plain_attention(builder);
    global.window_tokens.reset();
    DecoderStyle style;
    style.gate = kernels::GateKind::swiglu_clamped;
    style.ffn_norm = "post_attention_norm";
    style.normalize_experts = true; // a softmax over the chosen ones
    style.vary = [&](int layer, AttentionBlock& block) {
        if (config.is_windowed(layer, kWindowPeriod))
            block.window_tokens = config.sliding_window;
    };
    build_decoder(builder, global, style);
}

} // namespace vitrine::engine
