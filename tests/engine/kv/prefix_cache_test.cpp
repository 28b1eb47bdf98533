// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: twins, verification and eviction of the prefix cache.
#include "engine/kv/prefix_cache.h"

#include <gtest/gtest.h>
#include <numeric>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

constexpr int kSize = 4;

HashContext context() {
    return {.model = "m", .kv_type = "f16", .block_tokens = kSize, .rope = "", .seed = {}};
}

std::vector<TokenId> iota(int count) {
    std::vector<TokenId> tokens(static_cast<std::size_t>(count));
    std::iota(tokens.begin(), tokens.end(), 0);
    return tokens;
}

/// Enters the full blocks of `tokens` under the given block ids.
BlockTable enter(
    PrefixCache& cache, const std::vector<TokenId>& tokens, std::vector<int> blocks, BlockExtras extras = {}) {
    BlockTable table;
    table.groups.resize(1);
    for (const int block : blocks) {
        const auto first = static_cast<std::size_t>(table.num_hashed * kSize);
        const auto entered = cache.insert(BlockId{block}, table, std::span(tokens).subspan(first, kSize), extras);
        table.groups[0].blocks.push_back(BlockId{block});
        table.tip_hash = entered.hash;
        table.tip_content = entered.content;
        ++table.num_hashed;
    }
    return table;
}

TEST(PrefixCache, FindsTheLongestHead) {
    const testing::ManualClock clock;
    PrefixCache cache(context(), clock);
    enter(cache, iota(12), {5, 6, 7});
    std::vector<TokenId> tokens = iota(13);
    tokens[9] = 99;
    const PrefixMatch match = cache.find(tokens, {}, 12);
    EXPECT_EQ(match.groups[0].blocks, (std::vector<BlockId>{BlockId{5}, BlockId{6}}));
    EXPECT_EQ(match.hit_tokens, 8);
    ASSERT_TRUE(match.divergence.has_value());
    EXPECT_EQ(match.divergence->position, 9);
    EXPECT_EQ(match.divergence->expected, 9);
    EXPECT_EQ(match.divergence->got, 99);
}

TEST(PrefixCache, TwinsShareTheirChildren) {
    const testing::ManualClock clock;
    PrefixCache cache(context(), clock);
    const BlockTable first = enter(cache, iota(8), {1, 2});
    const BlockTable twin = enter(cache, iota(4), {3});
    cache.evict(BlockId{1}); // the child in block 2 stays findable through the twin in block 3
    const PrefixMatch match = cache.find(iota(8), {}, 8);
    EXPECT_EQ(match.groups[0].blocks, (std::vector<BlockId>{BlockId{3}, BlockId{2}}));
    cache.check_invariants();
}

TEST(PrefixCache, ChildOfAForgottenParentIsNotFound) {
    const testing::ManualClock clock;
    PrefixCache cache(context(), clock);
    enter(cache, iota(8), {1, 2});
    cache.evict(BlockId{1});
    EXPECT_EQ(cache.find(iota(8), {}, 8).hit_tokens, 0);
    enter(cache, iota(4), {3}); // the same tokens, but a new content: block 2's parent is gone
    EXPECT_EQ(cache.find(iota(8), {}, 8).hit_tokens, 4);
    cache.check_invariants();
}

TEST(PrefixCache, SaltsNeverShareAndTheMissNamesThem) {
    const testing::ManualClock clock;
    PrefixCache cache(context(), clock);
    enter(cache, iota(8), {1, 2}, {.lora_generation = 0, .salt = "alice", .kernel_family = 0});
    const PrefixMatch bare = cache.find(iota(8), {}, 8);
    EXPECT_EQ(bare.hit_tokens, 0);
    EXPECT_EQ(bare.context_field, "salt");
    EXPECT_EQ(bare.missed[static_cast<int>(MissReason::context)], 8);
    const PrefixMatch lora = cache.find(iota(8), {.lora_generation = 3, .salt = "alice", .kernel_family = 0}, 8);
    EXPECT_EQ(lora.hit_tokens, 0);
    EXPECT_EQ(lora.context_field, "LoRA");
}

TEST(PrefixCache, RemembersWhatWasEvictedAndWhen) {
    testing::ManualClock clock;
    PrefixCache cache(context(), clock);
    enter(cache, iota(4), {1});
    clock.advance(std::chrono::seconds(2));
    cache.evict(BlockId{1});
    const PrefixMatch match = cache.find(iota(6), {}, 5);
    EXPECT_EQ(match.missed[static_cast<int>(MissReason::evicted)], 4);
    EXPECT_EQ(match.missed[static_cast<int>(MissReason::partial)], 2);
    EXPECT_EQ(match.evicted_at, clock.now());
    cache.forget_evicted();
    EXPECT_EQ(cache.find(iota(6), {}, 5).missed[static_cast<int>(MissReason::cold)], 4);
}

TEST(PrefixCache, ForgetsTheOldestEvictedKeys) {
    const testing::ManualClock clock;
    PrefixCache cache(context(), clock, 2);
    for (int block = 1; block <= 3; ++block) {
        enter(cache, std::vector<TokenId>(4, block), {block});
        cache.evict(BlockId{block});
    }
    EXPECT_EQ(cache.find(std::vector<TokenId>(4, 1), {}, 4).missed[static_cast<int>(MissReason::cold)], 4);
    EXPECT_EQ(cache.find(std::vector<TokenId>(4, 2), {}, 4).missed[static_cast<int>(MissReason::evicted)], 4);
    cache.check_invariants();
}

} // namespace
} // namespace vitrine::engine
