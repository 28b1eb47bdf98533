// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/widgets: numbers read as tokens.md section 4 says.
#include "ui/widgets/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vitrine::ui {
namespace {

std::string text(const QString& value) {
    return QString(value).replace(kNoBreakSpace, u' ').toStdString();
}

TEST(Numbers, WriteRates) {
    EXPECT_EQ(text(rateText(63.2)), "63");
    EXPECT_EQ(text(rateText(6.31)), "6.3");
    EXPECT_EQ(text(rateText(14'200)), "14.2k");
    EXPECT_EQ(text(rateText(1093)), "1,093");
    EXPECT_EQ(text(rateText(0)), "0");
    EXPECT_EQ(text(rateText(std::nan(""))), "–");
}

TEST(Numbers, WriteTimes) {
    EXPECT_EQ(text(secondsText(0.18)), "0.18");
    EXPECT_EQ(text(secondsText(12.42)), "12.4");
    EXPECT_EQ(text(secondsText(134)), "2 min 14 s");
    EXPECT_EQ(text(millisecondsText(std::chrono::microseconds(70'240))), "70.2");
}

TEST(Numbers, WriteSizesWithThreeDigits) {
    EXPECT_EQ(text(bytesText(8.38 * 1024 * 1024 * 1024)), "8.38 GiB");
    EXPECT_EQ(text(bytesText(94.2 * 1024 * 1024)), "94 MiB");
    EXPECT_EQ(text(bytesText(22.5 * 1024)), "23 KiB");
    EXPECT_EQ(text(bytesText(999)), "999 B");
    EXPECT_EQ(text(bytesText(-2.5 * 1024 * 1024 * 1024)), "−2.50 GiB");
}

TEST(Numbers, WriteSharesCountsAndParameters) {
    EXPECT_EQ(text(percentText(0.842)), "84 %");
    EXPECT_EQ(text(countText(40'960)), "40,960");
    EXPECT_EQ(text(plainText(8080)), "8080");
    EXPECT_EQ(text(parametersText(14'768'307'200)), "14.8 B");
    EXPECT_EQ(text(parametersText(134'515'008)), "135 M");
    EXPECT_EQ(text(fixedText(-8.6, 1)), "−8.6");
}

} // namespace
} // namespace vitrine::ui
