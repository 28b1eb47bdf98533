// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: how much each input of a matrix matters: the mean square of what it is multiplied by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/input_observer.h"

namespace vitrine::engine {

struct ImportanceMatrix {
    std::string path; // of the file; empty: collected here
    std::map<std::string, std::vector<float>> mean_square; // by tensor: [in_dim], of experts [num_experts * in_dim]
    std::int64_t num_chunks = 0; // windows of text it was made from
    std::string dataset; // name of that text
};

/// llama.cpp's GGUF form (general.type imatrix; NAME.in_sum2 and NAME.counts) or its older .dat form.  Inputs never seen get
/// the mean of the others, so that no weight is free.  Errors bad_file: counts and sizes that do not fit, values that are
/// negative or not finite.
[[nodiscard]] Result<ImportanceMatrix> read_importance_matrix(const std::string& path);

/// Sums squares of inputs while a model runs.  Heads and embeddings are left out.
class InputStatistics final : public kernels::InputObserver {
public:
    void on_input(
        const kernels::WeightGroupSpec& group, int expert, int num_experts, std::span<const float> x) override;
    /// In llama.cpp's GGUF form.  num_chunks windows of chunk_tokens tokens of the text `dataset`.
    [[nodiscard]] Result<void> write(
        const std::string& path, const std::string& dataset, std::int64_t num_chunks, std::int64_t chunk_tokens) const;
    [[nodiscard]] std::size_t num_tensors() const noexcept { return sums_.size(); }

private:
    struct Sums {
        std::int64_t in_dim = 0;
        std::vector<double> squares; // [num_experts, in_dim]
        std::vector<double> counts; // [num_experts] rows seen
    };
    std::map<std::string, Sums> sums_; // by tensor
};

} // namespace vitrine::engine
