// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --screenshot.
#include "app/gui/screenshot.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>
#include <QWidget>
#include <cstdio>

namespace vitrine::app {

void takeScreenshotLater(QWidget& window, const QString& path, int afterMs) {
    QTimer::singleShot(afterMs, &window, [&window, path] {
        const bool saved = window.grab().save(path, "PNG");
        if (!saved)
            std::fprintf(stderr, "vitrine: %s could not be written: choose a folder that exists\n", qPrintable(path));
        QCoreApplication::exit(saved ? 0 : 1);
    });
}

} // namespace vitrine::app
