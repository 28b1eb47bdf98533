// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: equal columns.
#include "ui/widgets/tile_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace vitrine::ui {

TileLayout::TileLayout(int maxColumns, int columnGap, int rowGap, QWidget* parent)
    : QLayout(parent), m_maxColumns(maxColumns), m_columnGap(columnGap), m_rowGap(rowGap) {
    setContentsMargins(0, 0, 0, 0);
}

TileLayout::~TileLayout() = default;

void TileLayout::setColumnWidth(int width) {
    m_columnWidth = width;
    invalidate();
}

void TileLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* TileLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* TileLayout::takeAt(int index) {
    if (itemAt(index) == nullptr)
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int TileLayout::numColumns(int width) const {
    int wanted = m_columnWidth;
    int shown = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        ++shown;
        if (m_columnWidth == 0)
            wanted = std::max(wanted, item->sizeHint().width());
    }
    return std::clamp(
        (width + m_columnGap) / std::max(1, wanted + m_columnGap), 1, std::max(1, std::min(m_maxColumns, shown)));
}

int TileLayout::arrange(const QRect& rect, bool places) const {
    const int columns = numColumns(rect.width());
    const Qt::LayoutDirection direction =
        parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    std::vector<QLayoutItem*> shown;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            shown.push_back(item.get());
    int top = rect.top();
    for (std::size_t first = 0; first < shown.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t end = std::min(shown.size(), first + static_cast<std::size_t>(columns));
        const auto columnLeft = [&](std::size_t column) { // the rounding is spread, so that rows align
            return static_cast<int>(column) * (rect.width() + m_columnGap) / columns;
        };
        const auto columnWidth = [&](std::size_t column) {
            return columnLeft(column + 1) - columnLeft(column) - m_columnGap;
        };
        int height = 0;
        for (std::size_t i = first; i < end; ++i)
            height = std::max(height,
                shown[i]->hasHeightForWidth() ? shown[i]->heightForWidth(columnWidth(i - first))
                                              : shown[i]->sizeHint().height());
        for (std::size_t i = first; places && i < end; ++i)
            shown[i]->setGeometry(QStyle::visualRect(
                direction, rect, {rect.left() + columnLeft(i - first), top, columnWidth(i - first), height}));
        top += height + (end < shown.size() ? m_rowGap : 0);
    }
    return top - rect.top();
}

int TileLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    return arrange({0, 0, width - margins.left() - margins.right(), 0}, false) + margins.top() + margins.bottom();
}

void TileLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect.marginsRemoved(contentsMargins()), true);
}

QSize TileLayout::sizeHint() const {
    QSize widest;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            widest = widest.expandedTo(item->sizeHint());
    const int width = m_maxColumns * std::max(widest.width(), m_columnWidth) + (m_maxColumns - 1) * m_columnGap;
    return {width, heightForWidth(width)};
}

QSize TileLayout::minimumSize() const {
    QSize smallest;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            smallest = smallest.expandedTo(item->minimumSize());
    return smallest;
}

} // namespace vitrine::ui
