// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: reads and writes of the chat database.
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <optional>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

/// One change, carried out in one transaction.
struct ChatWrite {
    std::optional<ChatRecord> chat; // added or replaced
    std::optional<MessageRecord> message; // added or replaced
    ChatId erase = 0; // this chat and its messages go
    QList<MessageId> eraseMessages = {};
    bool durable = false; // synchronous=FULL: on the platter before it returns
    QList<ChatTree> trees{}; // added whole, as an import brings them
};

/// Thread: store; opened, used and closed there.  A null field, an unknown role or a broken number hides that message,
/// never its chat.
class ChatDatabase {
public:
    ChatDatabase() = default;
    ~ChatDatabase();
    ChatDatabase(const ChatDatabase&) = delete;
    ChatDatabase& operator=(const ChatDatabase&) = delete;

    [[nodiscard]] Stored<void> open(const QString& file);
    void close(); // checkpoints
    [[nodiscard]] bool isOpen() const { return m_database.isOpen(); }
    /// What is there can be read, but the disk takes no change; open() tries again.
    [[nodiscard]] bool isReadOnly() const { return !m_whyReadOnly.isEmpty(); }

    [[nodiscard]] Stored<void> write(const ChatWrite& write);
    [[nodiscard]] QList<ChatRecord> chats();
    [[nodiscard]] std::optional<ChatRecord> chat(ChatId id);
    [[nodiscard]] ChatTree tree(ChatId chat);
    [[nodiscard]] std::optional<MessageRecord> message(MessageId id);
    [[nodiscard]] qint64 newestId(); // of chats and messages; 0: none
    /// Moves the WAL into the file when nobody else wants the disk.
    void checkpoint();
    [[nodiscard]] QSqlDatabase& handle() { return m_database; }

private:
    [[nodiscard]] Stored<void> writeInside(const ChatWrite& write);
    [[nodiscard]] Stored<void> put(const ChatRecord& chat);
    [[nodiscard]] Stored<void> put(const MessageRecord& message);
    [[nodiscard]] Stored<void> exec(QSqlQuery& query) const;
    void setDurable(bool durable);
    [[nodiscard]] bool openToRead(const QString& file);

    QSqlDatabase m_database;
    QString m_connection;
    QString m_whyReadOnly; // empty: it is not
    bool m_isDurable = false;
};

} // namespace vitrine::ui
