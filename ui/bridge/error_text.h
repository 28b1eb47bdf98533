// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: errors of the engine in the language of the window.
#pragma once

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// The error in the window's language: sentences that have a number (engine/api/sentence.h) are worded by it, with their
/// values as the language writes them.  In English too: the engine's own
/// words are parts of sentences where programs read them.  Those without a number stay as the engine says them.
[[nodiscard]] Error worded(Error error);
/// Its message in the window's language without a full stop of its own, for a sentence that goes on around it.
[[nodiscard]] QString asCause(const Error& error);

} // namespace vitrine::ui
