// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: how one series of a plot looks, in the plot and in its legend.
#pragma once

#include "ui/theme/tokens.h"

#include <QString>

namespace vitrine::ui {

/// How a series is drawn; a NaN value makes a gap.
struct SeriesStyle {
    enum class Shape : std::uint8_t { line, step, bars, dashed, area }; // area: fill only
    Shape shape = Shape::line;
    Color color = Color::accent;
    double fill = 0; // opacity of the area below; 0: none
    bool ownScale = false; // a second y axis (prefill bars); its widest value is labelled in the track
    QString name; // in the legend and in the cursor's read-out
    bool stacked = false; // drawn on top of the next series: what is told is the difference
};

} // namespace vitrine::ui
