// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: reading chats of others.
#include "ui/store/chat_import.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>

#include "ui/store/chat_export.h"
#include "ui/store/store_text.h"

namespace vitrine::ui {

namespace {

constexpr int kMaxDepth = 100'000; // a ring of parents in a damaged file ends here

qint64 msFromSeconds(const QJsonValue& seconds, qint64 fallback) {
    return seconds.isDouble() ? static_cast<qint64>(seconds.toDouble() * 1'000) : fallback;
}

/// The text of a ChatGPT message: its parts that are text; pictures become a note.
QString textOf(const QJsonObject& message) {
    const QJsonObject content = message.value(QStringLiteral("content")).toObject();
    QStringList parts;
    const QJsonArray found = content.value(QStringLiteral("parts")).toArray();
    for (const QJsonValue& part : found) {
        if (part.isString() && !part.toString().isEmpty())
            parts += part.toString();
        else if (part.isObject())
            parts += part[QStringLiteral("text")].toString(QStringLiteral("[attachment]"));
    }
    if (parts.isEmpty() && content.value(QStringLiteral("text")).isString())
        parts += content.value(QStringLiteral("text")).toString();
    return parts.join(QStringLiteral("\n\n"));
}

/// One conversation: "mapping" is a tree of nodes {id, parent, children, message}, "current_node" its leaf on screen.
class ChatGptReader {
public:
    explicit ChatGptReader(const QJsonObject& conversation)
        : m_nodes(conversation.value(QStringLiteral("mapping")).toObject()) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        m_tree.chat.id = newRecordId();
        m_tree.chat.title = conversation.value(QStringLiteral("title")).toString();
        m_tree.chat.createdMs = msFromSeconds(conversation.value(QStringLiteral("create_time")), now);
        m_tree.chat.updatedMs = msFromSeconds(conversation.value(QStringLiteral("update_time")), m_tree.chat.createdMs);
    }

    ChatTree read(const QString& current) {
        bridgeGaps();
        QStringList roots;
        for (auto it = m_nodes.begin(); it != m_nodes.end(); ++it)
            if (!m_parents.contains(it.key()) || !m_nodes.contains(m_parents.value(it.key())))
                roots += it.key();
        for (const QString& root : std::as_const(roots))
            readFrom(root);
        m_tree.chat.leaf = nearest(current);
        if (m_tree.chat.leaf == 0)
            m_tree.chat.leaf = newestLeaf(m_tree); // "current_node" is missing or names nothing
        return std::move(m_tree);
    }

private:
    /// A node that is no object names neither parent nor children: its parent lists it, and its children name it.
    void bridgeGaps() {
        for (auto it = m_nodes.constBegin(); it != m_nodes.constEnd(); ++it) {
            const QJsonValue node = it.value();
            if (!node.isObject()) {
                ++m_tree.hiddenMessages;
                continue;
            }
            const QString parent = node[QStringLiteral("parent")].toString();
            m_parents.insert(it.key(), parent);
            if (m_nodes.contains(parent) && !m_nodes.value(parent).isObject())
                m_orphans[parent] += it.key();
            const QJsonArray children = node[QStringLiteral("children")].toArray();
            for (const QJsonValue& child : children)
                if (m_nodes.contains(child.toString()) && !m_nodes.value(child.toString()).isObject())
                    m_parents.insert(child.toString(), it.key());
        }
    }

    /// Parents before children, without recursion: an export may be deep.
    void readFrom(const QString& root) {
        QStringList open{root};
        while (!open.isEmpty() && m_seen.size() < kMaxDepth) {
            const QString id = open.takeFirst();
            if (m_seen.contains(id))
                continue;
            m_seen.insert(id);
            take(id);
            const QJsonArray children = m_nodes.value(id)[QStringLiteral("children")].toArray();
            for (const QJsonValue& child : children)
                open += child.toString();
            open += m_orphans.value(id);
        }
    }

    void take(const QString& id) {
        const QJsonObject node = m_nodes.value(id).toObject();
        const QJsonObject source = node.value(QStringLiteral("message")).toObject();
        const QString role = source.value(QStringLiteral("author")).toObject().value(QStringLiteral("role")).toString();
        const bool isUser = role == QLatin1String("user");
        MessageRecord message;
        message.content = textOf(source);
        if ((!isUser && role != QLatin1String("assistant")) || message.content.isEmpty())
            return;
        message.id = newRecordId();
        message.chat = m_tree.chat.id;
        message.parent = nearest(node.value(QStringLiteral("parent")).toString());
        message.role = isUser ? MessageRole::user : MessageRole::assistant;
        message.createdMs = msFromSeconds(source.value(QStringLiteral("create_time")), m_tree.chat.createdMs);
        message.stats.model =
            source.value(QStringLiteral("metadata")).toObject().value(QStringLiteral("model_slug")).toString();
        m_ids.insert(id, message.id);
        m_tree.messages.append(message);
    }

    /// The record of node `id` or of its nearest ancestor that was kept; 0: none.
    [[nodiscard]] MessageId nearest(QString id) const {
        for (int depth = 0; depth < kMaxDepth && m_nodes.contains(id); ++depth) {
            if (const MessageId known = m_ids.value(id); known != 0)
                return known;
            id = m_parents.value(id);
        }
        return 0;
    }

    QJsonObject m_nodes;
    ChatTree m_tree;
    QHash<QString, QString> m_parents;
    QHash<QString, QStringList> m_orphans; // children of nodes that cannot be read
    QHash<QString, MessageId> m_ids;
    QSet<QString> m_seen;
};

} // namespace

Stored<ReadChats> chatsFromFile(const QByteArray& json) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(jsonFault(error, json.size()));
    if (document.object().contains(QStringLiteral("vitrine_backup")))
        return tl::unexpected(StoreText::tr("It is a backup of all chats: restore it under Settings, Storage."));
    if (document.isObject() && !document.object().contains(QStringLiteral("mapping"))) {
        const Stored<ChatTree> own = chatFromJson(json);
        if (!own)
            return tl::unexpected(own.error());
        return ReadChats{QList<ChatTree>{*own}, 0};
    }
    const QJsonArray conversations = document.isArray() ? document.array() : QJsonArray{document.object()};
    ReadChats read;
    for (const QJsonValue& conversation : conversations) {
        ChatTree tree =
            ChatGptReader(conversation.toObject()).read(conversation[QStringLiteral("current_node")].toString());
        if (!tree.messages.isEmpty())
            read.chats.append(std::move(tree));
        else if (!conversation[QStringLiteral("mapping")].isObject() || tree.hiddenMessages > 0)
            ++read.numUnreadable; // else it is empty: begun, and nothing said
    }
    if (read.chats.isEmpty())
        return tl::unexpected(StoreText::tr(
            "It holds no conversation: choose a chat that Vitrine exported, or the conversations.json of ChatGPT."));
    return read;
}

} // namespace vitrine::ui
