// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: readers see whole values, never older ones after newer ones.
#include "engine/base/latest_value.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace vitrine::engine {
namespace {

TEST(LatestValue, GivesTheLastOneSet) {
    LatestValue<int> latest(std::make_shared<const int>(1));
    EXPECT_EQ(*latest.get(), 1);
    latest.set(std::make_shared<const int>(2));
    EXPECT_EQ(*latest.get(), 2);
    EXPECT_EQ(LatestValue<int>().get(), nullptr);
}

TEST(LatestValue, NeverGoesBackForAConcurrentReader) {
    LatestValue<int> latest(std::make_shared<const int>(0));
    std::atomic<bool> backwards{false};
    std::jthread reader([&] {
        int last = 0;
        while (last < 20'000) {
            const int now = *latest.get();
            backwards = backwards || now < last;
            last = now;
        }
    });
    for (int i = 1; i <= 20'000; ++i)
        latest.set(std::make_shared<const int>(i));
    reader.join();
    EXPECT_FALSE(backwards);
}

} // namespace
} // namespace vitrine::engine
