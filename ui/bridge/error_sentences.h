// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: what the window says for each sentence of the engine.
#pragma once

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// The window's English for a sentence, a source text of the context "ErrorText": its %1 is the engine's first value, and so
/// on, and it may leave values out.  "" for Sentence::none.
[[nodiscard]] const char* windowText(Sentence sentence);
/// The same of those that are next steps; "" for others.
[[nodiscard]] const char* nextStepText(Sentence step);

} // namespace vitrine::ui
