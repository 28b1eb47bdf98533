// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the chats as rows under headings.
#include "ui/chat/chat_list_model.h"

#include <QDateTime>
#include <QLocale>
#include <QMap>
#include <algorithm>

#include "ui/store/chat_search.h"
#include "ui/store/chat_store.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

ChatListModel::ChatListModel(ChatStore& store, QObject* parent) : QAbstractListModel(parent), m_store(store) {
    connect(&store, &ChatStore::chatsChanged, this, &ChatListModel::rebuild);
    rebuild();
}

void ChatListModel::setMode(Mode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    if (mode != Mode::search)
        m_hits.clear();
    rebuild();
}

void ChatListModel::setHits(const QString&, const QList<SearchHit>& hits) {
    m_mode = Mode::search;
    m_hits = hits;
    rebuild();
}

ChatListModel::Row ChatListModel::rowOfChat(const ChatRecord& chat) const {
    Row row;
    row.chat = chat.id;
    row.text = chat.title.isEmpty() ? tr("New chat") : chat.title;
    row.time = chat.temporary ? tr("temporary") : chatTimeText(chat.updatedMs, QDateTime::currentDateTime());
    row.isPinned = chat.pinned;
    row.isUnread = chat.unread;
    return row;
}

void ChatListModel::addGroup(const QString& heading, const QList<ChatRecord>& chats) {
    if (chats.isEmpty())
        return;
    Row head;
    head.text = heading;
    m_rows.append(head);
    for (const ChatRecord& chat : chats)
        m_rows.append(rowOfChat(chat));
}

QList<ChatListModel::Row> ChatListModel::searchRows() const {
    QList<Row> rows;
    for (const SearchHit& hit : m_hits) {
        const ChatRecord* chat = m_store.chat(hit.chat);
        if (chat == nullptr || chat->trashedMs > 0)
            continue;
        Row row = rowOfChat(*chat);
        row.message = hit.message;
        row.snippet = hit.snippet.simplified();
        rows.append(row);
    }
    return rows;
}

void ChatListModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    if (m_mode == Mode::search) {
        m_rows = searchRows();
        endResetModel();
        return;
    }
    QList<ChatRecord> pinned, today, week, earlier, trashed;
    QMap<QString, QList<ChatRecord>> folders;
    const QDate now = QDate::currentDate();
    for (const ChatRecord& chat : m_store.chats()) {
        const QDate day = QDateTime::fromMSecsSinceEpoch(chat.updatedMs).date();
        if (chat.trashedMs > 0)
            trashed.append(chat);
        else if (chat.pinned)
            pinned.append(chat);
        else if (!chat.folder.isEmpty())
            folders[chat.folder].append(chat);
        else if (day >= now)
            today.append(chat);
        else if (day > now.addDays(-7))
            week.append(chat);
        else
            earlier.append(chat);
    }
    if (m_mode == Mode::trash) {
        addGroup(tr("Trash"), trashed);
    } else {
        addGroup(tr("Pinned"), pinned);
        for (auto it = folders.cbegin(); it != folders.cend(); ++it)
            addGroup(it.key(), it.value());
        addGroup(tr("Today"), today);
        addGroup(tr("This week"), week);
        addGroup(tr("Earlier"), earlier);
    }
    endResetModel();
}

void ChatListModel::setGenerating(ChatId chat, bool generating) {
    if (generating)
        m_generating.insert(chat);
    else
        m_generating.remove(chat);
    if (const int row = rowOf(chat); row >= 0)
        emit dataChanged(index(row), index(row), {IsGeneratingRole, Qt::AccessibleTextRole});
}

int ChatListModel::rowOf(ChatId chat) const {
    for (qsizetype row = 0; row < m_rows.size(); ++row)
        if (chat != 0 && m_rows[row].chat == chat)
            return static_cast<int>(row);
    return -1;
}

ChatId ChatListModel::chatAt(int row) const {
    return row >= 0 && row < m_rows.size() ? m_rows[row].chat : 0;
}

MessageId ChatListModel::messageAt(int row) const {
    return row >= 0 && row < m_rows.size() ? m_rows[row].message : 0;
}

int ChatListModel::numTrashed() const {
    return static_cast<int>(std::count_if(
        m_store.chats().begin(), m_store.chats().end(), [](const ChatRecord& chat) { return chat.trashedMs > 0; }));
}

int ChatListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return row.text;
    case Qt::AccessibleTextRole:
        return row.chat == 0                  ? row.text
            : m_generating.contains(row.chat) ? tr("%1, answering").arg(row.text)
            : row.isUnread                    ? tr("%1, unread").arg(row.text)
                                              : row.text;
    case ChatIdRole:
        return row.chat;
    case IsHeadingRole:
        return row.chat == 0;
    case IsPinnedRole:
        return row.isPinned;
    case IsUnreadRole:
        return row.isUnread;
    case IsGeneratingRole:
        return m_generating.contains(row.chat);
    case TimeRole:
        return row.time;
    case SnippetRole:
        return row.snippet;
    default:
        return {};
    }
}

Qt::ItemFlags ChatListModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (m_rows[index.row()].chat == 0) // a heading
        return Qt::ItemNeverHasChildren;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QString chatTimeText(qint64 ms, const QDateTime& now) {
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
    const QLocale locale;
    if (time.date() >= now.date())
        return locale.toString(time.time(), QStringLiteral("HH:mm"));
    if (time.date() > now.date().addDays(-7))
        return locale.toString(time.date(), QStringLiteral("ddd"));
    return time.date().year() == now.date().year() ? shortDayText(time.date()) : dayText(time.date());
}

} // namespace vitrine::ui
