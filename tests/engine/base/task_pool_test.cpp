// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: tasks run, the queue is bounded, stop() ends everything.
#include "engine/base/task_pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <latch>

namespace vitrine::engine {
namespace {

TEST(TaskPool, RunsEveryTask) {
    std::atomic<int> sum{0};
    std::latch done(100);
    TaskPool pool(3, 100);
    for (int i = 1; i <= 100; ++i)
        ASSERT_TRUE(pool.submit([&, i](std::stop_token) {
                            sum += i;
                            done.count_down();
                        })
                        .has_value());
    done.wait();
    EXPECT_EQ(sum, 5050);
}

TEST(TaskPool, IsBusyBeyondItsQueue) {
    TaskPool pool(1, 1);
    std::latch started(1);
    std::latch release(1);
    ASSERT_TRUE(pool.submit([&](std::stop_token) {
                        started.count_down();
                        release.wait();
                    })
                    .has_value());
    started.wait();
    EXPECT_TRUE(pool.submit([](std::stop_token) {}).has_value());
    EXPECT_EQ(pool.submit([](std::stop_token) {}).error().code, ErrorCode::busy);
    release.count_down();
}

TEST(TaskPool, StopAsksRunningTasksDropsTheRestAndRefusesNewOnes) {
    std::atomic<bool> dropped_ran{false};
    std::latch started(1);
    TaskPool pool(1, 4);
    ASSERT_TRUE(pool.submit([&](std::stop_token stop) {
                        started.count_down();
                        while (!stop.stop_requested())
                            std::this_thread::yield();
                    })
                    .has_value());
    started.wait();
    ASSERT_TRUE(pool.submit([&](std::stop_token) { dropped_ran = true; }).has_value());
    pool.stop();
    EXPECT_FALSE(dropped_ran);
    EXPECT_EQ(pool.submit([](std::stop_token) {}).error().code, ErrorCode::cancelled);
    pool.stop(); // idempotent
}

} // namespace
} // namespace vitrine::engine
