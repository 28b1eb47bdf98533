// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the branch on screen as rows.
#pragma once

#include <QAbstractListModel>
#include <QPointer>

#include "ui/chat/chat_session.h"

namespace vitrine::ui {

/// Rows follow the session: a turn that grows changes its row, another branch replaces the rows behind the fork.
class MessageListModel final : public QAbstractListModel {
    Q_OBJECT
public:
    explicit MessageListModel(QObject* parent = nullptr);

    void setSession(ChatSession* session); // null: no rows
    [[nodiscard]] ChatSession* session() const { return m_session; }
    [[nodiscard]] const TurnItem& turn(int row) const { return m_turns[row]; }
    [[nodiscard]] int rowOf(MessageId message) const; // -1: not on this branch

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: the text; AccessibleTextRole: who said it, then the text.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    void takeBranch();
    void takeTurn(MessageId message);

    QPointer<ChatSession> m_session;
    QList<TurnItem> m_turns;
};

} // namespace vitrine::ui
