// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: errors of the engine in the language of the window.
#pragma once

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// The error in the window's language, if it is one of the frequent ones: those of files, memory, context, port, device
/// and load.  Its values are read out of the engine's sentence, so a test makes the engine say each of them.  Any other,
/// and every one in an English window, stays as it is.
[[nodiscard]] Error worded(Error error);

} // namespace vitrine::ui
