// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_linear.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace vitrine::kernels {
namespace {

constexpr std::int64_t kProductsPerThread = 1 << 20; // below, starting a thread costs more than it saves

// Vector types of GCC and clang: four independent sums in a register, on every instruction set.
using Float4 = float __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));

/// out[r] = sum over k of w[k] * x[r * count + k], in an order that does not depend on kRows.
template <std::size_t kRows>
void dot_rows(const float* w, const double* x, std::size_t count, double* out) {
    Double4 sums[kRows][2] = {};
    std::size_t k = 0;
    for (; k + 8 <= count; k += 8) {
        Float4 narrow[2];
        std::memcpy(narrow, w + k, sizeof narrow);
        const Double4 low = __builtin_convertvector(narrow[0], Double4);
        const Double4 high = __builtin_convertvector(narrow[1], Double4);
        for (std::size_t r = 0; r < kRows; ++r) {
            Double4 values[2];
            std::memcpy(values, x + r * count + k, sizeof values);
            sums[r][0] += low * values[0];
            sums[r][1] += high * values[1];
        }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
        const Double4 sum = sums[r][0] + sums[r][1];
        double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        for (std::size_t i = k; i < count; ++i)
            total += static_cast<double>(w[i]) * x[r * count + i];
        out[r] = total;
    }
}

/// One output of every row: y[m * out_dim].
void dot_all(
    const float* w, std::span<const double> x, std::size_t in_dim, double offset, double* y, std::size_t out_dim) {
    constexpr std::size_t kTile = 4; // rows that share one conversion of the weights
    const std::size_t num_rows = x.size() / in_dim;
    double sums[kTile] = {};
    std::size_t m = 0;
    for (; m + kTile <= num_rows; m += kTile) {
        dot_rows<kTile>(w, x.data() + m * in_dim, in_dim, sums);
        for (std::size_t r = 0; r < kTile; ++r)
            y[(m + r) * out_dim] = sums[r] + offset;
    }
    for (; m < num_rows; ++m) {
        dot_rows<1>(w, x.data() + m * in_dim, in_dim, sums);
        y[m * out_dim] = sums[0] + offset;
    }
}

} // namespace

std::vector<double> multiply(
    const RefMatrix& weights, std::span<const double> x, std::span<const float> bias, int num_threads) {
    const auto in_dim = static_cast<std::size_t>(weights.in_dim);
    const auto out_dim = static_cast<std::size_t>(weights.out_dim);
    const std::size_t num_rows = x.size() / in_dim;
    std::vector<double> y(num_rows * out_dim);
    const auto outputs = [&](std::size_t begin, std::size_t end) {
        for (std::size_t o = begin; o < end; ++o) {
            const float* w = weights.row(static_cast<std::int64_t>(o));
            const double offset = bias.empty() ? 0 : static_cast<double>(bias[o]);
            dot_all(w, x, in_dim, offset, y.data() + o, out_dim);
        }
    };
    const std::int64_t products = weights.out_dim * weights.in_dim * static_cast<std::int64_t>(num_rows);
    const auto threads =
        static_cast<std::size_t>(std::clamp<std::int64_t>(products / kProductsPerThread, 1, std::max(num_threads, 1)));
    std::vector<std::jthread> workers;
    for (std::size_t t = 1; t < threads; ++t)
        workers.emplace_back(outputs, out_dim * t / threads, out_dim * (t + 1) / threads);
    outputs(0, out_dim / threads);
    workers.clear(); // joins
    return y;
}

} // namespace vitrine::kernels
