// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a running answer on disk, append-only.
#include "ui/store/answer_journal.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>
#include <unistd.h>

#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

constexpr char kMagic[] = "VTJ1";
constexpr qsizetype kMagicBytes = 4;
constexpr qsizetype kChecksumBytes = 8;
constexpr qsizetype kHeadBytes = 4 + kChecksumBytes;

QByteArray checksum(const QByteArray& payload) {
    return QCryptographicHash::hash(payload, QCryptographicHash::Sha1).left(kChecksumBytes);
}

QByteArray headerJson(const MessageRecord& message) {
    // Ids as text: a JSON number holds 53 bits.
    const QJsonObject object{{QStringLiteral("id"), QString::number(message.id)},
        {QStringLiteral("parent"), QString::number(message.parent)},
        {QStringLiteral("chat"), QString::number(message.chat)}, {QStringLiteral("created_ms"), message.createdMs},
        {QStringLiteral("model"), message.stats.model}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<MessageRecord> messageFromHeader(const QByteArray& json) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    MessageRecord message;
    message.id = object.value(QStringLiteral("id")).toString().toLongLong();
    message.parent = object.value(QStringLiteral("parent")).toString().toLongLong();
    message.chat = object.value(QStringLiteral("chat")).toString().toLongLong();
    message.createdMs = object.value(QStringLiteral("created_ms")).toInteger();
    message.stats.model = object.value(QStringLiteral("model")).toString();
    message.role = MessageRole::assistant;
    message.state = MessageState::interrupted;
    if (message.id == 0 || message.chat == 0)
        return std::nullopt;
    return message;
}

} // namespace

Stored<AnswerJournal> AnswerJournal::create(const QString& folder, const MessageRecord& message) {
    if (!QDir().mkpath(folder))
        return tl::unexpected(StoreText::tr("%1: the folder cannot be made").arg(folder));
    auto file = std::make_unique<QFile>(QDir(folder).filePath(QStringLiteral("%1.journal").arg(message.id)));
    if (!file->open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return tl::unexpected(QStringLiteral("%1: %2").arg(file->fileName(), file->errorString()));
    AnswerJournal journal(std::move(file));
    journal.m_sinceSync.start();
    if (journal.m_file->write(kMagic, kMagicBytes) != kMagicBytes)
        return tl::unexpected(QStringLiteral("%1: %2").arg(journal.path(), journal.m_file->errorString()));
    if (auto done = journal.writeRecord('H', headerJson(message)); !done)
        return tl::unexpected(done.error());
    if (auto done = journal.append(message.content, message.reasoning); !done)
        return tl::unexpected(done.error());
    return journal;
}

Stored<void> AnswerJournal::writeRecord(char kind, const QByteArray& text) {
    const QByteArray payload = kind + text;
    QByteArray record(4, Qt::Uninitialized);
    qToLittleEndian(static_cast<quint32>(payload.size()), record.data());
    record += checksum(payload);
    record += payload;
    const qint64 before = m_file->pos();
    if (m_file->write(record) == record.size())
        return {};
    const QString cause = m_file->errorString();
    // A half-written record would hide every later one.
    m_file->resize(before);
    m_file->seek(before);
    return tl::unexpected(QStringLiteral("%1: %2").arg(path(), cause));
}

Stored<void> AnswerJournal::append(const QString& content, const QString& reasoning) {
    if (!reasoning.isEmpty())
        if (auto done = writeRecord('R', reasoning.toUtf8()); !done)
            return done;
    if (!content.isEmpty())
        if (auto done = writeRecord('T', content.toUtf8()); !done)
            return done;
    if (m_sinceSync.hasExpired(kSyncIntervalMs)) {
        ::fdatasync(m_file->handle());
        m_sinceSync.restart();
    }
    return {};
}

void AnswerJournal::remove() {
    m_file->close();
    m_file->remove();
}

std::optional<MessageRecord> AnswerJournal::read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray bytes = file.readAll();
    if (!bytes.startsWith(kMagic))
        return std::nullopt;
    std::optional<MessageRecord> message;
    qsizetype at = kMagicBytes;
    while (at + kHeadBytes < bytes.size()) {
        const auto length = static_cast<qsizetype>(qFromLittleEndian<quint32>(bytes.constData() + at));
        if (length < 1 || at + kHeadBytes + length > bytes.size())
            break;
        const QByteArray payload = bytes.mid(at + kHeadBytes, length);
        if (checksum(payload) != bytes.mid(at + 4, kChecksumBytes))
            break;
        const QByteArray text = payload.mid(1);
        if (payload[0] == 'H')
            message = messageFromHeader(text);
        else if (message && payload[0] == 'T')
            message->content += QString::fromUtf8(text);
        else if (message && payload[0] == 'R')
            message->reasoning += QString::fromUtf8(text);
        at += kHeadBytes + length;
    }
    return message;
}

QStringList AnswerJournal::filesIn(const QString& folder) {
    QStringList paths;
    for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.journal")}, QDir::Files, QDir::Name))
        paths.append(file.absoluteFilePath());
    return paths;
}

} // namespace vitrine::ui
