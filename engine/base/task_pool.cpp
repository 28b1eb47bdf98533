// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: worker threads of the task pool.
#include "engine/base/task_pool.h"

#include <utility>

#include "kernels/api/sentence.h"

namespace vitrine::engine {

TaskPool::TaskPool(int num_threads, std::size_t max_queued) : max_queued_(max_queued) {
    threads_.reserve(static_cast<std::size_t>(num_threads));
    for (int i = 0; i < num_threads; ++i)
        threads_.emplace_back([this](std::stop_token stop) { run(std::move(stop)); });
}

TaskPool::~TaskPool() {
    stop();
}

Result<void> TaskPool::submit(Task task) {
    {
        const std::scoped_lock lock(mutex_);
        if (stopped_)
            return fail(ErrorCode::cancelled, say(Sentence::engine_stopping));
        if (tasks_.size() >= max_queued_)
            return fail(ErrorCode::busy, say(Sentence::too_many_preparing), say(Sentence::try_again_soon));
        tasks_.push_back(std::move(task));
    }
    filled_.notify_one();
    return {};
}

void TaskPool::stop() {
    std::deque<Task> dropped; // destroyed outside the lock: a task may own anything
    {
        const std::scoped_lock lock(mutex_);
        stopped_ = true;
        dropped.swap(tasks_);
    }
    for (std::jthread& thread : threads_)
        thread.request_stop();
    for (std::jthread& thread : threads_) {
        if (thread.joinable())
            thread.join();
    }
}

void TaskPool::run(std::stop_token stop) {
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            if (!filled_.wait(lock, stop, [this] { return !tasks_.empty(); }))
                return;
            if (stop.stop_requested())
                return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task(stop);
    }
}

} // namespace vitrine::engine
