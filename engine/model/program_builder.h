// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: collects the ops, weights and activations of one program.
#pragma once

#include <map>
#include <optional>
#include <set>
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

/// One matrix an op needs: rows [first_row, first_row + out_dim) of a tensor with `num_rows` rows (0: out_dim).
struct TensorNeed {
    std::string name;
    std::int64_t out_dim = 0;
    std::int64_t first_row = 0;
    std::int64_t num_rows = 0;
};

/// Keeps the first error, so that an architecture reads as a list of blocks; finish() gives it back.
class ProgramBuilder {
public:
    ProgramBuilder(const gguf::File& file, const ModelConfig& config, BuilderOptions options);

    [[nodiscard]] const ModelConfig& config() const noexcept { return config_; }
    [[nodiscard]] bool has(const std::string& name) const { return file_.find_tensor(name) != nullptr; }
    /// Rows of a tensor; 0: not there.
    [[nodiscard]] std::int64_t rows_of(const std::string& name) const;
    [[nodiscard]] std::int64_t width_of(const std::string& name) const;

    /// The slot of this name; `dim` counts at the first call.
    kernels::ActivationId activation(std::string_view name, std::int64_t dim);
    kernels::ActivationId residual() { return activation("residual", config_.embedding_dim); }
    void add(kernels::Op op) { program_.ops.push_back(std::move(op)); }
    kernels::WeightGroupId matrices(
        kernels::WeightRole role, std::int64_t in_dim, const std::vector<TensorNeed>& needs);
    /// `dim` values of a tensor from `first` on; the whole of it has `total` (0: dim).
    kernels::WeightGroupId vector(
        const std::string& name, std::int64_t dim, std::int64_t first = 0, std::int64_t total = 0);
    /// None where the file has no such tensor.
    kernels::WeightGroupId optional_vector(
        const std::string& name, std::int64_t dim, std::int64_t first = 0, std::int64_t total = 0);
    kernels::RmsNormPrologue norm(const std::string& name, std::int64_t dim);
    kernels::RopeId add_rope(const RopeConfig& rope, bool with_factors);
    kernels::LayerId add_kv_layer(const kernels::HeadLayout& heads);
    void set_hidden(kernels::ActivationId id) { program_.hidden = id; } // of an encoder
    void keep(Error error);
    /// Error unsupported when the file holds a tensor that no op reads: the model computes more than this program.
    [[nodiscard]] Result<kernels::Program> finish();

private:
    const gguf::Tensor* usable(const std::string& name);
    std::optional<kernels::WeightMember> member(const TensorNeed& need, std::int64_t in_dim);
    [[nodiscard]] kernels::WeightFormat stored_format(
        kernels::WeightFormat in_file, std::int64_t in_dim, kernels::WeightRole role) const;
    [[nodiscard]] std::optional<Error> unread_tensor() const;

    const gguf::File& file_;
    const ModelConfig& config_;
    BuilderOptions options_;
    kernels::Program program_;
    std::map<std::pair<std::string, std::int64_t>, kernels::WeightGroupId> vectors_; // a norm may be named twice
    std::map<std::string, kernels::ActivationId, std::less<>> activations_;
    std::set<std::string> read_; // tensors that a group holds
    std::optional<Error> error_;
};

} // namespace vitrine::engine
