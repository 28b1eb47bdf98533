// SPDX-License-Identifier: GPL-3.0-or-later
// Random matrices, the same in every run, and inputs whose channels depend on each other as those of a model do.
#pragma once

#include <cmath>
#include <random>

#include "engine/quant/dense_math.h"

namespace vitrine::engine::testing {

inline DenseMatrix sample_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
    std::mt19937 random(seed);
    DenseMatrix matrix(rows, columns);
    for (float& value : matrix.values) { // sums of four uniform numbers
        double sum = 0;
        for (int part = 0; part < 4; ++part)
            sum += static_cast<double>(random() >> 8) * 0x1p-24 - 0.5;
        value = static_cast<float>(sum);
    }
    return matrix;
}

/// Rows of few sources mixed into many channels; every seventh channel is ten times larger.
inline DenseMatrix sample_inputs(std::int64_t rows, std::int64_t columns, unsigned seed) {
    const std::int64_t sources = columns / 4 + 1;
    const DenseMatrix mix = sample_matrix(columns, sources, seed), source = sample_matrix(rows, sources, seed + 1);
    DenseMatrix inputs = sample_matrix(rows, columns, seed + 2);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t k = 0; k < columns; ++k)
            inputs.row(row)[k] =
                (0.1F * inputs.row(row)[k] + dot(mix.row(k), source.row(row), sources)) * (k % 7 == 0 ? 10.0F : 1.0F);
    return inputs;
}

inline DenseMatrix products_of(const DenseMatrix& rows) {
    DenseMatrix products(rows.num_columns, rows.num_columns);
    add_products(rows, rows.num_rows, products, 1);
    mirror(products);
    return products;
}

} // namespace vitrine::engine::testing
