// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: how a row of the chat list is painted.
#include "ui/chat/chat_list_delegate.h"

#include <QPainter>
#include <QStyle>

#include "ui/chat/chat_list_model.h"
#include "ui/store/chat_search.h"

namespace vitrine::ui {

namespace {

constexpr int kInset = 8; // of the row's tint
constexpr int kTextInset = 12; // inside it
constexpr int kHeading = 32;
constexpr int kSnippet = 18;
constexpr int kSpinner = 12;

/// Places are worked out from left to right; in a window that reads the other way each is mirrored in its row.
QRect mirrored(const QPainter& painter, const QRect& row, const QRect& part) {
    return QStyle::visualRect(painter.layoutDirection(), row, part);
}

} // namespace

ChatListDelegate::ChatListDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

QSize ChatListDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    if (index.data(ChatListModel::IsHeadingRole).toBool())
        return {100, m_theme.px(kHeading) + (index.row() > 0 ? m_theme.px(Measure::kSpace2) : 0)};
    const bool hasSnippet = !index.data(ChatListModel::SnippetRole).toString().isEmpty();
    return {100, m_theme.px(Measure::kListRow + (hasSnippet ? kSnippet + Measure::kSpace1 : 0))};
}

void ChatListDelegate::paintHeading(QPainter& painter, const QRect& rect, const QString& text) const {
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text2));
    const QRect line = rect.adjusted(m_theme.px(kInset + kTextInset), rect.height() - m_theme.px(kHeading), -kInset, 0);
    painter.drawText(mirrored(painter, rect, line), Qt::AlignLeft | Qt::AlignVCenter, text);
}

QRect ChatListDelegate::stateRect(Qt::LayoutDirection direction, const QRect& row) const {
    const int width = m_theme.px(2 * kInset + kTextInset + kSpinner);
    return QStyle::visualRect(direction, row, {row.right() - width, row.top(), width, row.height()});
}

int ChatListDelegate::paintState(QPainter& painter, const QRect& rect, const QModelIndex& index) const {
    const int right = rect.right() - m_theme.px(kTextInset);
    const int center = rect.center().y();
    painter.setRenderHint(QPainter::Antialiasing);
    if (index.data(ChatListModel::IsGeneratingRole).toBool()) {
        const int size = m_theme.px(kSpinner);
        const QRect ring = mirrored(painter, rect, {right - size, center - size / 2, size, size});
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(Color::press), 1.5));
        painter.drawEllipse(ring);
        painter.setPen(QPen(m_theme.color(Color::accent), 1.5));
        painter.drawArc(ring, (90 - 30 * m_spinnerStep) * 16, -120 * 16);
        return size;
    }
    if (index.data(ChatListModel::IsUnreadRole).toBool()) {
        const int size = m_theme.px(7);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::accent));
        painter.drawEllipse(mirrored(painter, rect, {right - size, center - size / 2, size, size}));
        return size;
    }
    const QString time = index.data(ChatListModel::TimeRole).toString();
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text3));
    const QRect line = rect.adjusted(0, 0, -m_theme.px(kTextInset), 0);
    painter.drawText(mirrored(painter, rect, line), Qt::AlignRight | Qt::AlignVCenter, time);
    return painter.fontMetrics().horizontalAdvance(time);
}

/// One line, hits in the accent colour.
void ChatListDelegate::paintSnippet(QPainter& painter, const QRect& rect, const QString& snippet) const {
    painter.setFont(m_theme.font(TextRole::small));
    const QFontMetrics metrics = painter.fontMetrics();
    int x = rect.left();
    bool isHit = false;
    QString part;
    const auto flush = [&] {
        painter.setPen(m_theme.color(isHit ? Color::accent : Color::text3));
        const QString shown = metrics.elidedText(part, Qt::ElideRight, rect.right() - x);
        painter.drawText(mirrored(painter, rect, {x, rect.top(), rect.right() - x, rect.height()}),
            Qt::AlignLeft | Qt::AlignVCenter, shown);
        x += metrics.horizontalAdvance(shown);
        part.clear();
    };
    for (const QChar c : snippet) {
        if (c != kHitBegin && c != kHitEnd) {
            part += c;
            continue;
        }
        flush();
        isHit = c == kHitBegin;
        if (x >= rect.right())
            return;
    }
    flush();
}

void ChatListDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setLayoutDirection(option.direction);
    const QString text = index.data(Qt::DisplayRole).toString();
    if (index.data(ChatListModel::IsHeadingRole).toBool()) {
        paintHeading(*painter, option.rect, text);
        painter->restore();
        return;
    }
    const int inset = m_theme.px(kInset);
    const QRect row = option.rect.adjusted(inset, 0, -inset, 0);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    if (isSelected || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.color(isSelected ? Color::accentSoft : Color::hover));
        painter->drawRoundedRect(row, Measure::kRadiusControl, Measure::kRadiusControl);
    }
    const QRect title(row.left(), row.top(), row.width(), m_theme.px(Measure::kListRow));
    const int state = paintState(*painter, title, index);
    int left = title.left() + m_theme.px(kTextInset);
    if (index.data(ChatListModel::IsPinnedRole).toBool()) {
        const int size = m_theme.px(Measure::kIconRow);
        painter->drawPixmap(mirrored(*painter, title, {left, title.center().y() - size / 2, size, size}).topLeft(),
            m_theme.pixmap(QStringLiteral("pin"), size, Color::text2, painter->device()->devicePixelRatioF()));
        left += size + m_theme.px(Measure::kSpace2);
    }
    painter->setFont(m_theme.font(TextRole::base));
    painter->setPen(m_theme.color(Color::text1));
    const int width = title.right() - left - state - m_theme.px(kTextInset + Measure::kSpace2);
    painter->drawText(mirrored(*painter, title, {left, title.top(), width, title.height()}),
        Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(text, Qt::ElideRight, width));
    if (const QString snippet = index.data(ChatListModel::SnippetRole).toString(); !snippet.isEmpty())
        paintSnippet(*painter,
            QRect(row.left() + m_theme.px(kTextInset), title.bottom() - m_theme.px(Measure::kSpace1),
                row.width() - 2 * m_theme.px(kTextInset), m_theme.px(kSnippet)),
            snippet);
    painter->restore();
}

} // namespace vitrine::ui
