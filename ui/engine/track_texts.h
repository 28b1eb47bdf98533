// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: values of the tracks as texts and points; private to engine_tracks*.cpp.
#pragma once

#include "ui/engine/step_series.h"
#include "ui/widgets/numbers.h"

#include <QString>

#include <limits>
#include <utility>
#include <vector>

namespace vitrine::ui {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

[[nodiscard]] QString orNone(double value, const QString& text); // the dash for NaN
[[nodiscard]] QString fixedOrNone(double value, int decimals);
[[nodiscard]] QString latencyText(double seconds); // without its unit
[[nodiscard]] QString latencyUnit(double seconds);

/// Times and values of bars; each closed by a gap, so that lone bins show.
[[nodiscard]] std::pair<std::vector<double>, std::vector<double>> asBars(
    const StepSeries& series, const std::vector<double>& of);
[[nodiscard]] std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b);

} // namespace vitrine::ui
