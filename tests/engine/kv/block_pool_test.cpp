// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the block pool alone, and against a naive twin under random operations.
#include "engine/kv/block_pool.h"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

std::vector<int> values(const std::vector<BlockId>& blocks) {
    std::vector<int> result;
    for (const BlockId block : blocks)
        result.push_back(block.value);
    return result;
}

TEST(BlockPool, StartsWithEveryBlockFreeInOrder) {
    const testing::ManualClock clock;
    const BlockPool pool(4, clock);
    EXPECT_EQ(values(pool.free_list()), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(pool.counts().free, 4);
    EXPECT_EQ(pool.counts().total, 4);
}

TEST(BlockPool, AllocatesAllOrNothing) {
    const testing::ManualClock clock;
    BlockPool pool(4, clock);
    ASSERT_TRUE(pool.allocate(3).has_value());
    const auto refused = pool.allocate(2);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::out_of_blocks);
    EXPECT_NE(refused.error().message.find("2 KV blocks"), std::string::npos);
    EXPECT_NE(refused.error().message.find("1 of 4"), std::string::npos);
    EXPECT_EQ(values(pool.free_list()), (std::vector<int>{4}));
}

TEST(BlockPool, ReusesLeastRecentlyFreedCachedBlock) {
    const testing::ManualClock clock;
    BlockPool pool(3, clock);
    const auto taken = pool.allocate(3);
    for (const int block : {2, 3, 1}) {
        pool.set_cached(BlockId{block}, true);
        pool.release(BlockId{block});
    }
    EXPECT_EQ(pool.counts().cached, 3);
    const auto again = pool.allocate(1);
    EXPECT_EQ(values(again->blocks), (std::vector<int>{2}));
    EXPECT_EQ(values(again->evicted), (std::vector<int>{2}));
}

TEST(BlockPool, PrefersFreeBlocksToCachedOnes) {
    const testing::ManualClock clock;
    BlockPool pool(3, clock);
    const auto taken = pool.allocate(3);
    pool.set_cached(BlockId{1}, true);
    pool.release(BlockId{1});
    pool.release(BlockId{3});
    const auto again = pool.allocate(1);
    EXPECT_EQ(values(again->blocks), (std::vector<int>{3}));
    EXPECT_TRUE(again->evicted.empty());
}

TEST(BlockPool, CountsSharedBlocks) {
    const testing::ManualClock clock;
    BlockPool pool(3, clock);
    const auto taken = pool.allocate(1);
    pool.retain(BlockId{1});
    EXPECT_EQ(pool.counts().shared, 1);
    pool.release(BlockId{1});
    EXPECT_EQ(pool.counts().shared, 0);
    EXPECT_EQ(pool.counts().active, 1);
}

/// The same rules with plain containers.
struct NaivePool {
    std::deque<int> list;
    std::map<int, int> refs;
    std::set<int> cached;

    explicit NaivePool(int n) {
        for (int i = 1; i <= n; ++i)
            list.push_back(i);
    }
    std::vector<int> allocate(int count) {
        std::vector<int> taken(list.begin(), list.begin() + count);
        list.erase(list.begin(), list.begin() + count);
        for (const int block : taken) {
            cached.erase(block);
            refs[block] = 1;
        }
        return taken;
    }
    void retain(int block) {
        std::erase(list, block);
        ++refs[block];
    }
    void release(int block) {
        if (--refs[block] > 0)
            return;
        refs.erase(block);
        cached.contains(block) ? list.push_back(block) : list.push_front(block);
    }
};

TEST(BlockPool, EqualsANaiveTwinUnderRandomOperations) {
    constexpr int kBlocks = 23;
    const testing::ManualClock clock;
    BlockPool pool(kBlocks, clock);
    NaivePool twin(kBlocks);
    std::mt19937 random(7);
    for (int operation = 0; operation < 20000; ++operation) {
        const int block = 1 + static_cast<int>(random() % kBlocks);
        const bool active = twin.refs.contains(block);
        switch (random() % 4) {
        case 0: {
            const int count = static_cast<int>(random() % 4);
            const auto taken = pool.allocate(count);
            ASSERT_EQ(taken.has_value(), count <= static_cast<int>(twin.list.size()));
            if (taken) {
                ASSERT_EQ(values(taken->blocks), twin.allocate(count));
            }
            break;
        }
        case 1:
            if (active || twin.cached.contains(block)) {
                pool.retain(BlockId{block});
                twin.retain(block);
            }
            break;
        case 2:
            if (active) {
                pool.release(BlockId{block});
                twin.release(block);
            }
            break;
        default:
            if (active) {
                pool.set_cached(BlockId{block}, true);
                twin.cached.insert(block);
            }
        }
        ASSERT_EQ(values(pool.free_list()), (std::vector<int>(twin.list.begin(), twin.list.end())));
        pool.check_invariants();
    }
}

} // namespace
} // namespace vitrine::engine
