// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: what the detail column says of a model and of a plan.
#pragma once

#include <QString>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// Which layers run where, if two devices share them; else empty.
[[nodiscard]] QString sharedText(const LoadPlan& plan);
/// What the file says of itself, a line each.
[[nodiscard]] QString factsText(const QString& path, const ModelInfo& info);

} // namespace vitrine::ui
