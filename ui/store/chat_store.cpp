// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: every chat on disk, behind one writer thread.
#include "ui/store/chat_store.h"

#include <QDateTime>
#include <QPointer>
#include <QSet>
#include <algorithm>

#include "ui/store/store_worker.h"

namespace vitrine::ui {

namespace {

constexpr qsizetype kTreesAtOnce = 20; // chats in one transaction: what a question waits for at most

/// Writes the messages of `trees` that their chats do not have.  Returns them, with the leaf moved to their end where they
/// go on from it: nothing else would lead there.  Thread: store.
QList<ChatTree> addMissing(StoreWorker& worker, const QList<ChatTree>& trees) {
    QList<ChatTree> grown;
    for (const ChatTree& tree : trees) {
        QSet<MessageId> here;
        const QList<MessageRecord> present = worker.tree(tree.chat.id).messages;
        for (const MessageRecord& message : present)
            here.insert(message.id);
        ChatTree added{tree.chat, {}, 0};
        for (const MessageRecord& message : tree.messages) { // parents first
            if (here.contains(message.id))
                continue;
            worker.write({.chat = {}, .message = message, .erase = 0, .eraseMessages = {}, .durable = false});
            added.messages.append(message);
            if (message.parent == added.chat.leaf)
                added.chat.leaf = message.id;
        }
        if (!added.messages.isEmpty())
            grown.append(added);
    }
    return grown;
}

} // namespace

ChatStore::ChatStore(const QString& dataDir, QObject* parent) : QObject(parent), m_dataDir(dataDir) {
    const auto toGui = [this](auto call) { QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection); };
    m_worker = std::make_unique<StoreWorker>(dataDir,
        StoreWorker::Reports{
            .writeFailed = [this, toGui](
                               const QString& message) { toGui([this, message] { emit writeFailed(message); }); },
            .recovered = [this, toGui] { toGui([this] { emit writesRecovered(); }); },
            .waitingWritten = [this, toGui] { toGui([this] { emit contentsAdded(); }); }});
}

ChatStore::~ChatStore() {
    close();
}

template <class T>
void ChatStore::ask(std::function<T(StoreWorker&)> read, QObject* context, std::function<void(const T&)> done) {
    if (!m_worker)
        return;
    m_worker->post([this, read = std::move(read), guard = QPointer<QObject>(context), done = std::move(done)](
                       StoreWorker& worker) {
        QMetaObject::invokeMethod(
            this,
            [guard, done, value = read(worker)] {
                if (guard)
                    done(value);
            },
            Qt::QueuedConnection);
    });
}

void ChatStore::post(const ChatWrite& write) {
    if (m_worker)
        m_worker->post([write](StoreWorker& worker) { worker.write(write); });
}

void ChatStore::open() {
    ask<StoreWorker::Opened>([](StoreWorker& worker) { return worker.open(); }, this,
        [this](const StoreWorker::Opened& found) {
            m_unsent = found.drafts;
            if (!found.error.isEmpty()) {
                emit openFailed(found.error);
                return;
            }
            if (!found.keptAside.isEmpty())
                emit rescued(found.keptAside, found.numRescued);
            for (const ChatRecord& chat : found.chats)
                if (find(chat.id) == nullptr)
                    m_chats.append(chat);
            sortChats();
            emit chatsChanged();
            emit opened(found.numRecovered);
        });
}

void ChatStore::close() {
    m_worker.reset();
}

ChatRecord* ChatStore::find(ChatId id) {
    const auto it =
        std::find_if(m_chats.begin(), m_chats.end(), [id](const ChatRecord& chat) { return chat.id == id; });
    if (it != m_chats.end())
        return &*it;
    const auto draft = m_drafts.find(id);
    return draft == m_drafts.end() ? nullptr : &*draft;
}

const ChatRecord* ChatStore::chat(ChatId id) const {
    return const_cast<ChatStore*>(this)->find(id);
}

void ChatStore::sortChats() {
    std::stable_sort(m_chats.begin(), m_chats.end(),
        [](const ChatRecord& a, const ChatRecord& b) { return a.updatedMs > b.updatedMs; });
}

ChatRecord ChatStore::createChat(bool temporary) {
    ChatRecord chat;
    chat.id = newRecordId();
    chat.temporary = temporary;
    chat.createdMs = chat.updatedMs = QDateTime::currentMSecsSinceEpoch();
    m_drafts.insert(chat.id, chat);
    return chat;
}

void ChatStore::updateChat(const ChatRecord& chat) {
    ChatRecord* known = find(chat.id);
    if (known == nullptr)
        return;
    *known = chat;
    const bool isDraft = m_drafts.contains(chat.id);
    if (!isDraft && !chat.temporary)
        post({.chat = chat, .message = {}, .erase = 0, .eraseMessages = {}, .durable = false});
    if (!isDraft)
        emit chatsChanged();
    emit chatUpdated(chat.id);
}

ChatTree ChatStore::insertChat(const ChatTree& tree) {
    ChatRecord record = tree.chat;
    if (record.title.isEmpty() && !tree.messages.isEmpty())
        record.title = titleFrom(tree.messages.front().content);
    record.title = record.title.simplified(); // one line in every list
    m_chats.prepend(record);
    for (const MessageRecord& message : tree.messages)
        noteRecordId(message.id); // a backup may come from a machine whose clock goes before this one's
    return {record, tree.messages, 0};
}

/// A transaction a message would keep the store busy for half a minute of two thousand chats.
void ChatStore::postTrees(const QList<ChatTree>& trees) {
    if (!m_worker)
        return;
    if (trees.size() <= kTreesAtOnce) {
        ChatWrite write;
        write.trees = trees;
        return post(write);
    }
    m_worker->post([trees](StoreWorker& worker) {
        for (qsizetype at = 0; at < trees.size(); at += kTreesAtOnce) {
            ChatWrite write;
            write.trees = trees.mid(at, kTreesAtOnce);
            worker.writeLater(std::move(write));
        }
    });
}

void ChatStore::addChat(const ChatTree& tree) {
    addChats({tree});
}

void ChatStore::addChats(const QList<ChatTree>& trees) {
    QList<ChatTree> inserted;
    for (const ChatTree& tree : trees)
        inserted.append(insertChat(tree));
    postTrees(inserted);
    sortChats();
    emit chatsChanged();
}

void ChatStore::loadAll(QObject* context, std::function<void(const QList<ChatTree>&)> done) {
    QList<ChatRecord> stored;
    for (const ChatRecord& item : m_chats)
        if (!item.temporary)
            stored.append(item);
    ask<QList<ChatTree>>(
        [stored](StoreWorker& worker) {
            QList<ChatTree> trees;
            for (const ChatRecord& item : stored) {
                trees.append(worker.tree(item.id));
                trees.back().chat = item;
            }
            return trees;
        },
        context, std::move(done));
}

void ChatStore::merge(const QList<ChatTree>& chats, QObject* context, std::function<void(const Merged&)> done) {
    Merged merged;
    QList<ChatTree> known, inserted;
    QHash<ChatId, MessageId> leaves; // of known ones
    for (const ChatTree& tree : chats) {
        if (const ChatRecord* here = chat(tree.chat.id)) {
            for (const MessageRecord& message : tree.messages)
                noteRecordId(message.id);
            known.append({*here, tree.messages, 0});
            leaves.insert(here->id, here->leaf);
            continue;
        }
        inserted.append(insertChat(tree));
        ++merged.chats;
    }
    postTrees(inserted);
    sortChats();
    emit chatsChanged();
    ask<QList<ChatTree>>([known](StoreWorker& worker) { return addMissing(worker, known); }, this,
        [this, merged, leaves, guard = QPointer<QObject>(context), done = std::move(done)](
            const QList<ChatTree>& grown) {
            Merged result = merged;
            for (const ChatTree& tree : grown) {
                result.messages += static_cast<int>(tree.messages.size());
                if (const ChatRecord* here = chat(tree.chat.id);
                    here != nullptr && here->leaf == leaves.value(here->id)) {
                    ChatRecord changed = *here;
                    changed.leaf = tree.chat.leaf;
                    updateChat(changed);
                }
                emit messagesAdded(tree.chat.id, tree.messages);
            }
            if (guard)
                done(result);
        });
}

void ChatStore::moveToTrash(ChatId id) {
    const ChatRecord* known = chat(id);
    if (known == nullptr)
        return;
    if (known->temporary) {
        erase(id); // nothing of it is on disk, so there is nothing to bring back
        return;
    }
    ChatRecord changed = *known;
    changed.trashedMs = QDateTime::currentMSecsSinceEpoch();
    updateChat(changed);
}

void ChatStore::restore(ChatId id) {
    if (const ChatRecord* known = chat(id)) {
        ChatRecord changed = *known;
        changed.trashedMs = 0;
        updateChat(changed);
    }
}

void ChatStore::removeChat(ChatId id) {
    const ChatRecord* known = chat(id);
    if (known == nullptr)
        return;
    if (!known->temporary && !m_drafts.contains(id))
        post({.chat = {}, .message = {}, .erase = id, .eraseMessages = {}, .durable = false});
    m_drafts.remove(id);
    m_temporary.remove(id);
    m_chats.removeIf([id](const ChatRecord& item) { return item.id == id; });
}

void ChatStore::erase(ChatId id) {
    removeChat(id);
    emit chatsChanged();
}

void ChatStore::emptyTrash() {
    QList<ChatId> ids;
    for (const ChatRecord& item : m_chats)
        if (item.trashedMs > 0)
            ids.append(item.id);
    for (const ChatId id : ids)
        removeChat(id);
    emit chatsChanged();
}

void ChatStore::loadChat(ChatId id, QObject* context, std::function<void(const ChatTree&)> done) {
    const ChatRecord* known = chat(id);
    if (known == nullptr || known->temporary || m_drafts.contains(id)) {
        ChatTree tree = m_temporary.value(id);
        if (known != nullptr)
            tree.chat = *known;
        QMetaObject::invokeMethod(
            context, [tree, done = std::move(done)] { done(tree); }, Qt::QueuedConnection);
        return;
    }
    ask<ChatTree>([id](StoreWorker& worker) { return worker.tree(id); }, context,
        [this, id, done = std::move(done)](const ChatTree& found) {
            ChatTree tree = found;
            if (const ChatRecord* record = chat(id))
                tree.chat = *record;
            done(tree);
        });
}

void ChatStore::addMessageToTemporary(const MessageRecord& message) {
    ChatTree& tree = m_temporary[message.chat];
    const auto same = std::find_if(
        tree.messages.begin(), tree.messages.end(), [&](const MessageRecord& item) { return item.id == message.id; });
    if (same == tree.messages.end())
        tree.messages.append(message);
    else
        *same = message;
}

void ChatStore::commitUserTurn(const MessageRecord& message, QObject* context, std::function<void(bool)> done) {
    if (const auto draft = m_drafts.find(message.chat); draft != m_drafts.end()) {
        m_chats.prepend(*draft);
        m_drafts.erase(draft);
    }
    ChatRecord* known = find(message.chat);
    if (known == nullptr)
        return;
    if (known->title.isEmpty())
        known->title = titleFrom(message.content);
    known->leaf = message.id;
    known->updatedMs = message.createdMs;
    const ChatRecord record = *known;
    sortChats();
    if (record.temporary) {
        addMessageToTemporary(message);
        QMetaObject::invokeMethod(
            context, [done = std::move(done)] { done(true); }, Qt::QueuedConnection);
    } else {
        const ChatWrite write{.chat = record, .message = message, .erase = 0, .eraseMessages = {}, .durable = true};
        ask<bool>([write](StoreWorker& worker) { return worker.write(write); }, context,
            [done = std::move(done)](const bool& stored) { done(stored); });
    }
    emit chatsChanged();
}

void ChatStore::beginAnswer(const MessageRecord& message) {
    ChatRecord* known = find(message.chat);
    if (known == nullptr)
        return;
    known->leaf = message.id;
    if (known->temporary)
        addMessageToTemporary(message);
    else if (m_worker)
        m_worker->post([message](StoreWorker& worker) { worker.beginJournal(message); });
}

void ChatStore::appendAnswer(MessageId message, const QString& content, const QString& reasoning) {
    if (m_worker)
        m_worker->post(
            [message, content, reasoning](StoreWorker& worker) { worker.appendJournal(message, content, reasoning); });
}

void ChatStore::finishAnswer(const MessageRecord& message) {
    ChatRecord* known = find(message.chat);
    if (known == nullptr)
        return;
    known->updatedMs = QDateTime::currentMSecsSinceEpoch();
    const ChatRecord record = *known;
    sortChats();
    if (record.temporary)
        addMessageToTemporary(message);
    else
        post({.chat = record, .message = message, .erase = 0, .eraseMessages = {}, .durable = false});
    emit chatsChanged();
}

void ChatStore::updateMessage(const MessageRecord& message) {
    const ChatRecord* known = chat(message.chat);
    if (known == nullptr)
        return;
    if (known->temporary)
        addMessageToTemporary(message);
    else
        post({.chat = {}, .message = message, .erase = 0, .eraseMessages = {}, .durable = false});
}

void ChatStore::eraseMessages(ChatId id, const QList<MessageId>& messages) {
    const ChatRecord* known = chat(id);
    if (known == nullptr)
        return;
    if (known->temporary)
        m_temporary[id].messages.removeIf([&](const MessageRecord& item) { return messages.contains(item.id); });
    else
        post({.chat = {}, .message = {}, .erase = 0, .eraseMessages = messages, .durable = false});
}

void ChatStore::keepDrafts(const Drafts& drafts) {
    m_unsent = drafts;
    Drafts stored;
    for (auto it = drafts.begin(); it != drafts.end(); ++it)
        if (const ChatRecord* known = chat(it.key()); known != nullptr && !known->temporary)
            stored.insert(m_drafts.contains(it.key()) ? 0 : it.key(), it.value());
    if (m_worker)
        m_worker->post([stored](StoreWorker& worker) { worker.writeDrafts(stored); });
}

void ChatStore::search(const QString& query, QObject* context, std::function<void(const QList<SearchHit>&)> done) {
    ask<QList<SearchHit>>([query](StoreWorker& worker) { return worker.search(query); }, context, std::move(done));
}

void ChatStore::whenIdle(QObject* context, std::function<void()> done) {
    ask<bool>(
        [](StoreWorker& worker) {
            worker.writeWaiting();
            return true;
        },
        context, [done = std::move(done)](const bool&) { done(); });
}

} // namespace vitrine::ui
