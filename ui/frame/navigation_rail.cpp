// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the rail, painted.
#include "ui/frame/navigation_rail.h"

#include "ui/widgets/labels.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {

RailItem::RailItem(const Theme& theme, const QString& page, const QString& icon, const QString& word, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_page(page), m_icon(icon) {
    setText(word);
    setCheckable(true);
    setAutoExclusive(true);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    setProperty("focusRing", "inset");
    setProperty("ringRadius", Measure::kRadiusCard);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void RailItem::setDot(bool on) {
    if (on != m_dot) {
        m_dot = on;
        update();
    }
}

QSize RailItem::sizeHint() const {
    const int word = QFontMetrics(m_theme.font(TextRole::smallMedium)).horizontalAdvance(text());
    return {std::max(m_theme.px(Measure::kRailItemWidth), word + 2), m_theme.px(Measure::kRailItem)};
}

void RailItem::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool active = isChecked();
    if (active || underMouse()) {
        painter.setPen(
            active && m_theme.scheme() == Scheme::contrast ? QPen(m_theme.color(Color::accent), 1) : QPen(Qt::NoPen));
        painter.setBrush(m_theme.color(active ? Color::accentSoft : isDown() ? Color::press : Color::hover));
        painter.drawRoundedRect(
            QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Measure::kRadiusCard, Measure::kRadiusCard);
    }
    const int size = m_theme.px(Measure::kIconRail);
    const Color ink = active ? Color::accent : Color::text2;
    const int x = (width() - size) / 2, y = m_theme.px(7);
    painter.drawPixmap(x, y, m_theme.pixmap(m_icon, size, ink, devicePixelRatioF()));
    if (m_dot) {
        painter.setPen(QPen(m_theme.color(active ? Color::accentSoft : Color::side), 2));
        painter.setBrush(m_theme.color(Color::ok));
        painter.drawEllipse(QPointF(x + size + 1, y + 3), 4.5, 4.5);
    }
    painter.setFont(m_theme.font(TextRole::smallMedium));
    painter.setPen(m_theme.color(ink));
    painter.drawText(QRect(0, y + size + m_theme.px(2), width(), m_theme.px(18)), Qt::AlignCenter, text());
}

NavigationRail::NavigationRail(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_top(new QVBoxLayout), m_bottom(new QVBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 4, 8);
    column->setSpacing(0);
    m_top->setSpacing(4);
    column->addLayout(m_top);
    column->addStretch();
    column->addLayout(m_bottom);
    setAccessibleName(tr("Pages"));
    fit();
    connect(&theme, &Theme::changed, this, &NavigationRail::fit);
}

/// As wide as its longest word, whatever the language.
void NavigationRail::fit() {
    int width = m_theme.px(Measure::kRailItemWidth);
    for (const RailItem* item : m_items)
        width = std::max(width, item->sizeHint().width());
    for (RailItem* item : m_items)
        item->setFixedWidth(width);
    setFixedWidth(width + 8);
}

void NavigationRail::addPage(
    const QString& page, const QString& icon, const QString& word, const QString& shortcut, bool atBottom) {
    auto* item = new RailItem(m_theme, page, icon, word);
    item->setToolTip(QStringLiteral("%1 (%2)").arg(word, shortcut));
    (atBottom ? m_bottom : m_top)->addWidget(item);
    m_items.push_back(item);
    fit();
    connect(item, &RailItem::clicked, this, [this, page] { emit pageRequested(page); });
}

void NavigationRail::setCurrent(const QString& page) {
    for (RailItem* item : m_items)
        if (item->page() == page)
            item->setChecked(true);
}

void NavigationRail::setDot(const QString& page, bool on) {
    for (RailItem* item : m_items)
        if (item->page() == page)
            item->setDot(on);
}

void NavigationRail::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Color::side));
    paintHairline(painter, rect(), isRightToLeft() ? Qt::LeftEdge : Qt::RightEdge, m_theme.color(Color::hairline));
}

} // namespace vitrine::ui
