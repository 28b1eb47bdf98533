// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: errors of the engine in the language of the window.
#pragma once

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// The error in the window's language: sentences that have a number (engine/api/sentence.h) are worded by it, with their
/// values as the language writes them.  Others, and every one in an English window, stay as the engine says them.
[[nodiscard]] Error worded(Error error);

} // namespace vitrine::ui
