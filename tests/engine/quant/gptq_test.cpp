// SPDX-License-Identifier: GPL-3.0-or-later
// GPTQ against the rule it is derived from, and against rounding to nearest.
#include "engine/quant/gptq.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "engine/quant/awq.h"
#include "tests/engine/quant/sample_matrices.h"

namespace vitrine::engine {
namespace {

using testing::products_of;
using testing::sample_inputs;
using testing::sample_matrix;

/// Inverse of the lower right part of `h` from `first` on, by Gauss and Jordan in double.
std::vector<std::vector<double>> inverse_from(const DenseMatrix& h, double damping, std::int64_t first) {
    const auto n = static_cast<std::size_t>(h.num_rows - first);
    std::vector<std::vector<double>> a(n, std::vector<double>(2 * n));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            a[i][j] =
                static_cast<double>(h.row(first + static_cast<std::int64_t>(i))[first + static_cast<std::int64_t>(j)]);
        a[i][i] += damping;
        a[i][n + i] = 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double pivot = a[i][i];
        for (double& value : a[i])
            value /= pivot;
        for (std::size_t other = 0; other < n; ++other) {
            const double factor = a[other][i];
            for (std::size_t j = 0; other != i && j < 2 * n; ++j)
                a[other][j] -= factor * a[i][j];
        }
    }
    for (auto& row : a)
        row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    return a;
}

// Optimal brain surgeon's rule (Hassibi and Stork 1993): with column q fixed, the others move by -error / [H^-1]_qq times row q of
// the inverse of what is left.  Under one scale for the whole row GPTQ must take the same codes.
TEST(Gptq, FollowsTheOptimalUpdate) {
    constexpr std::int64_t kWidth = 24;
    const DenseMatrix weights = sample_matrix(6, kWidth, 1);
    const DenseMatrix products = products_of(sample_inputs(100, kWidth, 2));
    double mean = 0;
    for (std::int64_t i = 0; i < kWidth; ++i)
        mean += static_cast<double>(products.row(i)[i]) / kWidth;
    const GptqOptions options{{4, kWidth, false}, false, 0.01, 2};
    const auto codes = gptq_round(weights, products, options);
    ASSERT_TRUE(codes);
    for (std::int64_t row = 0; row < weights.num_rows; ++row) {
        const auto at = static_cast<std::size_t>(row);
        const ScaleZero rule{codes->scales[at], codes->zeros[at]};
        std::vector<double> x(weights.row(row), weights.row(row) + kWidth);
        for (std::int64_t q = 0; q < kWidth; ++q) {
            const auto inverse = inverse_from(products, 0.01 * mean, q);
            const auto here = static_cast<std::size_t>(q);
            const int code = group_code(static_cast<float>(x[here]), rule, 4);
            ASSERT_EQ(code, codes->codes[static_cast<std::size_t>(row * kWidth + q)]) << row << ' ' << q;
            const double error = (x[here] - (code - rule.zero) * static_cast<double>(rule.scale)) / inverse[0][0];
            for (std::size_t j = here; j < x.size(); ++j)
                x[j] -= error * inverse[0][j - here];
        }
    }
}

TEST(Gptq, WithoutCorrelationIsRoundingToNearest) {
    const DenseMatrix weights = sample_matrix(16, 96, 4);
    DenseMatrix products(96, 96);
    for (std::int64_t i = 0; i < 96; ++i)
        products.row(i)[i] = 3;
    const GroupRule rule{4, 32, false};
    const auto codes = gptq_round(weights, products, {rule, false, 0.01, 1});
    ASSERT_TRUE(codes);
    const GroupCodes plain = round_to_groups(weights, {}, rule, 1);
    EXPECT_EQ(codes->codes, plain.codes);
    EXPECT_EQ(codes->scales, plain.scales);
    EXPECT_EQ(codes->zeros, plain.zeros);
}

TEST(Gptq, LeavesLessErrorThanRoundingToNearest) {
    const DenseMatrix weights = sample_matrix(40, 320, 7);
    const DenseMatrix products = products_of(sample_inputs(900, 320, 8));
    for (const bool symmetric : {false, true})
        for (const int bits : {4, 8}) {
            const GroupRule rule{bits, 64, symmetric};
            const double nearest = output_error(weights, restore(round_to_groups(weights, {}, rule, 2)), products, 2);
            for (const bool act_order : {false, true}) {
                const auto codes = gptq_round(weights, products, {rule, act_order, 0.01, 2});
                ASSERT_TRUE(codes);
                const double error = output_error(weights, restore(*codes), products, 2);
                EXPECT_LT(error, 0.6 * nearest) << bits << " bits, act order " << act_order;
                EXPECT_GT(error, 0);
                // Groups stay whole, in whatever order.
                std::vector<int> members(5);
                for (const std::int32_t group : codes->group_of)
                    ++members.at(static_cast<std::size_t>(group));
                EXPECT_EQ(members, std::vector<int>(5, 64));
                EXPECT_EQ(std::is_sorted(codes->group_of.begin(), codes->group_of.end()), !act_order);
            }
        }
}

TEST(Gptq, InputsNeverSeenAreRoundedAsTheyAre) {
    const DenseMatrix weights = sample_matrix(8, 64, 9);
    const auto codes = gptq_round(weights, DenseMatrix(64, 64), {{4, 32, false}, true, 0.01, 1});
    ASSERT_TRUE(codes);
    EXPECT_EQ(codes->codes, round_to_groups(weights, {}, {4, 32, false}, 1).codes);
}

TEST(Awq, FactorsLowerTheErrorOfLargeInputs) {
    const DenseMatrix weights = sample_matrix(64, 128, 11);
    const DenseMatrix rows = sample_inputs(600, 128, 12);
    const InputProducts inputs{products_of(rows), rows.num_rows};
    const GroupRule rule{4, 64, false};
    const DenseMatrix* const matrices[] = {&weights};
    const std::vector<float> factors = awq_factors(matrices, inputs, rule, 2);
    ASSERT_EQ(factors.size(), 128U);
    EXPECT_GT(factors[7], 1.1F * factors[8]); // channel 7 is ten times larger
    DenseMatrix scaled = weights;
    scale_columns(scaled, factors);
    DenseMatrix rounded = restore(round_to_groups(scaled, mean_squares(inputs, factors), rule, 2));
    std::vector<float> back;
    for (const float factor : factors)
        back.push_back(1 / factor);
    scale_columns(rounded, back);
    const double plain = output_error(weights, restore(round_to_groups(weights, {}, rule, 2)), inputs.sums, 2);
    EXPECT_LT(output_error(weights, rounded, inputs.sums, 2), 0.8 * plain);
}

TEST(InputProductCollector, SharesSumsAndWatchesWhatItIsAsked) {
    InputProductCollector collector(1);
    collector.watch({"q", "k", "down"});
    kernels::WeightGroupSpec shared, alone;
    shared.members = {{"q", 4, 3}, {"k", 4, 3}, {"v", 4, 3}};
    alone.members = {{"other", 4, 3}};
    const DenseMatrix rows = sample_matrix(130, 3, 13); // two buffers and a rest
    for (std::int64_t row = 0; row < rows.num_rows; ++row) {
        collector.on_input(shared, 0, 1, rows.row_span(row));
        collector.on_input(alone, 0, 1, rows.row_span(row));
    }
    const auto products = collector.finish();
    ASSERT_EQ(products.size(), 2U); // down had no input
    EXPECT_EQ(products.at("q"), products.at("k"));
    EXPECT_EQ(products.at("q")->num_rows, 130);
    const DenseMatrix expected = products_of(rows);
    for (std::size_t i = 0; i < expected.values.size(); ++i)
        EXPECT_NEAR(products.at("q")->sums.values[i], expected.values[i], 1e-4);
}

} // namespace
} // namespace vitrine::engine
