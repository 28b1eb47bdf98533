// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: sentences about files, in the language of the window.
#pragma once

#include <QCoreApplication>
#include <QJsonParseError>
#include <algorithm>

namespace vitrine::ui {

/// StoreText::tr: for functions and values that are no QObject.  Thread: any.
class StoreText {
    Q_DECLARE_TR_FUNCTIONS(StoreText)
};

/// Where a file of `numBytes` is no JSON any more, and why.
[[nodiscard]] inline QString jsonFault(const QJsonParseError& error, qsizetype numBytes) {
    return StoreText::tr("It is no JSON from byte %1 of %2 on: %3. Export it again, or mend the file there.")
        .arg(std::min<qsizetype>(error.offset, numBytes))
        .arg(numBytes)
        .arg(error.errorString());
}

} // namespace vitrine::ui
