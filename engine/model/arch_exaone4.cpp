// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: EXAONE 4: norms only after the blocks, heads of q and k normed; with windows, global layers do not
// rotate.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_exaone4(ProgramBuilder& builder, const ModelConfig& config) {
    constexpr int kWindowPeriod = 4;
    DecoderStyle style;
    style.pre_norm = false;
    style.post_norm = true;
    style.vary = [&](int layer, AttentionBlock& block) {
        if (config.sliding_window <= 0 || config.is_windowed(layer, kWindowPeriod))
            return;
        block.rope = {};
        block.window_tokens.reset();
    };
    build_decoder(builder, plain_attention(builder), style);
}

} // namespace vitrine::engine
