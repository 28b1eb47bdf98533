// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_experts.h"

#include <vector>

#include "kernels/ref/expert_choice.h"
#include "kernels/ref/ref_floor_ops.h"

namespace vitrine::kernels {
namespace {

double dot(const float* w, std::span<const double> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += static_cast<double>(w[i]) * x[i];
    return sum;
}

double bias_at(std::span<const float> bias, std::int64_t row) {
    return bias.empty() ? 0 : static_cast<double>(bias[static_cast<std::size_t>(row)]);
}

} // namespace

void add_experts(const ExpertsOp& op, const RefExperts& experts, std::span<const float> selection_bias,
    std::span<const double> router, std::span<const double> x, std::span<double> residual) {
    std::vector<std::int32_t> ids(static_cast<std::size_t>(op.num_used));
    std::vector<float> weights(ids.size());
    choose_experts(op, router, selection_bias, ids, weights);
    const std::int64_t ff_dim = experts.gate.out_dim / op.num_experts;
    const std::int64_t dim = experts.down.out_dim / op.num_experts;
    std::vector<double> hidden(static_cast<std::size_t>(ff_dim));
    for (std::size_t k = 0; k < ids.size(); ++k) {
        for (std::int64_t i = 0; i < ff_dim; ++i) {
            const std::int64_t row = ids[k] * ff_dim + i;
            hidden[static_cast<std::size_t>(i)] =
                gated(op.kind, dot(experts.gate.row(row), x) + bias_at(experts.gate_bias, row),
                    dot(experts.up.row(row), x) + bias_at(experts.up_bias, row));
        }
        for (std::int64_t i = 0; i < dim; ++i) {
            const std::int64_t row = ids[k] * dim + i;
            residual[static_cast<std::size_t>(i)] += static_cast<double>(weights[k]) *
                (dot(experts.down.row(row), hidden) + bias_at(experts.down_bias, row));
        }
    }
}

} // namespace vitrine::kernels
