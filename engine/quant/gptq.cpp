// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/gptq.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/quant/parallel_ranges.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::int64_t kBlock = 128; // columns between two updates of everything behind them

/// Column i of the work is column order[i] of the matrix.
using Order = std::vector<std::int64_t>;

Order column_order(const DenseMatrix& products, bool by_size) {
    Order order(static_cast<std::size_t>(products.num_rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    if (by_size)
        std::stable_sort(order.begin(), order.end(),
            [&](std::int64_t a, std::int64_t b) { return products.row(a)[a] > products.row(b)[b]; });
    return order;
}

/// The factor of the inverse of the damped products, in the order of the work.
Result<DenseMatrix> inverse_factor(const DenseMatrix& products, const Order& order, const GptqOptions& options) {
    const std::int64_t d = products.num_rows;
    double mean = 0;
    for (std::int64_t i = 0; i < d; ++i)
        mean += static_cast<double>(products.row(i)[i]) / static_cast<double>(d);
    if (!(mean > 0))
        mean = 1; // nothing was seen: every input counts the same
    double damping = options.damping * mean;
    for (int attempt = 0; attempt < 4; ++attempt, damping *= 10) {
        DenseMatrix factor(d, d);
        for (std::int64_t i = 0; i < d; ++i) {
            const float* row = products.row(order[static_cast<std::size_t>(i)]);
            for (std::int64_t j = i; j < d; ++j)
                factor.row(i)[j] = row[order[static_cast<std::size_t>(j)]];
            factor.row(i)[i] += static_cast<float>(damping);
        }
        if (factor_inverse(factor, options.num_threads))
            return factor;
    }
    return fail(ErrorCode::internal, say(Sentence::calibration_too_short, d), say(Sentence::longer_calibration));
}

/// Several rows at once, so that a row of the factor is read once for all of them.
class RowRounder {
public:
    static constexpr std::int64_t kRows = 8;

    RowRounder(const DenseMatrix& factor, const Order& order, std::span<const float> importance, const GroupRule& rule)
        : factor_(factor), order_(order), importance_(importance), rule_(rule), x_(kRows, factor.num_columns),
          errors_(kRows, kBlock) {}

    /// Rows [first, last) of `weights`, at most kRows, into `result`.
    void round(const DenseMatrix& weights, std::int64_t first, std::int64_t last, GroupCodes& result) {
        const std::int64_t d = factor_.num_columns;
        for (std::int64_t row = first; row < last; ++row)
            for (std::int64_t i = 0; i < d; ++i)
                x_.row(row - first)[i] = weights.row(row)[order_[static_cast<std::size_t>(i)]];
        for (std::int64_t begin = 0; begin < d; begin += kBlock) {
            const std::int64_t end = std::min(d, begin + kBlock);
            for (std::int64_t row = first; row < last; ++row)
                round_block(begin, end, row - first, result, row);
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t slot = 0; slot < last - first; ++slot)
                    add_scaled(-errors_.row(slot)[i - begin], factor_.row(i) + end, x_.row(slot) + end, d - end);
        }
    }

private:
    void round_block(std::int64_t begin, std::int64_t end, std::int64_t slot, GroupCodes& result, std::int64_t row) {
        float* x = x_.row(slot);
        for (std::int64_t i = begin; i < end; ++i) {
            const auto group = static_cast<std::size_t>(i / rule_.group_size * result.out_dim + row);
            if (i % rule_.group_size == 0)
                start_group(slot, i, result, group);
            const ScaleZero fit{result.scales[group], result.zeros[group]};
            const float* u = factor_.row(i);
            const int code = group_code(x[i], fit, rule_.bits);
            const float error = (x[i] - static_cast<float>(code - fit.zero) * fit.scale) / u[i];
            const auto place = row * result.in_dim + order_[static_cast<std::size_t>(i)];
            result.codes[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(code);
            errors_.row(slot)[i - begin] = error;
            add_scaled(-error, u + i + 1, x + i + 1, end - i - 1);
        }
    }
    /// By the weights as what stands before them has left them.
    void start_group(std::int64_t slot, std::int64_t first, GroupCodes& result, std::size_t group) {
        const auto begin = static_cast<std::size_t>(first);
        const std::size_t count =
            std::min<std::size_t>(static_cast<std::size_t>(rule_.group_size), importance_.size() - begin);
        const ScaleZero fit =
            fit_group(x_.row_span(slot).subspan(begin, count), importance_.subspan(begin, count), rule_);
        result.scales[group] = fit.scale;
        result.zeros[group] = static_cast<std::uint8_t>(fit.zero);
    }

    const DenseMatrix& factor_;
    const Order& order_;
    std::span<const float> importance_; // in the order of the work
    const GroupRule& rule_;
    DenseMatrix x_; // rows in the order of the work
    DenseMatrix errors_; // of the block
};

} // namespace

Result<GroupCodes> gptq_round(const DenseMatrix& weights, const DenseMatrix& products, const GptqOptions& options) {
    const std::int64_t d = weights.num_columns;
    const Order order = column_order(products, options.act_order);
    const auto factor = inverse_factor(products, order, options);
    VT_TRY(factor);
    std::vector<float> importance(static_cast<std::size_t>(d));
    for (std::int64_t i = 0; i < d; ++i) // the error of column i that the columns behind it cannot make up for
        importance[static_cast<std::size_t>(i)] = 1 / (factor->row(i)[i] * factor->row(i)[i]);
    GroupCodes result(options.rule, weights.num_rows, d);
    for (std::int64_t i = 0; i < d; ++i)
        result.group_of[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] =
            static_cast<std::int32_t>(i / options.rule.group_size);
    parallel_ranges(weights.num_rows, options.num_threads, [&](std::int64_t begin, std::int64_t end) {
        RowRounder rounder(*factor, order, importance, options.rule);
        for (std::int64_t row = begin; row < end; row += RowRounder::kRows)
            rounder.round(weights, row, std::min(end, row + RowRounder::kRows), result);
    });
    return result;
}

double output_error(const DenseMatrix& a, const DenseMatrix& b, const DenseMatrix& products, int num_threads) {
    const std::int64_t d = a.num_columns;
    std::vector<double> parts(static_cast<std::size_t>(2 * a.num_rows));
    parallel_ranges(a.num_rows, num_threads, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> difference(static_cast<std::size_t>(d));
        const auto form = [&](const float* x) {
            double sum = 0;
            for (std::int64_t i = 0; i < d; ++i)
                sum += static_cast<double>(x[i]) * static_cast<double>(dot(products.row(i), x, d));
            return sum;
        };
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::int64_t k = 0; k < d; ++k)
                difference[static_cast<std::size_t>(k)] = a.row(row)[k] - b.row(row)[k];
            parts[static_cast<std::size_t>(2 * row)] = form(difference.data());
            parts[static_cast<std::size_t>(2 * row + 1)] = form(a.row(row));
        }
    });
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
        error += parts[i];
        norm += parts[i + 1];
    }
    return norm > 0 ? error / norm : 0;
}

} // namespace vitrine::engine
