// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: lines of widgets.
#include "ui/widgets/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace vitrine::ui {

FlowLayout::FlowLayout(int spacing, QWidget* parent) : QLayout(parent), m_gap(spacing) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

int FlowLayout::count() const {
    return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::arrange(const QRect& rect, bool places) const {
    const Qt::LayoutDirection direction =
        parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    int x = rect.left(), y = rect.top(), line = 0;
    for (const auto& item : m_items) {
        const QSize size(std::min(item->sizeHint().width(), rect.width()), item->sizeHint().height());
        if (x > rect.left() && x + size.width() > rect.right() + 1) {
            x = rect.left();
            y += line + m_gap;
            line = 0;
        }
        if (places)
            item->setGeometry(QStyle::visualRect(direction, rect, QRect(QPoint(x, y), size)));
        x += size.width() + m_gap;
        line = std::max(line, size.height());
    }
    return y + line - rect.top();
}

int FlowLayout::heightForWidth(int width) const {
    return arrange(QRect(0, 0, width, 0), false);
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize FlowLayout::sizeHint() const {
    return minimumSize();
}

QSize FlowLayout::minimumSize() const {
    int height = 0;
    for (const auto& item : m_items)
        height = std::max(height, item->sizeHint().height());
    return {1, height}; // a long chip must not widen the window
}

} // namespace vitrine::ui
