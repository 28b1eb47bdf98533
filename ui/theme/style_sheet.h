// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: builds the application's style sheet from the tokens.
#pragma once

#include <QString>

namespace vitrine::ui {

class Theme;
[[nodiscard]] QString buildStyleSheet(const Theme& theme);

} // namespace vitrine::ui
