// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: Phi 2 (attention and feed-forward side by side, layer norms, biases) and Phi 3 and 4 (fused tensors,
// LongRoPE).
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_phi2(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    DecoderStyle style;
    style.gate = kernels::GateKind::gelu_tanh;
    style.parallel = true;
    build_decoder(builder, plain_attention(builder), style);
}

void build_phi3(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    build_decoder(builder, plain_attention(builder), DecoderStyle{});
}

} // namespace vitrine::engine
