// SPDX-License-Identifier: GPL-3.0-or-later
// Products and factors against plain loops in double.
#include "engine/quant/dense_math.h"

#include <gtest/gtest.h>

#include "tests/engine/quant/sample_matrices.h"

namespace vitrine::engine {
namespace {

using testing::products_of;
using testing::sample_matrix;

TEST(DenseMath, ProductsAreSumsOverRows) {
    for (const std::int64_t d : {1, 7, 64, 131}) {
        const DenseMatrix rows = sample_matrix(70, d, 3);
        DenseMatrix products(d, d);
        add_products(rows, 69, products, 2); // the last row does not count
        mirror(products);
        for (std::int64_t i = 0; i < d; ++i)
            for (std::int64_t j = 0; j < d; ++j) {
                double expected = 0;
                for (std::int64_t token = 0; token < 69; ++token)
                    expected += static_cast<double>(rows.row(token)[i]) * static_cast<double>(rows.row(token)[j]);
                ASSERT_NEAR(products.row(i)[j], expected, 1e-4) << d << ": " << i << ' ' << j;
            }
    }
}

// U^T U is the inverse: times H it is the identity.
TEST(DenseMath, FactorOfTheInverse) {
    for (const std::int64_t n : {1, 2, 63, 64, 65, 200}) {
        const DenseMatrix h = products_of(sample_matrix(3 * n + 8, n, 5));
        DenseMatrix u = h;
        ASSERT_TRUE(factor_inverse(u, 2)) << n;
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < i; ++j)
                ASSERT_EQ(u.row(i)[j], 0) << "below the diagonal";
            std::vector<double> row(static_cast<std::size_t>(n)); // row i of U^T U
            for (std::int64_t k = 0; k <= i; ++k)
                for (std::int64_t j = k; j < n; ++j)
                    row[static_cast<std::size_t>(j)] +=
                        static_cast<double>(u.row(k)[i]) * static_cast<double>(u.row(k)[j]);
            for (std::int64_t j = 0; j < n; ++j) {
                double identity = 0;
                for (std::int64_t k = 0; k < n; ++k)
                    identity += row[static_cast<std::size_t>(k)] * static_cast<double>(h.row(k)[j]);
                ASSERT_NEAR(identity, i == j ? 1 : 0, 2e-3) << n << ": " << i << ' ' << j;
            }
        }
    }
}

TEST(DenseMath, RefusesWhatHasNoFactor) {
    DenseMatrix indefinite(2, 2);
    indefinite.values = {1, 2, 2, 1};
    EXPECT_FALSE(factor_inverse(indefinite, 1));
    DenseMatrix nothing(3, 3);
    EXPECT_FALSE(factor_inverse(nothing, 1));
}

} // namespace
} // namespace vitrine::engine
