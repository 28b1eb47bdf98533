// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: bounded queue of commands, many producers, one consumer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

/// Thread: push and close from any, drain and wait from the consumer alone.
template <class T>
class CommandQueue {
public:
    explicit CommandQueue(std::size_t capacity) : capacity_(capacity) { commands_.reserve(capacity); }

    /// `busy` when full, `cancelled` after close(); the command is then dropped.
    Result<void> push(T command) {
        {
            const std::scoped_lock lock(mutex_);
            if (closed_)
                return fail(ErrorCode::cancelled, say(Sentence::engine_stopping));
            if (commands_.size() >= capacity_)
                return fail(ErrorCode::busy, say(Sentence::queue_full), say(Sentence::try_again_soon));
            commands_.push_back(std::move(command));
        }
        filled_.notify_one();
        return {};
    }
    /// Like push(), but beyond the capacity: for commands that must arrive (cancel, results of own workers).
    Result<void> push_always(T command) {
        {
            const std::scoped_lock lock(mutex_);
            if (closed_)
                return fail(ErrorCode::cancelled, say(Sentence::engine_stopping));
            commands_.push_back(std::move(command));
        }
        filled_.notify_one();
        return {};
    }
    /// Takes everything, in order of arrival.
    [[nodiscard]] std::vector<T> drain() {
        std::vector<T> taken;
        const std::scoped_lock lock(mutex_);
        taken.swap(commands_);
        return taken;
    }
    [[nodiscard]] bool empty() const {
        const std::scoped_lock lock(mutex_);
        return commands_.empty();
    }
    /// Blocks until there is a command, the queue is closed or the time is over.  Returns whether there is a command.
    bool wait_for(std::chrono::microseconds timeout) {
        std::unique_lock lock(mutex_);
        filled_.wait_for(lock, timeout, [this] { return !commands_.empty() || closed_; });
        return !commands_.empty();
    }
    /// Refuses further commands and wakes the consumer; what is queued can still be drained.
    void close() {
        {
            const std::scoped_lock lock(mutex_);
            closed_ = true;
        }
        filled_.notify_all();
    }
    [[nodiscard]] bool closed() const {
        const std::scoped_lock lock(mutex_);
        return closed_;
    }

private:
    const std::size_t capacity_;
    mutable std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<T> commands_;
    bool closed_ = false;
};

} // namespace vitrine::engine
