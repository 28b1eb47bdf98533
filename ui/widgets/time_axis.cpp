// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the shared time window and the axis that draws it.
#include "ui/widgets/time_axis.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kShortestSpan = 1, kLongestSpan = 24 * 3600;
constexpr int kMaxSteps = 8;

double niceStep(double span) {
    const double raw = span / kMaxSteps;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

QString agoText(double seconds) {
    const double whole = std::round(seconds * 10) / 10;
    const int decimals = std::abs(whole - std::round(whole)) < 0.05 ? 0 : 1;
    return fixedText(-whole, decimals);
}

} // namespace

TimeWindow::TimeWindow(QObject* parent) : QObject(parent) {}

double TimeWindow::gridStep() const {
    if (m_span == 10)
        return 1;
    if (m_span == 60)
        return 10;
    if (m_span == 600)
        return 60;
    return niceStep(m_span);
}

std::vector<double> TimeWindow::gridLines() const {
    // Lines stand at whole steps before the right edge, so that they do not crawl while time passes.
    std::vector<double> lines;
    const double step = gridStep();
    for (double ago = step; ago < m_span - step * 0.01; ago += step)
        lines.push_back(m_end - ago);
    return lines;
}

void TimeWindow::setSpan(double seconds) {
    seconds = std::clamp(seconds, kShortestSpan, kLongestSpan);
    if (seconds != m_span) {
        m_span = seconds;
        emit windowChanged();
    }
}

void TimeWindow::setNow(double seconds) {
    m_now = seconds;
    if (!m_paused && seconds != m_end) {
        m_end = seconds;
        emit windowChanged();
    }
}

void TimeWindow::setPaused(bool paused) {
    if (paused == m_paused)
        return;
    m_paused = paused;
    emit pausedChanged(paused);
    if (!paused && m_end != m_now) {
        m_end = m_now;
        emit windowChanged();
    }
}

void TimeWindow::setCursor(std::optional<double> seconds) {
    if (seconds != m_cursor) {
        m_cursor = seconds;
        emit cursorChanged();
    }
}

void TimeWindow::setSelection(std::optional<std::pair<double, double>> range) {
    if (range && range->first > range->second)
        std::swap(range->first, range->second);
    if (range != m_selection) {
        m_selection = range;
        emit selectionChanged();
    }
}

void TimeWindow::zoom(double factor, double around) {
    const double span = std::clamp(m_span * factor, kShortestSpan, kLongestSpan);
    const double end = std::min(m_now, around + (m_end - around) * span / m_span);
    m_span = span;
    m_end = m_paused ? end : m_now;
    emit windowChanged();
}

void TimeWindow::setGutter(int pixels) {
    if (pixels != m_gutter) {
        m_gutter = pixels;
        emit gutterChanged();
    }
}

double TimeWindow::xOf(double seconds, int width) const {
    const double track = std::max(1, width - m_gutter - kRightMargin);
    return m_gutter + (seconds - start()) / m_span * track;
}

double TimeWindow::timeAt(double x, int width) const {
    const double track = std::max(1, width - m_gutter - kRightMargin);
    return start() + (x - m_gutter) / track * m_span;
}

TimeAxis::TimeAxis(const Theme& theme, TimeWindow& window, const QString& title, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_window(window), m_title(title) {
    setFixedHeight(theme.px(Measure::kTimeAxis));
    setAccessibleName(tr("Time axis"));
    for (const auto signal : {&TimeWindow::windowChanged, &TimeWindow::cursorChanged, &TimeWindow::gutterChanged})
        connect(&window, signal, this, [this] { update(); });
    connect(&theme, &Theme::changed, this, [this] {
        setFixedHeight(m_theme.px(Measure::kTimeAxis));
        update();
    });
}

void TimeAxis::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    painter.drawText(QRect(Measure::kSpace4, 0, m_window.gutter(), height()), Qt::AlignVCenter, m_title);
    const QFontMetrics metrics(painter.font());
    const QString nowText = m_window.paused() && m_window.end() > 0 ? tr("paused") : tr("now");
    const int right = width() - TimeWindow::kRightMargin;
    painter.drawText(QRect(0, 0, right, height()), Qt::AlignVCenter | Qt::AlignRight, nowText);
    double lastX = right - metrics.horizontalAdvance(nowText) - 8;
    for (const double time : m_window.gridLines()) {
        const double x = m_window.xOf(time, width());
        const QString text = agoText(m_window.end() - time);
        const double half = metrics.horizontalAdvance(text) / 2.0;
        if (x + half > lastX - 8 || x - half < m_window.gutter() + 34)
            continue; // labels may skip
        painter.drawText(QRectF(x - half, 0, 2 * half + 1, height()), Qt::AlignVCenter, text);
        lastX = x - half;
    }
    const QString first = agoText(m_window.span()) + kNoBreakSpace + QStringLiteral("s");
    painter.drawText(QRect(m_window.gutter(), 0, 80, height()), Qt::AlignVCenter, first);
    if (!m_window.cursor())
        return;
    const double x = m_window.xOf(*m_window.cursor(), width());
    const QString text = agoText(m_window.end() - *m_window.cursor()) + kNoBreakSpace + QStringLiteral("s");
    const double tagWidth = metrics.horizontalAdvance(text) + 12;
    const int tag = m_theme.px(Measure::kTag);
    const QRectF box(std::min(x - tagWidth / 2, width() - tagWidth - 2.0), (height() - tag) / 2.0, tagWidth, tag);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::text1));
    painter.drawRoundedRect(box, Measure::kRadiusTag, Measure::kRadiusTag);
    painter.setPen(m_theme.color(Color::page));
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace vitrine::ui
