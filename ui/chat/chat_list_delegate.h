// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: how a row of the chat list is painted.
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

namespace vitrine::ui {

class ChatListDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ChatListDelegate(const Theme& theme, QObject* parent = nullptr);
    void setSpinnerStep(int step) { m_spinnerStep = step; }
    /// Where a chat's spinner turns, of the rectangle of its row.
    [[nodiscard]] QRect stateRect(Qt::LayoutDirection direction, const QRect& row) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintHeading(QPainter& painter, const QRect& rect, const QString& text) const;
    /// Spinner, dot or time at the right end; returns its width.
    int paintState(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
    void paintSnippet(QPainter& painter, const QRect& rect, const QString& snippet) const;

    const Theme& m_theme;
    int m_spinnerStep = 0;
};

} // namespace vitrine::ui
