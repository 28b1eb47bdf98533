// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the chats as rows under headings, or the hits of a search, or the trash.
#pragma once

#include <QAbstractListModel>
#include <QSet>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

class ChatStore;

/// Pinned, folders, Today, This week, Earlier, each newest first; empty groups have no heading.
class ChatListModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        ChatIdRole = Qt::UserRole + 1,
        IsHeadingRole,
        IsPinnedRole,
        IsUnreadRole,
        IsGeneratingRole,
        TimeRole,
        SnippetRole
    };
    enum class Mode { chats, search, trash };

    explicit ChatListModel(ChatStore& store, QObject* parent = nullptr);

    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    void setHits(const QString& query, const QList<SearchHit>& hits); // mode search
    void setGenerating(ChatId chat, bool generating);
    [[nodiscard]] const QSet<ChatId>& generating() const { return m_generating; }
    [[nodiscard]] int rowOf(ChatId chat) const; // -1: not shown
    [[nodiscard]] ChatId chatAt(int row) const; // 0: a heading, or no such row
    [[nodiscard]] MessageId messageAt(int row) const; // of a search hit; 0: the title
    [[nodiscard]] int numTrashed() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        ChatId chat = 0; // 0: a heading
        MessageId message = 0;
        QString text; // heading or title
        QString time;
        QString snippet;
        bool isPinned = false;
        bool isUnread = false;
    };
    void rebuild();
    void addGroup(const QString& heading, const QList<ChatRecord>& chats);
    [[nodiscard]] QList<Row> searchRows() const;
    [[nodiscard]] Row rowOfChat(const ChatRecord& chat) const;

    ChatStore& m_store;
    Mode m_mode = Mode::chats;
    QList<Row> m_rows;
    QList<SearchHit> m_hits;
    QSet<ChatId> m_generating;
};

/// "09:12" today, "Tue" this week, "14 Nov" this year, "3 Oct 2025" before.
[[nodiscard]] QString chatTimeText(qint64 ms, const QDateTime& now);

} // namespace vitrine::ui
