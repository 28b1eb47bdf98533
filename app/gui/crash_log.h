// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the last words of a process that dies by a signal.
#pragma once

#include <QString>

namespace vitrine::app {

/// SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT write signal and stack to `<dataDir>/crash.log`, then the default action
/// follows.  Call once, early.
void installCrashLog(const QString& dataDir);
/// What the log of an earlier run says, or empty; the file is renamed to crash.log.old.
[[nodiscard]] QString takeCrashLog(const QString& dataDir);

} // namespace vitrine::app
