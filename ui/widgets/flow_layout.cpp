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
    struct Placed {
        QLayoutItem* item;
        QSize size;
    };
    std::vector<Placed> line;
    int used = 0, top = rect.top(), height = m_lineHeight;
    const auto endLine = [&](bool isLast) {
        int left = rect.left(), spare = m_fillsLines ? std::max(0, rect.width() - (used - m_gap)) : 0;
        for (std::size_t i = 0; places && i < line.size(); ++i) {
            auto& [item, size] = line[i];
            const int share = spare / static_cast<int>(line.size() - i);
            size.rwidth() += share;
            spare -= share;
            if (isLast && m_endsAtEdge && i > 0 && i + 1 == line.size())
                left = rect.left() + rect.width() - size.width();
            const QRect place(left, top + (height - size.height()) / 2, size.width(), size.height());
            item->setGeometry(QStyle::visualRect(direction, rect, place));
            left += size.width() + m_gap;
        }
    };
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const int width = std::min(item->sizeHint().width(), rect.width());
        const QSize size(width, item->hasHeightForWidth() ? item->heightForWidth(width) : item->sizeHint().height());
        if (!line.empty() && used + size.width() > rect.width()) {
            endLine(false);
            top += height + m_gap;
            line.clear();
            used = 0;
            height = m_lineHeight;
        }
        line.push_back({item.get(), size});
        used += size.width() + m_gap;
        height = std::max(height, size.height());
    }
    endLine(true);
    return top + height - rect.top();
}

int FlowLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    return arrange(QRect(0, 0, width - margins.left() - margins.right(), 0), false) + margins.top() + margins.bottom();
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect.marginsRemoved(contentsMargins()), true);
}

int FlowLayout::lineHeight() const {
    int height = m_lineHeight;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            height = std::max(height, item->sizeHint().height());
    return height;
}

QSize FlowLayout::sizeHint() const {
    int width = 0;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            width += item->sizeHint().width() + (width > 0 ? m_gap : 0);
    const QMargins margins = contentsMargins();
    return {std::max(1, width) + margins.left() + margins.right(), lineHeight() + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
    if (m_isOneLine)
        return sizeHint();
    const QMargins margins = contentsMargins();
    return {1, lineHeight() + margins.top() + margins.bottom()}; // a long chip must not widen the window
}

} // namespace vitrine::ui
