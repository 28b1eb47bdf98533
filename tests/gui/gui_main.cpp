// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: one QApplication for all tests of the window.
#include <QApplication>
#include <gtest/gtest.h>

#include "tests/support/crash_trace.h"

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    vitrine::testing::install_crash_trace();
    QApplication application(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
