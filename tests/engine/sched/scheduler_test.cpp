// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the scheduler's rules one by one (engine.md 2).
#include "engine/sched/scheduler.h"

#include <numeric>

#include "tests/engine/sched/step_driver.h"

namespace vitrine::engine {
namespace {

SchedulerConfig small_config() {
    SchedulerConfig config;
    config.max_batch_tokens = 32;
    config.prefill_chunk = 16;
    config.max_seqs = 4;
    config.context = 200;
    config.free_share = 0;
    return config;
}

std::vector<TokenId> prompt_of(int length, int seed) {
    std::vector<TokenId> prompt(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i)
        prompt[static_cast<std::size_t>(i)] = (seed * 7 + i * (seed % 5 + 1)) % StepDriver::kVocab;
    return prompt;
}

TEST(SchedulerConfig, NeedsABudgetThatDecodingCannotEat) {
    SchedulerConfig config = small_config();
    config.max_gamma = 3;
    config.max_batch_tokens = 4 * 4 + 4 - 1;
    const Result<void> refused = check_config(config, 4);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("19"), std::string::npos);
    EXPECT_NE(refused.error().message.find("20"), std::string::npos);
    config.max_batch_tokens = 20;
    EXPECT_TRUE(check_config(config, 4).has_value());
    config.chunked_prefill = false;
    EXPECT_FALSE(check_config(config, 4).has_value()) << "a whole prompt does not fit the budget";
}

TEST(Scheduler, PrefillsInChunksThenDecodes) {
    StepDriver driver({.config = small_config()});
    const SequenceId id = driver.add(prompt_of(40, 1), 3);
    std::vector<int> counts;
    std::vector<bool> samples;
    while (driver.step()) {
        counts.push_back(driver.plan.plans.front().count);
        samples.push_back(driver.plan.plans.front().samples);
    }
    EXPECT_EQ(counts, (std::vector<int>{16, 16, 8, 1, 1}));
    EXPECT_EQ(samples, (std::vector<bool>{false, false, true, true, true}));
    EXPECT_EQ(driver.outputs.at(id).size(), 3U);
    driver.expect_solo_outputs();
}

TEST(Scheduler, ChunkingOffRunsAPromptInOnePiece) {
    SchedulerConfig config = small_config();
    config.chunked_prefill = false;
    config.max_batch_tokens = 204;
    StepDriver driver({.config = config});
    driver.add(prompt_of(100, 1), 2);
    driver.add(prompt_of(120, 2), 2);
    driver.step();
    ASSERT_EQ(driver.plan.plans.size(), 1U); // 100 + 120 exceed the budget
    EXPECT_EQ(driver.plan.plans[0].count, 100);
    driver.step();
    ASSERT_EQ(driver.plan.plans.size(), 2U);
    EXPECT_EQ(driver.plan.plans[1].count, 120);
    driver.run_to_end();
    driver.expect_solo_outputs();
}

TEST(Scheduler, RefusesWhatCanNeverFitWithBothNumbers) {
    StepDriver driver({.config = small_config(), .num_blocks = 10});
    const Result<void> context = driver.scheduler.check_fit(200, 1);
    ASSERT_FALSE(context.has_value());
    EXPECT_EQ(context.error().code, ErrorCode::context_length);
    EXPECT_NE(context.error().message.find("200 tokens and the context 200"), std::string::npos);
    const Result<void> blocks = driver.scheduler.check_fit(30, 11);
    ASSERT_FALSE(blocks.has_value());
    EXPECT_EQ(blocks.error().code, ErrorCode::out_of_memory);
    EXPECT_NE(blocks.error().message.find("11 KV blocks"), std::string::npos);
    EXPECT_NE(blocks.error().message.find("has 10"), std::string::npos);
    EXPECT_TRUE(driver.scheduler.check_fit(30, 10).has_value());
    EXPECT_EQ(driver.add(prompt_of(50, 1), 4), SequenceId{});
    EXPECT_FALSE(driver.scheduler.has_work());
}

TEST(Scheduler, WithoutOutputAFullContextIsAllowed) {
    StepDriver driver({.config = small_config()});
    EXPECT_TRUE(driver.scheduler.check_fit(200, 0).has_value());
    EXPECT_FALSE(driver.scheduler.check_fit(201, 0).has_value());
}

TEST(Scheduler, PreemptsTheYoungestAndLosesNothing) {
    StepDriver driver({.config = small_config(), .num_blocks = 12, .prefix_cache = false});
    const SequenceId old = driver.add(prompt_of(14, 1), 20);
    const SequenceId young = driver.add(prompt_of(14, 2), 20);
    driver.run_to_end();
    EXPECT_GT(driver.preemptions, 0);
    EXPECT_EQ(driver.outputs.size(), 2U);
    EXPECT_EQ(driver.outputs.at(old).size(), 20U);
    EXPECT_EQ(driver.outputs.at(young).size(), 20U);
    driver.expect_solo_outputs();
    EXPECT_EQ(driver.kv().counts().active, 0);
}

TEST(Scheduler, ResumeHitsItsOwnPrefix) {
    StepDriver driver({.config = small_config(), .num_blocks = 12});
    driver.add(prompt_of(14, 1), 20);
    driver.add(prompt_of(14, 2), 20);
    driver.run_to_end();
    EXPECT_GT(driver.preemptions, 0);
    EXPECT_GT(driver.kv().counters().resumed_queries, 0U);
    EXPECT_EQ(driver.kv().counters().queries, 28U) << "a resume is counted apart";
    driver.expect_solo_outputs();
}

TEST(Scheduler, HigherPriorityGoesFirstAndIsNotTheVictim) {
    SchedulerConfig config = small_config();
    config.max_seqs = 1;
    config.raise_after = std::chrono::seconds(0);
    StepDriver driver({.config = config});
    driver.add(prompt_of(8, 1), 2);
    driver.step();
    const SequenceId low = driver.add(prompt_of(8, 2), 2);
    const SequenceId high = driver.add(prompt_of(8, 3), 2, 5);
    const std::vector<Sequence*> waiting = driver.scheduler.waiting();
    ASSERT_EQ(waiting.size(), 2U);
    EXPECT_EQ(waiting[0]->id(), high);
    EXPECT_EQ(waiting[1]->id(), low);
    driver.run_to_end();
    EXPECT_EQ(driver.outputs.size(), 3U);
}

TEST(Scheduler, WaitingRaisesALowPriority) {
    SchedulerConfig config = small_config();
    config.max_seqs = 1;
    StepDriver driver({.config = config});
    driver.add(prompt_of(8, 1), 100);
    driver.step();
    const SequenceId low = driver.add(prompt_of(8, 2), 2, 0);
    driver.clock.advance(std::chrono::seconds(11));
    const SequenceId high = driver.add(prompt_of(8, 3), 2, 1);
    EXPECT_EQ(driver.scheduler.waiting().front()->id(), low); // 0 + 2 levels against 1
    EXPECT_EQ(driver.scheduler.waiting().back()->id(), high);
}

// The window's chats stand 12 levels above the endpoint's requests (EngineClient::kChatPriority).
TEST(Scheduler, AnEndlessStreamOfChatsHoldsARequestUpForAMinute) {
    SchedulerConfig config = small_config();
    config.max_seqs = 1;
    StepDriver driver({.config = config});
    driver.add(prompt_of(8, 1), 1, 12);
    const SequenceId request = driver.add(prompt_of(8, 2), 1);
    const TimePoint start = driver.clock.now();
    for (int step = 0; step < 4000 && !driver.outputs.contains(request); ++step) {
        if (driver.scheduler.num_waiting() < 3)
            driver.add(prompt_of(4, step + 3), 1, 12);
        driver.step();
    }
    ASSERT_TRUE(driver.outputs.contains(request)) << "starved";
    EXPECT_GT(driver.clock.now() - start, std::chrono::seconds(55));
    EXPECT_LT(driver.clock.now() - start, std::chrono::seconds(70));
}

TEST(Scheduler, OneLongPrefillAtATimeAndShortOnesPass) {
    StepDriver driver({.config = small_config()});
    const SequenceId first = driver.add(prompt_of(60, 1), 2);
    const SequenceId second = driver.add(prompt_of(61, 2), 2);
    const SequenceId brief = driver.add(prompt_of(6, 3), 2);
    driver.step();
    std::vector<SequenceId> planned;
    for (const SequencePlan& one : driver.plan.plans)
        planned.push_back(one.id);
    EXPECT_EQ(planned, (std::vector<SequenceId>{first, brief}));
    driver.run_to_end();
    EXPECT_EQ(driver.outputs.at(second).size(), 2U);
    driver.expect_solo_outputs();
}

TEST(Scheduler, AStreamOfShortOnesPassesALongOneOnlySoOften) {
    SchedulerConfig config = small_config();
    config.max_passes = 3;
    config.prefill_chunk = 8;
    StepDriver driver({.config = config, .num_blocks = 200});
    driver.add(prompt_of(150, 1), 2);
    const SequenceId second = driver.add(prompt_of(150, 2), 2);
    int admitted = 0;
    for (int step = 0; step < 12; ++step) {
        driver.add(prompt_of(4, step + 3), 1);
        driver.step();
        admitted += static_cast<int>(driver.plan.plans.size()) - 1;
    }
    EXPECT_EQ(admitted, 3);
    EXPECT_EQ(driver.scheduler.find(second)->state(), SequenceState::waiting);
    driver.run_to_end();
    driver.expect_solo_outputs();
}

TEST(Scheduler, EqualPromptsWaitForTheFirstAndHit) {
    StepDriver driver({.config = small_config()});
    const std::vector<TokenId> prompt = prompt_of(30, 1);
    for (int i = 0; i < 3; ++i)
        driver.add(prompt, 4);
    driver.step();
    EXPECT_EQ(driver.plan.plans.size(), 1U);
    driver.run_to_end();
    EXPECT_EQ(driver.kv().counters().queries, 90U);
    EXPECT_EQ(driver.kv().counters().hits, 56U); // 28 of 30 tokens, twice
    driver.expect_solo_outputs();
}

TEST(Scheduler, ChoicesShareOnePrefill) {
    StepDriver driver({.config = small_config()});
    const std::vector<TokenId> prompt = prompt_of(30, 1);
    const SequenceId leader = driver.add(prompt, 6);
    driver.add(prompt, 6, 0, leader);
    driver.add(prompt, 6, 0, leader);
    int prefill_tokens = 0;
    int copies = 0;
    while (driver.step()) {
        prefill_tokens += driver.plan.prefill_tokens;
        copies += static_cast<int>(driver.plan.copies.size());
    }
    EXPECT_EQ(prefill_tokens, 30 + 2); // the last prompt token once more for each further choice
    EXPECT_EQ(copies, 2);
    EXPECT_EQ(driver.outputs.size(), 3U);
    driver.expect_solo_outputs();
}

TEST(Scheduler, CancelReleasesOnceInEveryState) {
    StepDriver driver({.config = small_config(), .num_blocks = 60});
    const SequenceId decoding = driver.add(prompt_of(8, 1), 20);
    driver.step();
    const SequenceId prefilling = driver.add(prompt_of(40, 2), 20);
    driver.step();
    const SequenceId waiting = driver.add(prompt_of(60, 3), 20);
    for (const SequenceId id : {waiting, prefilling, decoding}) {
        driver.cancel(id);
        EXPECT_EQ(driver.scheduler.finish(id), nullptr) << "a second end has no effect";
    }
    EXPECT_FALSE(driver.scheduler.has_work());
    EXPECT_EQ(driver.kv().counts().active, 0);
}

TEST(Scheduler, DropsTheResultOfASequenceThatWasCancelledMeanwhile) {
    testing::ManualClock clock;
    KvCacheManager kv(
        {.num_blocks = 8, .hash = {.model = "m", .kv_type = "f16", .block_tokens = 4, .rope = "", .seed = {}}});
    Scheduler scheduler(small_config(), kv, clock);
    SequenceSpec spec;
    spec.id = SequenceId{1};
    spec.prompt = {1, 2, 3, 4, 5};
    spec.max_output = 4;
    ASSERT_TRUE(scheduler.add(std::make_unique<Sequence>(std::move(spec))).has_value());
    const ScheduleOutput plan = scheduler.schedule();
    ASSERT_EQ(plan.plans.size(), 1U);
    ASSERT_NE(scheduler.finish(SequenceId{1}), nullptr);
    const TokenId token = 9;
    const StepOutcome outcome{.kept = std::span(&token, 1), .num_accepted = 0};
    scheduler.commit(plan, std::span(&outcome, 1));
    scheduler.check_invariants();
    EXPECT_EQ(kv.counts().cached, 0) << "nothing of an unfinished step may be entered";
}

TEST(Scheduler, StaticPolicyHoldsABatchUntilItsLongestEnds) {
    SchedulerConfig config = small_config();
    config.policy = BatchPolicy::fixed;
    StepDriver driver({.config = config});
    driver.add(prompt_of(6, 1), 2);
    driver.add(prompt_of(6, 2), 6);
    driver.step();
    const SequenceId late = driver.add(prompt_of(6, 3), 2);
    driver.step();
    EXPECT_EQ(driver.scheduler.num_running(), 1);
    EXPECT_EQ(driver.kv().counts().active, 4) << "the ended one is padding";
    EXPECT_EQ(driver.scheduler.find(late)->state(), SequenceState::waiting);
    driver.run_to_end();
    EXPECT_EQ(driver.outputs.size(), 3U);
    driver.expect_solo_outputs();
}

TEST(Scheduler, BlockMapNamesTheOldestOwnerAndTheTokens) {
    StepDriver driver({.config = small_config()});
    const std::vector<TokenId> prompt = prompt_of(10, 1);
    const SequenceId leader = driver.add(prompt, 6);
    driver.add(prompt, 6, 0, leader);
    driver.step();
    driver.step();
    const std::vector<BlockStatus> map = driver.scheduler.block_map();
    EXPECT_EQ(map[0].state, BlockState::active);
    EXPECT_EQ(map[0].references, 2);
    EXPECT_EQ(map[0].owner, static_cast<std::uint32_t>(leader));
    EXPECT_EQ(map.back().state, BlockState::free);
    EXPECT_EQ(driver.scheduler.block_tokens(BlockId{1}), std::vector<TokenId>(prompt.begin(), prompt.begin() + 4));
    EXPECT_TRUE(driver.scheduler.block_tokens(BlockId{60}).empty());
}

} // namespace
} // namespace vitrine::engine
