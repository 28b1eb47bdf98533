// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: steps are drawn one by one only where each has room.
#include "ui/engine/lane_marks.h"

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

/// Two seconds of work in a window of a minute: its steps have half a pixel each, and a line for each would hide the bar.
TEST(LaneMarks, NeedRoomForTheStepsThatAreThere) {
    const Theme theme;
    TimeWindow window;
    window.setGutter(0);
    StepHistory history;
    for (std::uint64_t i = 0; i < 60; ++i) {
        StepRecord step;
        step.step = i + 1;
        step.start_us = 97'000'000 + i * 30'000;
        step.forward_us = 30'000;
        history.add(step);
        SequenceLine line;
        line.step = step.step;
        line.sequence = 1;
        line.kind = 1;
        line.count = 1;
        line.time_us = step.start_us;
        history.add(line);
    }
    LaneMarks marks(theme, window);
    window.setNow(99);
    window.setSpan(60);
    marks.collect(history, {1}, 1000);
    EXPECT_FALSE(marks.has(1));
    window.setSpan(4);
    marks.collect(history, {1}, 1000);
    EXPECT_TRUE(marks.has(1)) << "seven pixels each";
}

} // namespace
} // namespace vitrine::ui
