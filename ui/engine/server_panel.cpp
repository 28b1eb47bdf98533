// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: which server is shown.
#include "ui/engine/server_panel.h"

#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace vitrine::ui {

namespace {

/// What no reading of this server can show, in the order people ask for it.
QStringList untoldBy(const ServerFacts& facts, const ServerReading* last) {
    QStringList untold{ServerPanel::tr("which block holds what"), ServerPanel::tr("the requests of others one by one"),
        ServerPanel::tr("how long a request was queued and how long its prompt was read")};
    const auto missing = [last](double ServerReading::*field) { return last == nullptr || std::isnan(last->*field); };
    if (!facts.metricsProblem.isEmpty())
        return untold; // the sentence above the plots says why there is nothing else
    if (missing(&ServerReading::kvUsage))
        untold += ServerPanel::tr("how full its KV cache is");
    if (missing(&ServerReading::waiting))
        untold += ServerPanel::tr("how many requests wait");
    if (missing(&ServerReading::prefixHits) && missing(&ServerReading::hitRate))
        untold += ServerPanel::tr("prefix hits");
    if (missing(&ServerReading::draftTokens) && missing(&ServerReading::acceptedPerStep))
        untold += ServerPanel::tr("drafts");
    if (last == nullptr || last->firstToken.empty())
        untold += ServerPanel::tr("times to the first token");
    if (last == nullptr || last->tokenGap.empty())
        untold += ServerPanel::tr("times between tokens");
    if (missing(&ServerReading::forwardSeconds))
        untold += ServerPanel::tr("the time of a step and its parts");
    if (missing(&ServerReading::weightBytes))
        untold += ServerPanel::tr("its memory");
    return untold;
}

} // namespace

ServerPanel::ServerPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_title(makeLabel({}, "strong")), m_facts(makeLabel({}, "hint")),
      m_untold(makeLabel({}, "hint")) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Measure::kSpace4, theme.px(10), Measure::kSpace4, theme.px(12));
    column->setSpacing(theme.px(4));
    for (QLabel* label : {m_title, m_facts, m_untold}) {
        label->setWordWrap(true);
        makeSelectable(*label);
        column->addWidget(label);
    }
    setAccessibleName(tr("Server shown"));
}

void ServerPanel::setServer(const ServerFacts& facts, const ServerReading* last, const QString& model, int context) {
    const QString kind = (serverKindName(facts.kind) + u' ' + facts.version).trimmed();
    m_title->setText(kind.isEmpty() ? facts.name : QStringLiteral("%1 · %2").arg(facts.name, kind));
    QStringList known{model};
    if (facts.host != facts.name) // a server without a name of its own is called by its address
        known.prepend(facts.host);
    known += context > 0 ? tr("context %1 tokens").arg(countText(context)) : tr("context not told");
    if (last != nullptr && last->blocksTotal > 0)
        known += tr("%1 KV blocks").arg(countText(std::llround(last->blocksTotal)));
    m_facts->setText(known.join(QStringLiteral(" · ")));
    const QString untold = untoldBy(facts, last).join(QStringLiteral(", "));
    m_untold->setText(facts.metricsProblem.isEmpty()
            ? tr("This server does not tell: %1. The lanes are those of this program's own requests, as seen from "
                 "here; "
                 "percentiles are estimated from the buckets of the last minute.")
                  .arg(untold)
            : tr("This server does not tell: %1. The lanes and figures are those of this program's own requests, as "
                 "seen "
                 "from here.")
                  .arg(untold));
    setAccessibleDescription(m_title->text() + u'\n' + m_facts->text() + u'\n' + m_untold->text());
}

} // namespace vitrine::ui
