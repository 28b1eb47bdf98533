// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Granite 3: Llama with four multipliers; the logits are divided by theirs.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_granite(ProgramBuilder& builder, const ModelConfig& config) {
    DecoderStyle style;
    style.embedding_scale = config.embedding_scale;
    style.logit_scale = 1 / config.logit_scale;
    style.normalize_experts = true;
    build_decoder(builder, plain_attention(builder), style);
}

} // namespace vitrine::engine
