// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: where an axis of a plot ends and where its ticks stand.
#include "ui/widgets/axis_ticks.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kSlack = 1e-9; // of what only rounding put above a step

} // namespace

double niceTop(double value, AxisValues values) {
    if (!(value > 0))
        return 1;
    if (values == AxisValues::counts && value <= 10)
        return std::max(1.0, std::ceil(value * (1 - kSlack))); // from 10 on all of the tops below are whole
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (factor * power >= value * (1 - kSlack))
            return factor * power;
    return 10 * power;
}

double niceStep(double span, int steps, AxisValues values) {
    const double raw = std::max(span / steps, values == AxisValues::counts ? 1.0 : 1e-9);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - kSlack))
            return factor * power;
    return 10 * power;
}

} // namespace vitrine::ui
