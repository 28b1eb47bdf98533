// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a process that dies by a signal leaves its last words.
#include <QTemporaryDir>
#include <csignal>
#include <gtest/gtest.h>

#include "app/gui/crash_log.h"

namespace vitrine::app {
namespace {

int fall(int depth) {
    volatile char room[4096];
    room[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : fall(depth + 1) + room[0];
}

void dieOf(int signal, const QString& folder) {
    installCrashLog(folder);
    if (signal == SIGSEGV)
        std::exit(fall(0)); // nothing is left of the stack a handler would run on
    std::raise(signal);
}

} // namespace

TEST(CrashLog, HasTheStackOfARecursionWithoutEndAndOfAnAbort) {
    const QTemporaryDir folder;
    for (const auto& [signal, name] : {std::pair(SIGSEGV, "SIGSEGV"), std::pair(SIGABRT, "SIGABRT")}) {
        EXPECT_EXIT(dieOf(signal, folder.path()), ::testing::KilledBySignal(signal), "");
        const QString text = takeCrashLog(folder.path());
        EXPECT_TRUE(text.contains(QLatin1String(name))) << text.toStdString();
        EXPECT_GT(text.count(u'\n'), 5) << "with its stack";
        EXPECT_TRUE(takeCrashLog(folder.path()).isEmpty()) << "told once";
    }
}

} // namespace vitrine::app
