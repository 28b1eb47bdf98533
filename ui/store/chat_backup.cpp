// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: backup as JSON.
#include "ui/store/chat_backup.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "ui/store/chat_export.h"
#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

constexpr int kFormatVersion = 1;
const QString kFormat = QStringLiteral("vitrine_backup"), kChats = QStringLiteral("chats"), kId = QStringLiteral("id"),
              kFolder = QStringLiteral("folder"), kPinned = QStringLiteral("pinned"),
              kTrashed = QStringLiteral("trashed_ms"), kUpdated = QStringLiteral("updated_ms");

QJsonObject backupOf(const ChatTree& tree) {
    QJsonObject object = chatToObject(tree);
    object.insert(kId, QString::number(tree.chat.id));
    object.insert(kFolder, tree.chat.folder);
    object.insert(kPinned, tree.chat.pinned);
    object.insert(kTrashed, double(tree.chat.trashedMs));
    object.insert(kUpdated, double(tree.chat.updatedMs));
    return object;
}

} // namespace

Stored<void> writeBackup(const QString& path, const QList<ChatTree>& chats) {
    QJsonArray all;
    for (const ChatTree& tree : chats)
        all.append(backupOf(tree));
    return writeExport(
        path, QJsonDocument(QJsonObject{{kFormat, kFormatVersion}, {kChats, all}}).toJson(QJsonDocument::Compact));
}

Stored<ReadChats> readBackup(const QByteArray& json) {
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(jsonFault(error, json.size()));
    if (object.value(kFormat).toInt() != kFormatVersion)
        return tl::unexpected(StoreText::tr(
            "It is no backup of Vitrine: \"vitrine_backup\": 1 is missing. A single chat comes in by Import chats."));
    ReadChats read;
    const QJsonArray all = object.value(kChats).toArray();
    for (const QJsonValue& value : all) {
        const QJsonObject item = value.toObject();
        auto tree = chatFromObject(item, ChatIds::kept);
        if (!tree || item.value(kId).toString().toLongLong() == 0) {
            ++read.numUnreadable;
            continue;
        }
        tree->chat.folder = item.value(kFolder).toString();
        tree->chat.pinned = item.value(kPinned).toBool();
        tree->chat.trashedMs = static_cast<qint64>(item.value(kTrashed).toDouble());
        tree->chat.updatedMs = static_cast<qint64>(item.value(kUpdated).toDouble());
        read.chats.append(std::move(*tree));
    }
    if (read.chats.isEmpty() && read.numUnreadable > 0)
        return tl::unexpected(
            StoreText::tr("None of its %1 chats can be read. Use an older backup.").arg(read.numUnreadable));
    return read;
}

} // namespace vitrine::ui
