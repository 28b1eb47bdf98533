// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: focus ring.  Style sheets cannot tell a click from a Tab, the focus event can.
#include "ui/widgets/focus_ring.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QFocusEvent>
#include <QLineEdit>
#include <QPainter>

namespace vitrine::ui {
namespace {

constexpr int kGap = 2, kStroke = 2;

bool byKeyboard(Qt::FocusReason reason) {
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

/// Fields show the focus by their outline, views by their current row.
bool drawsItsOwn(const QWidget* widget) {
    return widget->property("focusRing").toString() == QLatin1String("none") ||
        qobject_cast<const QLineEdit*>(widget) || widget->inherits("QAbstractSpinBox") ||
        qobject_cast<const QAbstractItemView*>(widget);
}

} // namespace

FocusRing::FocusRing(const Theme& theme, QWidget* window) : QWidget(window), m_theme(theme) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    qApp->installEventFilter(this);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || widget == this)
        return false;
    switch (event->type()) {
    case QEvent::FocusIn:
        if (widget->window() == window()) {
            const bool keyboard = m_isKeyboard && byKeyboard(static_cast<QFocusEvent*>(event)->reason());
            follow(keyboard && !drawsItsOwn(widget) ? widget : nullptr);
        }
        break;
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride:
        m_isKeyboard = true;
        break;
    case QEvent::MouseButtonPress:
        m_isKeyboard = false;
        break;
    case QEvent::FocusOut:
        if (widget == m_target)
            follow(nullptr);
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        if (m_target != nullptr && (widget == m_target || widget->isAncestorOf(m_target)))
            place();
        break;
    default:
        break;
    }
    return false;
}

void FocusRing::follow(QWidget* widget) {
    m_target = widget;
    if (widget == nullptr)
        return hide();
    m_inset = widget->property("focusRing").toString() == QLatin1String("inset") ||
        qobject_cast<QAbstractScrollArea*>(widget) != nullptr;
    place();
}

void FocusRing::place() {
    if (m_target == nullptr || !m_target->isVisible())
        return hide();
    const int grow = m_inset ? 0 : kGap + kStroke;
    QRect target(m_target->mapTo(window(), QPoint(0, 0)), m_target->size());
    setGeometry(target.adjusted(-grow, -grow, grow, grow).intersected(window()->rect()));
    raise();
    show();
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Color::accent), kStroke));
    const QVariant own = m_target != nullptr ? m_target->property("ringRadius") : QVariant();
    const double radius = own.isValid() ? own.toDouble() : m_inset ? 5 : Measure::kRadiusControl + kGap + 1;
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
}

} // namespace vitrine::ui
