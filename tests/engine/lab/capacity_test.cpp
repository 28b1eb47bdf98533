// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the memory formula.  Example of engine.md 7: 139 GiB, 4.92 GB of weights, 8B shape, f16, margin 10 %:
// 997,634 tokens = 62,352 blocks = 974 sequences of 1,024.
#include "engine/lab/capacity.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

CapacityQuestion example() {
    CapacityQuestion question;
    question.weight_bytes = 4'920'000'000;
    question.kv_bytes_per_token = 131072;
    question.context = 1024;
    question.available_bytes = std::int64_t{139} << 30;
    return question;
}

TEST(Capacity, MatchesTheExample) {
    EXPECT_EQ(plan_capacity(example()).max_parallel, 974);
    const PoolCapacity pool = pool_capacity(example(), 1 / 1.1);
    EXPECT_EQ(pool.tokens, 997'634);
    EXPECT_EQ(pool.blocks, 62'352);
    EXPECT_EQ(pool.sequences, 974);
}

TEST(Capacity, FitsExactlyUpToMaxParallel) {
    CapacityQuestion question = example();
    question.parallel = 974;
    const LoadPlan most = plan_capacity(question);
    EXPECT_TRUE(most.fits);
    EXPECT_EQ(most.total, most.weights + most.kv + most.scratch + most.margin);
    EXPECT_EQ(most.kv, (std::int64_t{974} * 1024 + 16) * 131072); // and the null block
    question.parallel = 975;
    EXPECT_FALSE(plan_capacity(question).fits);
}

TEST(Capacity, RoundsTheContextUpToBlocks) {
    CapacityQuestion question = example();
    question.context = 1;
    question.parallel = 3;
    EXPECT_EQ(plan_capacity(question).kv, std::int64_t{3 + 1} * 16 * 131072); // and the null block
    EXPECT_EQ(plan_capacity(question).num_blocks, 3);
}

TEST(Capacity, NothingFitsBesideTooLargeWeights) {
    CapacityQuestion question = example();
    question.available_bytes = question.weight_bytes;
    const LoadPlan plan = plan_capacity(question);
    EXPECT_FALSE(plan.fits);
    EXPECT_EQ(plan.max_parallel, 0);
}

} // namespace
} // namespace vitrine::engine
