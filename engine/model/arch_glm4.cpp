// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: GLM 4: norms before and after, gate and up in one tensor, half of each head rotated.
#include "engine/model/architecture.h"

namespace vitrine::engine {

void build_glm4(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    DecoderStyle style;
    style.post_norm = true;
    build_decoder(builder, plain_attention(builder), style);
}

} // namespace vitrine::engine
