// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the blocks that architectures are made of, as fused ops where they fit and as simple ones where not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/model/program_builder.h"

namespace vitrine::engine {

/// What a block reads: an activation and, for RMS norms, the norm on the way (folded into the product).
struct BlockInput {
    kernels::ActivationId id;
    std::variant<kernels::NoPrologue, kernels::RmsNormPrologue> prologue;
};

/// Attention of one layer, beside what ModelConfig says.  Biases, norms of q and k, a fused q/k/v tensor, and sinks are used
/// where the file has them.
struct AttentionBlock {
    kernels::RopeId rope; // none: positions are not rotated (NoPE)
    std::optional<int> window_tokens;
    float scale = 0;
    float softcap = 0;
    bool causal = true; // false: every row sees the whole text (encoders)
    std::string_view post_norm; // name of the norm before the residual addition; empty: none
    std::string_view next_norm = "ffn_norm.weight"; // that reads the residual next
};

/// A gate beside up, both in one tensor, or an activation alone: as the file has it.
struct FeedForwardBlock {
    kernels::GateKind gate = kernels::GateKind::silu;
    std::string_view post_norm;
};

/// Mixture of experts, and shared experts where the file has them.
struct ExpertsBlock {
    kernels::GateKind gate = kernels::GateKind::silu;
    bool normalize = false;
};

[[nodiscard]] std::string layer_tensor(int layer, std::string_view tail); // "blk.3.attn_norm.weight"

/// Residual = scale * embedding row (normed, where the file says so).
void embed(ProgramBuilder& builder, float scale);
/// The residual through the norm `stem`.weight (and .bias): a prologue for RMS norms, an op for layer norms.
[[nodiscard]] BlockInput normed(ProgramBuilder& builder, const std::string& stem);
/// The same as an activation of its own, for several readers.
[[nodiscard]] BlockInput normed_once(ProgramBuilder& builder, const std::string& stem);
/// The residual as it is.
[[nodiscard]] BlockInput plain_residual(ProgramBuilder& builder);
/// q/k/v with rotation, attention over the pool, output product added to the residual.
void attention(ProgramBuilder& builder, int layer, const AttentionBlock& block, const BlockInput& input);
/// Activation of gate and up, down product added to the residual.
void feed_forward(ProgramBuilder& builder, int layer, const FeedForwardBlock& block, const BlockInput& input);
/// `input` must be an activation (normed_once).
void experts(ProgramBuilder& builder, int layer, const ExpertsBlock& block, const BlockInput& input);
/// Final norm, logits of the rows that need them, sampling.  The head is output.weight or the embedding.
void head(ProgramBuilder& builder, float logit_scale, float softcap);

} // namespace vitrine::engine
