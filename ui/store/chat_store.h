// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: every chat on disk, behind one writer thread.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "ui/store/chat_records.h"
#include "ui/store/draft_file.h"

namespace vitrine::ui {

class StoreWorker;
struct ChatWrite;

/// SQLite (WAL) in `<dataDir>/chats/chats.sqlite`, running answers in `<dataDir>/chats/journal/`.
/// Thread: GUI.  Calls return at once and are carried out in order on the store thread; answers come back as signals or
/// by `done`, on the GUI thread and only while `context` lives.  The list of chats is held in memory here, so that the
/// page never waits for it; messages are read by chat.
/// A failed write leaves the values in memory, is tried again with the next write and every 5 s, and is reported once
/// by writeFailed(); writesRecovered() follows when nothing waits any more.
class ChatStore final : public QObject {
    Q_OBJECT
public:
    explicit ChatStore(const QString& dataDir, QObject* parent = nullptr);
    ~ChatStore() override; // close()

    /// Opens or creates the database, folds in journals that a crash left; then opened().
    void open();
    /// Commits everything, joins the thread.  Blocks; shutdown only.
    void close();

    [[nodiscard]] const QList<ChatRecord>& chats() const noexcept { return m_chats; } // trash included; newest first
    [[nodiscard]] const ChatRecord* chat(ChatId id) const;
    [[nodiscard]] QString dataDir() const { return m_dataDir; }

    /// New, unsaved until its first message; temporary ones never are.
    ChatRecord createChat(bool temporary = false);
    /// Adds or replaces the record (title, pin, folder, sampling, leaf, unread, trash).
    void updateChat(const ChatRecord& chat);
    /// Takes over a whole chat, as chat_import.h reads them.
    void addChat(const ChatTree& tree);
    void addChats(const QList<ChatTree>& trees); // one change, however many
    struct Merged {
        int chats = 0; // that were not here
        int messages = 0; // added to chats that were
    };
    /// Adds what is missing, by id, and changes nothing that is here.
    void merge(const QList<ChatTree>& chats, QObject* context, std::function<void(const Merged&)> done);
    /// Every chat but the temporary ones, trash included.
    void loadAll(QObject* context, std::function<void(const QList<ChatTree>&)> done);
    /// Created here and without a turn.
    [[nodiscard]] bool isUnsaved(ChatId id) const { return m_drafts.contains(id); }
    void moveToTrash(ChatId id); // undo: restore()
    void restore(ChatId id);
    void erase(ChatId id); // from the trash, for good
    void emptyTrash();

    void loadChat(ChatId id, QObject* context, std::function<void(const ChatTree&)> done);
    /// Commits a user turn with synchronous=FULL; `done(true)` when it is on disk, `done(false)` when the disk refused
    /// (it stays in memory and is tried again).
    void commitUserTurn(const MessageRecord& message, QObject* context, std::function<void(bool stored)> done);

    /// A running answer: its journal file begins, grows at most once a second, and goes when the answer is stored.
    void beginAnswer(const MessageRecord& message);
    void appendAnswer(MessageId message, const QString& content, const QString& reasoning); // text since the last call
    void finishAnswer(const MessageRecord& message);

    /// Replaces a stored message (its text after "continue", an error added later).
    void updateMessage(const MessageRecord& message);
    /// For good; updateMessage() with the same records brings them back.
    void eraseMessages(ChatId chat, const QList<MessageId>& messages);

    /// What is typed and not sent, of every chat: on disk but for temporary chats.  Known after opened().
    [[nodiscard]] const Drafts& drafts() const noexcept { return m_unsent; }
    void keepDrafts(const Drafts& drafts);

    /// Titles and contents; at most 200 hits, best first.
    void search(const QString& query, QObject* context, std::function<void(const QList<SearchHit>&)> done);
    /// Runs `done` when every call before it has been carried out.
    void whenIdle(QObject* context, std::function<void()> done);

signals:
    void opened(int numRecoveredAnswers);
    void openFailed(const QString& message);
    /// Before opened(): the database was damaged, lies in `keptAside`, and so many chats of it are here again.
    void rescued(const QString& keptAside, int numChats);
    void chatsChanged();
    void chatUpdated(qint64 chat);
    /// search() finds the words of a long import now; its chats have been there since addChats().
    void contentsAdded();
    void messagesAdded(
        qint64 chat, const QList<vitrine::ui::MessageRecord>& messages); // by merge(), to one that was here
    void writeFailed(const QString& message);
    void writesRecovered();

private:
    /// Runs `read` on the store thread, then `done` with its value here.
    template <class T>
    void ask(std::function<T(StoreWorker&)> read, QObject* context, std::function<void(const T&)> done);
    void post(const ChatWrite& write);
    void addMessageToTemporary(const MessageRecord& message);
    ChatRecord* find(ChatId id);
    void sortChats();
    ChatTree insertChat(const ChatTree& tree); // as it is stored
    void postTrees(const QList<ChatTree>& trees);
    void removeChat(ChatId id);

    QString m_dataDir;
    QList<ChatRecord> m_chats;
    QHash<ChatId, ChatRecord> m_drafts; // created, without a message yet
    Drafts m_unsent;
    QHash<ChatId, ChatTree> m_temporary; // never written
    std::unique_ptr<StoreWorker> m_worker; // null after close()
};

} // namespace vitrine::ui
