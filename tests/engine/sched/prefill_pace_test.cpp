// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the model of a step's time finds the prices it was fed with.
#include "engine/sched/prefill_pace.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

TEST(PrefillPace, SetsNoLimitBeforeItHasSeenBoth) {
    PrefillPace cost;
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 0);
    cost.on_step(256, 0, 0.256);
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 0);
    cost.on_step(0, 4, 0.040);
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 48); // 1.5 * 40 ms at 1 ms a token, in whole blocks
}

TEST(PrefillPace, FollowsABatchThatGrowsThoughEveryStepHasPrompts) {
    PrefillPace cost;
    cost.on_step(256, 0, 0.256);
    cost.on_step(0, 1, 0.010);
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 16); // never less than a block
    for (int i = 0; i < 40; ++i)
        cost.on_step(16, 32, 0.064 + 0.016);
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 80); // 96 - a hair
    for (int i = 0; i < 40; ++i)
        cost.on_step(512, 32, 0.064 + 512 * 0.0021); // prompts have become dearer
    EXPECT_EQ(cost.prefill_allowance(2.5, 16), 32); // 45.7 in whole blocks
}

} // namespace
} // namespace vitrine::engine
