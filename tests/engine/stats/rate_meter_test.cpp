// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: sliding sums on a clock that is moved by hand.
#include "engine/stats/rate_meter.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RateMeter, DividesByTheTimeSinceStartUntilTheWindowIsFull) {
    testing::ManualClock clock;
    RateMeter meter(seconds(10), clock.now());
    EXPECT_EQ(meter.per_second(clock.now()), 0);
    clock.advance(seconds(2));
    meter.add(clock.now(), 30);
    EXPECT_DOUBLE_EQ(meter.per_second(clock.now()), 15);
    clock.advance(seconds(3));
    EXPECT_DOUBLE_EQ(meter.per_second(clock.now()), 6);
}

TEST(RateMeter, ForgetsWhatLeftTheWindow) {
    testing::ManualClock clock;
    RateMeter meter(seconds(10), clock.now());
    for (int i = 0; i < 200; ++i) { // 10 a second for 20 s
        meter.add(clock.now(), 1);
        clock.advance(milliseconds(100));
    }
    EXPECT_NEAR(meter.per_second(clock.now()), 10, 0.3); // a bucket is a 40th of the window
    clock.advance(seconds(11));
    EXPECT_EQ(meter.sum(clock.now()), 0);
}

} // namespace
} // namespace vitrine::engine
