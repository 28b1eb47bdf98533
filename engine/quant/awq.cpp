// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/awq.h"

#include <algorithm>
#include <cmath>

#include "engine/quant/gptq.h"

namespace vitrine::engine {
namespace {

constexpr int kExponents = 20;
constexpr std::int64_t kTriedRows = 256;

/// Rows at equal distances.
DenseMatrix some_rows(const DenseMatrix& matrix) {
    const std::int64_t count = std::min(kTriedRows, matrix.num_rows);
    DenseMatrix rows(count, matrix.num_columns);
    for (std::int64_t i = 0; i < count; ++i)
        std::copy_n(matrix.row(i * matrix.num_rows / count), matrix.num_columns, rows.row(i));
    return rows;
}

std::vector<float> factors_of(std::span<const float> mean_square, double exponent) {
    std::vector<double> raw;
    for (const float value : mean_square)
        raw.push_back(std::max(std::pow(std::sqrt(static_cast<double>(value)), exponent), 1e-4));
    const auto [low, high] = std::minmax_element(raw.begin(), raw.end());
    const double middle = std::sqrt(*low * *high);
    std::vector<float> factors;
    for (const double value : raw)
        factors.push_back(static_cast<float>(value / middle));
    return factors;
}

} // namespace

void scale_columns(DenseMatrix& matrix, std::span<const float> factors) noexcept {
    for (std::int64_t row = 0; row < matrix.num_rows; ++row)
        for (std::size_t k = 0; k < factors.size(); ++k)
            matrix.row(row)[k] *= factors[k];
}

std::vector<float> mean_squares(const InputProducts& inputs, std::span<const float> factors) {
    std::vector<float> values;
    const auto rows = static_cast<float>(std::max<std::int64_t>(inputs.num_rows, 1));
    for (std::int64_t k = 0; k < inputs.sums.num_rows; ++k) {
        const float factor = factors.empty() ? 1 : factors[static_cast<std::size_t>(k)];
        values.push_back(inputs.sums.row(k)[k] / rows / (factor * factor));
    }
    return values;
}

std::vector<float> awq_factors(
    std::span<const DenseMatrix* const> matrices, const InputProducts& inputs, const GroupRule& rule, int num_threads) {
    std::vector<DenseMatrix> tried;
    for (const DenseMatrix* matrix : matrices)
        tried.push_back(some_rows(*matrix));
    const std::vector<float> seen = mean_squares(inputs, {});
    std::vector<float> best;
    double least = INFINITY;
    for (int step = 0; step < kExponents; ++step) {
        const std::vector<float> factors = factors_of(seen, static_cast<double>(step) / kExponents);
        const std::vector<float> importance = mean_squares(inputs, factors);
        std::vector<float> back;
        for (const float factor : factors)
            back.push_back(1 / factor);
        double error = 0;
        for (const DenseMatrix& matrix : tried) {
            DenseMatrix scaled = matrix;
            scale_columns(scaled, factors);
            DenseMatrix rounded = restore(round_to_groups(scaled, importance, rule, num_threads));
            scale_columns(rounded, back);
            error += output_error(matrix, rounded, inputs.sums, num_threads);
        }
        if (error < least) {
            least = error;
            best = factors;
        }
    }
    return best;
}

} // namespace vitrine::engine
