// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one turn as the page shows it.
#pragma once

#include <QMetaType>
#include <cstdint>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

enum class TurnPhase : std::uint8_t {
    done,
    saving, // the user turn is on its way to the disk
    loadingModel, // waits for the model that is being loaded
    queued,
    reading, // prefill
    thinking,
    answering,
};

/// How far a running answer is; of no meaning when phase is done.
struct LiveTurn {
    TurnPhase phase = TurnPhase::done;
    int queueAhead = 0; // requests in front of it
    int promptTokens = 0;
    int computedTokens = 0; // of the prompt, cached ones included
    int cachedTokens = 0;
    int outputTokens = 0;
    int acceptedTokens = 0;
    int decodeSteps = 0;
    double firstTokenSeconds = -1;
    double tokensPerSecond = -1;
    double seconds = 0; // since the turn was sent
};

struct TurnItem {
    MessageRecord message;
    LiveTurn live;
    int branch = 1; // of numBranches, from 1
    int numBranches = 1;
    bool isLast = false;

    [[nodiscard]] bool isUser() const { return message.role == MessageRole::user; }
    [[nodiscard]] bool isRunning() const { return live.phase != TurnPhase::done; }
};

/// The quiet line below an answer: "212 tok · 63 tok/s · first 0.18 s · ...".
[[nodiscard]] QString footerText(const TurnItem& turn);
/// What stands where text will be: "queued, 1 ahead", "reading 3,200 of 8,000 tokens, 1,920 reused"; empty once text
/// comes.
[[nodiscard]] QString waitingText(const TurnItem& turn);
/// "Thought for 3.0 s · 187 tokens", or "Thinking ..." while it goes on.
[[nodiscard]] QString reasoningTitle(const TurnItem& turn);

} // namespace vitrine::ui
