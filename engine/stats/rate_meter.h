// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: events a second over a sliding window.
#pragma once

#include <chrono>
#include <deque>

#include "engine/base/clock.h"

namespace vitrine::engine {

/// Sums over the last `window`, in buckets of a 40th of it.  Thread: engine.
class RateMeter {
public:
    explicit RateMeter(std::chrono::milliseconds window, TimePoint start);

    void add(TimePoint now, double amount);
    [[nodiscard]] double sum(TimePoint now) const; // of the window
    /// sum / window, or / time since start while that is shorter; 0 without any time.
    [[nodiscard]] double per_second(TimePoint now) const;

private:
    struct Bucket {
        TimePoint start;
        double amount = 0;
    };
    const std::chrono::milliseconds window_;
    const TimePoint start_;
    std::deque<Bucket> buckets_;
};

} // namespace vitrine::engine
