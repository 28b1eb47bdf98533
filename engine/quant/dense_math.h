// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: the few dense products and factors that calibrated rounding needs, in float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::engine {

/// Row-major.
struct DenseMatrix {
    std::int64_t num_rows = 0;
    std::int64_t num_columns = 0;
    std::vector<float> values; // [num_rows, num_columns]

    DenseMatrix() = default;
    DenseMatrix(std::int64_t rows, std::int64_t columns)
        : num_rows(rows), num_columns(columns),
          values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
    [[nodiscard]] float* row(std::int64_t i) noexcept { return values.data() + i * num_columns; }
    [[nodiscard]] const float* row(std::int64_t i) const noexcept { return values.data() + i * num_columns; }
    [[nodiscard]] std::span<float> row_span(std::int64_t i) noexcept {
        return {row(i), static_cast<std::size_t>(num_columns)};
    }
    [[nodiscard]] std::span<const float> row_span(std::int64_t i) const noexcept {
        return {row(i), static_cast<std::size_t>(num_columns)};
    }
};

/// a . b over `count` values; sums in eight lanes, always in the same order.
[[nodiscard]] float dot(const float* a, const float* b, std::int64_t count) noexcept;
/// y += factor * x
void add_scaled(float factor, const float* x, float* y, std::int64_t count) noexcept;

/// products += rows^T rows.   rows: [n, d]   products: [d, d]; only j >= i is kept up, see mirror().
void add_products(const DenseMatrix& rows, std::int64_t num_rows, DenseMatrix& products, int num_threads);
/// Copies the upper triangle to the lower.
void mirror(DenseMatrix& square) noexcept;

/// In: symmetric positive definite H (the upper triangle is read).  Out: the upper triangular U with H^-1 = U^T U, zeros below:
/// H = R R^T with R upper triangular, U = R^-1.  False: H is not positive definite in float32; `square` is then worthless.
[[nodiscard]] bool factor_inverse(DenseMatrix& square, int num_threads);

} // namespace vitrine::engine
