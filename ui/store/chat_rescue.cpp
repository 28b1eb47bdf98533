// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: judging, renaming and reading a damaged database.
#include "ui/store/chat_rescue.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStringList>
#include <QUuid>
#include <algorithm>
#include <set>

#include "ui/store/chat_database.h"

namespace vitrine::ui {

namespace {

constexpr qint64 kMaxChecked = 64 << 20;

bool isDamage(const QSqlError& error) {
    const int code = error.nativeErrorCode().toInt() & 0xFF; // extended codes keep the kind in the low byte
    return code == 11 || code == 26; // SQLITE_CORRUPT, SQLITE_NOTADB
}

bool checkFails(const QSqlDatabase& database, bool isWhole) {
    QSqlQuery query(database);
    const QString statement =
        isWhole ? QStringLiteral("PRAGMA quick_check(1)") : QStringLiteral("SELECT count(*) FROM sqlite_master");
    if (!query.exec(statement) || !query.next())
        return isDamage(query.lastError());
    return isWhole && query.value(0).toString() != QLatin1String("ok");
}

/// Rows of a table that can be found: from its beginning, from its end, and through its index, for a fault ends a walk.
/// Each is read by itself then: what is damaged costs its own rows alone.
std::set<qint64> findableIds(const QSqlDatabase& database, const QStringList& walks) {
    std::set<qint64> ids;
    for (const QString& walk : walks) {
        QSqlQuery query(database);
        query.setForwardOnly(true);
        for (query.exec(walk); query.next();)
            ids.insert(query.value(0).toLongLong());
    }
    return ids;
}

/// A message whose parent is lost hangs on what was said before it.  Ids grow with time.
void mendParents(QList<MessageRecord>& messages) {
    QSet<MessageId> known{0};
    MessageId before = 0;
    for (MessageRecord& message : messages) {
        if (!known.contains(message.parent))
            message.parent = before;
        before = message.id;
        known.insert(before);
    }
}

/// By chat, in order of creation.
QHash<ChatId, QList<MessageRecord>> readableMessages(ChatDatabase& source) {
    const QStringList walks{QStringLiteral("SELECT id FROM message NOT INDEXED ORDER BY id"),
        QStringLiteral("SELECT id FROM message NOT INDEXED ORDER BY id DESC"),
        QStringLiteral("SELECT id FROM message INDEXED BY message_of_chat ORDER BY chat, id"),
        QStringLiteral("SELECT id FROM message INDEXED BY message_of_chat ORDER BY chat DESC, id DESC")};
    QHash<ChatId, QList<MessageRecord>> messages;
    for (const qint64 id : findableIds(source.handle(), walks))
        if (const auto message = source.message(id))
            messages[message->chat].append(*message);
    for (auto& list : messages)
        mendParents(list);
    return messages;
}

/// Of a chat whose own row is lost.
ChatRecord chatOf(ChatId id, const QList<MessageRecord>& messages) {
    ChatRecord chat;
    chat.id = id;
    chat.title = titleFrom(messages.first().content);
    chat.createdMs = messages.first().createdMs;
    chat.updatedMs = messages.last().createdMs;
    return chat;
}

QList<ChatTree> readableTrees(ChatDatabase& source) {
    QHash<ChatId, QList<MessageRecord>> messages = readableMessages(source);
    std::set<qint64> ids = findableIds(source.handle(),
        {QStringLiteral("SELECT id FROM chat ORDER BY id"), QStringLiteral("SELECT id FROM chat ORDER BY id DESC")});
    for (auto it = messages.keyBegin(); it != messages.keyEnd(); ++it)
        ids.insert(*it);
    QList<ChatTree> trees;
    for (const qint64 id : ids) {
        ChatTree tree;
        tree.messages = messages.value(id);
        const auto known = source.chat(id);
        if (tree.messages.isEmpty() && (!known || known->leaf != 0))
            continue; // nothing of it is left
        tree.chat = known ? *known : chatOf(id, tree.messages);
        const bool hasLeaf = std::any_of(tree.messages.cbegin(), tree.messages.cend(),
            [&](const MessageRecord& message) { return message.id == tree.chat.leaf; });
        if (!hasLeaf)
            tree.chat.leaf = tree.messages.isEmpty() ? 0 : tree.messages.last().id;
        trees.append(tree);
    }
    return trees;
}

} // namespace

bool isDatabaseDamaged(const QString& file) {
    const qint64 bytes = QFileInfo(file).size();
    if (bytes == 0)
        return false;
    const QString connection = QUuid::createUuid().toString();
    bool isDamaged = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection);
        database.setDatabaseName(file);
        isDamaged = database.open() ? checkFails(database, bytes <= kMaxChecked) : isDamage(database.lastError());
        database.close();
    }
    QSqlDatabase::removeDatabase(connection);
    return isDamaged;
}

QString setDatabaseAside(const QString& file) {
    const QString aside =
        file + QStringLiteral(".damaged-") + QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    if (!QFile::rename(file, aside))
        return {};
    for (const char* part : {"-wal", "-shm"})
        QFile::rename(file + QLatin1String(part), aside + QLatin1String(part));
    return aside;
}

int rescueChats(const QString& damaged, ChatDatabase& target) {
    const QString copy = damaged + QStringLiteral(".reading"); // reading may change a file with a WAL
    QFile::remove(copy);
    if (!QFile::copy(damaged, copy))
        return 0;
    QFile::copy(damaged + QStringLiteral("-wal"), copy + QStringLiteral("-wal"));
    int numRescued = 0;
    {
        ChatDatabase source;
        if (source.open(copy)) {
            ChatWrite write;
            for (const ChatTree& tree : readableTrees(source)) {
                write.trees = {tree};
                numRescued += target.write(write) ? 1 : 0;
            }
        }
    }
    for (const char* part : {"", "-wal", "-shm"})
        QFile::remove(copy + QLatin1String(part));
    return numRescued;
}

} // namespace vitrine::ui
