// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the snapshot shows what the scheduler holds.
#include "engine/stats/snapshot_builder.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

class SnapshotBuilderTest : public ::testing::Test {
protected:
    static SchedulerConfig config() {
        SchedulerConfig config;
        config.max_seqs = 1;
        config.max_batch_tokens = 64;
        config.prefill_chunk = 32;
        return config;
    }
    void add(std::uint32_t id, int length) {
        SequenceSpec spec;
        spec.id = SequenceId{id};
        spec.request = RequestId{id};
        spec.label = "request " + std::to_string(id);
        spec.arrival = clock.now();
        spec.prompt.assign(static_cast<std::size_t>(length), 3);
        spec.max_output = 4;
        ASSERT_TRUE(scheduler.add(std::make_unique<Sequence>(std::move(spec))).has_value());
    }
    std::shared_ptr<const Snapshot> build() {
        return builder.build(
            {.model = nullptr, .scheduler = scheduler, .kv = kv, .stats = stats, .preparing = 2}, clock.now());
    }

    testing::ManualClock clock;
    KvCacheManager kv{{.num_blocks = 32,
        .hash = {.model = "m", .kv_type = "f16", .block_tokens = 16, .rope = "", .seed = {}},
        .prefix_cache = true,
        .clock = &clock}};
    Scheduler scheduler{config(), kv, clock};
    EngineStats stats{clock.now(), {}};
    SnapshotBuilder builder;
};

TEST_F(SnapshotBuilderTest, ListsRunningThenWaitingThenFinished) {
    add(1, 40);
    add(2, 20);
    static_cast<void>(scheduler.schedule());
    clock.advance(std::chrono::milliseconds(10));
    const auto snapshot = build();
    EXPECT_EQ(snapshot->number, 1U);
    EXPECT_EQ(snapshot->running, 1);
    EXPECT_EQ(snapshot->waiting, 1);
    EXPECT_EQ(snapshot->preparing, 2);
    ASSERT_EQ(snapshot->sequences.size(), 2U);
    EXPECT_EQ(snapshot->sequences[0].state, SequenceState::prefill);
    EXPECT_EQ(snapshot->sequences[0].computed_tokens, 32);
    EXPECT_EQ(snapshot->sequences[0].num_blocks, 2);
    EXPECT_EQ(snapshot->sequences[0].age, std::chrono::milliseconds(10));
    EXPECT_EQ(snapshot->sequences[1].state, SequenceState::waiting);
    EXPECT_EQ(snapshot->sequences[1].label, "request 2");
    ASSERT_EQ(snapshot->block_map.size(), 32U);
    EXPECT_EQ(snapshot->block_map[1].owner, 1U);
    EXPECT_EQ(snapshot->blocks.active, 2);
    EXPECT_EQ(snapshot->backlog_prefill_tokens, 8 + 20);
    EXPECT_EQ(snapshot->backlog_decode_tokens, 4 + 4);
    EXPECT_EQ(snapshot->sequences[0].miss_note, "");
    EXPECT_EQ(snapshot->slow_reason, "");

    const auto finished = scheduler.finish(SequenceId{1});
    builder.on_finished(*finished, clock.now());
    const auto later = build();
    EXPECT_EQ(later->number, 2U);
    EXPECT_EQ(later->sequences.back().state, SequenceState::finished);
    EXPECT_EQ(later->sequences.back().request, RequestId{1});
}

TEST_F(SnapshotBuilderTest, IsDueEveryFiftyMilliseconds) {
    EXPECT_TRUE(builder.due(clock.now()));
    static_cast<void>(build());
    EXPECT_FALSE(builder.due(clock.now()));
    clock.advance(std::chrono::milliseconds(49));
    EXPECT_FALSE(builder.due(clock.now()));
    clock.advance(std::chrono::milliseconds(1));
    EXPECT_TRUE(builder.due(clock.now()));
    EXPECT_EQ(builder.build_empty(1, clock.now())->number, 2U);
}

} // namespace
} // namespace vitrine::engine
