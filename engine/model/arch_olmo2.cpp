// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: OLMo 2 and 3: norms only after the blocks and over all of q and k; the third adds windows, whose layers
// rotate without scaling.
#include "engine/model/architecture.h"

namespace vitrine::engine {
namespace {

constexpr int kWindowPeriod = 4; // layers 3, 7, 11 ... see the whole context

} // namespace

void build_olmo2(ProgramBuilder& builder, const ModelConfig& config) {
    AttentionBlock global = plain_attention(builder);
    global.window_tokens.reset();
    RopeConfig unscaled = local_rope(config);
    unscaled.base = config.rope.base;
    const auto near = config.sliding_window > 0 ? builder.add_rope(unscaled, false) : global.rope;
    DecoderStyle style;
    style.pre_norm = false;
    style.post_norm = true;
    style.vary = [&](int layer, AttentionBlock& block) {
        if (!config.is_windowed(layer, kWindowPeriod))
            return;
        block.rope = near;
        block.window_tokens = config.sliding_window;
    };
    build_decoder(builder, global, style);
}

} // namespace vitrine::engine
