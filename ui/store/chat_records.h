// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: chats and messages as values.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <tl/expected.hpp>

namespace vitrine::ui {

using ChatId = qint64; // 0: none
using MessageId = qint64; // 0: none; the root of a chat's tree

/// What a write or a read of the disk gives: a value, or a sentence that names the file and the cause.
template <class T>
using Stored = tl::expected<T, QString>;

/// Rising, unique in this data directory: milliseconds since 1970 << 20, plus a counter.
[[nodiscard]] qint64 newRecordId();
/// Every id from now on is larger: what a clock that was set back meanwhile would not give.
void noteRecordId(qint64 used);

enum class MessageRole { system, user, assistant };
enum class MessageState {
    complete,
    streaming, // on screen only; never stored
    interrupted, // folded in from a journal after a crash
    stopped, // by the user
    failed, // `error` says why; partial text kept
};

/// What an answer cost, stored with it.  Times in seconds; -1: unknown.
struct TurnStats {
    int promptTokens = 0;
    int cachedTokens = 0;
    int outputTokens = 0;
    int reasoningTokens = 0;
    int draftedTokens = 0;
    int acceptedTokens = 0;
    int decodeSteps = 0;
    double queuedSeconds = -1;
    double firstTokenSeconds = -1;
    double prefillSeconds = -1;
    double decodeSeconds = -1;
    double reasoningSeconds = -1;
    double totalSeconds = -1;
    QString finishReason; // "stop", "length", "cancelled", ...
    QString model; // "SmolLM2-135M-Instruct Q4_1"

    [[nodiscard]] double tokensPerSecond() const; // decode; -1: unknown
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static TurnStats fromJson(const QJsonObject& object);
};

struct MessageRecord {
    MessageId id = 0;
    MessageId parent = 0;
    ChatId chat = 0;
    MessageRole role = MessageRole::user;
    MessageState state = MessageState::complete;
    QString content; // source text, exactly
    QString reasoning; // thinking, exactly
    QString error; // with failed
    qint64 createdMs = 0;
    TurnStats stats; // of answers
};

/// How a chat's answers are sampled; `modified` parameters alone differ from the model's defaults.
struct ChatSampling {
    static constexpr double kAutomaticPenalty = 0;
    double temperature = 0.7;
    double topP = 0.95;
    int topK = 0; // 0: off
    double minP = 0;
    double repetitionPenalty = kAutomaticPenalty; // 1: off; automatic: by the size of the model
    int maxTokens = -1; // -1: to the end of the context
    bool operator==(const ChatSampling&) const = default;
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static ChatSampling fromJson(const QJsonObject& object);
};

struct ChatRecord {
    ChatId id = 0;
    QString title; // empty: taken from the first user turn
    QString systemPrompt;
    QString folder; // empty: none
    ChatSampling sampling;
    MessageId leaf = 0; // end of the branch on screen
    qint64 createdMs = 0;
    qint64 updatedMs = 0;
    qint64 trashedMs = 0; // 0: not in the trash
    bool pinned = false;
    bool unread = false;
    bool temporary = false; // never reaches the disk
};

/// A chat with its whole tree.  hiddenMessages: rows that could not be read; their children hang on the nearest
/// readable ancestor.
struct ChatTree {
    ChatRecord chat;
    QList<MessageRecord> messages; // in order of creation
    int hiddenMessages = 0;
};

/// What a file of chats held.
struct ReadChats {
    QList<ChatTree> chats; // with the number of their messages that could not be read
    int numUnreadable = 0; // chats of which nothing could be read
};

/// A file or a big paste, sent in front of the text.
struct Attachment {
    QString name;
    QString text;
    bool operator==(const Attachment&) const = default;
};

/// What stands in a composer and is not sent yet.
struct Draft {
    QString text;
    QList<Attachment> attachments;
    bool isEdit = false;
    MessageId edited = 0; // with isEdit: the turn
    QString textBefore; // with isEdit: what stood there when the edit began
    QList<Attachment> attachmentsBefore;
    bool operator==(const Draft&) const = default;
    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && attachments.isEmpty() && !isEdit; }
};

/// The messages from the root to `leaf`, oldest first; empty if `leaf` is not in the tree.
[[nodiscard]] QList<MessageRecord> branchTo(const ChatTree& tree, MessageId leaf);
/// The newest message of the tree, or 0: the leaf of a chat whose own is lost.
[[nodiscard]] MessageId newestLeaf(const ChatTree& tree);
/// A file in front of what the user wrote, in a fence longer than any inside it.
[[nodiscard]] QString attachedText(const QString& name, const QString& text);
/// The files in front of a long user turn, which `turn` loses; a short one stays text that can be changed.
[[nodiscard]] QList<Attachment> takeAttachments(QString& turn);
/// A title from the first user turn: its first line that has text, at most 60 characters.  Attached files are passed over;
/// one of them gives its name when nothing else was written.
[[nodiscard]] QString titleFrom(const QString& userTurn);

/// One place where a search hit a chat.
struct SearchHit {
    ChatId chat = 0;
    MessageId message = 0; // 0: the title
    QString snippet; // hits between U+0002 and U+0003
};

} // namespace vitrine::ui
