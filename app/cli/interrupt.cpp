// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: signals.
#include "app/cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace vitrine::app {
namespace {

// The only thing a signal handler may touch.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) {
    interrupted.store(true, std::memory_order_relaxed);
}

} // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt; // without SA_RESTART: a pending read ends too
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool take_interrupt() noexcept {
    return interrupted.exchange(false, std::memory_order_relaxed);
}

} // namespace vitrine::app
