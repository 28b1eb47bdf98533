// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: whether translucent windows are.
#pragma once

namespace vitrine::ui {

/// False on an X server where no compositor runs: what is transparent in a window of its own is black there.
[[nodiscard]] bool isComposited();

} // namespace vitrine::ui
