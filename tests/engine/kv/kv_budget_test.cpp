// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the pool formula.  Example of engine.md 7: 139 GiB, 4.92 GB of weights, 8B shape, f16 -> 62,352 blocks;
// it holds with the margin of 10 % (a fraction of 1/1.1), with .9 the same formula gives 61,705.
#include "engine/kv/kv_budget.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

KvBudgetQuestion example() {
    return {.free_bytes = std::int64_t{139} << 30,
        .memory_fraction = 0.9,
        .weight_bytes = 4'920'000'000,
        .scratch_bytes = 0,
        .block_bytes = 131072 * 16,
        .blocks_per_sequence = 64,
        .context = 1024,
        .max_seqs = 100000,
        .num_blocks = 0};
}

TEST(KvBudget, FillsTheMemoryThatIsLeft) {
    const Result<int> blocks = kv_budget(example());
    ASSERT_TRUE(blocks.has_value());
    EXPECT_EQ(*blocks, 61705); // floor((139 * 2^30 * .9 - 4.92e9) / 2^21)
    KvBudgetQuestion with_margin = example();
    with_margin.memory_fraction = 1 / 1.1;
    EXPECT_EQ(kv_budget(with_margin).value(), 62352);
}

TEST(KvBudget, NeverTakesMoreThanEverySequenceCanUse) {
    KvBudgetQuestion question = example();
    question.max_seqs = 4;
    EXPECT_EQ(kv_budget(question).value(), 4 * 64);
}

TEST(KvBudget, RefusesWhatDoesNotFitWithBothNumbers) {
    KvBudgetQuestion question = example();
    question.free_bytes = 5'000'000'000;
    const Result<int> refused = kv_budget(question);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
    EXPECT_NE(refused.error().message.find("4500000000 bytes"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find(std::to_string(4'920'000'000 + 64LL * 131072 * 16)), std::string::npos);
}

TEST(KvBudget, TakesTheNumberOfBlocksAskedForIfItFits) {
    KvBudgetQuestion question = example();
    question.num_blocks = 100;
    EXPECT_EQ(kv_budget(question).value(), 100);
    question.num_blocks = 1 << 20;
    EXPECT_EQ(kv_budget(question).error().code, ErrorCode::out_of_memory);
}

} // namespace
} // namespace vitrine::engine
