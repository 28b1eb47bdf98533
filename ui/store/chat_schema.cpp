// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: tables of the chat database and the steps from one version to the next.
#include "ui/store/chat_schema.h"

#include <QFile>
#include <QSqlError>
#include <QSqlQuery>
#include <array>
#include <span>

#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

// Pages of 1 KiB and a checkpoint above 4 MiB: ui.md 13 measured 5.4 bytes written for a byte of answer with these.
constexpr std::array kPragmas = {
    "PRAGMA page_size = 1024",
    "PRAGMA journal_mode = WAL",
    "PRAGMA wal_autocheckpoint = 4096",
    "PRAGMA synchronous = NORMAL",
};

constexpr std::array kVersion1 = {
    "CREATE TABLE chat (id INTEGER PRIMARY KEY, title TEXT, system_prompt TEXT, folder TEXT, sampling TEXT, "
    "leaf INTEGER, created_ms INTEGER, updated_ms INTEGER, trashed_ms INTEGER, pinned INTEGER, unread INTEGER)",
    "CREATE TABLE message (id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, parent INTEGER, role TEXT, state TEXT, "
    "content TEXT, reasoning TEXT, error TEXT, created_ms INTEGER, stats TEXT)",
    "CREATE INDEX message_of_chat ON message (chat, id)",
    "CREATE VIRTUAL TABLE message_index USING fts5 (content, content = 'message', content_rowid = 'id', "
    "tokenize = 'unicode61 remove_diacritics 2')",
    "CREATE TRIGGER message_added AFTER INSERT ON message BEGIN "
    "INSERT INTO message_index (rowid, content) VALUES (new.id, new.content); END",
    "CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN "
    "INSERT INTO message_index (message_index, rowid, content) VALUES ('delete', old.id, old.content); END",
    "CREATE TRIGGER message_changed AFTER UPDATE OF content ON message BEGIN "
    "INSERT INTO message_index (message_index, rowid, content) VALUES ('delete', old.id, old.content); "
    "INSERT INTO message_index (rowid, content) VALUES (new.id, new.content); END",
};

/// Index N holds the step from version N to N + 1.
constexpr std::array<std::span<const char* const>, kChatSchemaVersion> kSteps = {std::span(kVersion1)};

Stored<void> run(QSqlDatabase& database, const QString& statement) {
    QSqlQuery query(database);
    if (query.exec(statement))
        return {};
    return tl::unexpected(QStringLiteral("%1: %2").arg(database.databaseName(), query.lastError().text()));
}

int versionOf(QSqlDatabase& database) {
    QSqlQuery query(database);
    return query.exec(QStringLiteral("PRAGMA user_version")) && query.next() ? query.value(0).toInt() : 0;
}

Stored<void> migrate(QSqlDatabase& database, int from) {
    if (!database.transaction())
        return tl::unexpected(QStringLiteral("%1: %2").arg(database.databaseName(), database.lastError().text()));
    for (int version = from; version < kChatSchemaVersion; ++version)
        for (const char* statement : kSteps[static_cast<std::size_t>(version)])
            if (auto done = run(database, QLatin1String(statement)); !done) {
                database.rollback();
                return done;
            }
    auto done = run(database, QStringLiteral("PRAGMA user_version = %1").arg(kChatSchemaVersion));
    if (done && !database.commit())
        done = tl::unexpected(QStringLiteral("%1: %2").arg(database.databaseName(), database.lastError().text()));
    return done;
}

} // namespace

Stored<void> prepareChatSchema(QSqlDatabase& database) {
    const int found = versionOf(database);
    const QString file = database.databaseName();
    if (found > kChatSchemaVersion)
        return tl::unexpected(
            StoreText::tr("%1 has version %2, this Vitrine reads up to %3: start the newer Vitrine, or "
                          "move the file away")
                .arg(file)
                .arg(found)
                .arg(kChatSchemaVersion));
    if (found > 0 && found < kChatSchemaVersion)
        QFile::copy(file, QStringLiteral("%1.v%2").arg(file).arg(found));
    for (const char* pragma : kPragmas)
        if (auto done = run(database, QLatin1String(pragma)); !done)
            return done;
    return found < kChatSchemaVersion ? migrate(database, found) : Stored<void>{};
}

bool isChatSchemaKnown(QSqlDatabase& database) {
    return versionOf(database) == kChatSchemaVersion;
}

} // namespace vitrine::ui
