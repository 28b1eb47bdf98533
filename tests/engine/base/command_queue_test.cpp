// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: bounds, order and closing of the command queue.
#include "engine/base/command_queue.h"

#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace vitrine::engine {
namespace {

using std::chrono::microseconds;

TEST(CommandQueue, IsBusyWhenFullAndKeepsTheOrder) {
    CommandQueue<int> queue(2);
    EXPECT_TRUE(queue.push(1).has_value());
    EXPECT_TRUE(queue.push(2).has_value());
    EXPECT_EQ(queue.push(3).error().code, ErrorCode::busy);
    EXPECT_TRUE(queue.push_always(4).has_value());
    EXPECT_EQ(queue.drain(), (std::vector<int>{1, 2, 4}));
    EXPECT_TRUE(queue.push(5).has_value());
}

TEST(CommandQueue, AfterCloseNothingEntersAndTheRestCanBeDrained) {
    CommandQueue<std::unique_ptr<int>> queue(4);
    ASSERT_TRUE(queue.push(std::make_unique<int>(7)).has_value());
    queue.close();
    EXPECT_EQ(queue.push(std::make_unique<int>(8)).error().code, ErrorCode::cancelled);
    EXPECT_EQ(queue.push_always(std::make_unique<int>(9)).error().code, ErrorCode::cancelled);
    EXPECT_EQ(queue.drain().size(), 1U);
}

TEST(CommandQueue, WaitEndsWithACommandTheTimeOrClose) {
    CommandQueue<int> queue(4);
    EXPECT_FALSE(queue.wait_for(microseconds(1)));
    std::jthread producer([&] { EXPECT_TRUE(queue.push(1).has_value()); });
    EXPECT_TRUE(queue.wait_for(std::chrono::seconds(60)));
    EXPECT_EQ(queue.drain().size(), 1U);
    std::jthread closer([&] { queue.close(); });
    EXPECT_FALSE(queue.wait_for(std::chrono::seconds(60)));
}

TEST(CommandQueue, LosesNothingOfManyProducers) {
    constexpr int kProducers = 4;
    constexpr int kCommands = 5000;
    CommandQueue<int> queue(64);
    std::vector<std::jthread> producers;
    for (int p = 0; p < kProducers; ++p)
        producers.emplace_back([&queue, p] {
            for (int i = 0; i < kCommands;) {
                if (queue.push(p * kCommands + i))
                    ++i;
                else
                    std::this_thread::yield();
            }
        });
    std::vector<int> next(kProducers, 0);
    int taken = 0;
    while (taken < kProducers * kCommands) {
        queue.wait_for(std::chrono::seconds(60));
        for (const int command : queue.drain()) {
            ASSERT_EQ(command % kCommands, next[static_cast<std::size_t>(command / kCommands)]++);
            ++taken;
        }
    }
}

} // namespace
} // namespace vitrine::engine
