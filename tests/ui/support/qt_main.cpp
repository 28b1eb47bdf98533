// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: main() of every window test: an application without a display.
#include <QApplication>
#include <QStandardPaths>

#include <gtest/gtest.h>

#include "tests/support/crash_trace.h"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen"); // also while ctest lists the tests
    ::testing::InitGoogleTest(&argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    vitrine::testing::install_crash_trace();
    const QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
