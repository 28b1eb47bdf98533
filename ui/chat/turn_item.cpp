// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one turn as the page shows it: its texts.
#include "ui/chat/turn_item.h"

#include <QCoreApplication>

#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

class Turn {
    Q_DECLARE_TR_FUNCTIONS(Turn)
};

QString liveFooter(const LiveTurn& live) {
    QStringList parts;
    if (live.outputTokens > 0)
        parts.append(Turn::tr("%1 tok").arg(countText(live.outputTokens)));
    if (live.tokensPerSecond > 0)
        parts.append(Turn::tr("%1 tok/s").arg(rateText(live.tokensPerSecond)));
    if (live.firstTokenSeconds >= 0)
        parts.append(Turn::tr("first %1 s").arg(secondsText(live.firstTokenSeconds)));
    if (live.acceptedTokens > 0 && live.decodeSteps > 0)
        parts.append(Turn::tr("%1 accepted/step").arg(fixedText(double(live.outputTokens) / live.decodeSteps, 1)));
    parts.append(Turn::tr("%1 s").arg(fixedText(live.seconds, 1)));
    return parts.join(QStringLiteral(" · "));
}

QString finishNote(const MessageRecord& message) {
    if (message.state == MessageState::stopped)
        return Turn::tr("stopped");
    if (message.state == MessageState::interrupted)
        return Turn::tr("interrupted, text recovered");
    if (message.state == MessageState::failed)
        return Turn::tr("failed");
    if (message.stats.finishReason == QLatin1String("length"))
        return Turn::tr("length limit reached");
    return {};
}

} // namespace

QString footerText(const TurnItem& turn) {
    if (turn.isRunning())
        return liveFooter(turn.live);
    const TurnStats& stats = turn.message.stats;
    QStringList parts;
    if (stats.outputTokens > 0)
        parts.append(Turn::tr("%1 tok").arg(countText(stats.outputTokens)));
    if (stats.tokensPerSecond() > 0)
        parts.append(Turn::tr("%1 tok/s").arg(rateText(stats.tokensPerSecond())));
    if (stats.firstTokenSeconds >= 0 && stats.outputTokens > 0)
        parts.append(Turn::tr("first %1 s").arg(secondsText(stats.firstTokenSeconds)));
    if (stats.cachedTokens > 0)
        parts.append(Turn::tr("%1 of %2 prompt tokens from cache")
                         .arg(countText(stats.cachedTokens), countText(stats.promptTokens)));
    if (stats.acceptedTokens > 0 && stats.decodeSteps > 0)
        parts.append(Turn::tr("%1 accepted/step").arg(fixedText(double(stats.outputTokens) / stats.decodeSteps, 1)));
    if (const QString note = finishNote(turn.message); !note.isEmpty())
        parts.append(note);
    return parts.join(QStringLiteral(" · "));
}

QString waitingText(const TurnItem& turn) {
    const LiveTurn& live = turn.live;
    switch (live.phase) {
    case TurnPhase::saving:
        return Turn::tr("saving");
    case TurnPhase::loadingModel:
        return Turn::tr("waiting for the model to load");
    case TurnPhase::queued:
        return live.queueAhead > 0 ? Turn::tr("queued, %1 ahead").arg(countText(live.queueAhead)) : Turn::tr("queued");
    case TurnPhase::reading:
        if (live.promptTokens == 0)
            return Turn::tr("reading");
        return live.cachedTokens > 0
            ? Turn::tr("reading %1 of %2 tokens, %3 reused")
                  .arg(countText(live.computedTokens), countText(live.promptTokens), countText(live.cachedTokens))
            : Turn::tr("reading %1 of %2 tokens").arg(countText(live.computedTokens), countText(live.promptTokens));
    case TurnPhase::done:
    case TurnPhase::thinking:
    case TurnPhase::answering:
        break;
    }
    return {};
}

QString reasoningTitle(const TurnItem& turn) {
    if (turn.live.phase == TurnPhase::thinking)
        return Turn::tr("Thinking · %1 s").arg(fixedText(turn.live.seconds, 1));
    const TurnStats& stats = turn.message.stats;
    QStringList parts;
    parts.append(stats.reasoningSeconds >= 0 ? Turn::tr("Thought for %1 s").arg(fixedText(stats.reasoningSeconds, 1))
                                             : Turn::tr("Thought"));
    if (stats.reasoningTokens > 0)
        parts.append(Turn::tr("%1 tokens").arg(countText(stats.reasoningTokens)));
    return parts.join(QStringLiteral(" · "));
}

} // namespace vitrine::ui
