// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: backup as JSON.
#include "ui/store/chat_backup.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "ui/store/chat_export.h"

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

Stored<QList<ChatTree>> readBackup(const QByteArray& json) {
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(QStringLiteral("byte %1: %2").arg(error.offset).arg(error.errorString()));
    if (object.value(kFormat).toInt() != kFormatVersion)
        return tl::unexpected(QStringLiteral(
            "the file is no backup of Vitrine (no \"vitrine_backup\": 1); single chats come in by Import"));
    QList<ChatTree> chats;
    const QJsonArray all = object.value(kChats).toArray();
    for (const QJsonValue& value : all) {
        const QJsonObject item = value.toObject();
        auto tree = chatFromObject(item, ChatIds::kept);
        if (!tree)
            return tl::unexpected(tree.error());
        tree->chat.folder = item.value(kFolder).toString();
        tree->chat.pinned = item.value(kPinned).toBool();
        tree->chat.trashedMs = static_cast<qint64>(item.value(kTrashed).toDouble());
        tree->chat.updatedMs = static_cast<qint64>(item.value(kUpdated).toDouble());
        if (tree->chat.id != 0)
            chats.append(std::move(*tree));
    }
    return chats;
}

} // namespace vitrine::ui
