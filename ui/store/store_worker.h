// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: the store thread: jobs in order, failed writes kept and tried again.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "ui/store/answer_journal.h"
#include "ui/store/chat_database.h"
#include "ui/store/draft_file.h"

namespace vitrine::ui {

/// Thread: post() from any; jobs and what they call run on the worker's own.  The destructor carries out every job that
/// waits, tries failed writes once more, closes the database and joins.
/// Invariant: a value is in the database, or in m_failed, or in m_waiting, or in a job that waits.
class StoreWorker {
public:
    using Job = std::function<void(StoreWorker&)>;
    struct Reports { // called on the worker's thread
        std::function<void(const QString& message)> writeFailed; // once, until recovered
        std::function<void()> recovered;
        std::function<void()> waitingWritten; // search() knows all of it now
    };
    StoreWorker(const QString& dataDir, Reports reports);
    ~StoreWorker();
    StoreWorker(const StoreWorker&) = delete;
    StoreWorker& operator=(const StoreWorker&) = delete;

    void post(Job job);

    // For jobs.
    struct Opened {
        QList<ChatRecord> chats;
        int numRecovered = 0; // answers folded in from journals
        QString error; // empty: open
        QString keptAside; // the database was damaged and lies here now; empty: it was sound
        int numRescued = 0; // chats read from it
        Drafts drafts; // also when the database could not be opened
    };
    [[nodiscard]] Opened open();
    /// False: kept in memory, tried again with the next write and every kRetrySeconds.
    bool write(const ChatWrite& write);
    /// When no job waits: an import of thousands must not stand before the chat that is opened.  Until then tree() has its
    /// chats, search() has not, and a change to one of them writes it first.
    void writeLater(ChatWrite write);
    void writeWaiting(); // all of it, now
    [[nodiscard]] ChatTree tree(ChatId chat);
    [[nodiscard]] QList<SearchHit> search(const QString& query);
    void beginJournal(const MessageRecord& message);
    void appendJournal(MessageId message, const QString& content, const QString& reasoning);
    void writeDrafts(const Drafts& drafts); // nothing where nothing changed

    static constexpr int kRetrySeconds = 5;

private:
    void run();
    [[nodiscard]] Stored<void> writeNow(const ChatWrite& write);
    void retryFailed();
    void writeNextWaiting();
    void writeWaitingOf(const ChatWrite& change);
    void report(const QString& message);
    [[nodiscard]] Stored<void> ensureOpen();
    int foldInJournals(QList<ChatRecord>& chats);
    [[nodiscard]] bool foldIn(MessageRecord message, QList<ChatRecord>& chats);

    QString m_databaseFile;
    QString m_journalFolder;
    QString m_draftFile;
    QByteArray m_writtenDrafts;
    Reports m_reports;
    ChatDatabase m_database;
    std::map<MessageId, AnswerJournal> m_journals;
    std::vector<ChatWrite> m_failed; // in order
    std::deque<ChatWrite> m_waiting; // whole trees only, of chats that nothing else touched yet
    bool m_hasReported = false;
    bool m_needsCheckpoint = false;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Job> m_jobs; // guarded
    bool m_stopping = false; // guarded
    std::thread m_thread; // last: starts when the rest is built
};

} // namespace vitrine::ui
