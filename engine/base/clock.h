// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the one monotonic clock, injectable.
#pragma once

#include <chrono>

namespace vitrine::engine {

using TimePoint = std::chrono::steady_clock::time_point;

/// Thread: any.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual TimePoint now() const noexcept = 0;
};

/// std::chrono::steady_clock; lives as long as the process.
[[nodiscard]] const Clock& steady_clock() noexcept;

} // namespace vitrine::engine
