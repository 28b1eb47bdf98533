// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: what of a window cannot be read or reached: clipped texts, sideways scrolling, parts pushed out.
#pragma once

#include <QStringList>

class QWidget;

namespace vitrine::testing {

/// One line a fault, each naming class, text and how much is missing.  What scrolls down is no fault; what ends in an
/// ellipsis on purpose (ElidedLabel, names in tables) is none either, numbers in tables are.
[[nodiscard]] QStringList layoutFaults(const QWidget& root);

} // namespace vitrine::testing
