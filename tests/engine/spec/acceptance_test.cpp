// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: sums of verify steps.
#include "engine/spec/acceptance.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

TEST(Acceptance, CountsPositions) {
    AcceptanceCounts counts;
    counts.record(3, 2);
    counts.record(3, 0);
    counts.record(0, 0);
    EXPECT_EQ(counts.drafts, 2U);
    EXPECT_EQ(counts.draft_tokens, 6U);
    EXPECT_EQ(counts.accepted, 2U);
    EXPECT_EQ(counts.per_position[0], 1U);
    EXPECT_EQ(counts.per_position[1], 1U);
    EXPECT_EQ(counts.per_position[2], 0U);
    EXPECT_DOUBLE_EQ(counts.accepted_per_draft(), 1);
}

} // namespace
} // namespace vitrine::engine
