// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: where the time of an answer went, and its tokens.
#include "ui/chat/turn_timeline.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kBar = 12;
constexpr int kRow = 22;
constexpr int kTokenRow = 26;
constexpr qsizetype kMaxTokens = 2'000; // the newest; more is no longer read by anybody

QString visible(const QString& text) {
    QString shown = text;
    return shown.replace(u'\n', QChar(0x21B5)).replace(u'\t', QChar(0x2192));
}

} // namespace

TurnTimeline::TurnTimeline(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TurnTimeline::setTurn(const TurnItem& turn) {
    const TurnStats& stats = turn.message.stats;
    const double thinking = std::max(stats.reasoningSeconds, 0.0);
    const int reused = turn.isRunning() ? turn.live.cachedTokens : stats.cachedTokens;
    const int prompt = turn.isRunning() ? turn.live.promptTokens : stats.promptTokens;
    const int output = turn.isRunning() ? turn.live.outputTokens : stats.outputTokens;
    const double decode = turn.isRunning() ? turn.live.seconds - std::max(turn.live.firstTokenSeconds, 0.0)
                                           : std::max(stats.decodeSeconds, 0.0);
    const double prefill = turn.isRunning() ? turn.live.firstTokenSeconds : stats.prefillSeconds;
    m_parts = {{tr("Queued"), 0, stats.queuedSeconds, Color::queued, false},
        {tr("Reused"), reused, 0, Color::prefill, true}, {tr("Read"), prompt - reused, prefill, Color::prefill, false}};
    if (!turn.message.reasoning.isEmpty())
        m_parts.push_back({tr("Thinking"), stats.reasoningTokens, std::min(thinking, decode), Color::think, false});
    m_parts.push_back(
        {tr("Answer"), output - stats.reasoningTokens, std::max(decode - thinking, 0.0), Color::decode, false});
    m_total = 0;
    QStringList spoken;
    for (const Part& part : m_parts) {
        m_total += std::max(part.seconds, 0.0);
        spoken.append(QStringLiteral("%1 %2 s").arg(part.name, secondsText(std::max(part.seconds, 0.0))));
    }
    setAccessibleName(tr("Timeline: %1").arg(spoken.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize TurnTimeline::sizeHint() const {
    return {
        200, m_theme.px(kBar + Measure::kSpace2 + kRow * static_cast<int>(std::max<std::size_t>(m_parts.size(), 1)))};
}

void TurnTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto mirrored = [this](const QRect& place) { return QStyle::visualRect(layoutDirection(), rect(), place); };
    const int barHeight = m_theme.px(kBar);
    int x = 0;
    for (const Part& part : m_parts) {
        if (part.seconds <= 0 || m_total <= 0)
            continue;
        const int part_width = std::max(3, static_cast<int>((width() - 8) * part.seconds / m_total));
        painter.fillRect(
            mirrored(QRect(x, 0, std::min(part_width, width() - x), barHeight)), m_theme.color(part.color));
        x += part_width + 1;
    }
    painter.setFont(m_theme.font(TextRole::base));
    int y = barHeight + m_theme.px(Measure::kSpace2);
    const int square = m_theme.px(11);
    for (const Part& part : m_parts) {
        const QRect row(0, y, width(), m_theme.px(kRow));
        const QRect mark = mirrored({0, row.center().y() - square / 2, square, square});
        if (part.isHatched)
            paintHatch(painter, mark, m_theme.color(part.color));
        else
            painter.fillRect(mark, m_theme.color(part.color));
        painter.setFont(m_theme.font(TextRole::base));
        painter.setPen(m_theme.color(Color::text2));
        const int left = m_theme.px(18);
        painter.drawText(mirrored(row.adjusted(left, 0, 0, 0)), Qt::AlignLeft | Qt::AlignVCenter, part.name);
        const int nameWidth = painter.fontMetrics().horizontalAdvance(part.name);
        painter.setPen(m_theme.color(Color::text1));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
            part.seconds >= 0 ? tr("%1 s").arg(fixedText(part.seconds, 2)) : QString(kNone));
        if (part.tokens > 0) {
            painter.setFont(m_theme.font(TextRole::small));
            painter.setPen(m_theme.color(Color::text3));
            painter.drawText(mirrored(row.adjusted(left + nameWidth + m_theme.px(Measure::kSpace2), 0, 0, 0)),
                Qt::AlignLeft | Qt::AlignVCenter, tr("%1 tok").arg(countText(part.tokens)));
        }
        y += row.height();
    }
}

TokenList::TokenList(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Tokens of the last answer"));
}

void TokenList::setTokens(const QList<ShownToken>& tokens) {
    m_tokens = tokens.size() > kMaxTokens ? tokens.last(kMaxTokens) : tokens;
    setMinimumHeight(flow(width()));
    update();
}

int TokenList::flow(int width) {
    const QFontMetrics metrics(m_theme.font(TextRole::codeSmall));
    const int row = m_theme.px(kTokenRow);
    m_places.clear();
    int x = 0;
    int y = 0;
    for (const ShownToken& token : m_tokens) {
        const int advance = metrics.horizontalAdvance(visible(token.text));
        if (x > 0 && x + advance > width) {
            x = 0;
            y += row;
        }
        m_places.push_back(QRect(x, y, advance, row));
        x += advance;
        if (token.text.contains(u'\n')) {
            x = 0;
            y += row;
        }
    }
    return m_tokens.isEmpty() ? 0 : y + row;
}

QSize TokenList::sizeHint() const {
    return {200, minimumHeight()};
}

int TokenList::heightForWidth(int width) const {
    return const_cast<TokenList*>(this)->flow(width);
}

void TokenList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setMinimumHeight(flow(width()));
}

void TokenList::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    flow(width());
    painter.setFont(m_theme.font(TextRole::codeSmall));
    painter.setPen(m_theme.color(Color::text1));
    for (qsizetype i = 0; i < m_tokens.size(); ++i) {
        const QRect& place = m_places[static_cast<std::size_t>(i)];
        if (!place.intersects(event->rect()))
            continue;
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, visible(m_tokens[i].text));
        if (m_tokens[i].isFromDraft)
            painter.fillRect(
                QRect(place.left(), place.bottom() - 3, place.width() - 1, 2), m_theme.color(Color::accent));
    }
}

bool TokenList::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if (!m_places[i].contains(help->pos()))
            continue;
        QStringList lines;
        for (const auto& [text, probability] : m_tokens[static_cast<qsizetype>(i)].alternatives)
            lines.append(QStringLiteral("%1  %2").arg(fixedText(double(probability), 2), visible(text)));
        QToolTip::showText(help->globalPos(), lines.join(u'\n'), this, m_places[i]);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace vitrine::ui
