// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: the store thread.
#include "ui/store/store_worker.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <utility>

#include "ui/store/chat_export.h"
#include "ui/store/chat_rescue.h"
#include "ui/store/chat_search.h"

namespace vitrine::ui {

StoreWorker::StoreWorker(const QString& dataDir, Reports reports)
    : m_databaseFile(QDir(dataDir).filePath(QStringLiteral("chats/chats.sqlite"))),
      m_journalFolder(QDir(dataDir).filePath(QStringLiteral("chats/journal"))),
      m_draftFile(QDir(dataDir).filePath(QStringLiteral("chats/drafts.json"))), m_reports(std::move(reports)),
      m_thread([this] { run(); }) {}

StoreWorker::~StoreWorker() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void StoreWorker::post(Job job) {
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void StoreWorker::run() {
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            const auto hasWork = [this] { return m_stopping || !m_jobs.empty(); };
            // Without anything to retry or to checkpoint the thread sleeps until it is called: idle writes nothing.
            if (m_waiting.empty() && m_failed.empty() && !m_needsCheckpoint)
                m_wake.wait(lock, hasWork);
            else if (m_waiting.empty())
                m_wake.wait_for(lock, std::chrono::seconds(kRetrySeconds), hasWork);
            if (!m_jobs.empty()) {
                job = std::move(m_jobs.front());
                m_jobs.pop_front();
            } else if (m_stopping) {
                break;
            }
        }
        if (job) {
            job(*this);
            continue;
        }
        if (!m_waiting.empty()) {
            writeNextWaiting();
            continue;
        }
        retryFailed();
        m_database.checkpoint();
        m_needsCheckpoint = false;
    }
    writeWaiting();
    retryFailed();
    m_database.close();
}

Stored<void> StoreWorker::ensureOpen() {
    return m_database.isOpen() && !m_database.isReadOnly() ? Stored<void>{} : m_database.open(m_databaseFile);
}

StoreWorker::Opened StoreWorker::open() {
    Opened opened;
    if (QFile file(m_draftFile); file.open(QIODevice::ReadOnly))
        m_writtenDrafts = file.readAll();
    opened.drafts = draftsFromJson(m_writtenDrafts);
    if (isDatabaseDamaged(m_databaseFile))
        opened.keptAside = setDatabaseAside(m_databaseFile);
    if (auto ready = ensureOpen(); !ready) {
        opened.error = ready.error();
        return opened;
    }
    if (!opened.keptAside.isEmpty())
        opened.numRescued = rescueChats(opened.keptAside, m_database);
    noteRecordId(m_database.newestId());
    opened.chats = m_database.chats();
    opened.numRecovered = foldInJournals(opened.chats);
    return opened;
}

int StoreWorker::foldInJournals(QList<ChatRecord>& chats) {
    int numRecovered = 0;
    for (const QString& path : AnswerJournal::filesIn(m_journalFolder)) {
        const auto message = AnswerJournal::read(path);
        const bool hasText = message && !(message->content.isEmpty() && message->reasoning.isEmpty());
        const bool isKnown = hasText &&
            std::any_of(chats.begin(), chats.end(), [&](const ChatRecord& chat) { return chat.id == message->chat; });
        if (!isKnown) {
            QFile::remove(path);
            continue;
        }
        const auto stored = m_database.message(message->id);
        if (stored && stored->content.size() >= message->content.size()) {
            QFile::remove(path); // the transaction had ended; only the file was left
            continue;
        }
        if (!foldIn(*message, chats))
            continue; // the file stays for the next start
        QFile::remove(path);
        ++numRecovered;
    }
    return numRecovered;
}

bool StoreWorker::foldIn(MessageRecord message, QList<ChatRecord>& chats) {
    const auto chat =
        std::find_if(chats.begin(), chats.end(), [&](const ChatRecord& item) { return item.id == message.chat; });
    chat->leaf = message.id;
    const auto done = m_database.write(
        {.chat = *chat, .message = std::move(message), .erase = 0, .eraseMessages = {}, .durable = true});
    if (!done)
        report(done.error());
    return done.has_value();
}

Stored<void> StoreWorker::writeNow(const ChatWrite& write) {
    if (auto ready = ensureOpen(); !ready)
        return ready;
    if (auto done = m_database.write(write); !done)
        return done;
    m_needsCheckpoint = true;
    if (write.message)
        if (const auto journal = m_journals.find(write.message->id); journal != m_journals.end()) {
            journal->second.remove();
            m_journals.erase(journal);
        }
    return {};
}

void StoreWorker::writeLater(ChatWrite write) {
    m_waiting.push_back(std::move(write));
}

void StoreWorker::writeNextWaiting() {
    const ChatWrite next = std::move(m_waiting.front());
    m_waiting.pop_front();
    write(next);
    if (m_waiting.empty())
        m_reports.waitingWritten();
}

void StoreWorker::writeWaiting() {
    while (!m_waiting.empty())
        writeNextWaiting();
}

/// The order of a chat's changes stays: what an import brought is on disk before anything is changed in it.
void StoreWorker::writeWaitingOf(const ChatWrite& change) {
    const auto touches = [&change](const ChatTree& tree) {
        const auto isErased = [&](const MessageRecord& message) { return change.eraseMessages.contains(message.id); };
        return (change.chat && change.chat->id == tree.chat.id) ||
            (change.message && change.message->chat == tree.chat.id) || change.erase == tree.chat.id ||
            std::any_of(tree.messages.begin(), tree.messages.end(), isErased);
    };
    std::deque<ChatWrite> others;
    while (!m_waiting.empty()) {
        ChatWrite next = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (std::any_of(next.trees.begin(), next.trees.end(), touches))
            write(next);
        else
            others.push_back(std::move(next));
    }
    m_waiting = std::move(others);
}

bool StoreWorker::write(const ChatWrite& write) {
    if (write.trees.isEmpty() && !m_waiting.empty())
        writeWaitingOf(write);
    retryFailed();
    const auto done = writeNow(write);
    if (done)
        return true;
    m_failed.push_back(write);
    report(done.error());
    return false;
}

void StoreWorker::retryFailed() {
    if (m_failed.empty())
        return;
    std::vector<ChatWrite> waiting = std::exchange(m_failed, {});
    for (ChatWrite& write : waiting)
        if (!writeNow(write))
            m_failed.push_back(std::move(write));
    if (m_failed.empty() && std::exchange(m_hasReported, false))
        m_reports.recovered();
}

void StoreWorker::report(const QString& message) {
    if (!std::exchange(m_hasReported, true))
        m_reports.writeFailed(message);
}

ChatTree StoreWorker::tree(ChatId chat) {
    ChatTree tree;
    if (m_database.isOpen())
        tree = m_database.tree(chat);
    const auto addTrees = [&](const ChatWrite& write) {
        for (const ChatTree& waiting : write.trees)
            if (waiting.chat.id == chat)
                tree.messages += waiting.messages;
    };
    std::for_each(m_waiting.begin(), m_waiting.end(), addTrees);
    for (const ChatWrite& write : m_failed) {
        addTrees(write);
        if (!write.message || write.message->chat != chat)
            continue;
        const auto same = std::find_if(tree.messages.begin(), tree.messages.end(),
            [&](const MessageRecord& message) { return message.id == write.message->id; });
        if (same == tree.messages.end())
            tree.messages.append(*write.message);
        else
            *same = *write.message;
    }
    return tree;
}

QList<SearchHit> StoreWorker::search(const QString& query) {
    return m_database.isOpen() ? searchChats(m_database.handle(), query) : QList<SearchHit>();
}

/// A draft that the disk refuses is still in the window: nothing is said, the next change tries again.
void StoreWorker::writeDrafts(const Drafts& drafts) {
    const QByteArray json = drafts.isEmpty() ? QByteArray() : draftsToJson(drafts);
    if (json == m_writtenDrafts)
        return;
    if (json.isEmpty() ? QFile::remove(m_draftFile) : writeExport(m_draftFile, json).has_value())
        m_writtenDrafts = json;
}

void StoreWorker::beginJournal(const MessageRecord& message) {
    // Without a journal the answer is still in the window's memory and is stored at its end.
    auto journal = AnswerJournal::create(m_journalFolder, message);
    if (journal)
        m_journals.insert_or_assign(message.id, std::move(*journal));
    else
        report(journal.error());
}

void StoreWorker::appendJournal(MessageId message, const QString& content, const QString& reasoning) {
    const auto journal = m_journals.find(message);
    if (journal == m_journals.end())
        return;
    if (auto done = journal->second.append(content, reasoning); !done)
        report(done.error());
}

} // namespace vitrine::ui
