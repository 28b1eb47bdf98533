// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: numbers as mockups/tokens.md section 4 writes them.
#include "engine/base/format.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

using std::chrono::microseconds;

TEST(Format, BytesHaveThreeDigits) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1024), "1 KiB");
    EXPECT_EQ(format_bytes(94LL << 20), "94 MiB");
    EXPECT_EQ(format_bytes(8'997'954'560), "8.38 GiB");
    EXPECT_EQ(format_bytes(1023LL << 20), "1 GiB") << "1023 MiB would need a fourth digit";
    EXPECT_EQ(format_bytes(512LL << 20), "512 MiB");
}

TEST(Format, RatesDropDigitsAsTheyGrow) {
    EXPECT_EQ(format_rate(6.3), "6.3");
    EXPECT_EQ(format_rate(63.4), "63");
    EXPECT_EQ(format_rate(9'999), "9999");
    EXPECT_EQ(format_rate(14'200), "14.2k");
}

TEST(Format, DurationsSwitchToMinutes) {
    EXPECT_EQ(format_duration(microseconds(180'000)), "0.18 s");
    EXPECT_EQ(format_duration(microseconds(12'400'000)), "12.4 s");
    EXPECT_EQ(format_duration(microseconds(134'000'000)), "2 min 14 s");
    EXPECT_EQ(format_duration(microseconds(7'260'000'000)), "2 h 1 min");
    EXPECT_EQ(format_step(microseconds(70'200)), "70.2 ms");
}

TEST(Format, PercentAndCounts) {
    EXPECT_EQ(format_percent(0.934), "93 %");
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(12'345), "12,345");
    EXPECT_EQ(format_count(-1'234'567), "-1,234,567");
}

} // namespace
} // namespace vitrine::engine
