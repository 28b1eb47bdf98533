// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_linear.h"

#include <algorithm>
#include <array>
#include <thread>

namespace vitrine::kernels {
namespace {

constexpr std::size_t kLanes = 8; // independent sums: the additions of one chain would wait for each other
constexpr std::int64_t kProductsPerThread = 1 << 20; // below, starting a thread costs more than it saves

double dot(const float* w, const double* x, std::size_t count) {
    std::array<double, kLanes> sums{};
    std::size_t k = 0;
    for (; k + kLanes <= count; k += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += static_cast<double>(w[k + lane]) * x[k + lane];
    }
    double total = 0;
    for (const double sum : sums)
        total += sum;
    for (; k < count; ++k)
        total += static_cast<double>(w[k]) * x[k];
    return total;
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
            for (std::size_t m = 0; m < num_rows; ++m)
                y[m * out_dim + o] = dot(w, x.data() + m * in_dim, in_dim) + offset;
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
