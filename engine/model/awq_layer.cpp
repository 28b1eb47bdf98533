// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: AWQ in a layer.
#include "engine/model/awq_layer.h"

#include <array>

#include <fmt/format.h>

#include "engine/quant/awq.h"

namespace vitrine::engine {
namespace {

/// Matrices that share an input, and what makes it.
struct Share {
    std::string_view maker; // a norm, or a matrix whose rows are the inputs
    std::array<std::string_view, 3> matrices; // empty: fewer
};
constexpr std::array kShares{Share{"attn_norm", {"attn_q", "attn_k", "attn_v"}},
    Share{"attn_v", {"attn_output", "", ""}}, Share{"ffn_norm", {"ffn_gate", "ffn_up", ""}},
    Share{"ffn_up", {"ffn_down", "", ""}}};

/// Rows, or the values of a vector, divided by factors.
void divide_outputs(DenseMatrix& tensor, std::span<const float> factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const auto row = tensor.num_rows == 1 ? tensor.row_span(0).subspan(i, 1) : tensor.row_span(at);
        for (float& value : row)
            value /= factors[i];
    }
}

} // namespace

Result<std::map<std::string, std::vector<float>>> apply_awq(
    LayerTensors& layer, const ProductsByTensor& products, const GroupRule& rule, int num_threads) {
    std::map<std::string, std::vector<float>> importance;
    for (const Share& share : kShares) {
        std::vector<const DenseMatrix*> matrices;
        std::vector<std::string> names;
        const InputProducts* inputs = nullptr;
        for (const std::string_view name : share.matrices) {
            const auto matrix = layer.find(std::string(name));
            if (matrix == layer.end())
                continue;
            names.push_back(matrix->first); // whoever reads a scaled input is scaled, quantized or not
            const auto sums = products.find(matrix->first);
            if (sums == products.end())
                continue; // stays in sixteen bits; one that does not is refused when it is written
            matrices.push_back(&matrix->second);
            inputs = sums->second.get();
        }
        if (matrices.empty())
            continue;
        const auto maker = layer.find(std::string(share.maker));
        const std::int64_t outputs = maker == layer.end() ? 0
            : maker->second.num_rows == 1                 ? maker->second.num_columns
                                                          : maker->second.num_rows;
        std::vector<float> factors;
        if (outputs == matrices.front()->num_columns) // else heads share values, or the norm is somewhere else
            factors = awq_factors(matrices, *inputs, rule, num_threads);
        for (const std::string& name : names) {
            if (!factors.empty())
                scale_columns(layer.at(name), factors);
            importance.emplace(name, mean_squares(*inputs, factors));
        }
        if (factors.empty())
            continue;
        divide_outputs(maker->second, factors);
        if (const auto bias = layer.find(fmt::format("{}.bias", share.maker)); bias != layer.end())
            divide_outputs(bias->second, factors);
    }
    return importance;
}

} // namespace vitrine::engine
