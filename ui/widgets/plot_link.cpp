// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the door from a plot to an experiment.
#include "ui/widgets/plot_link.h"

#include <QEvent>
#include <QPainter>

namespace vitrine::ui {

PlotLink::PlotLink(const Theme& theme, const QString& tip, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setToolTip(tip);
    setAccessibleName(tip);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setProperty("focusRing", "inset");
}

bool PlotLink::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

void PlotLink::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(underMouse() || isDown() ? m_theme.color(Color::press) : m_theme.color(Color::page, 0.82));
    painter.drawRoundedRect(QRectF(rect()), 3, 3);
    const int side = width() - 4;
    painter.drawPixmap(QPoint(2, 2),
        m_theme.pixmap(QStringLiteral("lab"), side, underMouse() || hasFocus() ? Color::accent : Color::text3,
            devicePixelRatioF()));
}

} // namespace vitrine::ui
