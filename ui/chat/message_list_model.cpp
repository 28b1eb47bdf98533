// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the branch on screen as rows.
#include "ui/chat/message_list_model.h"

namespace vitrine::ui {

MessageListModel::MessageListModel(QObject* parent) : QAbstractListModel(parent) {}

void MessageListModel::setSession(ChatSession* session) {
    if (m_session)
        disconnect(m_session, nullptr, this, nullptr);
    beginResetModel();
    m_session = session;
    m_turns = session != nullptr ? session->turns() : QList<TurnItem>();
    endResetModel();
    if (session == nullptr)
        return;
    connect(session, &ChatSession::branchChanged, this, &MessageListModel::takeBranch);
    connect(session, &ChatSession::turnChanged, this, &MessageListModel::takeTurn);
}

int MessageListModel::rowOf(MessageId message) const {
    for (qsizetype row = m_turns.size() - 1; row >= 0; --row)
        if (m_turns[row].message.id == message)
            return static_cast<int>(row);
    return -1;
}

int MessageListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_turns.size());
}

QVariant MessageListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TurnItem& item = m_turns[index.row()];
    if (role == Qt::DisplayRole)
        return item.message.content;
    if (role == Qt::AccessibleTextRole)
        return (item.isUser() ? tr("You: %1") : tr("Answer: %1")).arg(item.message.content);
    return {};
}

void MessageListModel::takeBranch() {
    const QList<TurnItem> turns = m_session->turns();
    qsizetype same = 0;
    while (same < m_turns.size() && same < turns.size() && m_turns[same].message.id == turns[same].message.id)
        ++same;
    if (same < m_turns.size()) {
        beginRemoveRows({}, static_cast<int>(same), static_cast<int>(m_turns.size()) - 1);
        m_turns.resize(same);
        endRemoveRows();
    }
    if (same < turns.size()) {
        beginInsertRows({}, static_cast<int>(same), static_cast<int>(turns.size()) - 1);
        m_turns.append(turns.mid(same));
        endInsertRows();
    }
    for (qsizetype row = 0; row < same; ++row)
        m_turns[row] = turns[row];
    if (same > 0)
        emit dataChanged(index(0), index(static_cast<int>(same) - 1));
}

void MessageListModel::takeTurn(MessageId message) {
    const int row = rowOf(message);
    if (row < 0)
        return;
    if (const auto turn = m_session->turn(message)) {
        const bool isLast = m_turns[row].isLast;
        m_turns[row] = *turn;
        m_turns[row].isLast = isLast;
        emit dataChanged(index(row), index(row));
    }
}

} // namespace vitrine::ui
