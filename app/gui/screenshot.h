// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --screenshot.
#pragma once

#include <QString>

class QWidget;

namespace vitrine::app {

/// Saves `window` as PNG after `afterMs` and quits: exit code 0, or 1 when the file could not be written.
void takeScreenshotLater(QWidget& window, const QString& path, int afterMs);

} // namespace vitrine::app
