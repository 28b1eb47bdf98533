// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: steps as marks.
#include "ui/engine/lane_marks.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/curve_layer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kMinMark = 5; // pixels a step needs to be drawn by itself
constexpr int kStripHeight = 6; // of accepted and rejected drafts, and the line above
constexpr std::uint8_t kVerify = 2; // SequenceLine::kind

} // namespace

void LaneMarks::clear() {
    m_ofSequence.clear();
    m_rows.clear();
    m_start = m_end = 0;
    m_nextStep = 0;
    m_isAnew = true;
}

/// Of steps that follow each other in a part of the window: it is they that need the room, not the window.
bool LaneMarks::hasRoom(const StepHistory& history, std::size_t first, std::size_t last, double track) const {
    const auto count = static_cast<double>(last - first);
    if (first >= history.steps().size() || count * kMinMark > track)
        return false;
    double seconds = 0;
    for (std::size_t i = first; i < last; ++i)
        seconds += stepEnd(history.steps()[i]) - stepStart(history.steps()[i]);
    const int needed = m_ofSequence.empty() ? kMinMark : kMinMark - 1; // they do not come and go with one step
    return seconds / m_window.span() * track >= count * needed;
}

bool LaneMarks::collect(const StepHistory& history, std::vector<quint32> rows, int width) {
    const std::size_t first = history.firstEndingAfter(m_window.start());
    const std::size_t last = history.firstEndingAfter(m_window.end());
    const double track = width - m_window.gutter() - TimeWindow::kRightMargin;
    const auto& steps = history.steps();
    if (!hasRoom(history, first, last, track)) { // too narrow to tell apart
        const bool had = !m_ofSequence.empty();
        clear();
        return had;
    }
    // While the window moves forward with time over the same rows, or stands still, a line is read once.
    const bool isForward = m_window.paused() ? m_window.start() == m_start && m_window.end() == m_end
                                             : m_window.start() >= m_start && m_window.end() >= m_end;
    const bool extends = isForward && rows == m_rows && steps.back().step >= m_nextStep;
    if (!extends)
        clear();
    m_rows = std::move(rows);
    m_start = m_window.start();
    m_end = m_window.end();
    const quint64 from = std::max<quint64>(m_nextStep, steps[first].step);
    for (auto& [sequence, marks] : m_ofSequence) {
        while (!marks.empty() && marks.front().end < m_window.start())
            marks.pop_front();
        while (!marks.empty() && marks.back().step >= from) // not all of its lines may have been there
            marks.pop_back();
    }
    const auto& lines = history.lines();
    std::size_t at = lines.size();
    while (at > 0 && lines[at - 1].step >= from)
        --at;
    bool isOther = !extends;
    for (; at < lines.size(); ++at) {
        const SequenceLine& line = lines[at];
        if (line.kind > kVerify || std::ranges::find(m_rows, line.sequence) == m_rows.end())
            continue;
        const StepRecord* step = history.find(line.step);
        if (step == nullptr || stepStart(*step) > m_window.end())
            continue;
        m_ofSequence[line.sequence].push_back({line.step, stepStart(*step), stepEnd(*step),
            line.kind == kVerify ? std::max(0, static_cast<int>(line.count) - 1) : 0, line.accepted});
        isOther = isOther || line.step > m_nextStep;
    }
    m_nextStep = std::max<quint64>(from, steps.back().step);
    return isOther;
}

void LaneMarks::update(const QSize& size, qreal scale) {
    if (m_ofSequence.empty())
        return;
    const QSize pixels = (QSizeF(std::max(1, size.width() - m_window.gutter()), size.height()) * scale).toSize();
    const double span = m_window.span();
    const double perSecond = (size.width() - m_window.gutter() - TimeWindow::kRightMargin) * scale / span;
    const double moved = (m_window.end() - m_imageEnd) * perSecond;
    const bool isOther = m_isAnew || m_image.size() != pixels || m_image.devicePixelRatio() != scale ||
        std::abs(m_imageEnd - m_imageStart - span) > 1e-9 * span || moved < -0.5 || moved > pixels.width() / 2.0;
    if (isOther) {
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_image.setDevicePixelRatio(scale);
        m_image.fill(Qt::transparent);
        m_imageStart = m_window.start();
        m_imageEnd = m_window.end();
        m_until.clear();
        m_isAnew = false;
        ++m_wholeDraws;
    } else {
        const auto whole = static_cast<int>(std::lround(moved)); // what is drawn stays where it belongs
        scrollLeft(m_image, whole);
        m_imageStart += whole / perSecond;
        m_imageEnd += whole / perSecond;
    }
    draw();
}

void LaneMarks::draw() {
    QPainter painter(&m_image);
    const int rowHeight = m_theme.px(Measure::kLane), bar = m_theme.px(Measure::kLaneBar);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const auto found = m_ofSequence.find(m_rows[row]);
        if (found == m_ofSequence.end())
            continue;
        const auto until = m_until.try_emplace(found->first, -1.0).first;
        const int top = QRect(0, static_cast<int>(row) * rowHeight, 1, rowHeight).center().y() - bar / 2 + 1;
        const auto& marks = found->second;
        auto mark = marks.end();
        while (mark != marks.begin() && (mark - 1)->end > until->second)
            --mark;
        for (; mark != marks.end(); ++mark) {
            drawMark(painter, *mark, top);
            until->second = mark->end;
        }
    }
}

void LaneMarks::drawMark(QPainter& painter, const Mark& mark, int top) const {
    const double track = m_image.deviceIndependentSize().width() - TimeWindow::kRightMargin;
    const auto xOf = [&](double time) {
        return static_cast<int>(std::floor((time - m_imageStart) / (m_imageEnd - m_imageStart) * track));
    };
    const int bar = m_theme.px(Measure::kLaneBar), strip = m_theme.px(kStripHeight) - 1;
    const int left = xOf(mark.start), right = xOf(mark.end);
    painter.fillRect(QRect(right - 1, top, 1, bar), m_theme.color(Color::page)); // where the step ends
    if (mark.drafted == 0 || right - left < kMinMark)
        return;
    const int whole = right - left - 2;
    const int kept = whole * mark.accepted / mark.drafted;
    const QRect accepted(left + 1, top + bar - strip, kept, strip);
    const QRect rejected(left + 1 + kept, top + bar - strip, whole - kept, strip);
    painter.fillRect(accepted, m_theme.color(Color::accent));
    painter.fillRect(rejected, m_theme.color(Color::page));
    paintHatch(painter, rejected, m_theme.color(Color::error));
}

void LaneMarks::paint(QPainter& painter, const QRect& row) const {
    if (m_ofSequence.empty() || m_image.isNull())
        return;
    const qreal scale = m_image.devicePixelRatio();
    const QRectF part(0, row.top() * scale, m_image.width(), row.height() * scale);
    painter.drawImage(
        QRectF(m_window.gutter(), row.top(), m_image.deviceIndependentSize().width(), row.height()), m_image, part);
}

} // namespace vitrine::ui
