// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the switch, painted.
#include "ui/widgets/switch.h"

#include <QPainter>

namespace vitrine::ui {

Switch::Switch(const Theme& theme, Size size, QWidget* parent) : QAbstractButton(parent), m_theme(theme), m_size(size) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setProperty("ringRadius", 14);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

QSize Switch::sizeHint() const {
    return m_size == Size::large ? QSize(m_theme.px(52), m_theme.px(28)) : QSize(m_theme.px(36), m_theme.px(20));
}

void Switch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QSize size = sizeHint();
    const QRectF track(0.5, (height() - size.height()) / 2.0 + 0.5, size.width() - 1, size.height() - 1);
    const bool on = isChecked();
    const Color fill = !isEnabled() ? Color::disabled : underMouse() ? Color::accentHover : Color::accent;
    painter.setPen(QPen(m_theme.color(on ? fill : isEnabled() ? Color::control : Color::disabled), 1));
    painter.setBrush(m_theme.color(on ? fill : Color::page));
    painter.drawRoundedRect(track, track.height() / 2, track.height() / 2);
    const double inset = on ? 3 : 4;
    const double knob = track.height() - 2 * inset;
    const bool right = on != isRightToLeft();
    const double x = right ? track.right() - inset - knob : track.left() + inset;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(on ? Color::onAccent : isEnabled() ? Color::control : Color::disabled));
    painter.drawEllipse(QRectF(x, track.top() + inset, knob, knob));
}

} // namespace vitrine::ui
