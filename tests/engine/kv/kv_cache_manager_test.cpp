// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: allocation order, reasons for misses and forks.  Known answers: engine.md 3.3 (published in vLLM's tests)
// and 3.4.
#include "engine/kv/kv_cache_manager.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

std::vector<int> values(std::span<const BlockId> blocks) {
    std::vector<int> result;
    for (const BlockId block : blocks)
        result.push_back(block.value);
    return result;
}

/// `shared` tokens 0, 1, 2 ..., then `own` tokens that no other request has.
std::vector<TokenId> tokens(int shared, int own, int base) {
    std::vector<TokenId> result(static_cast<std::size_t>(shared));
    std::iota(result.begin(), result.end(), 0);
    for (int i = 0; i < own; ++i)
        result.push_back(base + i);
    return result;
}

class KvCacheManagerTest : public ::testing::Test {
protected:
    explicit KvCacheManagerTest(int num_blocks = 10, std::vector<BlockGroup> groups = {BlockGroup{}})
        : kv({.num_blocks = num_blocks,
              .hash = {.model = "m", .kv_type = "f16", .block_tokens = 16, .rope = "", .seed = {}},
              .prefix_cache = true,
              .clock = &clock,
              .groups = std::move(groups)}) {}
    /// Look up, admit the whole prompt, and enter what is full.
    BlockTable run(const std::vector<TokenId>& prompt) {
        BlockTable table;
        last = kv.look_up(prompt, {}, true);
        EXPECT_TRUE(kv.admit(table, last, static_cast<int>(prompt.size()), false).has_value());
        kv.enter_full_blocks(table, prompt, static_cast<int>(prompt.size()), {});
        return table;
    }
    int missed(MissReason reason) const { return last.missed[static_cast<std::size_t>(reason)]; }

    testing::ManualClock clock;
    KvCacheManager kv;
    PrefixMatch last;
};

TEST_F(KvCacheManagerTest, FollowsTheKnownAnswerRun) {
    BlockTable r0 = run(tokens(48, 7, 1000));
    EXPECT_EQ(values(r0.groups[0].blocks), (std::vector<int>{1, 2, 3, 4}));
    BlockTable r1 = run(tokens(48, 5, 2000));
    EXPECT_EQ(values(r1.groups[0].blocks), (std::vector<int>{1, 2, 3, 5}));
    for (const int shared : {1, 2, 3})
        EXPECT_EQ(kv.pool().block(BlockId{shared}).ref_count, 2);
    EXPECT_EQ(kv.counts().free, 5);
    kv.release(r0);
    kv.release(r1);
    EXPECT_EQ(values(kv.pool().free_list()), (std::vector<int>{5, 4, 6, 7, 8, 9, 10, 3, 2, 1}));
    BlockTable r2 = run(tokens(48, 5, 2000));
    EXPECT_EQ(values(r2.groups[0].blocks), (std::vector<int>{1, 2, 3, 5}));
    kv.release(r2);
    BlockTable r3 = run(tokens(0, 160, 5000));
    EXPECT_EQ(values(r3.groups[0].blocks), (std::vector<int>{5, 4, 6, 7, 8, 9, 10, 3, 2, 1}));
    EXPECT_EQ(kv.counters().blocks_evicted, 3U);
    kv.release(r3);
}

TEST_F(KvCacheManagerTest, ExplainsADivergedPrompt) {
    BlockTable first = run(tokens(48, 0, 0));
    BlockTable other = run(tokens(40, 15, 900));
    EXPECT_EQ(last.hit_tokens, 32);
    EXPECT_EQ(missed(MissReason::diverged), 16);
    EXPECT_EQ(missed(MissReason::partial), 7);
    ASSERT_TRUE(last.divergence.has_value());
    EXPECT_EQ(last.divergence->position, 40);
    EXPECT_EQ(last.divergence->expected, 40);
    EXPECT_EQ(last.divergence->got, 900);
    kv.release(first);
    kv.release(other);
}

TEST_F(KvCacheManagerTest, RecomputesTheLastBlockOfAFullHit) {
    BlockTable first = run(tokens(48, 0, 0));
    BlockTable same = run(tokens(48, 0, 0));
    EXPECT_EQ(last.hit_tokens, 32);
    EXPECT_EQ(missed(MissReason::last_block), 16);
    BlockTable longer = run(tokens(48, 1, 700));
    EXPECT_EQ(last.hit_tokens, 48);
    EXPECT_EQ(missed(MissReason::partial), 1);
    for (BlockTable* table : {&first, &same, &longer})
        kv.release(*table);
    EXPECT_EQ(kv.counts().active, 0);
}

TEST_F(KvCacheManagerTest, CountsTokensAndAddsUp) {
    BlockTable a = run(tokens(48, 0, 0));
    BlockTable b = run(tokens(48, 1, 5));
    const KvCounters& counters = kv.counters();
    EXPECT_EQ(counters.queries, 97U);
    EXPECT_EQ(counters.hits, 48U);
    EXPECT_EQ(counters.hits + std::accumulate(counters.missed.begin(), counters.missed.end(), std::uint64_t{0}),
        counters.queries);
    kv.release(a);
    kv.release(b);
}

TEST_F(KvCacheManagerTest, SwitchedOffLookUpIsDisabledNotCold) {
    BlockTable first = run(tokens(48, 0, 0));
    const PrefixMatch match = kv.look_up(tokens(48, 0, 0), {}, false);
    EXPECT_EQ(match.hit_tokens, 0);
    EXPECT_EQ(match.missed[static_cast<int>(MissReason::disabled)], 48);
    kv.release(first);
}

TEST_F(KvCacheManagerTest, TouchesTheHitBeforeItPops) {
    BlockTable first = run(tokens(48, 0, 0)); // 1, 2, 3
    BlockTable other = run(tokens(0, 112, 500));
    kv.release(first); // the free list is 3, 2, 1, all cached
    BlockTable again;
    const std::vector<TokenId> prompt = tokens(33, 0, 0); // hits 1 and 2, needs one more: must take 3, not them
    const PrefixMatch match = kv.look_up(prompt, {}, true);
    ASSERT_EQ(match.hit_tokens, 32);
    EXPECT_EQ(kv.num_available(&match), 1);
    ASSERT_TRUE(kv.admit(again, match, 33, false).has_value());
    EXPECT_EQ(values(again.groups[0].blocks), (std::vector<int>{1, 2, 3}));
    kv.release(again);
    kv.release(other);
}

TEST_F(KvCacheManagerTest, RefusesAnAdmissionWithoutChangingAnything) {
    BlockTable first = run(tokens(48, 0, 0));
    BlockTable table;
    const std::vector<TokenId> prompt = tokens(48, 150, 900);
    const PrefixMatch match = kv.look_up(prompt, {}, true);
    const auto refused = kv.admit(table, match, 198, false);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::out_of_blocks);
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(kv.pool().block(BlockId{1}).ref_count, 1);
    kv.release(first);
}

TEST_F(KvCacheManagerTest, ForkSharesFullBlocksAndCopiesThePartialOne) {
    const std::vector<TokenId> prompt = tokens(40, 0, 0);
    BlockTable leader = run(prompt); // 1, 2, 3
    BlockTable choice;
    const auto copy = kv.fork(choice, leader, 39, 40);
    ASSERT_TRUE(copy.has_value());
    ASSERT_EQ(copy->size(), 1U);
    EXPECT_EQ(copy->front().source, 3);
    EXPECT_EQ(copy->front().target, 4);
    EXPECT_EQ(values(choice.groups[0].blocks), (std::vector<int>{1, 2, 4}));
    EXPECT_EQ(choice.num_hashed, 2);
    EXPECT_EQ(choice.tip_content, leader.tip_content);
    const BlockTable* tables[] = {&leader, &choice};
    kv.check_invariants(tables);
    kv.release(choice);
    kv.release(leader);
}

TEST_F(KvCacheManagerTest, ForkOfAFullLastBlockTakesAWritableOne) {
    const std::vector<TokenId> prompt = tokens(32, 0, 0);
    BlockTable leader = run(prompt); // 1, 2, both full and hashed
    BlockTable choice;
    const auto copy = kv.fork(choice, leader, 31, 32);
    ASSERT_TRUE(copy.has_value() && copy->size() == 1);
    EXPECT_EQ(values(choice.groups[0].blocks), (std::vector<int>{1, 3}));
    EXPECT_EQ(choice.num_hashed, 1);
    kv.enter_full_blocks(choice, prompt, 32, {}); // block 3 becomes a twin of block 2
    EXPECT_EQ(choice.tip_content, leader.tip_content);
    kv.release(choice);
    kv.release(leader);
}

TEST_F(KvCacheManagerTest, ResetForgetsOnlyIdleBlocks) {
    BlockTable kept = run(tokens(32, 0, 0));
    BlockTable gone = run(tokens(0, 32, 400));
    kv.release(gone);
    EXPECT_EQ(kv.counts().cached, 2);
    kv.reset_prefix_cache();
    EXPECT_EQ(kv.counts().cached, 0);
    EXPECT_EQ(kv.look_up(tokens(33, 0, 0), {}, true).hit_tokens, 32);
    EXPECT_EQ(kv.look_up(tokens(0, 33, 400), {}, true).hit_tokens, 0);
    kv.release(kept);
}

/// One group that sees everything and two with a window of two blocks.
class GroupedKvCacheTest : public KvCacheManagerTest {
protected:
    GroupedKvCacheTest() : KvCacheManagerTest(20, {{0, 1}, {32, 1}, {32, 1}}) {}
    void check(const std::vector<const BlockTable*>& tables) { kv.check_invariants(tables); }
};

TEST_F(GroupedKvCacheTest, FollowsTheKnownAnswerRun) {
    BlockTable r0 = run(tokens(48, 7, 1000));
    EXPECT_EQ(values(r0.groups[0].blocks), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(values(r0.groups[1].blocks), (std::vector<int>{5, 6, 7, 8}));
    EXPECT_EQ(values(r0.groups[2].blocks), (std::vector<int>{9, 10, 11, 12}));
    BlockTable r1 = run(tokens(48, 5, 2000));
    EXPECT_EQ(values(r1.groups[0].blocks), (std::vector<int>{1, 2, 3, 13}));
    EXPECT_EQ(values(r1.groups[1].blocks), (std::vector<int>{0, 6, 7, 14}));
    EXPECT_EQ(values(r1.groups[2].blocks), (std::vector<int>{0, 10, 11, 15}));
    check({&r0, &r1});
    kv.release(r0);
    kv.release(r1);
    EXPECT_EQ(kv.counts().active, 0);
}

TEST_F(GroupedKvCacheTest, AWindowGivesBackWhatItLeavesAndKeepsItFindable) {
    const std::vector<TokenId> text = tokens(100, 0, 0);
    BlockTable table = run(std::vector<TokenId>(text.begin(), text.begin() + 64)); // 12 blocks
    // The row at 64 sees 33 to 64 through the window: blocks 0 and 1 hold nothing of it.
    ASSERT_TRUE(kv.extend(table, 64, 80).has_value());
    EXPECT_EQ(table.groups[0].num_behind, 0);
    EXPECT_EQ(table.groups[1].num_behind, 2);
    EXPECT_EQ(table.num_held(), 5 + 3 + 3);
    EXPECT_EQ(kv.counters().window_freed, 4U);
    EXPECT_EQ(kv.counts().cached, 4);
    const std::vector<BlockStatus> map = kv.block_map();
    const auto freed = [](const BlockStatus& one) { return one.window_freed && one.state == BlockState::cached; };
    EXPECT_EQ(std::ranges::count_if(map, freed), 4);
    EXPECT_EQ(map[static_cast<std::size_t>(table.groups[2].blocks[4].value) - 1].group, 2);
    check({&table});
    // Another request that ends at 48 tokens still finds its window in them.
    const PrefixMatch match = kv.look_up(tokens(48, 3, 900), {}, true);
    EXPECT_EQ(match.hit_tokens, 48);
    kv.release(table);
    check({});
}

TEST_F(GroupedKvCacheTest, AHitNeedsTheLastBlocksOfEveryWindow) {
    const std::vector<TokenId> text = tokens(80, 0, 0);
    BlockTable table = run(text); // 15 of 20 blocks
    kv.release(table); // tails first: the first to be evicted
    // Eight blocks of something else take the five free ones and the last three of the text: its block 4 of each group.
    const PrefixMatch before = kv.look_up(tokens(80, 1, 900), {}, true);
    EXPECT_EQ(before.hit_tokens, 80);
    BlockTable other;
    ASSERT_TRUE(kv.admit(other, kv.look_up(tokens(0, 40, 500), {}, true), 40, false).has_value()); // 9 blocks
    const PrefixMatch after = kv.look_up(tokens(80, 1, 900), {}, true);
    // Block 4 of all groups and block 3 of the last one are gone.
    EXPECT_EQ(after.hit_tokens, 48);
    EXPECT_EQ(after.missed[static_cast<int>(MissReason::evicted)], 32);
    EXPECT_EQ(after.missed[static_cast<int>(MissReason::partial)], 1);
    EXPECT_TRUE(after.evicted_at.has_value());
    kv.release(other);
    check({});
}

TEST_F(GroupedKvCacheTest, NoSequenceHoldsMoreThanWasComputed) {
    EXPECT_EQ(kv.most_held(16, 16), 3);
    EXPECT_EQ(kv.most_held(96, 16), 6 + 2 * (2 + 2)); // ceil((31 + 16 - 1) / 16) + 1 = 4 of each window
    EXPECT_EQ(kv.most_held(96, 96), 3 * 6);
    BlockTable table;
    ASSERT_TRUE(kv.admit(table, kv.look_up(tokens(96, 0, 0), {}, true), 16, false).has_value());
    for (int computed = 16; computed < 96; computed += 16) {
        ASSERT_TRUE(kv.extend(table, computed, computed + 16).has_value());
        EXPECT_LE(table.num_held(), kv.most_held(computed + 16, 16));
    }
    kv.release(table);
}

TEST_F(GroupedKvCacheTest, AForkIsRefusedOnceAWindowHasMovedOn) {
    const std::vector<TokenId> text = tokens(40, 0, 0);
    BlockTable leader = run(text);
    EXPECT_TRUE(kv.can_fork(leader, 39));
    BlockTable choice;
    const auto copies = kv.fork(choice, leader, 39, 40);
    ASSERT_TRUE(copies.has_value());
    EXPECT_EQ(copies->size(), 3U); // the partial block of every group
    check({&leader, &choice});
    ASSERT_TRUE(kv.extend(leader, 64, 65).has_value());
    EXPECT_FALSE(kv.can_fork(leader, 39));
    check({&leader, &choice});
    kv.release(choice);
    kv.release(leader);
    check({});
}

TEST_F(KvCacheManagerTest, SharedBlocksAreNeverWrittenUnderRandomUse) {
    // A slot map of our own says which tokens each block holds; a hit must hold exactly the prompt's tokens.
    std::mt19937 random(11);
    std::map<std::int32_t, std::vector<TokenId>> content;
    std::vector<std::pair<BlockTable, std::vector<TokenId>>> live;
    for (int round = 0; round < 4000; ++round) {
        if (live.size() < 4 && random() % 2 == 0) {
            std::vector<TokenId> prompt;
            for (std::size_t i = 0, n = 1 + random() % 50; i < n; ++i)
                prompt.push_back(static_cast<TokenId>(i / 16 == 0 ? 0 : random() % 2));
            const PrefixMatch match = kv.look_up(prompt, {}, true);
            BlockTable table;
            if (!kv.admit(table, match, static_cast<int>(prompt.size()), false))
                continue;
            for (std::size_t i = 0; i < prompt.size(); ++i) {
                auto& block = content[table.groups[0].blocks[i / 16].value];
                if (static_cast<int>(i) < match.hit_tokens) {
                    ASSERT_EQ(block.at(i % 16), prompt[i]);
                } else {
                    ASSERT_EQ(kv.pool().block(table.groups[0].blocks[i / 16]).ref_count, 1);
                    block.resize(16, -1);
                    block[i % 16] = prompt[i];
                }
            }
            kv.enter_full_blocks(table, prompt, static_cast<int>(prompt.size()), {});
            live.emplace_back(std::move(table), std::move(prompt));
        } else if (!live.empty()) {
            const std::size_t victim = random() % live.size();
            kv.release(live[victim].first);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
        }
        std::vector<const BlockTable*> tables;
        for (const auto& [table, prompt] : live)
            tables.push_back(&table);
        kv.check_invariants(tables);
    }
    EXPECT_GT(kv.counters().hits, 1000U);
    EXPECT_GT(kv.counters().blocks_evicted, 500U);
}

} // namespace
} // namespace vitrine::engine
