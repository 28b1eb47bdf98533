// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <ctime>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "kernels/cpu/worker_pool.h"

namespace vitrine::kernels::cpu {
namespace {

TEST(WorkerPool, RunsTheJobOnceOnEveryWorker) {
    for (const int size : {1, 2, 5}) {
        WorkerPool pool(size, {});
        std::vector<int> runs(static_cast<std::size_t>(size), 0);
        for (int round = 0; round < 200; ++round)
            pool.run_each([&](int worker) { ++runs[static_cast<std::size_t>(worker)]; });
        EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(size), 200));
    }
}

TEST(WorkerPool, MakesTheCallerWorkerZero) {
    WorkerPool pool(3, {});
    std::vector<std::thread::id> ids(3);
    pool.run_each([&](int worker) { ids[static_cast<std::size_t>(worker)] = std::this_thread::get_id(); });
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    EXPECT_NE(ids[1], ids[0]);
    EXPECT_NE(ids[2], ids[1]);
}

TEST(WorkerPool, BarrierShowsEveryWorkerWhatTheOthersWrote) {
    constexpr int kWorkers = 4; // more than the cores of a small machine: sleeping is part of the test
    WorkerPool pool(kWorkers, {});
    std::vector<int> values(kWorkers, 0); // plain: a missing barrier is a race that ThreadSanitizer sees
    std::atomic<int> wrong{0};
    pool.run_each([&](int worker) {
        for (int round = 1; round <= 300; ++round) {
            values[static_cast<std::size_t>(worker)] = round;
            pool.barrier();
            for (const int value : values)
                wrong += value == round ? 0 : 1;
            pool.barrier();
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST(WorkerPool, WakesWorkersThatWentToSleep) {
    WorkerPool pool(2, {});
    std::atomic<int> runs{0};
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // far beyond the spin
        pool.run_each([&](int) { ++runs; });
    }
    EXPECT_EQ(runs, 6);
}

double process_cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST(WorkerPool, CostsNoProcessorTimeBetweenSteps) {
    WorkerPool pool(3, {});
    pool.run_each([](int) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the spin of some 50 us is over, on a busy machine too
    const double before = process_cpu_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_LT(process_cpu_seconds() - before, 0.005); // two workers that spun would have taken 0.4
}

TEST(WorkerPool, MayBeRunFromAnotherThread) {
    WorkerPool pool(2, {});
    std::atomic<int> runs{0};
    pool.run_each([&](int) { ++runs; });
    std::thread([&] { pool.run_each([&](int) { ++runs; }); }).join();
    EXPECT_EQ(runs, 4);
}

} // namespace
} // namespace vitrine::kernels::cpu
