// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: measures of the toy trace by hand (engine.md 8), made traces, paging.
#include "engine/lab/policy_measures.h"

#include <gtest/gtest.h>

#include "engine/lab/paging.h"

namespace vitrine::engine {
namespace {

PolicyMeasures toy(BatchPolicy policy, double window = 0) {
    return measure_policy(toy_trace(), simulate(toy_trace(), policy), {}, window);
}

TEST(PolicyMeasures, OfTheToyTraceByHand) {
    const PolicyMeasures immediate = toy(BatchPolicy::immediate), fixed = toy(BatchPolicy::fixed),
                         continuous = toy(BatchPolicy::continuous);
    EXPECT_DOUBLE_EQ(immediate.ttft_s[0], .52);
    EXPECT_DOUBLE_EQ(fixed.ttft_s[0], .27);
    EXPECT_DOUBLE_EQ(continuous.ttft_s[0], .05);
    EXPECT_DOUBLE_EQ(immediate.e2e_s[0], .60);
    EXPECT_DOUBLE_EQ(continuous.e2e_s[0], .12);
    EXPECT_DOUBLE_EQ(continuous.e2e_s[2], .60);
    EXPECT_NEAR(continuous.tpot_s[0], .05, 1e-9); // one token a tick in all three
    EXPECT_NEAR(immediate.tpot_s[2], .05, 1e-9);
    EXPECT_NEAR(immediate.goodput_per_s, 4 / .95, 1e-6); // every request meets 1 s and 50 ms
    EXPECT_NEAR(fixed.goodput_per_s, 4 / .75, 1e-6);
    EXPECT_NEAR(continuous.goodput_per_s, 4 / .60, 1e-6);
    EXPECT_NEAR(continuous.utilization, 15.0 / 36, 1e-9);
    EXPECT_NEAR(continuous.mean_in_system, 1.667, 5e-4);
    EXPECT_NEAR(continuous.arrivals_per_s, 6.667, 5e-4);
    EXPECT_NEAR(continuous.mean_time_s, .25, 1e-9);
    EXPECT_EQ(immediate.unfinished, 0);
    // R02 waits .10 -> .60, R03 .22 -> .70, R04 .38 -> .85: 1.45 s of .95 s.
    EXPECT_NEAR(immediate.mean_queue, 1.45 / .95, 1e-9);
    EXPECT_EQ(immediate.peak_queue, 3);
}

TEST(PolicyMeasures, CountsWhatHasNotEndedAsInfinite) {
    const PolicyMeasures measures = toy(BatchPolicy::immediate, .5); // only R01 works, and ends at .6
    EXPECT_EQ(measures.requests, 4);
    EXPECT_EQ(measures.unfinished, 4);
    EXPECT_DOUBLE_EQ(measures.ttft_s[0], std::numeric_limits<double>::infinity());
    EXPECT_DOUBLE_EQ(measures.goodput_per_s, 0);
}

TEST(PolicyMeasures, LittlesLawHoldsForAnyLoad) {
    for (const double rate : {0.5, 4.0, 40.0})
        for (const auto policy : {BatchPolicy::immediate, BatchPolicy::fixed, BatchPolicy::continuous}) {
            const PolicyTrace trace = make_trace({.requests = 80, .rate_per_s = rate, .seed = 3}, toy_trace());
            const PolicyMeasures measures = measure_policy(trace, simulate(trace, policy), {});
            EXPECT_LT(measures.little_error(), 1e-6) << rate;
            EXPECT_EQ(measures.requests, 80);
        }
}

TEST(PolicyMeasures, MadeTracesRepeatAndFollowTheirMeans) {
    const LoadShape shape{.requests = 2000, .rate_per_s = 10, .prompt_mean = 100, .output_mean = 40, .seed = 9};
    const PolicyTrace trace = make_trace(shape, toy_trace()), again = make_trace(shape, toy_trace());
    double prompt = 0;
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
        EXPECT_EQ(trace.requests[i].arrival_us, again.requests[i].arrival_us);
        prompt += trace.requests[i].prompt / 2000.0;
    }
    EXPECT_NEAR(prompt, 100, 2);
    EXPECT_NEAR(static_cast<double>(trace.requests.back().arrival_us) / 1e6, 200, 15);
}

TEST(Paging, ComparesTheSameRequests) {
    // Context 1024, blocks of 16, 1 KiB a token, room for four dense places.
    const PagingQuestion question{.memory_bytes = 4 << 20, .kv_bytes_per_token = 1024, .context = 1024};
    std::vector<PagingRequest> requests(100, {.prompt = 100, .output = 28}); // 128 tokens: 8 blocks, none wasted
    const PagingComparison result = compare_paging(requests, question);
    EXPECT_EQ(result.dense.fit, 4);
    EXPECT_EQ(result.paged.fit, 32);
    EXPECT_EQ(result.dense.wasted_bytes, 100LL * (1024 - 128) * 1024);
    EXPECT_EQ(result.paged.wasted_bytes, 0);
    requests.assign(1, {.prompt = 10, .output = 7}); // 17 tokens: two blocks, 15 tokens wasted
    EXPECT_EQ(compare_paging(requests, question).paged.wasted_bytes, 15 * 1024);
    requests.assign(1, {.prompt = 1000, .output = 100}); // longer than the context
    EXPECT_EQ(compare_paging(requests, question).dense.fit, 0);
}

} // namespace
} // namespace vitrine::engine
