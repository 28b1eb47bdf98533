// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: nearest rank x_(ceil(q n)).
#include "engine/stats/percentiles.h"

#include <gtest/gtest.h>
#include <numeric>

namespace vitrine::engine {
namespace {

TEST(Percentile, IsTheNearestRank) {
    std::vector<double> samples(20);
    std::iota(samples.begin(), samples.end(), 1);
    EXPECT_EQ(percentile(samples, 0.5), 10);
    EXPECT_EQ(percentile(samples, 0.95), 19);
    EXPECT_EQ(percentile(samples, 0.99), 20);
    EXPECT_EQ(percentile(samples, 0.01), 1);
    EXPECT_EQ(percentile(std::vector<double>{}, 0.5), 0);
    EXPECT_EQ(percentile(std::vector<double>{.05, .55, .53, .52}, 0.5), .52);
}

TEST(SampleWindow, KeepsTheLastOnes) {
    SampleWindow window(100);
    for (int i = 1; i <= 250; ++i)
        window.add(i);
    EXPECT_EQ(window.size(), 100U);
    const auto [p50, p95, p99] = window.p50_p95_p99(); // of 151..250
    EXPECT_EQ(p50, 200);
    EXPECT_EQ(p95, 245);
    EXPECT_EQ(p99, 249);
}

} // namespace
} // namespace vitrine::engine
