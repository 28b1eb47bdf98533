// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Llama 1 to 3, Mistral, Mixtral, SmolLM2, Falcon 3, Qwen 2 and 3: pre-norm, grouped heads, SwiGLU.
// Biases (Qwen 2), norms of q and k (Qwen 3) and experts (Mixtral, Qwen MoE) come with the file.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_llama(ProgramBuilder& builder, const ModelConfig& config) {
    DecoderStyle style;
    style.embedding_scale = config.embedding_scale;
    style.logit_scale = config.logit_scale;
    style.normalize_experts = true;
    build_decoder(builder, plain_attention(builder), style);
}

void build_qwen2moe(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    build_decoder(builder, plain_attention(builder), DecoderStyle{}); // weights as the softmax gives them
}

} // namespace vitrine::engine
