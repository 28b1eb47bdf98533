// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: labels whose text can be selected.
#pragma once

#include <QLabel>
#include <QStyle>

namespace vitrine::ui {

/// A label whose text can be selected goes by the direction of that text: numbers and paths have none, or another than
/// the window, and would stand at the far side of a mirrored one.  So the side is said absolutely.
/// To be called after the label's alignment is set.
inline void makeSelectable(QLabel& label) {
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.setAlignment(QStyle::visualAlignment(label.layoutDirection(), label.alignment()) | Qt::AlignAbsolute);
}

} // namespace vitrine::ui
