// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: bars by draft position.
#include "ui/engine/position_bars.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QPainter>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kHeight = 55, kBarWidth = 26, kPitch = 96;

} // namespace

PositionBars::PositionBars(const Theme& theme, TimeWindow& window, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_window(window) {
    setAccessibleName(tr("Accepted drafts by position"));
    setToolTip(tr("Of the drafts offered at each position of a step, how many the model accepted; over the window or "
                  "the selection"));
    setFixedHeight(theme.px(kHeight));
    connect(&theme, &Theme::changed, this, [this] { setFixedHeight(m_theme.px(kHeight)); });
    connect(&window, &TimeWindow::gutterChanged, this, [this] { update(); });
}

QSize PositionBars::sizeHint() const {
    return {600, m_theme.px(kHeight)};
}

void PositionBars::setCounts(const PositionCounts& counts) {
    if (counts.offered == m_counts.offered && counts.accepted == m_counts.accepted)
        return;
    m_counts = counts;
    setAccessibleDescription(textTwin());
    update();
}

void PositionBars::setDimmed(bool dimmed) {
    if (dimmed != m_dimmed) {
        m_dimmed = dimmed;
        update();
    }
}

QString PositionBars::textTwin() const {
    QStringList parts;
    for (int i = 0; i < m_counts.positions; ++i) {
        const auto at = static_cast<std::size_t>(i);
        parts += tr("position %1: %2 of %3")
                     .arg(i + 1)
                     .arg(countText(static_cast<qint64>(m_counts.accepted[at])),
                         countText(static_cast<qint64>(m_counts.offered[at])));
    }
    return parts.isEmpty() ? tr("no drafts in this window") : parts.join(QStringLiteral(", "));
}

void PositionBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // as the plots around it
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(m_dimmed ? Color::text3 : Color::text2));
    const int line = m_theme.lineHeight(TextRole::small), gutter = m_window.gutter();
    painter.drawText(QRect(Measure::kSpace4, 0, gutter - 24, height()), Qt::AlignVCenter | Qt::TextWordWrap,
        tr("Accepted by position"));
    painter.setPen(m_theme.color(Color::text3));
    if (m_counts.positions == 0)
        painter.drawText(QRect(gutter, 0, width() - gutter, height()), Qt::AlignVCenter, textTwin());
    const int top = 8, bottom = height() - 8, bar = m_theme.px(kBarWidth);
    const int pitch = std::min(m_theme.px(kPitch), (width() - gutter - 16) / std::max(1, m_counts.positions));
    for (int i = 0; i < m_counts.positions; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double share = m_counts.offered[at] > 0
            ? static_cast<double>(m_counts.accepted[at]) / static_cast<double>(m_counts.offered[at])
            : 0;
        const QRect whole(gutter + i * pitch, top, bar, bottom - top);
        const int filled = static_cast<int>(share * whole.height() + 0.5);
        painter.fillRect(whole, m_theme.color(Color::well));
        painter.fillRect(QRect(whole.left(), whole.bottom() - filled + 1, bar, filled),
            m_theme.color(m_dimmed ? Color::text3 : Color::accent));
        if (pitch - bar < m_theme.px(44))
            continue; // no room for words; the description has them
        painter.setPen(m_theme.color(m_dimmed ? Color::text3 : Color::text1));
        painter.drawText(QRect(whole.right() + 6, top, pitch - bar - 8, line), Qt::AlignVCenter, percentText(share));
        painter.setPen(m_theme.color(Color::text3));
        painter.drawText(
            QRect(whole.right() + 6, top + line, pitch - bar - 8, line), Qt::AlignVCenter, tr("draft %1").arg(i + 1));
    }
    paintHairline(painter, rect(), Qt::BottomEdge, m_theme.color(Color::hairline));
}

} // namespace vitrine::ui
