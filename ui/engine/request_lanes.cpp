// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: lanes, painted.
#include "ui/engine/request_lanes.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/sequence_index.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kMinBar = 3, kQueuedHeight = 6, kReusedTab = 12, kEndMark = 7;
constexpr double kEndedOpacity = 0.28;
constexpr int kEndRoom = 16; // from the end of a bar to its reason

QString finishText(FinishReason reason) {
    switch (reason) {
    case FinishReason::stop:
        return RequestLanes::tr("stop");
    case FinishReason::length:
        return RequestLanes::tr("length");
    case FinishReason::tool_calls:
        return RequestLanes::tr("tool call");
    case FinishReason::cancelled:
        return RequestLanes::tr("cancelled");
    case FinishReason::error:
        return RequestLanes::tr("error");
    }
    return {};
}

/// Left edge of the bars, the mark for reused tokens included.
double barsLeft(const Lane& lane, const TimeWindow& window, int width) {
    const double left = window.xOf(lane.firstTime(), width) - (lane.hitTokens > 0 ? kReusedTab + 1 : 0);
    return std::max<double>(window.gutter(), left);
}

} // namespace

RequestLanes::RequestLanes(const Theme& theme, TimeWindow& window, SequenceIndex& sequences, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_window(window), m_sequences(sequences), m_marks(theme, window) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", "inset");
    setAccessibleName(tr("Requests over time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::selectionChanged, &TimeWindow::playheadChanged})
        connect(&window, signal, this, &RequestLanes::updateTrack);
    connect(&window, &TimeWindow::windowChanged, this, &RequestLanes::updateMoving);
    connect(&window, &TimeWindow::gutterChanged, this, [this] { update(); });
    connect(&theme, &Theme::changed, this, [this] {
        m_texts.clear();
        m_marks.forgetPicture();
        updateGeometry();
    });
}

void RequestLanes::updateTrack() {
    update(m_window.gutter(), 0, width() - m_window.gutter(), height());
}

/// One bar from before the window to now: time passes over it without a trace.
bool RequestLanes::standsStill(const Lane& lane) const {
    return !lane.ended && !m_marks.has(lane.sequence) &&
        m_window.xOf(lane.segments.back().start, width()) < m_window.gutter() - 3.0 * kReusedTab;
}

void RequestLanes::updateMoving() {
    if (m_window.moment() || m_window.selection() || m_window.span() != m_shownSpan || m_lanes.empty())
        return updateTrack();
    const int rowHeight = m_theme.px(Measure::kLane);
    m_still.resize(kMaxRows);
    QRegion moving;
    for (int row = 0; row < kMaxRows && m_first + row < laneCount(); ++row) {
        const Lane* lane = laneAt(m_first + row);
        const quint32 still = lane != nullptr && standsStill(*lane) ? lane->sequence : 0;
        if (still == 0 || std::exchange(m_still[static_cast<std::size_t>(row)], still) != still)
            moving += QRect(m_window.gutter(), row * rowHeight, width() - m_window.gutter(), rowHeight);
        m_still[static_cast<std::size_t>(row)] = still;
    }
    if (!moving.isEmpty())
        update(moving.boundingRect());
}

const Lane* RequestLanes::laneAt(int row) const {
    return row >= 0 && row < laneCount() ? m_history->find(m_lanes[static_cast<std::size_t>(row)]) : nullptr;
}

std::vector<quint32> RequestLanes::shownRows() const {
    const auto first = m_lanes.begin() + std::min(m_first, laneCount());
    return {first, first + std::min<std::ptrdiff_t>(kMaxRows, m_lanes.end() - first)};
}

std::vector<RequestLanes::Look> RequestLanes::looks() const {
    std::vector<Look> result;
    for (int row = m_first; row < std::min(laneCount(), m_first + kMaxRows); ++row)
        if (const Lane* lane = laneAt(row)) {
            const bool tellsOutput = lane->ended || lane->promptTokens <= 0;
            result.push_back({lane->sequence, lane->ended, lane->finish, lane->label, lane->hitTokens,
                lane->promptTokens, tellsOutput ? lane->outputTokens : 0, lane->segments.size(), lane->firstTime(),
                lane->segments.back().start});
        }
    return result;
}

void RequestLanes::setLanes(const LaneHistory& history, const StepHistory& steps) {
    const auto range = m_window.selection().value_or(std::pair(m_window.start(), m_window.end()));
    const std::size_t before = m_lanes.size();
    m_history = &history;
    m_lanes.clear();
    for (const Lane* lane : history.inWindow(range.first, range.second))
        m_lanes.push_back(lane->sequence);
    m_first = std::clamp(m_first, 0, std::max(0, laneCount() - kMaxRows));
    m_hover = std::min(m_hover, laneCount() - 1);
    if (std::min<std::size_t>(before, kMaxRows) != std::min<std::size_t>(m_lanes.size(), kMaxRows))
        updateGeometry();
    if (QAccessible::isActive())
        setAccessibleDescription(textTwin());
    if (m_marks.collect(steps, shownRows(), width()))
        updateTrack();
    if (std::vector<Look> now = looks(); now != m_looks) {
        m_looks = std::move(now);
        update();
    }
}

void RequestLanes::setDimmed(bool dimmed) {
    if (dimmed != m_dimmed) {
        m_dimmed = dimmed;
        update();
    }
}

QSize RequestLanes::sizeHint() const {
    return {600, std::clamp(laneCount(), 1, kMaxRows) * m_theme.px(Measure::kLane)};
}

QString RequestLanes::textTwin() const {
    QStringList rows;
    for (int row = 0; row < laneCount(); ++row)
        if (const Lane* lane = laneAt(row))
            rows += QStringLiteral("%1 %2: %3%4")
                        .arg(sequenceLetter(m_sequences.indexOf(lane->sequence)), lane->label, barText(*lane),
                            lane->ended ? QStringLiteral(", ") + finishText(lane->finish) : QString());
    return rows.join(QStringLiteral("; "));
}

QString RequestLanes::barText(const Lane& lane) const {
    if (lane.ended)
        return tr("%1 tok").arg(countText(lane.outputTokens));
    if (lane.segments.back().kind == LaneSegment::Kind::queued)
        return tr("waiting");
    if (lane.hitTokens > 0)
        return tr("%1 of %2 reused").arg(countText(lane.hitTokens), countText(lane.promptTokens));
    if (lane.promptTokens <= 0) // a server elsewhere tells it at the end, if at all
        return lane.outputTokens > 0 ? tr("%1 tok").arg(countText(lane.outputTokens)) : tr("running");
    return tr("read %1").arg(countText(lane.promptTokens));
}

void RequestLanes::paintEvent(QPaintEvent* event) {
    ++m_paints;
    m_shownSpan = m_window.span();
    m_marks.update(size(), devicePixelRatioF());
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // time runs from left to right in every language
    painter.fillRect(event->rect(), m_theme.color(Color::page));
    const QColor line = m_theme.color(Color::hairline);
    const auto xOf = [this](double time) { return static_cast<int>(m_window.xOf(time, width())); };
    for (const double time : m_window.gridLines())
        paintHairline(painter, QRect(xOf(time), 0, 1, height()), Qt::LeftEdge, line);
    const int rowHeight = m_theme.px(Measure::kLane);
    if (m_lanes.empty()) {
        painter.setFont(m_theme.font(TextRole::small));
        painter.setPen(m_theme.color(Color::text3));
        painter.drawText(QRect(m_window.gutter(), 0, width() - m_window.gutter(), rowHeight), Qt::AlignVCenter,
            tr("No request in this window"));
    }
    for (int row = 0; row < kMaxRows && m_first + row < laneCount(); ++row) {
        const Lane* found = laneAt(m_first + row);
        const QRect area(0, row * rowHeight, width(), rowHeight);
        if (found == nullptr || !area.intersects(event->rect()))
            continue;
        const Lane& lane = *found;
        if (m_first + row == m_hover)
            painter.fillRect(area, m_theme.color(Color::hover));
        painter.setOpacity(m_dimmed ? 0.6 : 1);
        if (event->rect().left() < m_window.gutter())
            paintName(painter, lane, area);
        painter.save();
        painter.setClipRect(QRect(m_window.gutter(), area.top(), width() - m_window.gutter() - 8, rowHeight));
        paintBars(painter, lane, area);
        m_marks.paint(painter, area);
        paintText(painter, lane, area);
        if (lane.ended)
            paintEnd(painter, lane, area);
        painter.restore();
    }
    painter.setOpacity(1);
    if (const auto moment = m_window.moment())
        paintHairline(painter, QRect(xOf(*moment), 0, 1, height()), Qt::LeftEdge,
            m_theme.color(m_window.cursor() ? Color::text2 : Color::accent));
    if (const auto selection = m_window.selection())
        painter.fillRect(QRect(QPoint(xOf(selection->first), 0), QPoint(xOf(selection->second), height())),
            m_theme.color(Color::accent, 0.12));
}

void RequestLanes::paintName(QPainter& painter, const Lane& lane, const QRect& row) {
    const int chip = m_theme.px(16), icon = m_theme.px(Measure::kIconRow);
    const int index = m_sequences.indexOf(lane.sequence);
    const QRect box(Measure::kSpace4, row.center().y() - chip / 2 + 1, chip, chip);
    if (!lane.ended) {
        paintSequenceChip(painter, m_theme, index, box);
    } else { // ended: an outline, so that the colour is free for the next one
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(Color::control), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setFont(m_theme.font(TextRole::letter));
        painter.setPen(m_theme.color(Color::text2));
        painter.drawText(box, Qt::AlignCenter, sequenceLetter(index));
    }
    const Color ink = lane.ended ? Color::text3 : Color::text1;
    const QString iconName = lane.source == RequestSource::api ? QStringLiteral("server")
        : lane.source == RequestSource::lab                    ? QStringLiteral("lab")
                                                               : QStringLiteral("chat");
    painter.drawPixmap(box.right() + 9, row.center().y() - icon / 2 + 1,
        m_theme.pixmap(iconName, icon, Color::text2, devicePixelRatioF()));
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(ink));
    const int left = box.right() + 9 + icon + 8;
    const QFontMetrics metrics(painter.font());
    const QString label = lane.label.isEmpty() ? tr("Request %1").arg(lane.request) : lane.label;
    painter.drawText(QRect(left, row.top(), m_window.gutter() - left - 8, row.height()), Qt::AlignVCenter,
        metrics.elidedText(label, Qt::ElideRight, m_window.gutter() - left - 8));
}

void RequestLanes::paintBars(QPainter& painter, const Lane& lane, const QRect& row) {
    painter.setRenderHint(QPainter::Antialiasing);
    const int bar = m_theme.px(Measure::kLaneBar);
    bool firstPrefill = true;
    for (std::size_t i = 0; i < lane.segments.size(); ++i) {
        const LaneSegment& segment = lane.segments[i];
        const bool open = !lane.ended && i + 1 == lane.segments.size();
        const bool isPrefill = segment.kind == LaneSegment::Kind::prefill;
        const bool hasReused = isPrefill && lane.hitTokens > 0 && std::exchange(firstPrefill, false);
        const double edge = m_window.gutter() - 2.0 * kReusedTab; // what begins before the window begins here
        const double left = std::max(edge, m_window.xOf(segment.start, width()));
        const double right = m_window.xOf(open ? std::max(segment.end, m_window.end()) : segment.end, width());
        if (right < edge)
            continue;
        const double length = std::max<double>(kMinBar, right - left - 1);
        const bool queued = segment.kind == LaneSegment::Kind::queued;
        const double high = queued ? m_theme.px(kQueuedHeight) : bar;
        const QRectF box(left, row.center().y() - high / 2 + 1, length, high);
        painter.setPen(Qt::NoPen);
        switch (segment.kind) {
        case LaneSegment::Kind::queued:
            painter.setBrush(m_theme.color(Color::queued));
            break;
        case LaneSegment::Kind::prefill:
            painter.setBrush(m_theme.color(Color::prefill));
            if (hasReused) { // a mark, not time
                const QRect tab(static_cast<int>(left) - kReusedTab - 1, static_cast<int>(box.top()), kReusedTab, bar);
                painter.setPen(QPen(m_theme.color(Color::prefill), 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRoundedRect(QRectF(tab).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
                paintHatch(painter, tab.adjusted(1, 1, -1, -1), m_theme.color(Color::prefill));
                painter.setPen(Qt::NoPen);
                painter.setBrush(m_theme.color(Color::prefill));
            }
            break;
        case LaneSegment::Kind::decode:
            painter.setBrush(lane.ended ? m_theme.color(Color::decode, kEndedOpacity) : m_theme.color(Color::decode));
            break;
        case LaneSegment::Kind::preempted:
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.color(Color::preempted), 1, Qt::DashLine));
            break;
        }
        painter.drawRoundedRect(box, 2, 2);
    }
}

/// Left edge of the mark at its end.  At the right edge there is no room behind the bar: mark and reason stand inside
/// its end, or before a bar too short for them.
double RequestLanes::endMarkOf(const Lane& lane) {
    const double end = m_window.xOf(lane.endTime, width());
    const double needed = kEndRoom + layOut(finishText(lane.finish)).size().width() + 10;
    if (end + needed <= width())
        return end + 3;
    const double inside = end + 3 - (end + needed - width());
    const double bars = barsLeft(lane, m_window, width());
    return inside - bars >= 8 ? inside : bars - needed + 6;
}

/// Laid out once: the same few words are painted twenty times a second, only further left.
QStaticText RequestLanes::layOut(const QString& text) {
    constexpr qsizetype kMaxTexts = 128;
    if (m_texts.size() > kMaxTexts)
        m_texts.clear();
    QStaticText& laidOut = m_texts[text];
    if (laidOut.text().isEmpty()) {
        laidOut.setText(text);
        laidOut.setTextFormat(Qt::PlainText);
        laidOut.prepare({}, m_theme.font(TextRole::small));
    }
    return laidOut;
}

void RequestLanes::paintText(QPainter& painter, const Lane& lane, const QRect& row) {
    painter.setFont(m_theme.font(TextRole::small));
    const LaneSegment& last = lane.segments.back();
    const double left = std::max<double>(m_window.gutter(), m_window.xOf(last.start, width()));
    const double right = lane.ended ? m_window.xOf(last.end, width()) : m_window.xOf(m_window.end(), width());
    const QStaticText text = layOut(barText(lane));
    const double advance = text.size().width(), y = row.top() + 1 + (row.height() - text.size().height()) / 2;
    // At the right edge the reason it ended for stands inside the bar's end.
    const double free = std::min(right, lane.ended ? endMarkOf(lane) - 4 : right);
    const bool inside = last.kind == LaneSegment::Kind::decode && free - left > advance + 16;
    if (inside) {
        if (m_marks.has(lane.sequence)) // between two steps the page shows through
            painter.fillRect(QRectF(left + 5, row.center().y() - m_theme.px(Measure::kLaneBar) / 2.0 + 1, advance + 6,
                                 m_theme.px(Measure::kLaneBar)),
                m_theme.color(lane.ended ? Color::page : Color::decode));
        painter.setPen(m_theme.color(lane.ended ? Color::text1 : Color::inLane));
        painter.drawStaticText(QPointF(left + 8, y), text);
    } else {
        painter.setPen(m_theme.color(Color::text2));
        const double first = std::min(barsLeft(lane, m_window, width()), free) - 8;
        const double x = first - advance > m_window.gutter() ? first - advance : right + 8;
        if (!lane.ended || x < right)
            painter.drawStaticText(QPointF(x, y), text);
    }
}

void RequestLanes::paintEnd(QPainter& painter, const Lane& lane, const QRect& row) {
    painter.setFont(m_theme.font(TextRole::small));
    const QStaticText reason = layOut(finishText(lane.finish));
    const double advance = reason.size().width();
    const double end = m_window.xOf(lane.endTime, width());
    const bool bad = lane.finish == FinishReason::error;
    const QColor ink = m_theme.color(bad ? Color::error : Color::text2);
    const QRectF mark(endMarkOf(lane), row.center().y() - kEndMark / 2.0 + 1, kEndMark, kEndMark);
    if (mark.left() < end && mark.left() > barsLeft(lane, m_window, width())) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::page, 0.85));
        painter.drawRoundedRect(QRectF(mark.left() - 4, row.top() + 3, advance + 30, row.height() - 6), 3, 3);
    }
    painter.setPen(QPen(ink, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(mark);
    painter.setPen(ink);
    painter.drawStaticText(
        QPointF(mark.left() - 3 + kEndRoom, row.top() + 1 + (row.height() - reason.size().height()) / 2), reason);
}

void RequestLanes::setHover(int row) {
    if (row == m_hover)
        return;
    m_hover = row;
    update();
    emit sequenceHovered(row >= 0 ? m_lanes[static_cast<std::size_t>(row)] : 0);
}

void RequestLanes::mouseMoveEvent(QMouseEvent* event) {
    const int row = m_first + event->pos().y() / m_theme.px(Measure::kLane);
    setHover(row < laneCount() ? row : -1);
    if (event->pos().x() >= m_window.gutter())
        m_window.setCursor(std::min(m_window.timeAt(event->position().x(), width()), m_window.end()));
}

void RequestLanes::mousePressEvent(QMouseEvent* event) {
    const int row = m_first + event->pos().y() / m_theme.px(Measure::kLane);
    if (row < laneCount())
        emit sequenceActivated(m_lanes[static_cast<std::size_t>(row)]);
}

void RequestLanes::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step != 0 && laneCount() > 0) {
        setHover(std::clamp(m_hover + step, 0, laneCount() - 1));
        m_first = std::clamp(m_first, std::max(0, m_hover - kMaxRows + 1), m_hover);
        update();
        emit scrolled();
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hover >= 0) {
        emit sequenceActivated(m_lanes[static_cast<std::size_t>(m_hover)]);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void RequestLanes::leaveEvent(QEvent*) {
    setHover(-1);
    m_window.setCursor({});
}

void RequestLanes::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        m_window.zoom(std::pow(0.8, event->angleDelta().y() / 120.0), m_window.timeAt(event->position().x(), width()));
        return event->accept();
    }
    if (laneCount() <= kMaxRows)
        return event->ignore();
    m_first = std::clamp(m_first - event->angleDelta().y() / 120, 0, laneCount() - kMaxRows);
    update();
    emit scrolled();
    event->accept();
}

} // namespace vitrine::ui
