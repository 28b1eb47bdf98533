// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: SmolLM3: Llama whose every fourth layer does not rotate (NoPE).
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_smollm3(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    constexpr int kPeriod = 4;
    DecoderStyle style;
    style.vary = [](int layer, AttentionBlock& block) {
        if ((layer + 1) % kPeriod == 0)
            block.rope = {};
    };
    build_decoder(builder, plain_attention(builder), style);
}

} // namespace vitrine::engine
