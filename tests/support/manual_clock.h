// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: a clock that stands still until it is moved.
#pragma once

#include <atomic>

#include "engine/base/clock.h"

namespace vitrine::testing {

/// Starts at one hour, so that "a while ago" is still after the epoch.  Thread: any.
class ManualClock final : public engine::Clock {
public:
    [[nodiscard]] engine::TimePoint now() const noexcept override {
        return engine::TimePoint(std::chrono::hours(1) + std::chrono::microseconds(elapsed_us_.load()));
    }
    void advance(std::chrono::microseconds time) noexcept { elapsed_us_ += time.count(); }

private:
    std::atomic<std::int64_t> elapsed_us_{0};
};

} // namespace vitrine::testing
