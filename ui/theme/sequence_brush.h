// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: colour and pattern of the sequences, the same in block map, lanes and Pulse strip.
#pragma once

#include "ui/theme/theme.h"

#include <QPixmap>
#include <QString>

#include <QRect>

class QPainter;

namespace vitrine::ui {

/// "A" to "Z", then "A2" ...; `index` from 0.
[[nodiscard]] QString sequenceLetter(int index);
/// A tile of `size` logical pixels with the sequence's colour and pattern (none below 8 px), at scale `scale`.
[[nodiscard]] QPixmap sequenceTile(const Theme& theme, int index, int size, qreal scale);
/// Fills `rect` with the sequence's colour and pattern.
void paintSequence(QPainter& painter, const Theme& theme, int index, const QRect& rect);
/// The lettered 16-px chip of a sequence.
void paintSequenceChip(QPainter& painter, const Theme& theme, int index, const QRect& rect);
/// Diagonal hatch over `rect` in `color`: reused prefix, other programs.
void paintHatch(QPainter& painter, const QRect& rect, const QColor& color);

} // namespace vitrine::ui
