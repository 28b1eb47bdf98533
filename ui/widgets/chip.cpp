// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the chip, painted.
#include "ui/widgets/chip.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace vitrine::ui {
namespace {

constexpr int kPadding = 9;
constexpr int kGap = 6;

} // namespace

Chip::Chip(const Theme& theme, const QString& text, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setText(text);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void Chip::setIconName(const QString& name) {
    m_icon = name;
    updateGeometry();
    update();
}

void Chip::setClosable(bool closable) {
    m_closable = closable;
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const {
    const int icon = m_theme.px(Measure::kIconInline);
    const int extra = (m_icon.isEmpty() ? 0 : icon + kGap) + (m_closable ? icon + kGap : 0);
    const QFontMetrics metrics(m_theme.font(TextRole::smallMedium));
    return {metrics.horizontalAdvance(text()) + 2 * m_theme.px(kPadding) + extra, m_theme.px(Measure::kChip)};
}

QRect Chip::closeRect() const {
    const int icon = m_theme.px(Measure::kIconInline);
    return {width() - m_theme.px(kPadding) - icon, (height() - icon) / 2, icon, icon};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = isChecked();
    const Color fill = on ? Color::accentSoft : isDown() ? Color::press : underMouse() ? Color::hover : Color::well;
    painter.setBrush(m_theme.color(fill));
    const bool outlined = m_theme.scheme() == Scheme::contrast;
    painter.setPen(outlined ? QPen(m_theme.color(on ? Color::accent : Color::outline), 1) : QPen(Qt::NoPen));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRect content = rect().adjusted(m_theme.px(kPadding), 0, -m_theme.px(kPadding), 0);
    const Color ink = !isEnabled() ? Color::disabled : on ? Color::accent : Color::text2;
    const int icon = m_theme.px(Measure::kIconInline);
    const qreal scale = devicePixelRatioF();
    if (!m_icon.isEmpty()) {
        painter.drawPixmap(content.left(), (height() - icon) / 2, m_theme.pixmap(m_icon, icon, ink, scale));
        content.setLeft(content.left() + icon + kGap);
    }
    if (m_closable) {
        painter.drawPixmap(closeRect().topLeft(), m_theme.pixmap(QStringLiteral("close"), icon, ink, scale));
        content.setRight(closeRect().left() - kGap);
    }
    painter.setPen(m_theme.color(ink));
    painter.setFont(m_theme.font(TextRole::smallMedium));
    painter.drawText(content, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        painter.fontMetrics().elidedText(text(), Qt::ElideRight, content.width() + 1));
}

void Chip::mouseReleaseEvent(QMouseEvent* event) {
    if (m_closable && isDown() && closeRect().adjusted(-4, -4, 4, 4).contains(event->pos())) {
        setDown(false);
        emit closed();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void Chip::keyPressEvent(QKeyEvent* event) {
    if (m_closable && event->key() == Qt::Key_Delete)
        emit closed();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace vitrine::ui
