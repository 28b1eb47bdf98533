// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: patterns.  Brush styles of Qt have an 8-pixel pitch in device pixels and shrink on a fine screen, so
// the strokes are drawn here, clipped to the shape.
#include "ui/theme/sequence_brush.h"

#include <QPainter>

#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kSmallestPattern = 8; // pixels
constexpr double kPitch = 5, kDotPitch = 4, kStroke = 1.1;
enum Pattern { solid, rising, across, falling, dots, down };

/// The first six sequences have the pattern of their colour; later ones take that of the next colour, so that a
/// repeated colour is still told apart.
int patternOf(int index) {
    return (index + index / kNumSequenceColors) % kNumSequenceColors;
}

void strokeDiagonals(QPainter& painter, const QRect& rect, bool up) {
    for (double x = rect.left() - rect.height(); x < rect.right() + rect.height() + 1; x += kPitch) {
        const QPointF low(x, rect.bottom() + 1), high(x + rect.height(), rect.top());
        if (up)
            painter.drawLine(low, high);
        else
            painter.drawLine(QPointF(low.x(), high.y()), QPointF(high.x(), low.y()));
    }
}

void strokeDots(QPainter& painter, const QRect& rect) {
    for (double y = rect.top() + kDotPitch / 2; y < rect.bottom() + 1; y += kDotPitch)
        for (double x = rect.left() + kDotPitch / 2; x < rect.right() + 1; x += kDotPitch)
            painter.drawPoint(QPointF(x, y));
}

void strokePattern(QPainter& painter, const QRect& rect, int pattern) {
    switch (pattern) {
    case rising:
        return strokeDiagonals(painter, rect, true);
    case falling:
        return strokeDiagonals(painter, rect, false);
    case dots:
        return strokeDots(painter, rect);
    case across:
        for (double y = rect.top() + 1.5; y < rect.bottom() + 1; y += 3)
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right() + 1, y));
        return;
    case down:
        for (double x = rect.left() + 1.5; x < rect.right() + 1; x += 3)
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1));
        return;
    default:
        return;
    }
}

} // namespace

QString sequenceLetter(int index) {
    const QChar letter(u'A' + index % 26);
    return index < 26 ? QString(letter) : QString(letter) + QString::number(index / 26 + 1);
}

void paintSequence(QPainter& painter, const Theme& theme, int index, const QRect& rect) {
    painter.fillRect(rect, theme.color(sequenceColor(index)));
    const int pattern = patternOf(index);
    if (pattern == solid || !theme.sequencePatterns() || std::min(rect.width(), rect.height()) < kSmallestPattern)
        return;
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, pattern == rising || pattern == falling || pattern == dots);
    painter.setPen(QPen(theme.color(Color::hatch),
        pattern == dots        ? 1.4
            : pattern == solid ? 1
                               : kStroke,
        Qt::SolidLine, pattern == dots ? Qt::RoundCap : Qt::FlatCap));
    strokePattern(painter, rect, pattern);
    painter.restore();
}

QPixmap sequenceTile(const Theme& theme, int index, int size, qreal scale) {
    const int pixels = static_cast<int>(std::lround(size * scale));
    QPixmap tile(pixels, pixels);
    tile.setDevicePixelRatio(scale);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    paintSequence(painter, theme, index, QRect(0, 0, size, size));
    return tile;
}

void paintSequenceChip(QPainter& painter, const Theme& theme, int index, const QRect& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(sequenceColor(index)));
    painter.drawRoundedRect(rect, 3, 3);
    painter.setPen(sequenceLetterColor(theme.scheme(), index));
    painter.setFont(theme.font(TextRole::letter));
    painter.drawText(rect, Qt::AlignCenter, sequenceLetter(index));
    painter.restore();
}

void paintHatch(QPainter& painter, const QRect& rect, const QColor& color) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.2, Qt::SolidLine, Qt::FlatCap));
    strokeDiagonals(painter, rect, true);
    painter.restore();
}

} // namespace vitrine::ui
