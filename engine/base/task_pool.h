// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: a few threads that run bounded background jobs (rendering, tokenizing, grammars).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Thread: any.  A task must not throw; it gets the pool's stop token and should end soon once a stop is requested.
class TaskPool {
public:
    using Task = std::function<void(std::stop_token)>;

    TaskPool(int num_threads, std::size_t max_queued);
    ~TaskPool(); // stop()
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    /// `busy` when max_queued tasks wait, `cancelled` after stop().
    Result<void> submit(Task task);
    /// Drops waiting tasks, asks running ones to stop, joins.  Idempotent.  Blocks.
    void stop();

private:
    void run(std::stop_token stop);

    const std::size_t max_queued_;
    std::mutex mutex_;
    std::condition_variable_any filled_;
    std::deque<Task> tasks_;
    bool stopped_ = false;
    std::vector<std::jthread> threads_;
};

} // namespace vitrine::engine
