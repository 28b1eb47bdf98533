// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/exec/input_batch.h"
#include "engine/sched/scheduler.h"

namespace vitrine::engine {
namespace {

SequencePlan plan_of(int count, bool samples, int num_drafts = 0, bool all_logits = false) {
    SequencePlan plan;
    plan.count = count;
    plan.samples = samples;
    plan.num_drafts = num_drafts;
    plan.all_logits = all_logits;
    return plan;
}

TEST(CutIntoBatches, KeepsOneBatchWhileTheLogitsFit) {
    ScheduleOutput plan;
    plan.plans = {plan_of(1, true), plan_of(3, true, 2), plan_of(100, false)};
    const auto batches = cut_into_batches(plan, 4);
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_EQ(batches[0], (std::vector<BatchPart>{{0, 0, 1}, {1, 0, 3}, {2, 0, 100}}));
}

TEST(CutIntoBatches, NeverPartsRowsThatAreJudgedTogether) {
    ScheduleOutput plan;
    plan.plans = {plan_of(1, true), plan_of(3, true, 2)};
    const auto batches = cut_into_batches(plan, 3);
    ASSERT_EQ(batches.size(), 2U);
    EXPECT_EQ(batches[1], (std::vector<BatchPart>{{1, 0, 3}}));
}

TEST(CutIntoBatches, PartsScoredPromptsByRows) {
    ScheduleOutput plan;
    plan.plans = {plan_of(10, true, 0, true)};
    const auto batches = cut_into_batches(plan, 4);
    ASSERT_EQ(batches.size(), 3U);
    EXPECT_EQ(batches[0], (std::vector<BatchPart>{{0, 0, 4}}));
    EXPECT_EQ(batches[1], (std::vector<BatchPart>{{0, 4, 4}}));
    EXPECT_EQ(batches[2], (std::vector<BatchPart>{{0, 8, 2}}));
}

TEST(CutIntoBatches, TakesTheRowsWithoutLogitsAlong) {
    ScheduleOutput plan;
    plan.plans = {plan_of(1, true), plan_of(50, true)};
    const auto batches = cut_into_batches(plan, 1);
    ASSERT_EQ(batches.size(), 2U);
    EXPECT_EQ(batches[0], (std::vector<BatchPart>{{0, 0, 1}, {1, 0, 49}}));
    EXPECT_EQ(batches[1], (std::vector<BatchPart>{{1, 49, 1}}));
}

/// A scheduler with two sequences, so that tables and positions are real.
class InputBatchOfTwo : public ::testing::Test {
protected:
    InputBatchOfTwo() : kv_(kv_options()), scheduler_(config(), kv_, steady_clock()) {
        for (std::uint32_t i = 1; i <= 2; ++i) {
            SequenceSpec spec;
            spec.id = SequenceId{i};
            spec.request = RequestId{i};
            spec.prompt.assign(i == 1 ? 20 : 5, static_cast<TokenId>(10 * i));
            spec.max_output = 8;
            EXPECT_TRUE(scheduler_.add(std::make_unique<Sequence>(std::move(spec))));
        }
    }
    static KvCacheManager::Options kv_options() {
        KvCacheManager::Options options;
        options.num_blocks = 32;
        return options;
    }
    static SchedulerConfig config() {
        SchedulerConfig scheduler;
        scheduler.max_seqs = 4;
        scheduler.max_batch_tokens = 64;
        scheduler.prefill_chunk = 64;
        scheduler.context = 128;
        scheduler.hold_same_prefix = false;
        return scheduler;
    }
    KvCacheManager kv_;
    Scheduler scheduler_;
};

TEST_F(InputBatchOfTwo, LaysRowsOutBySequence) {
    const ScheduleOutput plan = scheduler_.schedule();
    ASSERT_EQ(plan.plans.size(), 2U);
    InputBatch batch(16, 1);
    const auto parts = cut_into_batches(plan, 64);
    batch.build(plan, parts.front());
    const kernels::StepArgs args = batch.args();
    ASSERT_EQ(args.tokens.size(), 25U);
    EXPECT_EQ(std::vector(args.query_starts.begin(), args.query_starts.end()), (std::vector<std::int32_t>{0, 20, 25}));
    EXPECT_EQ(std::vector(args.context_lens.begin(), args.context_lens.end()), (std::vector<std::int32_t>{20, 5}));
    EXPECT_EQ(std::vector(args.logit_rows.begin(), args.logit_rows.end()), (std::vector<std::int32_t>{19, 24}));
    EXPECT_EQ(args.max_blocks, 2);
    ASSERT_EQ(args.sampling.size(), 2U);
    EXPECT_EQ(args.sampling[1].logit_row, 1);
    for (std::size_t sequence = 0; sequence < 2; ++sequence)
        for (auto row = static_cast<std::size_t>(args.query_starts[sequence]);
             row < static_cast<std::size_t>(args.query_starts[sequence + 1]); ++row) {
            const auto position = static_cast<std::size_t>(args.positions[row]);
            const std::int32_t block = args.block_tables[sequence * 2 + position / 16];
            EXPECT_GT(block, 0);
            EXPECT_EQ(args.slots[row], block * 16 + static_cast<std::int32_t>(position % 16));
            EXPECT_EQ(args.tokens[row], sequence == 0 ? 10 : 20);
        }
}

} // namespace
} // namespace vitrine::engine
