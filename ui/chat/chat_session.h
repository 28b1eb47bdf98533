// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one open chat: its tree, the branch on screen, its running answer.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>

#include "ui/bridge/values.h"
#include "ui/chat/turn_item.h"

namespace vitrine::ui {

class ChatStore;
class EngineClient;

/// A token of the last answer, for the inspector; kept in memory only.
struct ShownToken {
    QString text;
    bool isFromDraft = false;
    float logprob = 0;
    QList<std::pair<QString, float>> alternatives; // probability 0..1, best first; empty without logprobs
};

/// Thread: GUI.  At most one answer runs in a chat; several sessions may generate at once.  A user turn is committed
/// before the engine sees it; text goes to the store's journal once a second.
class ChatSession final : public QObject {
    Q_OBJECT
public:
    ChatSession(EngineClient& client, ChatStore& store, ChatId chat, QObject* parent = nullptr);
    ~ChatSession() override;

    [[nodiscard]] ChatId chatId() const noexcept { return m_chat; }
    [[nodiscard]] bool isLoaded() const noexcept { return m_isLoaded; }
    [[nodiscard]] bool isGenerating() const noexcept { return m_live.phase != TurnPhase::done; }
    [[nodiscard]] const ChatTree& tree() const noexcept { return m_tree; }
    /// The branch on screen, oldest first.
    [[nodiscard]] QList<TurnItem> turns() const;
    [[nodiscard]] std::optional<TurnItem> turn(MessageId message) const;
    [[nodiscard]] MessageId lastAnswer() const; // of the branch on screen; 0: none
    [[nodiscard]] MessageId lastUserTurn() const;
    [[nodiscard]] RequestId request() const noexcept { return m_request; } // of the running or last answer
    [[nodiscard]] const QList<ShownToken>& tokens() const noexcept { return m_tokens; }
    [[nodiscard]] QString exactPrompt() const { return m_exactPrompt; } // of the last request
    [[nodiscard]] const QStringList& queued() const noexcept { return m_queued; } // sent one after the other
    /// The messages as the engine gets them, without the last `skip` turns.
    [[nodiscard]] QByteArray messagesJson(MessageId leaf) const;
    [[nodiscard]] QString plainText(MessageId leaf) const;
    void setWantsAlternatives(bool wanted) { m_wantsAlternatives = wanted; }

    void send(const QString& text); // queues while generating
    void sendQueued(); // the first of the queue, unless an answer runs
    QString takeQueued(qsizetype index); // out of the queue; empty: there is none
    void editUserTurn(MessageId message, const QString& text); // makes a branch
    void regenerate(MessageId answer); // makes a branch
    void continueAnswer(MessageId answer);
    void showBranch(MessageId message, int step); // -1: previous, +1: next
    /// Takes a turn and all that follows it out of the tree and the store; empty while an answer runs.
    QList<MessageRecord> remove(MessageId message);
    void putBack(const QList<MessageRecord>& removed, MessageId leaf); // undo
    [[nodiscard]] MessageId leaf() const; // end of the branch on screen; 0: none
    void stop();
    /// Shutdown: the answer so far goes to the store as stopped.
    void close();

signals:
    void loaded();
    void branchChanged(); // other rows
    void turnChanged(qint64 message);
    void generatingChanged(bool generating);
    void queueChanged();
    void answerFinished(qint64 message);
    void modelNeeded(); // none is loaded; a load begun in here is waited for

private:
    [[nodiscard]] MessageRecord* find(MessageId id);
    [[nodiscard]] const MessageRecord* find(MessageId id) const;
    [[nodiscard]] QList<MessageId> siblings(const MessageRecord& message) const;
    [[nodiscard]] MessageId newestUnder(MessageId message) const; // the end of what was last on screen there
    void setLeaf(MessageId leaf);
    void addMissing(const QList<MessageRecord>& messages);
    void addUserTurn(MessageId parent, const QString& text);
    void beginAnswer(MessageId parent);
    void startRunning(const MessageRecord& message);
    void submit();
    [[nodiscard]] Request makeRequest(const MessageRecord& answer) const;
    void onAdmitted(const Admitted& admitted);
    void onProgress(const Progress& progress);
    void onDelta(const Delta& delta);
    void onFinished(const Finished& finished);
    void onRejected(const Rejected& rejected);
    void noteTokens(const Delta& delta);
    void fail(const Error& error);
    void endRunning(MessageState state);
    void flushJournal();
    [[nodiscard]] bool isMine(RequestId request) const { return isGenerating() && request == m_request; }

    EngineClient& m_client;
    ChatStore& m_store;
    ChatId m_chat;
    ChatTree m_tree;
    bool m_isLoaded = false;
    bool m_wantsAlternatives = false;

    MessageId m_running = 0; // the message that grows
    RequestId m_request{};
    LiveTurn m_live;
    bool m_isContinuing = false;
    QElapsedTimer m_sinceSent;
    QElapsedTimer m_sinceFirstToken;
    QElapsedTimer m_sinceReasoning;
    QString m_unwrittenContent; // since the last journal record
    QString m_unwrittenReasoning;
    QTimer m_journalTimer;
    QStringList m_queued;
    QString m_exactPrompt;
    QList<ShownToken> m_tokens;
};

} // namespace vitrine::ui
