// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: causes in words.
#include "ui/engine/slow_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/bridge/error_text.h"
#include "ui/bridge/miss_text.h"
#include "ui/bridge/qt_convert.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {
namespace {

struct SlowText {
    Q_DECLARE_TR_FUNCTIONS(SlowText)
};

QString readAgainText(const PrefixMiss& miss) {
    const QString missed = countText(miss.missed_tokens), prompt = countText(miss.prompt_tokens);
    switch (miss.reason) {
    case MissReason::diverged:
        return SlowText::tr("A prompt changed at token %1 (%2 became %3): %4 of its %5 tokens are read again.")
            .arg(countText(miss.position), toQString(miss.expected), toQString(miss.got), missed, prompt);
    case MissReason::evicted:
        return SlowText::tr("%1 of %2 tokens of a prompt are read again: their blocks went to other requests.")
            .arg(missed, prompt);
    default:
        return SlowText::tr("%1 of %2 tokens of a prompt are read again: they are cached for another %3.")
            .arg(missed, prompt, missContext(miss));
    }
}

} // namespace

QString slowText(const Snapshot& snapshot) {
    const SlowFigures& figures = snapshot.slow_figures;
    switch (snapshot.slow_cause) {
    case SlowCause::none:
        return {};
    case SlowCause::preemption:
        if (figures.count == 1)
            return SlowText::tr(
                "The KV cache is too small: preempted once in the last 10 s, those tokens are computed again.");
        return SlowText::tr("The KV cache is too small: preempted %1 times in the last 10 s, those tokens are computed "
                            "again.")
            .arg(countText(figures.count));
    case SlowCause::places:
        return SlowText::tr("Requests waiting: %1. All %2 places are taken.")
            .arg(countText(figures.count), countText(figures.amount));
    case SlowCause::blocks:
        return SlowText::tr("Requests waiting for KV blocks: %1. %2 of %3 blocks are free.")
            .arg(countText(figures.count), countText(figures.amount), countText(figures.of));
    case SlowCause::missed_prefix:
        return figures.miss ? readAgainText(*figures.miss) : QString();
    case SlowCause::prefill:
        return SlowText::tr("A prompt is read beside %1 running answers: %2 of its tokens are left.")
            .arg(countText(figures.count), countText(figures.tokens));
    case SlowCause::overhead:
        return SlowText::tr("%1 of each step is spent outside the model.").arg(percentText(figures.share));
    case SlowCause::device:
        if (figures.of > 0)
            return SlowText::tr("%1 of %2 layers run on the CPU, and every step waits for them.")
                .arg(countText(figures.amount), countText(figures.of));
        return SlowText::tr("The CPU computes. %1.")
            .arg(snapshot.model && snapshot.model->device_reason ? asCause(*snapshot.model->device_reason) : QString());
    case SlowCause::sharing:
        return SlowText::tr("%1 answers share %2 tokens per second: about %3 each.")
            .arg(countText(figures.count), rateText(figures.tokens_per_s),
                rateText(figures.tokens_per_s / std::max(1, figures.count)));
    }
    return {};
}

} // namespace vitrine::ui
