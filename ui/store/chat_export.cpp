// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a chat as Markdown or JSON.
#include "ui/store/chat_export.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <array>
#include <optional>

#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

constexpr int kFormatVersion = 1;

QString roleName(MessageRole role) {
    return role == MessageRole::user  ? QStringLiteral("user")
        : role == MessageRole::system ? QStringLiteral("system")
                                      : QStringLiteral("assistant");
}

/// An answer that still runs goes into the file as one that was cut off there.
constexpr std::array kEndings = {std::pair(MessageState::interrupted, "interrupted"),
    std::pair(MessageState::streaming, "interrupted"), std::pair(MessageState::stopped, "stopped"),
    std::pair(MessageState::failed, "failed")};

const char* stateName(MessageState state) {
    for (const auto& [known, name] : kEndings)
        if (known == state)
            return name;
    return "complete";
}

std::optional<MessageRole> roleOf(const QString& name) {
    for (const MessageRole role : {MessageRole::user, MessageRole::assistant, MessageRole::system})
        if (name == roleName(role))
            return role;
    return std::nullopt;
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
    if (message.state != MessageState::complete)
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
    const QList<MessageRecord> branch = branchTo(tree, tree.chat.leaf);
    for (const MessageRecord& message : branch.isEmpty() ? branchTo(tree, newestLeaf(tree)) : branch)
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
        return tl::unexpected(jsonFault(error, json.size()));
    return chatFromObject(object, ChatIds::fresh);
}

namespace {

/// Puts the messages of an exported chat under their ids here.
class MessageReader {
public:
    MessageReader(ChatTree& tree, ChatIds wanted) : m_tree(tree), m_wanted(wanted) {}

    [[nodiscard]] qint64 idOf(const QJsonValue& written) const {
        const qint64 kept = m_wanted == ChatIds::kept ? written.toString().toLongLong() : 0;
        return kept != 0 ? kept : newRecordId();
    }
    void take(const QJsonObject& item) {
        const QString id = item.value(QStringLiteral("id")).toString();
        const auto role = roleOf(item.value(QStringLiteral("role")).toString());
        const QJsonValue content = item.value(QStringLiteral("content"));
        const MessageId parent = recordOf(item.value(QStringLiteral("parent")));
        if (id.isEmpty() || !content.isString() || !role) {
            ++m_tree.hiddenMessages;
            if (!id.isEmpty())
                m_ids.insert(id, parent);
            return;
        }
        MessageRecord message;
        message.id = idOf(item.value(QStringLiteral("id")));
        message.chat = m_tree.chat.id;
        message.parent = parent;
        message.role = *role;
        message.content = content.toString();
        message.reasoning = item.value(QStringLiteral("reasoning")).toString();
        message.error = item.value(QStringLiteral("error")).toString();
        message.state = stateOf(item.value(QStringLiteral("state")).toString());
        message.createdMs = msFromIso(item.value(QStringLiteral("created")));
        message.stats = TurnStats::fromJson(item.value(QStringLiteral("stats")).toObject());
        m_ids.insert(id, message.id);
        m_tree.messages.append(message);
    }
    /// The record under that id of the file; the message before this one if the file has no such id.
    [[nodiscard]] MessageId recordOf(const QJsonValue& written) const {
        const MessageId before = m_tree.messages.isEmpty() ? 0 : m_tree.messages.last().id;
        return m_ids.value(written.toString(), before);
    }

private:
    ChatTree& m_tree;
    ChatIds m_wanted;
    QHash<QString, MessageId> m_ids{{QStringLiteral("0"), 0}};
};

} // namespace

Stored<ChatTree> chatFromObject(const QJsonObject& object, ChatIds wanted) {
    if (object.value(QStringLiteral("vitrine_chat")).toInt() != kFormatVersion)
        return tl::unexpected(StoreText::tr("It is no chat that Vitrine exported: \"vitrine_chat\": 1 is missing."));
    ChatTree tree;
    MessageReader reader(tree, wanted);
    tree.chat.id = reader.idOf(object.value(QStringLiteral("id")));
    tree.chat.title = object.value(QStringLiteral("title")).toString();
    tree.chat.systemPrompt = object.value(QStringLiteral("system_prompt")).toString();
    tree.chat.sampling = ChatSampling::fromJson(object.value(QStringLiteral("sampling")).toObject());
    tree.chat.createdMs = msFromIso(object.value(QStringLiteral("created")));
    tree.chat.updatedMs = QDateTime::currentMSecsSinceEpoch();
    const QJsonArray messages = object.value(QStringLiteral("messages")).toArray();
    for (const QJsonValue& value : messages)
        reader.take(value.toObject());
    tree.chat.leaf = reader.recordOf(object.value(QStringLiteral("leaf")));
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
