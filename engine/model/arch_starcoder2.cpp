// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: StarCoder 2: layer norms, biases everywhere, tanh GELU without a gate.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_starcoder2(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    DecoderStyle style;
    style.gate = kernels::GateKind::gelu_tanh;
    build_decoder(builder, plain_attention(builder), style);
}

} // namespace vitrine::engine
