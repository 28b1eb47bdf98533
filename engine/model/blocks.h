// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: builders of the fused ops that every architecture is made of.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model_config.h"
#include "engine/model/rope_scaling.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

struct BuilderOptions {
    kernels::RopeStyle rope_style = kernels::RopeStyle::interleaved;
    std::vector<float> rope_factors; // of the file; empty: none
    std::optional<kernels::WeightFormat> target; // re-quantize matrices to this
    int max_positions = 0;
};

/// One matrix or vector an op needs: the tensor's name and the output rows it must have.
struct TensorNeed {
    std::string name;
    std::int64_t out_dim = 0;
};

/// Attention of one layer, beside what ModelConfig says.
struct AttentionBlock {
    kernels::RopeId rope;
    std::optional<int> window_tokens;
    float scale = 0;
    float softcap = 0;
    bool biases = false; // attn_{q,k,v}.bias
    bool qk_norm = false; // attn_{q,k}_norm.weight
    bool post_norm = false; // post_attention_norm.weight
};

struct FeedForwardBlock {
    kernels::GateKind gate = kernels::GateKind::silu;
    bool post_norm = false; // post_ffw_norm.weight
};

/// Collects the ops, weights and activations of one program.  Keeps the first error, so that an architecture reads as a
/// list of blocks; finish() gives it back.  The residual stream is one activation, written by embed() and read by all.
class ProgramBuilder {
public:
    ProgramBuilder(const gguf::File& file, const ModelConfig& config, BuilderOptions options);

    /// Residual = scale * embedding row.
    void embed(float scale);
    /// Norm, q/k/v with rotation, attention over the pool, output product added to the residual.
    void attention(int layer, const AttentionBlock& block);
    /// Norm, gate and up, activation, down product added to the residual.
    void feed_forward(int layer, const FeedForwardBlock& block);
    /// Final norm, logits of the rows that need them, sampling.  The head is output.weight or the embedding.
    void head(float logit_scale, float softcap);

    [[nodiscard]] kernels::RopeId add_rope(const RopeConfig& rope, bool with_factors);
    [[nodiscard]] Result<kernels::Program> finish();

private:
    [[nodiscard]] std::string layer_name(int layer, std::string_view tail) const;
    kernels::ActivationId activation(std::string_view name, std::int64_t dim);
    kernels::WeightGroupId matrices(
        kernels::WeightRole role, std::int64_t in_dim, const std::vector<TensorNeed>& needs);
    kernels::WeightGroupId vector(const std::string& name, std::int64_t dim);
    kernels::RmsNormPrologue norm(const std::string& name, std::int64_t dim);
    /// The norm that reads the residual after layer `layer`'s feed-forward: the next layer's, or the final one.
    kernels::RmsNormPrologue norm_after(int layer);
    std::optional<kernels::WeightMember> member(const std::string& name, std::int64_t out_dim, std::int64_t in_dim);
    [[nodiscard]] kernels::WeightFormat stored_format(
        kernels::WeightFormat in_file, std::int64_t in_dim, kernels::WeightRole role) const;
    void keep(Error error);

    const gguf::File& file_;
    const ModelConfig& config_;
    BuilderOptions options_;
    kernels::Program program_;
    std::map<std::string, kernels::WeightGroupId> vectors_; // by tensor name: a norm may be named twice, uploaded once
    std::map<std::string, kernels::ActivationId> activations_;
    kernels::WeightGroupId embedding_;
    std::optional<Error> error_;
};

} // namespace vitrine::engine
