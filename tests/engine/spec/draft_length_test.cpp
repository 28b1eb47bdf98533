// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the speed-up formula (table of engine.md 4.2) and its slow follower.
#include "engine/spec/draft_length.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

TEST(DraftLength, FormulaMatchesThePublishedTable) {
    EXPECT_NEAR(expected_tokens(.5, 1), 1.5, 1e-9);
    EXPECT_NEAR(expected_tokens(.7, 4), 2.773, 5e-4);
    EXPECT_NEAR(expected_tokens(.8, 6), 3.951, 5e-4);
    EXPECT_NEAR(expected_tokens(.9, 8), 6.126, 5e-4);
    EXPECT_NEAR(expected_tokens(.65, 4), 2.525631, 5e-7);
    EXPECT_NEAR(expected_tokens(1, 4), 5, 1e-9);
}

TEST(DraftLength, BestGammaMatchesThePublishedTable) {
    EXPECT_EQ(best_gamma(.5, DraftCosts::uniform(.1, 1.08), 16), 2);
    EXPECT_EQ(best_gamma(.7, DraftCosts::uniform(.1, 1.08), 16), 4);
    EXPECT_EQ(best_gamma(.8, DraftCosts::uniform(.1, 1.08), 16), 6);
    EXPECT_EQ(best_gamma(.9, DraftCosts::uniform(.1, 1.08), 16), 10);
    EXPECT_EQ(best_gamma(.5, DraftCosts::uniform(.2, 1.15), 16), 2);
    EXPECT_EQ(best_gamma(.9, DraftCosts::uniform(.2, 1.15), 16), 7);
    EXPECT_NEAR(expected_speed_up(.9, 10, .1, 1.08), 3.30, 5e-3);
    EXPECT_EQ(best_gamma(.05, DraftCosts::uniform(.2, 1.15), 16), 0);
}

TEST(DraftLength, FallsStepByStepAndTriesAgainLater) {
    DraftLength length({.max_gamma = 4, .costs = DraftCosts::uniform(.1, 1.08), .first_loss = 1e9});
    int before = length.gamma();
    for (int i = 0; i < 400 && length.gamma() > 0; ++i) {
        length.record(length.gamma(), 0);
        EXPECT_GE(length.gamma(), before - 1);
        before = length.gamma();
    }
    EXPECT_EQ(length.gamma(), 0);
    for (int i = 0; i < 64; ++i)
        length.record(0, 0);
    EXPECT_EQ(length.gamma(), 1) << "one try after 64 tokens";
    length.record(1, 0);
    EXPECT_EQ(length.gamma(), 0);
}

TEST(DraftLength, DraftsBehindARejectionAreNotJudged) {
    DraftLength a;
    DraftLength b;
    a.record(8, 1); // one accepted, one rejected, six unknown
    b.record(2, 1);
    EXPECT_DOUBLE_EQ(a.acceptance(), b.acceptance());
}

} // namespace
} // namespace vitrine::engine
