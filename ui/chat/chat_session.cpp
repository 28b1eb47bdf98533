// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one open chat: its tree, branches and turns.  What a running answer does: chat_session_run.cpp.
#include "ui/chat/chat_session.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <algorithm>

#include "ui/bridge/engine_client.h"
#include "ui/store/chat_store.h"

namespace vitrine::ui {

namespace {

constexpr int kJournalIntervalMs = 750; // with the wait for the store thread a second at most is lost

QJsonObject messageObject(const char* role, const QString& content) {
    return {{QStringLiteral("role"), QLatin1String(role)}, {QStringLiteral("content"), content}};
}

} // namespace

ChatSession::ChatSession(EngineClient& client, ChatStore& store, ChatId chat, QObject* parent)
    : QObject(parent), m_client(client), m_store(store), m_chat(chat) {
    m_journalTimer.setInterval(kJournalIntervalMs);
    connect(&m_journalTimer, &QTimer::timeout, this, [this] {
        flushJournal();
        if (m_running == 0 || m_live.outputTokens > 0)
            return;
        // Whoever waits sees that time goes by, also when nothing else is heard.
        m_live.seconds = static_cast<double>(m_sinceSent.elapsed()) / 1e3;
        emit turnChanged(m_running);
    });
    connect(&client, &EngineClient::requestAdmitted, this, [this](RequestId id, const Admitted& what) {
        if (isMine(id))
            onAdmitted(what);
    });
    connect(&client, &EngineClient::requestProgressed, this, [this](RequestId id, const Progress& what) {
        if (isMine(id))
            onProgress(what);
    });
    connect(&client, &EngineClient::requestDelta, this, [this](RequestId id, const Delta& what) {
        if (isMine(id))
            onDelta(what);
    });
    connect(&client, &EngineClient::requestFinished, this, [this](RequestId id, const Finished& what) {
        if (isMine(id))
            onFinished(what);
    });
    connect(&client, &EngineClient::requestRejected, this, [this](RequestId id, const Rejected& what) {
        if (isMine(id))
            onRejected(what);
    });
    connect(&client, &EngineClient::loadChanged, this, [this](const LoadState&) {
        if (m_live.phase == TurnPhase::loadingModel && !m_client.isLoading())
            submit();
    });
    connect(&store, &ChatStore::messagesAdded, this, [this](ChatId grown, const QList<MessageRecord>& messages) {
        if (grown != m_chat)
            return;
        addMissing(messages);
        emit branchChanged();
    });
    m_tree.chat.id = chat;
    m_store.loadChat(chat, this, [this](const ChatTree& tree) {
        // Turns sent before the tree came are newer than anything in it.
        addMissing(std::exchange(m_tree.messages, tree.messages));
        m_tree.chat = tree.chat;
        m_tree.hiddenMessages = tree.hiddenMessages;
        m_isLoaded = true;
        emit loaded();
        emit branchChanged();
    });
}

ChatSession::~ChatSession() = default;

MessageRecord* ChatSession::find(MessageId id) {
    const auto it = std::find_if(m_tree.messages.begin(), m_tree.messages.end(),
        [id](const MessageRecord& message) { return message.id == id; });
    return it == m_tree.messages.end() ? nullptr : &*it;
}

const MessageRecord* ChatSession::find(MessageId id) const {
    return const_cast<ChatSession*>(this)->find(id);
}

MessageId ChatSession::leaf() const {
    const ChatRecord* chat = m_store.chat(m_chat);
    const MessageId known = chat != nullptr ? chat->leaf : 0;
    return known == 0 || find(known) != nullptr ? known : newestLeaf(m_tree);
}

void ChatSession::setLeaf(MessageId leaf) {
    const ChatRecord* chat = m_store.chat(m_chat);
    if (chat == nullptr || chat->leaf == leaf)
        return;
    ChatRecord changed = *chat;
    changed.leaf = leaf;
    m_store.updateChat(changed);
}

void ChatSession::addMissing(const QList<MessageRecord>& messages) {
    for (const MessageRecord& message : messages)
        if (find(message.id) == nullptr)
            m_tree.messages.append(message);
    std::sort(m_tree.messages.begin(), m_tree.messages.end(),
        [](const MessageRecord& a, const MessageRecord& b) { return a.id < b.id; });
}

QList<MessageId> ChatSession::siblings(const MessageRecord& message) const {
    QList<MessageId> ids;
    for (const MessageRecord& other : m_tree.messages)
        if (other.parent == message.parent && other.role == message.role)
            ids.append(other.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::optional<TurnItem> ChatSession::turn(MessageId id) const {
    const MessageRecord* message = find(id);
    if (message == nullptr)
        return std::nullopt;
    TurnItem item;
    item.message = *message;
    const QList<MessageId> all = siblings(*message);
    item.branch = static_cast<int>(all.indexOf(id)) + 1;
    item.numBranches = static_cast<int>(all.size());
    if (id == m_running)
        item.live = m_live;
    item.isLast = id == leaf();
    return item;
}

QList<TurnItem> ChatSession::turns() const {
    QList<TurnItem> items;
    for (const MessageRecord& message : branchTo(m_tree, leaf()))
        items.append(*turn(message.id));
    if (!items.isEmpty())
        items.back().isLast = true;
    return items;
}

MessageId ChatSession::lastAnswer() const {
    MessageId last = 0;
    for (const MessageRecord& message : branchTo(m_tree, leaf()))
        if (message.role == MessageRole::assistant)
            last = message.id;
    return last;
}

MessageId ChatSession::lastUserTurn() const {
    MessageId last = 0;
    for (const MessageRecord& message : branchTo(m_tree, leaf()))
        if (message.role == MessageRole::user)
            last = message.id;
    return last;
}

QByteArray ChatSession::messagesJson(MessageId leaf) const {
    QJsonArray messages;
    if (const ChatRecord* chat = m_store.chat(m_chat); chat != nullptr && !chat->systemPrompt.isEmpty())
        messages.append(messageObject("system", chat->systemPrompt));
    QString waiting; // turns of the user that nobody answered
    for (const MessageRecord& message : branchTo(m_tree, leaf)) {
        if (message.role == MessageRole::user) {
            waiting += (waiting.isEmpty() ? QString() : QStringLiteral("\n\n")) + message.content;
        } else if (!message.content.isEmpty()) { // an answer that never began is no turn to the model
            if (!waiting.isEmpty()) // one turn: templates such as Gemma's refuse two of the same side
                messages.append(messageObject("user", std::exchange(waiting, {})));
            messages.append(messageObject("assistant", message.content));
        }
    }
    if (!waiting.isEmpty())
        messages.append(messageObject("user", waiting));
    return QJsonDocument(messages).toJson(QJsonDocument::Compact);
}

/// What a model without a chat template goes on with: everything that was written, by whomever, in order.
QString ChatSession::plainText(MessageId leaf) const {
    QStringList parts;
    if (const ChatRecord* chat = m_store.chat(m_chat); chat != nullptr && !chat->systemPrompt.isEmpty())
        parts += chat->systemPrompt;
    for (const MessageRecord& message : branchTo(m_tree, leaf))
        if (!message.content.isEmpty())
            parts += message.content;
    return parts.join(QStringLiteral("\n\n"));
}

void ChatSession::send(const QString& text) {
    if (text.trimmed().isEmpty())
        return;
    if (isGenerating()) {
        m_queued.append(text);
        emit queueChanged();
        return;
    }
    addUserTurn(leaf(), text);
}

void ChatSession::sendQueued() {
    if (!isGenerating())
        send(takeQueued(0));
}

QString ChatSession::takeQueued(qsizetype index) {
    if (index < 0 || index >= m_queued.size())
        return {};
    const QString text = m_queued.takeAt(index);
    emit queueChanged();
    return text;
}

void ChatSession::addUserTurn(MessageId parent, const QString& text) {
    MessageRecord message;
    message.id = newRecordId();
    message.parent = parent;
    message.chat = m_chat;
    message.role = MessageRole::user;
    message.content = text;
    message.createdMs = QDateTime::currentMSecsSinceEpoch();
    m_tree.messages.append(message);
    MessageRecord answer;
    answer.id = newRecordId();
    answer.parent = message.id;
    answer.chat = m_chat;
    answer.role = MessageRole::assistant;
    answer.state = MessageState::streaming;
    answer.createdMs = message.createdMs;
    m_tree.messages.append(answer);
    startRunning(answer);
    m_store.commitUserTurn(message, this, [this, answer](bool) {
        // Not stored means the disk refused: the turn stays in memory and goes on (the store reports it).
        if (m_running != answer.id || m_live.phase != TurnPhase::saving)
            return; // stopped meanwhile
        m_store.beginAnswer(*find(answer.id));
        submit();
    });
    setLeaf(answer.id);
    emit branchChanged();
}

void ChatSession::editUserTurn(MessageId id, const QString& text) {
    const MessageRecord* message = find(id);
    if (message == nullptr || isGenerating() || text.trimmed().isEmpty())
        return;
    addUserTurn(message->parent, text);
}

void ChatSession::regenerate(MessageId id) {
    const MessageRecord* answer = find(id);
    if (answer == nullptr || isGenerating())
        return;
    // On a user turn without an answer: answer it.
    beginAnswer(answer->role == MessageRole::user ? answer->id : answer->parent);
}

void ChatSession::beginAnswer(MessageId parent) {
    MessageRecord answer;
    answer.id = newRecordId();
    answer.parent = parent;
    answer.chat = m_chat;
    answer.role = MessageRole::assistant;
    answer.state = MessageState::streaming;
    answer.createdMs = QDateTime::currentMSecsSinceEpoch();
    m_tree.messages.append(answer);
    startRunning(answer);
    m_store.beginAnswer(answer);
    setLeaf(answer.id);
    emit branchChanged();
    submit();
}

void ChatSession::continueAnswer(MessageId id) {
    MessageRecord* answer = find(id);
    if (answer == nullptr || isGenerating() || answer->role != MessageRole::assistant || answer->content.isEmpty())
        return;
    answer->state = MessageState::streaming;
    answer->error.clear();
    m_store.beginAnswer(*answer); // the journal starts with the text there is
    startRunning(*answer);
    m_isContinuing = true;
    emit branchChanged();
    submit();
}

void ChatSession::showBranch(MessageId id, int step) {
    const MessageRecord* message = find(id);
    if (message == nullptr)
        return;
    const QList<MessageId> all = siblings(*message);
    const qsizetype place = all.indexOf(id) + step;
    if (place < 0 || place >= all.size())
        return;
    setLeaf(newestUnder(all[place]));
    emit branchChanged();
}

MessageId ChatSession::newestUnder(MessageId message) const {
    MessageId end = message;
    while (true) {
        MessageId child = 0;
        for (const MessageRecord& other : m_tree.messages)
            if (other.parent == end)
                child = std::max(child, other.id);
        if (child == 0)
            return end;
        end = child;
    }
}

QList<MessageRecord> ChatSession::remove(MessageId id) {
    const MessageRecord* first = find(id);
    if (first == nullptr || isGenerating())
        return {};
    const MessageId parent = first->parent;
    QList<MessageId> others = siblings(*first);
    others.removeAll(id);
    QList<MessageRecord> removed;
    QSet<MessageId> ids{id};
    for (const MessageRecord& message : m_tree.messages) { // in order of creation: parents come first
        if (message.id != id && !ids.contains(message.parent))
            continue;
        ids.insert(message.id);
        removed.append(message);
    }
    m_tree.messages.removeIf([&ids](const MessageRecord& message) { return ids.contains(message.id); });
    m_store.eraseMessages(m_chat, QList<MessageId>(ids.begin(), ids.end()));
    setLeaf(others.isEmpty() ? parent : newestUnder(others.last()));
    emit branchChanged();
    return removed;
}

void ChatSession::putBack(const QList<MessageRecord>& removed, MessageId leaf) {
    for (const MessageRecord& message : removed)
        if (find(message.id) == nullptr)
            m_store.updateMessage(message);
    addMissing(removed);
    setLeaf(leaf);
    emit branchChanged();
}

} // namespace vitrine::ui
