// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: an architecture turns metadata into the ordered ops of one forward pass.
#pragma once

#include <string_view>

#include "engine/model/decoder.h"
#include "engine/model/model_config.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

/// One row of the registry.  `build` appends every op to the builder; errors are kept there.
struct Architecture {
    std::string_view name; // general.architecture
    kernels::RopeStyle rope_style;
    void (*build)(ProgramBuilder& builder, const ModelConfig& config);
};

void build_bert(ProgramBuilder& builder, const ModelConfig& config);
void build_deepseek2(ProgramBuilder& builder, const ModelConfig& config);
void build_exaone4(ProgramBuilder& builder, const ModelConfig& config);
void build_gemma(ProgramBuilder& builder, const ModelConfig& config);
void build_gemma2(ProgramBuilder& builder, const ModelConfig& config);
void build_gemma3(ProgramBuilder& builder, const ModelConfig& config);
void build_glm4(ProgramBuilder& builder, const ModelConfig& config);
void build_gpt_oss(ProgramBuilder& builder, const ModelConfig& config);
void build_granite(ProgramBuilder& builder, const ModelConfig& config);
void build_llama(ProgramBuilder& builder, const ModelConfig& config);
void build_nomic_bert(ProgramBuilder& builder, const ModelConfig& config);
void build_olmo2(ProgramBuilder& builder, const ModelConfig& config);
void build_phi2(ProgramBuilder& builder, const ModelConfig& config);
void build_phi3(ProgramBuilder& builder, const ModelConfig& config);
void build_qwen2moe(ProgramBuilder& builder, const ModelConfig& config);
void build_smollm3(ProgramBuilder& builder, const ModelConfig& config);
void build_starcoder2(ProgramBuilder& builder, const ModelConfig& config);

} // namespace vitrine::engine
