// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: Ctrl-C and SIGTERM as a flag instead of a death.
#pragma once

namespace vitrine::app {

/// Installs handlers for SIGINT and SIGTERM.  Thread: main, once.
void catch_interrupts();
/// Was one received since the last call?
[[nodiscard]] bool take_interrupt() noexcept;

} // namespace vitrine::app
