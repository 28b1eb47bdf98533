// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/dense_math.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/quant/parallel_ranges.h"

namespace vitrine::engine {
namespace {

constexpr std::int64_t kLanes = 8;
constexpr std::int64_t kTile = 64; // rows or columns whose operands stay in the second cache

/// y[j] -= a . B[j] for the rows first .. last of B, columns begin .. end.
void subtract_dots(const DenseMatrix& b, const float* a, std::int64_t first, std::int64_t last, std::int64_t begin,
    std::int64_t end, float* y) noexcept {
    for (std::int64_t j = first; j < last; ++j)
        y[j] -= dot(a + begin, b.row(j) + begin, end - begin);
}

/// Columns [first, last) of R from the columns behind them, which are done: the last columns come first.
bool factor_columns(DenseMatrix& h, std::int64_t first, std::int64_t last, int num_threads) {
    const std::int64_t n = h.num_rows;
    parallel_ranges(last, num_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            subtract_dots(h, h.row(i), std::max(i, first), last, last, n, h.row(i));
    });
    for (std::int64_t j = last - 1; j >= first; --j) { // inside the block
        float* row = h.row(j);
        const float square = row[j] - dot(row + j + 1, row + j + 1, last - j - 1);
        if (!(square > 0) || !std::isfinite(square))
            return false;
        row[j] = std::sqrt(square);
        const float inverse = 1 / row[j];
        for (std::int64_t i = 0; i < j; ++i) {
            float* other = h.row(i);
            other[j] = (other[j] - dot(other + j + 1, row + j + 1, last - j - 1)) * inverse;
        }
    }
    return true;
}

/// Rows [first, last) of R^-1 from the rows below, which are done.
void invert_rows(DenseMatrix& r, std::int64_t first, std::int64_t last, int num_threads) {
    const std::int64_t n = r.num_rows;
    const std::int64_t height = last - first;
    std::vector<float> factors(static_cast<std::size_t>(height * n)); // the rows of R
    for (std::int64_t i = first; i < last; ++i) {
        std::copy_n(r.row(i), n, factors.data() + (i - first) * n);
        std::fill_n(r.row(i), n, 0.0F);
    }
    parallel_ranges((n - first + kTile - 1) / kTile, num_threads, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t left = first + begin * kTile, right = std::min(n, first + end * kTile);
        for (std::int64_t k = last; k < right; ++k) {
            const std::int64_t from = std::max(k, left);
            for (std::int64_t i = first; i < last; ++i)
                add_scaled(-factors[static_cast<std::size_t>((i - first) * n + k)], r.row(k) + from, r.row(i) + from,
                    right - from);
        }
        for (std::int64_t i = last - 1; i >= first; --i) {
            const float* factor = factors.data() + (i - first) * n;
            for (std::int64_t k = i + 1; k < last; ++k)
                add_scaled(-factor[k], r.row(k) + left, r.row(i) + left, right - left);
            if (i >= left && i < right)
                r.row(i)[i] += 1;
            const float inverse = 1 / factor[i];
            for (std::int64_t j = left; j < right; ++j)
                r.row(i)[j] *= inverse;
        }
    });
}

/// y += the sum of factors[k] * (x + k * stride): four rows at once, so that y is loaded once.
void add_four(
    const std::array<float, 4>& factors, const float* x, std::int64_t stride, float* y, std::int64_t count) noexcept {
    const float *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::int64_t lane = i; lane < i + kLanes; ++lane)
            y[lane] += (factors[0] * x[lane] + factors[1] * x1[lane]) + (factors[2] * x2[lane] + factors[3] * x3[lane]);
    for (; i < count; ++i)
        y[i] += (factors[0] * x[i] + factors[1] * x1[i]) + (factors[2] * x2[i] + factors[3] * x3[i]);
}

/// Rows [first, last) of products += rows^T rows, from the diagonal on.
void add_band(
    const DenseMatrix& rows, std::int64_t num_rows, std::int64_t first, std::int64_t last, DenseMatrix& products) {
    const std::int64_t d = products.num_rows;
    for (std::int64_t i = first; i < last; ++i) {
        float* into = products.row(i) + i;
        std::int64_t token = 0;
        for (; token + 4 <= num_rows; token += 4) {
            const float* x = rows.row(token) + i;
            add_four({x[0], x[d], x[2 * d], x[3 * d]}, x, d, into, d - i);
        }
        for (; token < num_rows; ++token)
            add_scaled(rows.row(token)[i], rows.row(token) + i, into, d - i);
    }
}

} // namespace

float dot(const float* a, const float* b, std::int64_t count) noexcept {
    std::array<float, kLanes> lanes{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
            lanes[static_cast<std::size_t>(lane)] += a[i + lane] * b[i + lane];
    float sum = 0;
    for (; i < count; ++i)
        sum += a[i] * b[i];
    return sum + ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

void add_scaled(float factor, const float* x, float* y, std::int64_t count) noexcept {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
            y[i + lane] += factor * x[i + lane];
    for (; i < count; ++i)
        y[i] += factor * x[i];
}

void add_products(const DenseMatrix& rows, std::int64_t num_rows, DenseMatrix& products, int num_threads) {
    const std::int64_t d = products.num_rows;
    // Bands of the triangle, taken from both ends so that the parts weigh the same.
    const std::int64_t bands = (d + kTile - 1) / kTile;
    parallel_ranges((bands + 1) / 2, num_threads, [&](std::int64_t begin, std::int64_t end) {
        const auto band = [&](std::int64_t number) {
            add_band(rows, num_rows, number * kTile, std::min(d, (number + 1) * kTile), products);
        };
        for (std::int64_t number = begin; number < end; ++number) {
            band(number);
            if (bands - 1 - number != number)
                band(bands - 1 - number);
        }
    });
}

void mirror(DenseMatrix& square) noexcept {
    for (std::int64_t i = 0; i < square.num_rows; ++i)
        for (std::int64_t j = 0; j < i; ++j)
            square.row(i)[j] = square.row(j)[i];
}

bool factor_inverse(DenseMatrix& square, int num_threads) {
    const std::int64_t n = square.num_rows;
    const std::int64_t blocks = (n + kTile - 1) / kTile;
    for (std::int64_t block = blocks - 1; block >= 0; --block)
        if (!factor_columns(square, block * kTile, std::min(n, (block + 1) * kTile), num_threads))
            return false;
    for (std::int64_t block = blocks - 1; block >= 0; --block)
        invert_rows(square, block * kTile, std::min(n, (block + 1) * kTile), num_threads);
    for (std::int64_t i = 0; i < n; ++i)
        std::fill_n(square.row(i), i, 0.0F);
    return true;
}

} // namespace vitrine::engine
