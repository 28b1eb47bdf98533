// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: judging, renaming and reading a damaged database.
#include "ui/store/chat_rescue.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

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
            const QList<ChatRecord> chats = source.chats();
            for (const ChatRecord& chat : chats) {
                const ChatTree tree = source.tree(chat.id);
                bool isWritten = target.write({.chat = chat, .message = {}, .erase = 0, .durable = false}).has_value();
                for (const MessageRecord& message : tree.messages)
                    isWritten =
                        target.write({.chat = {}, .message = message, .erase = 0, .durable = false}) && isWritten;
                numRescued += isWritten ? 1 : 0;
            }
        }
    }
    for (const char* part : {"", "-wal", "-shm"})
        QFile::remove(copy + QLatin1String(part));
    return numRescued;
}

} // namespace vitrine::ui
