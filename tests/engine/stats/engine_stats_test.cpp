// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: totals are sums over step records, rates follow the window.
#include "engine/stats/engine_stats.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

StepRecord verify_step() {
    StepRecord record;
    record.prefill_tokens = 16;
    record.prefill_seqs = 1;
    record.decode_rows = 3;
    record.verify_seqs = 2;
    record.draft_rows = 4;
    record.recomputed_tokens = 5;
    record.blocks_used = 7;
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
    EngineStats stats(clock.now(), {});
    for (int i = 0; i < 3; ++i) {
        clock.advance(std::chrono::seconds(1));
        stats.on_step(verify_step(), clock.now());
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
    EXPECT_DOUBLE_EQ(rates.drafts_per_step, 2);
    EXPECT_EQ(counters.phase_us, (std::array<std::uint64_t, 5>{0, 30, 210, 30, 30}));
    EXPECT_EQ(stats.peak_active_blocks(), 7);
    const SlowFacts facts = stats.slow_facts(clock.now());
    EXPECT_EQ(facts.preemptions, 3);
    EXPECT_DOUBLE_EQ(facts.overhead_share, 0.2);
    EXPECT_DOUBLE_EQ(facts.prefill_share, 16.0 / 23);
}

Finished finished_after(std::chrono::milliseconds first, std::chrono::milliseconds decode, int output) {
    Finished finished;
    finished.usage.prompt_tokens = 30;
    finished.usage.output_tokens = output;
    finished.timings.queued = std::chrono::milliseconds(50);
    finished.timings.first_token = first;
    finished.timings.prefill = first - std::chrono::milliseconds(50);
    finished.timings.decode = decode;
    finished.timings.total = first + decode;
    return finished;
}

TEST(EngineStats, CutShortRequestsAreCensoredAndNotLeftOut) {
    testing::ManualClock clock;
    EngineStats stats(clock.now(), {});
    const auto now = clock.now();
    stats.on_first_token(std::chrono::milliseconds(200));
    stats.on_first_token(std::chrono::milliseconds(100));
    EXPECT_DOUBLE_EQ(stats.rates(now).ttft_s[0], 0.1); // rank 1 of .1, .2: known while the answers run
    stats.on_finished(finished_after(std::chrono::milliseconds(200), std::chrono::milliseconds(1800), 10),
        SequenceState::decode, now);
    Finished cut = finished_after(std::chrono::milliseconds(100), std::chrono::milliseconds(1), 1);
    cut.reason = FinishReason::cancelled;
    stats.on_finished(cut, SequenceState::decode, now);
    Finished waiting;
    waiting.reason = FinishReason::cancelled;
    stats.on_finished(waiting, SequenceState::waiting, now);
    const Rates rates = stats.rates(clock.now());
    EXPECT_DOUBLE_EQ(rates.e2e_s[0], std::numeric_limits<double>::infinity()); // rank 2 of 2, inf, inf
    EXPECT_EQ(rates.num_e2e, 3);
    EXPECT_EQ(rates.num_censored, 2);
    EXPECT_DOUBLE_EQ(rates.ttft_s[0], 0.2); // rank 2 of .1, .2, inf
    EXPECT_DOUBLE_EQ(rates.ttft_s[2], std::numeric_limits<double>::infinity());
    EXPECT_EQ(rates.num_tpot, 1);
    EXPECT_DOUBLE_EQ(rates.tpot_s[0], 0.2);
    EXPECT_EQ(rates.num_queue, 1);
    const Counters counters = stats.counters({});
    EXPECT_EQ(counters.finished[static_cast<std::size_t>(FinishReason::stop)], 1U);
    EXPECT_EQ(counters.finished[static_cast<std::size_t>(FinishReason::cancelled)], 2U);
    EXPECT_EQ(counters.cancelled[static_cast<std::size_t>(SequenceState::decode)], 1U);
    EXPECT_EQ(counters.cancelled[static_cast<std::size_t>(SequenceState::waiting)], 1U);
    EXPECT_DOUBLE_EQ(stats.mean_output_tokens(), 10);
    const KvCacheManager kv({.num_blocks = 1, .hash = {}, .prefix_cache = true, .clock = &clock});
    const Histograms histograms = stats.histograms(kv.pool());
    EXPECT_EQ(histograms.e2e_s.count, 1U); // as many as ended by themselves
    EXPECT_DOUBLE_EQ(histograms.e2e_s.sum, 2);
    EXPECT_DOUBLE_EQ(histograms.inference_s.sum, 1.95);
}

TEST(EngineStats, GoodputCountsWhoMetEveryObjective) {
    testing::ManualClock clock;
    EngineStats stats(clock.now(), {.ttft_s = 0.3, .tpot_s = 0.1});
    clock.advance(std::chrono::seconds(4));
    using std::chrono::milliseconds;
    const auto now = clock.now();
    stats.on_finished(finished_after(milliseconds(300), milliseconds(100), 2), SequenceState::decode, now); // met, just
    stats.on_finished(finished_after(milliseconds(301), milliseconds(100), 2), SequenceState::decode, now);
    stats.on_finished(finished_after(milliseconds(100), milliseconds(201), 3), SequenceState::decode, now);
    stats.on_finished(finished_after(milliseconds(100), milliseconds(0), 1), SequenceState::decode, now); // no TPOT
    EXPECT_EQ(stats.counters({}).slo_met, 2U);
    EXPECT_DOUBLE_EQ(stats.rates(now).goodput_60s, 0.5);
}

TEST(EngineStats, ABoundBelongsToItsBucket) {
    Histogram histogram(kTokenGapBuckets);
    for (const double value : {0.0, 0.01, 0.0100001, 80.0, 81.0})
        histogram.observe(value);
    EXPECT_EQ(histogram.counts.front(), 2U);
    EXPECT_EQ(histogram.counts[1], 1U);
    EXPECT_EQ(histogram.counts[std::size(kTokenGapBuckets) - 1], 1U);
    EXPECT_EQ(histogram.counts.back(), 1U);
    EXPECT_EQ(histogram.count, 5U);
}

TEST(EngineStats, TokensOfOneStepAreOneGapAndZeros) {
    testing::ManualClock clock;
    EngineStats stats(clock.now(), {});
    stats.on_token_gap(std::chrono::milliseconds(60), 3);
    const Rates rates = stats.rates(clock.now());
    EXPECT_DOUBLE_EQ(rates.itl_s[0], 0);
    EXPECT_DOUBLE_EQ(rates.itl_s[2], 0.06);
}

} // namespace
} // namespace vitrine::engine
