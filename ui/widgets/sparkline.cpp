// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: sparkline.
#include "ui/widgets/sparkline.h"

#include <QPainterPath>

#include <algorithm>

namespace vitrine::ui {

void paintSparkline(QPainter& painter, const QRectF& rect, const std::vector<double>& values, const QColor& color) {
    if (values.empty())
        return;
    const double top = std::max(*std::max_element(values.begin(), values.end()) * 1.15, 1e-9);
    const QRectF area = rect.adjusted(1, 1.5, -2.5, -1);
    const double step = values.size() > 1 ? area.width() / static_cast<double>(values.size() - 1) : 0;
    const auto pointAt = [&](std::size_t i) {
        return QPointF(area.left() + step * static_cast<double>(i), area.bottom() - values[i] / top * area.height());
    };
    QPainterPath line(pointAt(0));
    for (std::size_t i = 1; i < values.size(); ++i)
        line.lineTo(pointAt(i));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath fill = line;
    fill.lineTo(line.currentPosition().x(), rect.bottom());
    fill.lineTo(area.left(), rect.bottom());
    QColor soft = color;
    soft.setAlphaF(0.14F);
    painter.fillPath(fill, soft);
    painter.strokePath(line, QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(line.currentPosition(), 1.8, 1.8);
    painter.restore();
}

Sparkline::Sparkline(const Theme& theme, Color color, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_color(color) {
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Sparkline::setValues(std::vector<double> values) {
    if (values != m_values) {
        m_values = std::move(values);
        update();
    }
}

QSize Sparkline::sizeHint() const {
    return {m_theme.px(64), m_theme.px(16)};
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSparkline(painter, rect(), m_values, m_theme.color(m_color));
}

} // namespace vitrine::ui
