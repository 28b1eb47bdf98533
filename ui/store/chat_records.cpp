// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: chats and messages as values.
#include "ui/store/chat_records.h"

#include <QDateTime>
#include <QTextBoundaryFinder>
#include <algorithm>
#include <atomic>

namespace vitrine::ui {

namespace {

constexpr int kMaxTitleLength = 60;
constexpr qsizetype kShortestFence = 3;
constexpr qsizetype kLongestEnding = 8;
constexpr qsizetype kLongText = 8'000; // characters: a paste from there on is an attachment
constexpr qsizetype kLongestLine = 4'000; // of which a title is made: a paste may be one line of megabytes

std::atomic<qint64> lastRecordId{0};

qsizetype longestRun(QStringView text, QChar mark) {
    qsizetype longest = 0, run = 0;
    for (const QChar c : text) {
        run = c == mark ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

/// ".txt", ".json": what names of files end in.
bool hasEnding(QStringView name) {
    const qsizetype dot = name.lastIndexOf(u'.');
    const QStringView ending = name.mid(dot + 1);
    return dot > 0 && !ending.isEmpty() && ending.size() <= kLongestEnding &&
        std::all_of(ending.begin(), ending.end(), [](QChar c) { return c.isLetterOrNumber(); });
}

/// Takes one attachment, as attachedText() writes it, off the front of `text`; its name, or null where there is none.
QStringView takeAttachment(QStringView& text, QStringView* content = nullptr) {
    const qsizetype nameEnd = text.indexOf(QLatin1String(":\n```"));
    if (nameEnd <= 0 || text.left(nameEnd).contains(u'\n'))
        return {};
    const qsizetype fenceBegin = nameEnd + 2;
    qsizetype fenceEnd = fenceBegin;
    while (fenceEnd < text.size() && text[fenceEnd] == u'`')
        ++fenceEnd;
    const QString close = u'\n' + QString(fenceEnd - fenceBegin, u'`') + QLatin1String("\n\n");
    const qsizetype end = text.indexOf(close, fenceEnd);
    if (end < 0)
        return {};
    const QStringView name = text.left(nameEnd), inside = text.mid(fenceEnd + 1, end - fenceEnd - 1);
    if (inside.size() < kLongText && !hasEnding(name))
        return {}; // "Look at this:" and a fence, typed by hand
    if (content != nullptr)
        *content = inside;
    text = text.mid(end + close.size());
    return name;
}

/// The end of the longest part of `line` up to `most` that cuts no character in two: accents and emoji have several units.
qsizetype characterEnd(const QString& line, qsizetype most) {
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, line);
    finder.setPosition(most);
    return finder.isAtBoundary() ? most : std::max<qsizetype>(finder.toPreviousBoundary(), 1);
}

} // namespace

qint64 newRecordId() {
    qint64 id = QDateTime::currentMSecsSinceEpoch() << 20;
    qint64 previous = lastRecordId.load();
    do {
        id = std::max(id, previous + 1); // also when the clock went back
    } while (!lastRecordId.compare_exchange_weak(previous, id));
    return id;
}

void noteRecordId(qint64 used) {
    qint64 previous = lastRecordId.load();
    while (previous < used && !lastRecordId.compare_exchange_weak(previous, used)) {
    }
}

QString attachedText(const QString& name, const QString& text) {
    const QString fence(std::max(kShortestFence, longestRun(text, u'`') + 1), u'`');
    return name.simplified() + QLatin1String(":\n") + fence + u'\n' + text + u'\n' + fence + QLatin1String("\n\n");
}

double TurnStats::tokensPerSecond() const {
    // The first token belongs to prefill: n tokens are n - 1 decode intervals.
    return decodeSeconds > 0 && outputTokens > 1 ? (outputTokens - 1) / decodeSeconds : -1;
}

QJsonObject TurnStats::toJson() const {
    QJsonObject object;
    const auto put = [&object](const char* key, double value, double none) {
        if (value != none)
            object.insert(QLatin1String(key), value);
    };
    put("prompt_tokens", promptTokens, 0);
    put("cached_tokens", cachedTokens, 0);
    put("output_tokens", outputTokens, 0);
    put("reasoning_tokens", reasoningTokens, 0);
    put("drafted_tokens", draftedTokens, 0);
    put("accepted_tokens", acceptedTokens, 0);
    put("decode_steps", decodeSteps, 0);
    put("queued_s", queuedSeconds, -1);
    put("first_token_s", firstTokenSeconds, -1);
    put("prefill_s", prefillSeconds, -1);
    put("decode_s", decodeSeconds, -1);
    put("reasoning_s", reasoningSeconds, -1);
    put("total_s", totalSeconds, -1);
    if (!finishReason.isEmpty())
        object.insert(QStringLiteral("finish"), finishReason);
    if (!model.isEmpty())
        object.insert(QStringLiteral("model"), model);
    return object;
}

TurnStats TurnStats::fromJson(const QJsonObject& object) {
    const auto seconds = [&object](const char* key) { return object.value(QLatin1String(key)).toDouble(-1); };
    const auto count = [&object](const char* key) { return object.value(QLatin1String(key)).toInt(0); };
    TurnStats stats;
    stats.promptTokens = count("prompt_tokens");
    stats.cachedTokens = count("cached_tokens");
    stats.outputTokens = count("output_tokens");
    stats.reasoningTokens = count("reasoning_tokens");
    stats.draftedTokens = count("drafted_tokens");
    stats.acceptedTokens = count("accepted_tokens");
    stats.decodeSteps = count("decode_steps");
    stats.queuedSeconds = seconds("queued_s");
    stats.firstTokenSeconds = seconds("first_token_s");
    stats.prefillSeconds = seconds("prefill_s");
    stats.decodeSeconds = seconds("decode_s");
    stats.reasoningSeconds = seconds("reasoning_s");
    stats.totalSeconds = seconds("total_s");
    stats.finishReason = object.value(QStringLiteral("finish")).toString();
    stats.model = object.value(QStringLiteral("model")).toString();
    return stats;
}

QJsonObject ChatSampling::toJson() const {
    return {{QStringLiteral("temperature"), temperature}, {QStringLiteral("top_p"), topP},
        {QStringLiteral("top_k"), topK}, {QStringLiteral("min_p"), minP},
        {QStringLiteral("repetition_penalty"), repetitionPenalty}, {QStringLiteral("max_tokens"), maxTokens}};
}

ChatSampling ChatSampling::fromJson(const QJsonObject& object) {
    ChatSampling sampling;
    sampling.temperature = object.value(QStringLiteral("temperature")).toDouble(sampling.temperature);
    sampling.topP = object.value(QStringLiteral("top_p")).toDouble(sampling.topP);
    sampling.topK = object.value(QStringLiteral("top_k")).toInt(sampling.topK);
    sampling.minP = object.value(QStringLiteral("min_p")).toDouble(sampling.minP);
    sampling.repetitionPenalty =
        object.value(QStringLiteral("repetition_penalty")).toDouble(sampling.repetitionPenalty);
    sampling.maxTokens = object.value(QStringLiteral("max_tokens")).toInt(sampling.maxTokens);
    return sampling;
}

QList<MessageRecord> branchTo(const ChatTree& tree, MessageId leaf) {
    QHash<MessageId, qsizetype> places;
    for (qsizetype i = 0; i < tree.messages.size(); ++i)
        places.insert(tree.messages[i].id, i);
    QList<MessageRecord> branch;
    // A damaged file could hold a ring of parents: no branch is longer than the tree.
    while (places.contains(leaf) && branch.size() < tree.messages.size()) {
        const MessageRecord& message = tree.messages[places.value(leaf)];
        branch.prepend(message);
        leaf = message.parent;
    }
    return branch;
}

MessageId newestLeaf(const ChatTree& tree) {
    MessageId newest = 0;
    for (const MessageRecord& message : tree.messages)
        newest = std::max(newest, message.id);
    return newest;
}

QList<Attachment> takeAttachments(QString& turn) {
    QList<Attachment> files;
    if (turn.size() < kLongText)
        return files;
    QStringView rest(turn), content;
    for (QStringView name = takeAttachment(rest, &content); !name.isNull(); name = takeAttachment(rest, &content))
        files.append({name.toString(), content.toString()});
    turn = rest.toString();
    return files;
}

QString titleFrom(const QString& userTurn) {
    QStringView text(userTurn);
    QString attached;
    for (QStringView name = takeAttachment(text); !name.isNull(); name = takeAttachment(text))
        if (attached.isEmpty())
            attached = name.toString().simplified();
    QString line;
    for (qsizetype at = 0; at < text.size() && line.isEmpty();) {
        const qsizetype lineBreak = text.indexOf(u'\n', at);
        const qsizetype end = lineBreak < 0 ? text.size() : lineBreak;
        line = text.mid(at, std::min<qsizetype>(end - at, kLongestLine)).toString().simplified();
        at = end + 1;
    }
    if (line.isEmpty())
        line = attached;
    if (line.size() <= kMaxTitleLength)
        return line;
    qsizetype end = line.lastIndexOf(QLatin1Char(' '), kMaxTitleLength - 1);
    if (end < kMaxTitleLength / 2)
        end = characterEnd(line, kMaxTitleLength - 1);
    return line.left(end) + QChar(0x2026);
}

} // namespace vitrine::ui
