// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: how full the context is.
#include "ui/chat/context_ring.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kRing = 18;
constexpr int kStroke = 4;
constexpr int kFullTurn = 16 * 360;

} // namespace

ContextRing::ContextRing(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setUse({});
}

void ContextRing::setUse(const ContextUse& use) {
    if (use == m_use && !accessibleName().isEmpty())
        return;
    const QSize before = sizeHint();
    m_use = use;
    setAccessibleName(tr("Context: %1").arg(text()));
    setToolTip(tr("Tokens in the context: system %1, history %2, draft %3, kept for the reply %4")
                   .arg(countText(use.system), countText(use.history), countText(use.draft), countText(use.reserve)));
    if (sizeHint() != before) // a token more must not lay the composer out again
        updateGeometry();
    update();
}

QString ContextRing::text() const {
    if (m_use.context <= 0)
        return QString(kNone);
    const QString amount = tr("%1 of %2").arg(countText(m_use.used()), countText(m_use.context));
    return m_use.isNearlyFull() ? tr("%1, nearly full").arg(amount) : amount;
}

QSize ContextRing::sizeHint() const {
    QString widest = text();
    std::replace_if(
        widest.begin(), widest.end(), [](QChar c) { return c.isDigit(); }, u'0');
    const int width = QFontMetrics(m_theme.font(TextRole::base)).horizontalAdvance(widest);
    return {m_theme.px(kRing + Measure::kSpace2) + width + 2, m_theme.px(20)};
}

void ContextRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int size = m_theme.px(kRing);
    const int stroke = m_theme.px(kStroke);
    const QRectF ring(stroke / 2.0, (height() - size) / 2.0 + stroke / 2.0, size - stroke, size - stroke);
    painter.setPen(QPen(m_theme.color(Color::press), stroke, Qt::SolidLine, Qt::FlatCap));
    painter.drawEllipse(ring);
    if (m_use.context > 0) {
        const bool isAmber = m_use.isNearlyFull();
        const std::array<std::pair<int, Color>, 4> parts = {
            {{m_use.system, Color::text3}, {m_use.history, isAmber ? Color::warn : Color::accent},
                {m_use.draft, Color::seqC}, {m_use.reserve, Color::outline}}};
        int at = 0;
        for (const auto& [tokens, color] : parts) {
            const int end = std::min(at + tokens, m_use.context);
            const auto angle = [&](int value) {
                return static_cast<int>(std::int64_t{kFullTurn} * value / m_use.context);
            };
            painter.setPen(QPen(m_theme.color(color), stroke, Qt::SolidLine, Qt::FlatCap));
            // From 12 o'clock, clockwise.
            if (end > at)
                painter.drawArc(ring, kFullTurn / 4 - angle(at), -(angle(end) - angle(at)));
            at = end;
        }
    }
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(m_use.isNearlyFull() ? Color::warn : Color::text2));
    painter.drawText(
        rect().adjusted(size + m_theme.px(Measure::kSpace2), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace vitrine::ui
