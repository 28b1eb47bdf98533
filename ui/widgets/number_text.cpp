// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: fixed width, at most four changes a second.
#include "ui/widgets/number_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTimerEvent>

#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kQuietMs = 250;

} // namespace

NumberText::NumberText(const Theme& theme, const QString& widest, TextRole role, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_widest(widest), m_role(role) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void NumberText::setText(const QString& text) {
    if (text == m_pending)
        return;
    m_pending = text;
    setAccessibleDescription(text);
    if (m_timer == 0) {
        display(text);
        m_timer = startTimer(kQuietMs);
    }
}

void NumberText::display(const QString& text) {
    if (text != m_shown) {
        m_shown = text;
        update();
    }
}

void NumberText::timerEvent(QTimerEvent* event) {
    if (event->timerId() != m_timer)
        return QWidget::timerEvent(event);
    if (m_shown == m_pending) { // quiet for a quarter second: no timer while nothing changes
        killTimer(m_timer);
        m_timer = 0;
    } else {
        display(m_pending);
    }
}

void NumberText::setColor(Color color) {
    if (color != m_color) {
        m_color = color;
        update();
    }
}

void NumberText::setAlignment(Qt::Alignment alignment) {
    m_alignment = alignment;
    update();
}

QSize NumberText::sizeHint() const {
    const QFontMetricsF metrics(m_theme.font(m_role));
    return {static_cast<int>(std::ceil(metrics.horizontalAdvance(m_widest))) + 1, m_theme.lineHeight(m_role)};
}

void NumberText::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(m_theme.font(m_role));
    painter.setPen(m_theme.color(isEnabled() ? m_color : Color::disabled));
    painter.drawText(rect(), static_cast<int>(m_alignment) | Qt::TextSingleLine, m_shown);
}

} // namespace vitrine::ui
