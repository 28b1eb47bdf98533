// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: what the tokens wait for, in the user's language.
#pragma once

#include <QString>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// One sentence with its figure; empty with SlowCause::none.
[[nodiscard]] QString slowText(const Snapshot& snapshot);

} // namespace vitrine::ui
