// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: side by side or folded.
#include "ui/widgets/fold_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kFoldedGap = 6;

int heightOf(const QLayoutItem& item, int width) {
    return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
}

bool isShown(const std::unique_ptr<QLayoutItem>& item) {
    return item != nullptr && !item->isEmpty();
}

} // namespace

struct FoldLayout::Split {
    bool isFolded = false;
    int first = 0, second = 0; // widths
};

FoldLayout::FoldLayout(int gap, Grows grows, QWidget* parent) : QLayout(parent), m_gap(gap), m_grows(grows) {
    setContentsMargins(0, 0, 0, 0);
}

FoldLayout::~FoldLayout() = default;

void FoldLayout::setRoom(int width) {
    m_room = width;
    invalidate();
}

void FoldLayout::setFirstWidth(int width) {
    m_firstWidth = width;
    invalidate();
}

void FoldLayout::addItem(QLayoutItem* item) {
    m_parts[m_parts[0] == nullptr ? 0 : 1].reset(item);
}

void FoldLayout::addPart(QLayout* layout) {
    addChildLayout(layout);
    addItem(layout);
}

int FoldLayout::count() const {
    return (m_parts[0] != nullptr) + (m_parts[1] != nullptr);
}

QLayoutItem* FoldLayout::itemAt(int index) const {
    return index >= 0 && index < 2 ? m_parts[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FoldLayout::takeAt(int index) {
    if (itemAt(index) == nullptr)
        return nullptr;
    QLayoutItem* taken = m_parts[static_cast<std::size_t>(index)].release();
    if (index == 0)
        m_parts[0] = std::move(m_parts[1]);
    return taken;
}

bool FoldLayout::hasBoth() const {
    return isShown(m_parts[0]) && isShown(m_parts[1]);
}

FoldLayout::Split FoldLayout::split(int width) const {
    if (!hasBoth())
        return {true, width, width};
    const int wished = m_firstWidth > 0 ? m_firstWidth : m_parts[0]->sizeHint().width();
    if (m_grows == Grows::second) {
        // What has lines of its own stands rather below on one line than beside on two.
        const int room = std::max({m_room, m_parts[1]->minimumSize().width(), m_parts[1]->sizeHint().width()});
        if (wished + m_gap + room > width)
            return {true, width, width};
        return {false, wished, width - wished - m_gap};
    }
    const int second = m_parts[1]->sizeHint().width();
    const int room = std::max(m_room, m_parts[0]->minimumSize().width());
    if (second + m_gap + room > width)
        return {true, width, width};
    return {false, width - second - m_gap, second};
}

bool FoldLayout::folds(int width) const {
    return hasBoth() && split(width).isFolded;
}

int FoldLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    const Split parts = split(width - margins.left() - margins.right());
    const int first = isShown(m_parts[0]) ? heightOf(*m_parts[0], parts.first) : 0;
    const int second = isShown(m_parts[1]) ? heightOf(*m_parts[1], parts.second) : 0;
    const int gap = hasBoth() ? kFoldedGap : 0;
    return margins.top() + margins.bottom() + (parts.isFolded ? first + gap + second : std::max(first, second));
}

void FoldLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const QRect inner = rect.marginsRemoved(contentsMargins());
    const Split parts = split(inner.width());
    const Qt::LayoutDirection direction =
        parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    const auto place = [&](QLayoutItem& item, const QRect& area) {
        item.setGeometry(QStyle::visualRect(direction, inner, area));
    };
    int top = inner.top();
    if (parts.isFolded) {
        for (const auto& part : m_parts) {
            if (!isShown(part))
                continue;
            const int height = heightOf(*part, inner.width());
            // A control keeps its own width below the words; what has lines of its own takes all there is.
            const bool isNarrow = part == m_parts[1] && m_grows == Grows::first && !part->hasHeightForWidth();
            place(*part,
                {inner.left(), top, isNarrow ? std::min(inner.width(), part->sizeHint().width()) : inner.width(),
                    height});
            top += height + kFoldedGap;
        }
        return;
    }
    int left = inner.left();
    for (const auto& [part, width] : {std::pair{m_parts[0].get(), parts.first}, {m_parts[1].get(), parts.second}}) {
        const int height = std::min(inner.height(), heightOf(*part, width));
        const int down = m_alignsTops ? 0 : (inner.height() - height) / 2;
        place(*part, {left, inner.top() + down, width, height});
        left += width + m_gap;
    }
}

QSize FoldLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    QSize size;
    for (const auto& part : m_parts)
        if (isShown(part))
            size = {size.width() + part->sizeHint().width(), std::max(size.height(), part->sizeHint().height())};
    return size + QSize(margins.left() + margins.right() + (hasBoth() ? m_gap : 0), margins.top() + margins.bottom());
}

QSize FoldLayout::minimumSize() const {
    const QMargins margins = contentsMargins();
    QSize size;
    for (const auto& part : m_parts)
        if (isShown(part))
            size = size.expandedTo(part->minimumSize());
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

} // namespace vitrine::ui
