// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: totals are sums over step records, rates follow the window.
#include "engine/stats/engine_stats.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

StepRecord verify_step() {
    StepRecord record;
    record.prefill_tokens = 16;
    record.prefill_seqs = 1;
    record.decode_rows = 3;
    record.draft_rows = 4;
    record.accepted = 3;
    record.accepted_per_position[0] = 2;
    record.accepted_per_position[1] = 1;
    record.emitted = 6;
    record.prefix_queries = 40;
    record.prefix_hits = 24;
    record.blocks_evicted = 2;
    record.preempted = 1;
    record.schedule_us = 10;
    record.forward_us = 70;
    record.sample_us = 10;
    record.commit_us = 10;
    return record;
}

TEST(EngineStats, TotalsAreSumsOverRecords) {
    testing::ManualClock clock;
    EngineStats stats(clock.now());
    for (int i = 0; i < 3; ++i) {
        clock.advance(std::chrono::seconds(1));
        stats.on_step(verify_step(), {.recomputed_tokens = 5, .verify_seqs = 2}, clock.now());
    }
    KvCounters kv;
    kv.missed[static_cast<std::size_t>(MissReason::partial)] = 48;
    const Counters counters = stats.counters(kv);
    EXPECT_EQ(counters.steps, 3U);
    EXPECT_EQ(counters.prompt_tokens, 48U);
    EXPECT_EQ(counters.generation_tokens, 18U);
    EXPECT_EQ(counters.prefix_queries, 120U);
    EXPECT_EQ(counters.prefix_hits, 72U);
    EXPECT_EQ(counters.recomputed_tokens, 15U);
    EXPECT_EQ(counters.drafts, 6U);
    EXPECT_EQ(counters.draft_tokens, 12U);
    EXPECT_EQ(counters.accepted_tokens, 9U);
    EXPECT_EQ(counters.accepted_per_position[0], 6U);
    EXPECT_EQ(counters.miss_tokens.at("partial"), 48U);
    const Rates rates = stats.rates(clock.now());
    EXPECT_DOUBLE_EQ(rates.prefill_tokens_per_s, 16);
    EXPECT_DOUBLE_EQ(rates.decode_tokens_per_s, 6);
    EXPECT_DOUBLE_EQ(rates.prefix_hit_rate, 0.6);
    EXPECT_DOUBLE_EQ(rates.accepted_per_step, 1.5);
    EXPECT_DOUBLE_EQ(rates.mean_batch, 4);
    const SlowFacts facts = stats.slow_facts(clock.now());
    EXPECT_EQ(facts.preemptions, 3);
    EXPECT_DOUBLE_EQ(facts.overhead_share, 0.2);
    EXPECT_DOUBLE_EQ(facts.prefill_share, 16.0 / 23);
}

TEST(EngineStats, CutShortRequestsDoNotFlatterTheLatencies) {
    testing::ManualClock clock;
    EngineStats stats(clock.now());
    Finished finished;
    finished.usage.output_tokens = 10;
    finished.timings.first_token = std::chrono::milliseconds(200);
    finished.timings.total = std::chrono::seconds(2);
    stats.on_finished(finished);
    finished.reason = FinishReason::cancelled;
    finished.timings.total = std::chrono::milliseconds(1);
    stats.on_finished(finished);
    const Rates rates = stats.rates(clock.now());
    EXPECT_DOUBLE_EQ(rates.e2e_s[0], 2);
    EXPECT_DOUBLE_EQ(rates.ttft_s[0], 0.2);
    EXPECT_EQ(rates.num_latency_samples, 1);
    const Counters counters = stats.counters({});
    EXPECT_EQ(counters.finished[static_cast<std::size_t>(FinishReason::stop)], 1U);
    EXPECT_EQ(counters.finished[static_cast<std::size_t>(FinishReason::cancelled)], 1U);
    EXPECT_DOUBLE_EQ(stats.mean_output_tokens(), 10);
}

TEST(EngineStats, TokensOfOneStepAreOneGapAndZeros) {
    testing::ManualClock clock;
    EngineStats stats(clock.now());
    stats.on_token_gap(std::chrono::milliseconds(60), 3);
    const Rates rates = stats.rates(clock.now());
    EXPECT_DOUBLE_EQ(rates.itl_s[0], 0);
    EXPECT_DOUBLE_EQ(rates.itl_s[2], 0.06);
}

} // namespace
} // namespace vitrine::engine
