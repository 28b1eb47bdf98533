// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the shared time window and the axis that draws it.
#include "ui/widgets/time_axis.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kShortestSpan = 0.05, kLongestSpan = 24 * 3600;
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
    const double whole = std::round(seconds * 100) / 100;
    const int decimals = std::abs(whole - std::round(whole)) < 0.005 ? 0
        : std::abs(whole * 10 - std::round(whole * 10)) < 0.05       ? 1
                                                                     : 2;
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

void TimeWindow::setRecorded(bool recorded) {
    if (recorded == m_recorded)
        return;
    m_recorded = recorded;
    emit windowChanged();
}

void TimeWindow::setPaused(bool paused) {
    if (paused == m_paused)
        return;
    m_paused = paused;
    const bool moves = !paused && m_end != m_now;
    if (!paused) {
        m_end = m_now;
        setPlayhead({});
    }
    emit pausedChanged(paused);
    if (moves)
        emit windowChanged();
}

void TimeWindow::setCursor(std::optional<double> seconds) {
    if (seconds != m_cursor) {
        m_cursor = seconds;
        emit cursorChanged();
    }
}

void TimeWindow::setPlayhead(std::optional<double> seconds) {
    if (seconds)
        setPaused(true);
    if (seconds == m_playhead)
        return;
    m_playhead = seconds;
    if (seconds && (*seconds < start() || *seconds > m_end)) { // keep it in view
        m_end = std::min(m_now, *seconds + m_span / 2);
        emit windowChanged();
    }
    emit playheadChanged();
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
    emit zoomed();
    emit windowChanged();
}

void TimeWindow::zoomTo(double start, double end) {
    setPaused(true);
    m_span = std::clamp(end - start, kShortestSpan, kLongestSpan);
    m_end = std::min(m_now, (start + end + m_span) / 2);
    emit zoomed();
    emit windowChanged();
}

void TimeWindow::pan(double seconds) {
    setPaused(true);
    m_end = std::min(m_now, m_end + seconds);
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
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::playheadChanged, &TimeWindow::gutterChanged})
        connect(&window, signal, this, [this] { update(); });
    connect(&window, &TimeWindow::pausedChanged, this, [this] { update(); });
    connect(&window, &TimeWindow::windowChanged, this, [this] {
        if (m_window.span() != m_shownSpan || m_window.moment())
            update(); // the labels count from the right edge: they stand still while time passes
    });
    connect(&theme, &Theme::changed, this, [this] {
        setFixedHeight(m_theme.px(Measure::kTimeAxis));
        update();
    });
}

/// Where the tag of the moment stands; nothing without one.
QRectF TimeAxis::tagBox(const QString& text) const {
    const auto moment = m_window.moment();
    if (!moment)
        return {};
    const double x = m_window.xOf(*moment, width());
    const double wide = QFontMetrics(m_theme.font(TextRole::small)).horizontalAdvance(text) + 12;
    const int tag = m_theme.px(Measure::kTag);
    return {std::min(x - wide / 2, width() - wide - 2.0), (height() - tag) / 2.0, wide, double(tag)};
}

QString TimeAxis::edgeText() const {
    if (m_window.paused() && m_window.end() > 0)
        return tr("paused");
    return m_window.recorded() ? tr("end") : tr("now");
}

void TimeAxis::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // time runs from left to right in every language
    m_shownSpan = m_window.span();
    const auto moment = m_window.moment();
    const QString tagText =
        moment ? agoText(m_window.end() - *moment) + kNoBreakSpace + QStringLiteral("s") : QString();
    const QRectF tag = tagBox(tagText);
    const auto isFree = [&tag](double left, double right) { return right < tag.left() - 4 || left > tag.right() + 4; };
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    painter.drawText(QRect(Measure::kSpace4, 0, m_window.gutter(), height()), Qt::AlignVCenter, m_title);
    const QFontMetrics metrics(painter.font());
    const QString nowText = edgeText();
    const int right = width() - TimeWindow::kRightMargin;
    double lastX = right - metrics.horizontalAdvance(nowText) - 8;
    if (tag.isNull() || isFree(lastX + 8, right)) // half a word beside the tag says nothing
        painter.drawText(QRect(0, 0, right, height()), Qt::AlignVCenter | Qt::AlignRight, nowText);
    for (const double time : m_window.gridLines()) {
        const double x = m_window.xOf(time, width());
        const QString text = agoText(m_window.end() - time);
        const double half = metrics.horizontalAdvance(text) / 2.0;
        if (x + half > lastX - 8 || x - half < m_window.gutter() + 34)
            continue; // labels may skip
        if (tag.isNull() || isFree(x - half, x + half))
            painter.drawText(QRectF(x - half, 0, 2 * half + 1, height()), Qt::AlignVCenter, text);
        lastX = x - half;
    }
    const QString first = agoText(m_window.span()) + kNoBreakSpace + QStringLiteral("s");
    if (tag.isNull() || isFree(m_window.gutter(), m_window.gutter() + metrics.horizontalAdvance(first)))
        painter.drawText(QRect(m_window.gutter(), 0, 80, height()), Qt::AlignVCenter, first);
    if (tag.isNull())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(m_window.cursor() ? Color::text1 : Color::accent));
    painter.drawRoundedRect(tag, Measure::kRadiusTag, Measure::kRadiusTag);
    painter.setPen(m_theme.color(m_window.cursor() ? Color::page : Color::onAccent));
    painter.drawText(tag, Qt::AlignCenter, tagText);
}

void TimeAxis::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && event->position().x() >= m_window.gutter())
        m_window.setPlayhead(std::min(m_window.timeAt(event->position().x(), width()), m_window.end()));
}

void TimeAxis::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        m_window.setPlayhead(
            std::clamp(m_window.timeAt(event->position().x(), width()), m_window.start(), m_window.end()));
}

void TimeAxis::wheelEvent(QWheelEvent* event) {
    const double notches = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
    if (event->modifiers() & Qt::ShiftModifier || event->angleDelta().x() != 0)
        m_window.pan(-notches * m_window.span() / 10);
    else
        m_window.zoom(std::pow(0.8, notches), m_window.timeAt(event->position().x(), width()));
    event->accept();
}

} // namespace vitrine::ui
