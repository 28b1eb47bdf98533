// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the newest of a row of immutable values, for any number of readers.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace vitrine::engine {

/// Thread: any.  A short mutex, since ThreadSanitizer reports libstdc++ 12's atomic<shared_ptr>.
template <class T>
class LatestValue {
public:
    explicit LatestValue(std::shared_ptr<const T> first = nullptr) : value_(std::move(first)) {}

    void set(std::shared_ptr<const T> value) {
        const std::scoped_lock lock(mutex_);
        value_.swap(value); // the old value dies outside the lock, with the argument
    }
    [[nodiscard]] std::shared_ptr<const T> get() const {
        const std::scoped_lock lock(mutex_);
        return value_;
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const T> value_;
};

} // namespace vitrine::engine
