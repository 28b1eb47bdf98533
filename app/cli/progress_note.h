// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: how far a long job is, and whether it was interrupted.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

#include <fmt/format.h>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "engine/base/format.h"

namespace vitrine::app {

/// Asks the console's signals on the way, and says how far it is, at most twice a second.
class ProgressNote {
public:
    ProgressNote(Console& console, std::stop_source& stop) : console_(console), stop_(stop) {}
    void operator()(std::int64_t done, std::int64_t total) {
        say(fmt::format("{} of {}", engine::format_bytes(done), engine::format_bytes(total)), done >= total);
    }
    void say(const std::string& text, bool is_last) {
        if (take_interrupt())
            stop_.request_stop();
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(500) && !is_last)
            return;
        last_ = now;
        console_.note(text);
    }

private:
    Console& console_;
    std::stop_source& stop_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace vitrine::app
