// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: why tokens were not in the prefix cache, in the user's language.
#pragma once

#include <QString>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// A sentence with its full stop.  Token texts stay as the model has them.
[[nodiscard]] QString missText(const PrefixMiss& miss);
/// "KV salt", "LoRA" ... as the user knows it.
[[nodiscard]] QString missContext(const PrefixMiss& miss);

} // namespace vitrine::ui
