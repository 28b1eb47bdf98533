// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: reads and writes of the chat database.
#include "ui/store/chat_database.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSqlError>
#include <QUrl>
#include <QUuid>
#include <QVariant>
#include <array>

#include "ui/store/chat_schema.h"
#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

constexpr std::array kRoles = {"system", "user", "assistant"}; // index == MessageRole
constexpr std::array kStates = {"complete", "streaming", "interrupted", "stopped", "failed"}; // index == MessageState

constexpr const char* kMessageColumns = "id, parent, chat, role, state, content, reasoning, error, created_ms, stats";

/// SQLite's words; the driver's own say only what was tried.
QString causeOf(const QSqlError& error) {
    return error.databaseText().isEmpty() ? error.text() : error.databaseText();
}

constexpr const char* kChatColumns =
    "id, title, system_prompt, folder, sampling, leaf, created_ms, updated_ms, trashed_ms, pinned, unread";

template <class Names>
std::optional<int> placeOf(const Names& names, const QString& name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == QLatin1String(names[i]))
            return static_cast<int>(i);
    return std::nullopt;
}

QString compact(const QJsonObject& object) {
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QJsonObject parsed(const QVariant& text) {
    return QJsonDocument::fromJson(text.toString().toUtf8()).object();
}

/// A null QString would be stored as NULL, which means "damaged" here.
QString notNull(const QString& text) {
    return text.isNull() ? QStringLiteral("") : text;
}

/// Columns as in kMessageColumns; nothing if the row cannot be understood.
std::optional<MessageRecord> readMessage(const QSqlQuery& row) {
    const auto role = placeOf(kRoles, row.value(3).toString());
    const auto state = placeOf(kStates, row.value(4).toString());
    if (!role || !state || row.isNull(1) || row.isNull(5))
        return std::nullopt;
    MessageRecord message;
    message.id = row.value(0).toLongLong();
    message.parent = row.value(1).toLongLong();
    message.chat = row.value(2).toLongLong();
    message.role = static_cast<MessageRole>(*role);
    message.state = static_cast<MessageState>(*state);
    message.content = row.value(5).toString();
    message.reasoning = row.value(6).toString();
    message.error = row.value(7).toString();
    message.createdMs = row.value(8).toLongLong();
    message.stats = TurnStats::fromJson(parsed(row.value(9)));
    return message;
}

/// Columns as in kChatColumns.
ChatRecord readChat(const QSqlQuery& row) {
    ChatRecord chat;
    chat.id = row.value(0).toLongLong();
    chat.title = row.value(1).toString();
    chat.systemPrompt = row.value(2).toString();
    chat.folder = row.value(3).toString();
    chat.sampling = ChatSampling::fromJson(parsed(row.value(4)));
    chat.leaf = row.value(5).toLongLong();
    chat.createdMs = row.value(6).toLongLong();
    chat.updatedMs = row.value(7).toLongLong();
    chat.trashedMs = row.value(8).toLongLong();
    chat.pinned = row.value(9).toBool();
    chat.unread = row.value(10).toBool();
    return chat;
}

void bindMessage(QSqlQuery& query, const MessageRecord& message) {
    const MessageState state = message.state == MessageState::streaming ? MessageState::interrupted : message.state;
    query.addBindValue(message.id);
    query.addBindValue(message.parent);
    query.addBindValue(message.chat);
    query.addBindValue(QLatin1String(kRoles[static_cast<std::size_t>(message.role)]));
    query.addBindValue(QLatin1String(kStates[static_cast<std::size_t>(state)]));
    query.addBindValue(notNull(message.content));
    query.addBindValue(notNull(message.reasoning));
    query.addBindValue(notNull(message.error));
    query.addBindValue(message.createdMs);
    query.addBindValue(compact(message.stats.toJson()));
}

/// Children of rows that could not be read hang on the nearest ancestor that could.
void bridgeGaps(ChatTree& tree, const QHash<MessageId, MessageId>& hiddenParents) {
    for (MessageRecord& message : tree.messages)
        for (qsizetype hops = 0; hiddenParents.contains(message.parent) && hops <= hiddenParents.size(); ++hops)
            message.parent = hiddenParents.value(message.parent);
}

} // namespace

ChatDatabase::~ChatDatabase() {
    close();
}

Stored<void> ChatDatabase::open(const QString& file) {
    if (!QDir().mkpath(QFileInfo(file).absolutePath()))
        return tl::unexpected(StoreText::tr("%1: the folder cannot be made").arg(QFileInfo(file).absolutePath()));
    close();
    m_connection = QUuid::createUuid().toString();
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_database.setDatabaseName(file);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    auto ready = m_database.open()
        ? prepareChatSchema(m_database)
        : Stored<void>(tl::unexpected(QStringLiteral("%1: %2").arg(file, causeOf(m_database.lastError()))));
    if (ready)
        return ready;
    m_database.close();
    if (QFileInfo::exists(file) && openToRead(file))
        m_whyReadOnly = StoreText::tr("%1 can be read, but not written").arg(file);
    return isReadOnly() ? Stored<void>{} : ready;
}

/// A disk or folder that takes nothing still gives its chats: "immutable", because WAL needs a file beside this one.
bool ChatDatabase::openToRead(const QString& file) {
    m_database.setDatabaseName(
        QString::fromLatin1(QUrl::fromLocalFile(file).toEncoded()) + QStringLiteral("?immutable=1"));
    m_database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI"));
    if (m_database.open() && isChatSchemaKnown(m_database))
        return true;
    m_database.close();
    return false;
}

void ChatDatabase::close() {
    if (m_connection.isEmpty())
        return;
    if (!isReadOnly())
        checkpoint();
    m_whyReadOnly.clear();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connection);
    m_connection.clear();
}

void ChatDatabase::checkpoint() {
    if (m_database.isOpen())
        QSqlQuery(m_database).exec(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
}

Stored<void> ChatDatabase::exec(QSqlQuery& query) const {
    if (query.exec())
        return {};
    return tl::unexpected(QStringLiteral("%1: %2").arg(m_database.databaseName(), causeOf(query.lastError())));
}

void ChatDatabase::setDurable(bool durable) {
    if (durable == m_isDurable)
        return;
    m_isDurable = QSqlQuery(m_database)
                      .exec(durable ? QStringLiteral("PRAGMA synchronous = FULL")
                                    : QStringLiteral("PRAGMA synchronous = NORMAL")) &&
        durable;
}

Stored<void> ChatDatabase::write(const ChatWrite& write) {
    if (!m_database.isOpen())
        return tl::unexpected(StoreText::tr("the chat database is not open"));
    if (isReadOnly())
        return tl::unexpected(m_whyReadOnly);
    setDurable(write.durable); // not possible inside a transaction
    if (!m_database.transaction())
        return tl::unexpected(QStringLiteral("%1: %2").arg(m_database.databaseName(), causeOf(m_database.lastError())));
    auto done = writeInside(write);
    if (done && !m_database.commit())
        done = tl::unexpected(QStringLiteral("%1: %2").arg(m_database.databaseName(), causeOf(m_database.lastError())));
    if (!done)
        m_database.rollback();
    return done;
}

Stored<void> ChatDatabase::put(const ChatRecord& chat) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("INSERT OR REPLACE INTO chat (%1) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                      .arg(QLatin1String(kChatColumns)));
    for (const QVariant& value : {QVariant(chat.id), QVariant(notNull(chat.title)),
             QVariant(notNull(chat.systemPrompt)), QVariant(notNull(chat.folder)),
             QVariant(compact(chat.sampling.toJson())), QVariant(chat.leaf), QVariant(chat.createdMs),
             QVariant(chat.updatedMs), QVariant(chat.trashedMs), QVariant(chat.pinned), QVariant(chat.unread)})
        query.addBindValue(value);
    return exec(query);
}

Stored<void> ChatDatabase::put(const MessageRecord& message) {
    QSqlQuery query(m_database);
    // Not INSERT OR REPLACE: that would leave the old row's words in the index.
    query.prepare(QStringLiteral("INSERT INTO message (%1) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                                 "ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, role = excluded.role, "
                                 "state = excluded.state, content = excluded.content, "
                                 "reasoning = excluded.reasoning, error = excluded.error, stats = excluded.stats")
                      .arg(QLatin1String(kMessageColumns)));
    bindMessage(query, message);
    return exec(query);
}

Stored<void> ChatDatabase::writeInside(const ChatWrite& write) {
    if (write.chat)
        if (auto done = put(*write.chat); !done)
            return done;
    if (write.message)
        if (auto done = put(*write.message); !done)
            return done;
    for (const ChatTree& tree : write.trees) {
        if (auto done = put(tree.chat); !done)
            return done;
        for (const MessageRecord& message : tree.messages)
            if (auto done = put(message); !done)
                return done;
    }
    for (const MessageId id : write.eraseMessages) {
        QSqlQuery query(m_database);
        query.prepare(QStringLiteral("DELETE FROM message WHERE id = ?"));
        query.addBindValue(id);
        if (auto done = exec(query); !done)
            return done;
    }
    if (write.erase != 0)
        for (const char* statement : {"DELETE FROM message WHERE chat = ?", "DELETE FROM chat WHERE id = ?"}) {
            QSqlQuery query(m_database);
            query.prepare(QLatin1String(statement));
            query.addBindValue(write.erase);
            if (auto done = exec(query); !done)
                return done;
        }
    return {};
}

QList<ChatRecord> ChatDatabase::chats() {
    QList<ChatRecord> chats;
    QSqlQuery row(m_database);
    row.setForwardOnly(true);
    row.exec(QStringLiteral("SELECT %1 FROM chat").arg(QLatin1String(kChatColumns)));
    while (row.next())
        chats.append(readChat(row));
    return chats;
}

std::optional<ChatRecord> ChatDatabase::chat(ChatId id) {
    QSqlQuery row(m_database);
    row.prepare(QStringLiteral("SELECT %1 FROM chat WHERE id = ?").arg(QLatin1String(kChatColumns)));
    row.addBindValue(id);
    return row.exec() && row.next() ? std::optional(readChat(row)) : std::nullopt;
}

ChatTree ChatDatabase::tree(ChatId chat) {
    ChatTree tree;
    tree.chat.id = chat;
    QHash<MessageId, MessageId> hiddenParents;
    QSqlQuery row(m_database);
    row.setForwardOnly(true);
    row.prepare(
        QStringLiteral("SELECT %1 FROM message WHERE chat = ? ORDER BY id").arg(QLatin1String(kMessageColumns)));
    row.addBindValue(chat);
    row.exec();
    while (row.next()) {
        if (const auto message = readMessage(row))
            tree.messages.append(*message);
        else
            hiddenParents.insert(row.value(0).toLongLong(), row.value(1).toLongLong());
    }
    tree.hiddenMessages = static_cast<int>(hiddenParents.size());
    bridgeGaps(tree, hiddenParents);
    return tree;
}

std::optional<MessageRecord> ChatDatabase::message(MessageId id) {
    QSqlQuery row(m_database);
    row.prepare(QStringLiteral("SELECT %1 FROM message WHERE id = ?").arg(QLatin1String(kMessageColumns)));
    row.addBindValue(id);
    return row.exec() && row.next() ? readMessage(row) : std::nullopt;
}

qint64 ChatDatabase::newestId() {
    QSqlQuery row(m_database);
    const bool isRead =
        row.exec(QStringLiteral("SELECT max(ifnull((SELECT max(id) FROM message), 0), ifnull((SELECT max(id) FROM "
                                "chat), 0))")) &&
        row.next();
    return isRead ? row.value(0).toLongLong() : 0;
}

} // namespace vitrine::ui
