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

TEST(SlowReason, SaysWhyNoGpuIsUsed) {
    Snapshot snapshot = busy(1, 0);
    auto model = std::make_shared<LoadedModel>(*snapshot.model);
    model->device_reason = "the driver is too old";
    snapshot.model = model;
    EXPECT_EQ(slow_reason(snapshot, {}).text, "The CPU computes: the driver is too old.");
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
