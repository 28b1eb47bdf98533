// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: carries engine events to the IO thread; at most one wake-up is on its way.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/api/event.h"

namespace vitrine::app {

/// on_events() runs on the engine's threads and only appends; take() runs on the IO thread.
class StreamMailbox final : public engine::EventSink {
public:
    /// `wake` posts to the IO thread; it is called without the lock.
    explicit StreamMailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

    void on_events(std::span<const engine::Event> events) override {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            events_.insert(events_.end(), events.begin(), events.end());
            wake = !std::exchange(pending_, true);
        }
        if (wake)
            wake_();
    }

    [[nodiscard]] std::vector<engine::Event> take() {
        const std::lock_guard lock(mutex_);
        pending_ = false;
        return std::exchange(events_, {});
    }

private:
    std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<engine::Event> events_;
    bool pending_ = false;
};

} // namespace vitrine::app
