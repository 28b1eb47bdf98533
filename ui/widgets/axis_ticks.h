// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: where an axis of a plot ends and where its ticks stand.
#pragma once

#include <cstdint>

namespace vitrine::ui {

/// Nothing has 0.75 requests: an axis of counts has whole ticks only.
enum class AxisValues : std::uint8_t { any, counts };

/// Top of a y axis for `value`: 1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8 x 10^n; of counts the whole ones, and 1 to 10.
[[nodiscard]] double niceTop(double value, AxisValues values = AxisValues::any);
/// Step of at most `steps` ticks, or one more, over `span`: 1, 2, 5 x 10^n; of counts at least 1.
[[nodiscard]] double niceStep(double span, int steps, AxisValues values = AxisValues::any);

} // namespace vitrine::ui
