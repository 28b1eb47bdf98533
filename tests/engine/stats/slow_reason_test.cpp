// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the strongest cause comes first.
#include "engine/stats/slow_reason.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

Snapshot busy(int decoding, int waiting) {
    Snapshot snapshot;
    auto model = std::make_shared<LoadedModel>();
    model->config.max_seqs = 8;
    snapshot.model = model;
    snapshot.running = decoding;
    snapshot.waiting = waiting;
    snapshot.blocks = {.total = 100, .free = 90, .cached = 0, .active = 10, .shared = 0};
    snapshot.sequences.resize(static_cast<std::size_t>(decoding));
    for (SequenceStatus& sequence : snapshot.sequences)
        sequence.state = SequenceState::decode;
    snapshot.rates.decode_tokens_per_s = 40;
    return snapshot;
}

TEST(SlowReason, IsEmptyWhenNothingRunsOrNothingSlows) {
    EXPECT_EQ(slow_reason(Snapshot{}, {}).text, "");
    EXPECT_EQ(slow_reason(busy(1, 0), {}).text, "");
}

TEST(SlowReason, NamesTheCauseWithItsNumbers) {
    EXPECT_EQ(slow_reason(busy(8, 3), {.preemptions = 2}).text,
        "The KV cache is too small: 2 preemptions in the last 10 s, whose tokens are computed again.");
    EXPECT_EQ(slow_reason(busy(8, 3), {}).text, "3 requests wait: all 8 places are taken.");
    EXPECT_EQ(slow_reason(busy(8, 3), {}).cause, SlowCause::places);
    EXPECT_EQ(slow_reason(busy(8, 3), {.preemptions = 2}).cause, SlowCause::preemption);
    Snapshot full = busy(2, 1);
    full.blocks = {.total = 100, .free = 4, .cached = 6, .active = 90, .shared = 0};
    EXPECT_EQ(slow_reason(full, {}).text, "1 request waits for KV blocks: 10 of 100 are free.");
    Snapshot reading = busy(2, 0);
    reading.running = 3;
    reading.sequences.push_back({});
    reading.sequences.back().state = SequenceState::prefill;
    reading.sequences.back().prompt_tokens = 5000;
    reading.sequences.back().computed_tokens = 800;
    EXPECT_EQ(slow_reason(reading, {.prefill_share = 0.9}).text,
        "A prompt is read beside 2 answers: 4,200 prompt tokens are left.");
    EXPECT_EQ(slow_reason(busy(2, 0), {.overhead_share = 0.4}).text, "40 % of each step is spent outside the model.");
    EXPECT_EQ(slow_reason(busy(5, 0), {}).text, "5 answers share 40 tokens per second: about 8.0 each.");
}

TEST(SlowReason, SaysThatAPromptIsReadAgainWhenTheCacheHeldItBefore) {
    Snapshot snapshot = busy(2, 0);
    SequenceStatus reading;
    reading.state = SequenceState::prefill;
    reading.prompt_tokens = 2'000;
    PrefixMiss miss;
    miss.reason = MissReason::evicted;
    miss.missed_tokens = 1'500;
    miss.prompt_tokens = 2'000;
    miss.evicted_ago = std::chrono::seconds(3);
    reading.miss = std::make_shared<const PrefixMiss>(miss);
    snapshot.sequences.push_back(reading);
    const SlowReason reason = slow_reason(snapshot, {.prefill_share = 0.9});
    EXPECT_EQ(reason.cause, SlowCause::missed_prefix) << "it says more than that a prompt is read";
    ASSERT_NE(reason.figures.miss, nullptr);
    EXPECT_EQ(reason.figures.miss->missed_tokens, 1'500);
    EXPECT_NE(reason.text.find("1500 of 2000 tokens were not in the cache"), std::string::npos) << reason.text;
    miss.reason = MissReason::cold; // nobody could have known it
    snapshot.sequences.back().miss = std::make_shared<const PrefixMiss>(miss);
    EXPECT_EQ(slow_reason(snapshot, {.prefill_share = 0.9}).cause, SlowCause::prefill);
    miss.reason = MissReason::diverged;
    miss.missed_tokens = 20; // read within a step
    snapshot.sequences.back().miss = std::make_shared<const PrefixMiss>(miss);
    EXPECT_NE(slow_reason(snapshot, {.prefill_share = 0.9}).cause, SlowCause::missed_prefix);
}

TEST(SlowReason, SaysWhyNoGpuIsUsed) {
    Snapshot snapshot = busy(1, 0);
    auto model = std::make_shared<LoadedModel>(*snapshot.model);
    model->device_reason = Error{ErrorCode::device, "The driver is too old.", {}, {}, {}};
    snapshot.model = model;
    EXPECT_EQ(slow_reason(snapshot, {}).text, "The CPU computes: The driver is too old.");
}

TEST(SlowReason, SaysHowManyLayersTheCpuHas) {
    Snapshot snapshot = busy(1, 0);
    auto model = std::make_shared<LoadedModel>(*snapshot.model);
    model->info.num_layers = 30;
    model->plan.devices = {DevicePlan{"cuda:0", 12}, DevicePlan{"cpu", 18}};
    snapshot.model = model;
    EXPECT_EQ(slow_reason(snapshot, {}).text, "18 of 30 layers run on the CPU, and every step waits for them.");
    EXPECT_EQ(slow_reason(snapshot, {}).cause, SlowCause::device);
}

} // namespace
} // namespace vitrine::engine
