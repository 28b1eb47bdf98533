// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a chat as Markdown or JSON.
#include "ui/store/chat_export.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <array>

namespace vitrine::ui {

namespace {

constexpr int kFormatVersion = 1;

QString roleName(MessageRole role) {
    return role == MessageRole::user  ? QStringLiteral("user")
        : role == MessageRole::system ? QStringLiteral("system")
                                      : QStringLiteral("assistant");
}

constexpr std::array kEndings = {std::pair(MessageState::interrupted, "interrupted"),
    std::pair(MessageState::stopped, "stopped"), std::pair(MessageState::failed, "failed")};

const char* stateName(MessageState state) {
    for (const auto& [known, name] : kEndings)
        if (known == state)
            return name;
    return "complete";
}

MessageState stateOf(const QString& name) {
    for (const auto& [state, known] : kEndings)
        if (name == QLatin1String(known))
            return state;
    return MessageState::complete;
}

QString isoTime(qint64 ms) {
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
}

qint64 msFromIso(const QJsonValue& text) {
    return QDateTime::fromString(text.toString(), Qt::ISODateWithMs).toMSecsSinceEpoch();
}

QJsonObject messageJson(const MessageRecord& message) {
    QJsonObject object{{QStringLiteral("id"), QString::number(message.id)},
        {QStringLiteral("parent"), QString::number(message.parent)}, {QStringLiteral("role"), roleName(message.role)},
        {QStringLiteral("content"), message.content}, {QStringLiteral("created"), isoTime(message.createdMs)}};
    if (message.state != MessageState::complete && message.state != MessageState::streaming)
        object.insert(QStringLiteral("state"), QLatin1String(stateName(message.state)));
    if (!message.reasoning.isEmpty())
        object.insert(QStringLiteral("reasoning"), message.reasoning);
    if (!message.error.isEmpty())
        object.insert(QStringLiteral("error"), message.error);
    if (const QJsonObject stats = message.stats.toJson(); !stats.isEmpty())
        object.insert(QStringLiteral("stats"), stats);
    return object;
}

} // namespace

QByteArray chatToMarkdown(const ChatTree& tree) {
    QString text = QStringLiteral("# %1\n").arg(tree.chat.title);
    if (!tree.chat.systemPrompt.isEmpty())
        text += QStringLiteral("\n## System\n\n%1\n").arg(tree.chat.systemPrompt);
    for (const MessageRecord& message : branchTo(tree, tree.chat.leaf))
        text += QStringLiteral("\n## %1\n\n%2\n")
                    .arg(message.role == MessageRole::user ? QStringLiteral("User") : QStringLiteral("Assistant"),
                        message.content);
    return text.toUtf8();
}

QJsonObject chatToObject(const ChatTree& tree) {
    QJsonArray messages;
    for (const MessageRecord& message : tree.messages)
        messages.append(messageJson(message));
    return {{QStringLiteral("vitrine_chat"), kFormatVersion}, {QStringLiteral("title"), tree.chat.title},
        {QStringLiteral("system_prompt"), tree.chat.systemPrompt},
        {QStringLiteral("created"), isoTime(tree.chat.createdMs)},
        {QStringLiteral("sampling"), tree.chat.sampling.toJson()},
        {QStringLiteral("leaf"), QString::number(tree.chat.leaf)}, {QStringLiteral("messages"), messages}};
}

QByteArray chatToJson(const ChatTree& tree) {
    return QJsonDocument(chatToObject(tree)).toJson(QJsonDocument::Indented);
}

Stored<ChatTree> chatFromJson(const QByteArray& json) {
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(QStringLiteral("byte %1: %2").arg(error.offset).arg(error.errorString()));
    return chatFromObject(object, ChatIds::fresh);
}

Stored<ChatTree> chatFromObject(const QJsonObject& object, ChatIds wanted) {
    const auto idOf = [wanted](const QJsonValue& written) {
        const qint64 kept = wanted == ChatIds::kept ? written.toString().toLongLong() : 0;
        return kept != 0 ? kept : newRecordId();
    };
    if (object.value(QStringLiteral("vitrine_chat")).toInt() != kFormatVersion)
        return tl::unexpected(QStringLiteral("the file is not a chat that Vitrine exported (no \"vitrine_chat\": 1)"));
    ChatTree tree;
    tree.chat.id = idOf(object.value(QStringLiteral("id")));
    tree.chat.title = object.value(QStringLiteral("title")).toString();
    tree.chat.systemPrompt = object.value(QStringLiteral("system_prompt")).toString();
    tree.chat.sampling = ChatSampling::fromJson(object.value(QStringLiteral("sampling")).toObject());
    tree.chat.createdMs = msFromIso(object.value(QStringLiteral("created")));
    tree.chat.updatedMs = QDateTime::currentMSecsSinceEpoch();
    QHash<QString, MessageId> ids{{QStringLiteral("0"), 0}};
    for (const QJsonValue& value : object.value(QStringLiteral("messages")).toArray()) {
        const QJsonObject item = value.toObject();
        MessageRecord message;
        message.id = idOf(item.value(QStringLiteral("id")));
        message.chat = tree.chat.id;
        ids.insert(item.value(QStringLiteral("id")).toString(), message.id);
        message.parent = ids.value(item.value(QStringLiteral("parent")).toString());
        const QString role = item.value(QStringLiteral("role")).toString();
        message.role = role == QLatin1String("user") ? MessageRole::user : MessageRole::assistant;
        message.content = item.value(QStringLiteral("content")).toString();
        message.reasoning = item.value(QStringLiteral("reasoning")).toString();
        message.error = item.value(QStringLiteral("error")).toString();
        message.state = stateOf(item.value(QStringLiteral("state")).toString());
        message.createdMs = msFromIso(item.value(QStringLiteral("created")));
        message.stats = TurnStats::fromJson(item.value(QStringLiteral("stats")).toObject());
        tree.messages.append(message);
    }
    tree.chat.leaf = ids.value(object.value(QStringLiteral("leaf")).toString());
    if (tree.chat.leaf == 0)
        tree.chat.leaf = newestLeaf(tree); // a file written by hand: something of it is shown
    return tree;
}

Stored<void> writeExport(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return {};
    return tl::unexpected(QStringLiteral("%1: %2").arg(path, file.errorString()));
}

} // namespace vitrine::ui
