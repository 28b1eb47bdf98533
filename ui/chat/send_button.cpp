// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Send, or Stop.
#include "ui/chat/send_button.h"

#include <QPainter>

namespace vitrine::ui {

SendButton::SendButton(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setStops(false);
}

void SendButton::setStops(bool stops) {
    m_stops = stops;
    setAccessibleName(stops ? tr("Stop") : tr("Send"));
    setToolTip(stops ? tr("Stop (Esc)") : tr("Send (Enter)"));
    update();
}

QSize SendButton::sizeHint() const {
    return {m_theme.px(Measure::kControl), m_theme.px(Measure::kControl)};
}

void SendButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    // Stop is the colour of text, not red: it destroys nothing.
    const Color fill = !isEnabled() ? Color::hover
        : m_stops                   ? Color::text1
        : isDown()                  ? Color::accentPress
        : underMouse()              ? Color::accentHover
                                    : Color::accent;
    painter.setBrush(m_theme.color(fill));
    painter.drawRoundedRect(rect(), m_theme.px(Measure::kRadiusControl), m_theme.px(Measure::kRadiusControl));
    if (m_stops) {
        const int side = m_theme.px(10);
        painter.setBrush(m_theme.color(Color::page));
        painter.drawRoundedRect(QRect((width() - side) / 2, (height() - side) / 2, side, side), 2, 2);
        return;
    }
    const int size = m_theme.px(Measure::kIconButton);
    const Color ink = isEnabled() ? Color::onAccent : Color::disabled;
    painter.drawPixmap(QPoint((width() - size) / 2, (height() - size) / 2),
        m_theme.pixmap(QStringLiteral("send"), size, ink, devicePixelRatioF()));
}

} // namespace vitrine::ui
