// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: curves, drawn by QCustomPlot into an image.
#include "ui/widgets/curve_layer.h"

#include <QPainter>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace vitrine::ui {
namespace {

constexpr double kAll = -std::numeric_limits<double>::infinity(), kNothing = std::numeric_limits<double>::infinity();
// A strip begins on a multiple of this: a whole device pixel at 100, 125, 150, 175 and 200 %.
constexpr int kStripUnit = 4;
constexpr int kPenRoom = 3; // logical pixels a stroke reaches back from its point
constexpr int kScrollRoom = 320; // device pixels
constexpr int kEdgeRoom = 48; // logical pixels at the right in which a row may change and still counts as still
constexpr double kDashWidth = 1.1, kLineWidth = 1.5;

bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

/// A graph that can be drawn alone: QCustomPlot's own way lays axes and ticks out first, which nobody sees, for every
/// strip.
class Graph final : public QCPGraph {
public:
    using QCPGraph::QCPGraph;
    void drawAlone(QCPPainter& painter) {
        painter.save();
        painter.setClipRect(clipRect().translated(0, -1)); // as QCPLayer::draw has it
        applyDefaultAntialiasingHint(&painter);
        draw(&painter);
        painter.restore();
    }
};

struct CurveLayer::Plot {
    QCustomPlot widget; // never shown
    std::vector<Graph*> graphs;
    std::vector<bool> isDashed;

    void draw(QCPPainter& painter, const QSize& size) {
        widget.setViewport(QRect(QPoint(), size));
        widget.axisRect()->setOuterRect(widget.viewport());
        for (Graph* graph : graphs)
            graph->drawAlone(painter);
    }
};

CurveLayer::CurveLayer(const std::vector<SeriesStyle>& styles)
    : m_plot(std::make_unique<Plot>()), m_series(styles.size()), m_dirtyFrom(kAll) {
    QCustomPlot& plot = m_plot->widget;
    plot.setBackground(Qt::NoBrush);
    plot.axisRect()->setAutoMargins(QCP::msNone);
    plot.axisRect()->setMargins(QMargins(0, 0, 0, 0));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false); // the track draws it: it stands still while the curves move
    }
    using Shape = SeriesStyle::Shape;
    for (const SeriesStyle& series : styles) {
        auto* graph = new Graph(plot.xAxis, series.ownScale ? plot.yAxis2 : plot.yAxis); // the plot owns it
        graph->setAdaptiveSampling(true);
        if (series.shape == Shape::step || series.shape == Shape::bars)
            graph->setLineStyle(QCPGraph::lsStepLeft);
        m_plot->graphs.push_back(graph);
        m_plot->isDashed.push_back(series.shape == Shape::dashed);
    }
}

CurveLayer::~CurveLayer() = default;

void CurveLayer::setInks(const Theme& theme, const std::vector<SeriesStyle>& styles, bool dimmed) {
    using Shape = SeriesStyle::Shape;
    for (std::size_t i = 0; i < styles.size(); ++i) {
        const SeriesStyle& series = styles[i];
        const Color ink = dimmed ? Color::text3 : series.color;
        QPen pen(theme.color(ink), series.shape == Shape::dashed ? kDashWidth : kLineWidth);
        pen.setJoinStyle(Qt::RoundJoin);
        if (series.shape == Shape::dashed)
            pen.setDashPattern({4, 3});
        m_plot->graphs[i]->setPen(series.shape == Shape::area ? QPen(Qt::NoPen) : pen);
        m_plot->graphs[i]->setBrush(series.fill > 0 ? QBrush(theme.color(ink, series.fill)) : QBrush(Qt::NoBrush));
    }
    m_dirtyFrom = kAll;
}

bool CurveLayer::setPoints(std::size_t index, std::vector<double> times, std::vector<double> values) {
    Series& series = m_series[index];
    const double from = firstDifference(series.times, series.values, times, values);
    series.isStale = series.isStale || from < kNothing;
    series.times = std::move(times);
    series.values = std::move(values);
    m_dirtyFrom = std::min(m_dirtyFrom, from);
    return from < kNothing;
}

double firstDifference(const std::vector<double>& timesBefore, const std::vector<double>& valuesBefore,
    const std::vector<double>& times, const std::vector<double>& values) {
    if (times.empty())
        return timesBefore.empty() ? kNothing : kAll;
    // The new ones begin somewhere among the old ones; bars have two points of one time there.
    const auto first = std::lower_bound(timesBefore.begin(), timesBefore.end(), times.front()) - timesBefore.begin();
    std::size_t most = 0, start = 0;
    for (auto at = static_cast<std::size_t>(first); at < timesBefore.size() && timesBefore[at] == times.front(); ++at) {
        std::size_t same = 0;
        while (same < times.size() && at + same < timesBefore.size() && timesBefore[at + same] == times[same] &&
            isSame(valuesBefore[at + same], values[same]))
            ++same;
        if (same > most) {
            most = same;
            start = at;
        }
    }
    if (most == 0)
        return kAll;
    if (most == times.size() && start + most == timesBefore.size())
        return kNothing;
    return times[most - 1];
}

void CurveLayer::paint(QPainter& painter, const QPoint& corner, const CurveFrame& frame) {
    if (frame.size.isEmpty())
        return;
    update(frame);
    const int shift = shiftTo(frame);
    paintDevicePixels(
        painter, corner, m_image, QRect(m_offset + shift, 0, m_pixels.width() - shift, m_pixels.height()), frame.scale);
}

int CurveLayer::shiftTo(const CurveFrame& frame) const {
    const double perSecond = frame.size.width() * frame.scale / (m_drawn.end - m_drawn.start);
    return std::clamp(static_cast<int>(std::lround((frame.end - m_drawn.end) * perSecond)), 0, m_pixels.width());
}

QRegion CurveLayer::advance(const CurveFrame& frame) {
    if (frame.size.isEmpty())
        return {};
    update(frame);
    const int width = m_pixels.width(), shift = shiftTo(frame);
    const int moved = m_scrolled + shift - m_told.shift;
    const bool isOther = m_wholeDraws != m_told.wholeDraws;
    if (!isOther && moved == 0 && m_stripDraws == m_told.stripDraws)
        return {};
    // A row of one colour looks the same wherever it is moved, up to the edge where its data end.
    const int room = static_cast<int>(kEdgeRoom * frame.scale) + moved;
    Told now{m_wholeDraws, m_stripDraws, shift, m_image.height(), -1};
    for (int row = 0; row < m_image.height(); ++row) {
        int& change = m_changes[static_cast<std::size_t>(row)];
        if (change <= shift)
            change = firstChange(row, shift + 1);
        if (change < width - room) {
            now.top = std::min(now.top, row);
            now.bottom = row;
        }
    }
    const int top = std::min(now.top, m_told.top), bottom = std::max(now.bottom, m_told.bottom);
    m_told = now;
    m_scrolled = 0;
    const QRect all(QPoint(), frame.size);
    if (isOther || room >= width)
        return all;
    const auto logical = [&](int pixels) { return static_cast<int>(std::floor(pixels / frame.scale)); };
    QRegion region(QRect(QPoint(logical(width - room - moved) - 1, 0), all.bottomRight()));
    if (bottom >= top)
        region += QRect(QPoint(0, logical(top)), QPoint(all.right(), logical(bottom) + 1)).intersected(all);
    return region;
}

int CurveLayer::firstChange(int row, int from) const {
    const auto* line = reinterpret_cast<const QRgb*>(m_image.constScanLine(row)) + m_offset;
    const int width = m_pixels.width();
    int x = std::max(1, from);
    while (x < width && line[x] == line[x - 1])
        ++x;
    return x;
}

void CurveLayer::findChanges(int from) {
    m_changes.resize(static_cast<std::size_t>(m_image.height()), 0);
    for (int row = 0; row < m_image.height(); ++row)
        if (int& change = m_changes[static_cast<std::size_t>(row)]; change >= from)
            change = firstChange(row, from);
}

/// Brings the image up to date; afterwards it shows `frame` or, moved by whole pixels, an earlier one.
void CurveLayer::update(const CurveFrame& frame) {
    const QSize pixels(static_cast<int>(std::ceil(frame.size.width() * frame.scale)),
        static_cast<int>(std::ceil(frame.size.height() * frame.scale)));
    const double span = frame.end - frame.start, perSecond = frame.size.width() * frame.scale / span;
    const double moved = (frame.end - m_drawn.end) * perSecond;
    CurveFrame comparable = m_drawn;
    comparable.start = frame.start;
    comparable.end = frame.end;
    const bool isOther = m_pixels != pixels || comparable != frame ||
        std::abs((m_drawn.end - m_drawn.start) - span) > 1e-9 * span || moved < -0.5 || moved > pixels.width();
    if (isOther || m_dirtyFrom == kAll) {
        if (m_pixels != pixels)
            m_image = QImage(pixels + QSize(kScrollRoom, 0), QImage::Format_ARGB32_Premultiplied);
        m_pixels = pixels;
        m_offset = 0;
        m_drawn = frame;
        draw(0);
        m_changes.assign(static_cast<std::size_t>(pixels.height()), 0);
        findChanges(0);
        ++m_wholeDraws;
    } else if (m_dirtyFrom < kNothing) {
        const int shift = static_cast<int>(std::lround(moved));
        scrollBy(shift);
        m_drawn.start += shift / perSecond; // whole pixels: what is drawn stays where it belongs
        m_drawn.end += shift / perSecond;
        const double x = (std::max(m_dirtyFrom, m_drawn.start) - m_drawn.start) / span * frame.size.width();
        const int left = seamlessLeft(std::max(0, static_cast<int>(x - kPenRoom)) / kStripUnit * kStripUnit);
        draw(left);
        findChanges(static_cast<int>(left * frame.scale));
        ++m_stripDraws;
    }
    m_dirtyFrom = kNothing;
}

/// A curve begins at its last point before the strip, and QCustomPlot shifts what it smooths by half a pixel: a point
/// close to the edge would leave the first column half covered.
int CurveLayer::seamlessLeft(int left) const {
    const double perPixel = (m_drawn.end - m_drawn.start) / m_drawn.size.width();
    const auto isClose = [&](const Series& series) {
        const double edge = m_drawn.start + left * perPixel;
        const auto after = std::lower_bound(series.times.begin(), series.times.end(), edge);
        return after != series.times.begin() && edge - *(after - 1) < perPixel;
    };
    while (left > 0 && std::ranges::any_of(m_series, isClose))
        left -= kStripUnit;
    return std::max(0, left);
}

void CurveLayer::scrollBy(int pixels) {
    if (pixels <= 0)
        return;
    m_scrolled += pixels;
    for (std::size_t row = 0; row < m_changes.size(); ++row)
        m_changes[row] -= pixels; // at or before the edge: found anew when somebody asks
    m_offset += pixels;
    if (m_offset > kScrollRoom)
        scrollLeft(m_image, std::exchange(m_offset, 0));
}

void CurveLayer::draw(int left) {
    QCustomPlot& plot = m_plot->widget;
    const int width = m_drawn.size.width() - left;
    const double perPixel = (m_drawn.end - m_drawn.start) / m_drawn.size.width();
    const double start = m_drawn.start + left * perPixel;
    if (width <= 0)
        return;
    plot.xAxis->setRange(start, m_drawn.end);
    plot.yAxis->setRange(0, m_drawn.top);
    plot.yAxis2->setRange(0, m_drawn.ownTop);
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        Series& series = m_series[i];
        if (std::exchange(series.isStale, false)) {
            QVector<QCPGraphData> points;
            points.reserve(static_cast<qsizetype>(series.times.size()));
            for (std::size_t p = 0; p < series.times.size(); ++p)
                points.append(QCPGraphData(series.times[p], series.values[p]));
            m_plot->graphs[i]->data()->set(points, true);
        }
        if (!m_plot->isDashed[i])
            continue;
        // A line begins at its last point before the strip: dashes are counted from time 0, so that strips fit together.
        const auto after = std::lower_bound(series.times.begin(), series.times.end(), start);
        const double first = after == series.times.begin() ? start : *(after - 1);
        QPen pen = m_plot->graphs[i]->pen();
        pen.setDashOffset(std::fmod(first / perPixel / kDashWidth, 7));
        m_plot->graphs[i]->setPen(pen);
    }
    QCPPainter painter;
    painter.begin(&m_image);
    painter.translate(m_offset, 0);
    painter.scale(m_drawn.scale, m_drawn.scale);
    painter.translate(left, 0);
    painter.setCompositionMode(QPainter::CompositionMode_Clear);
    painter.fillRect(QRect(0, 0, width + 1, m_drawn.size.height() + 1), Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    painter.setMode(QCPPainter::pmNoCaching);
    m_plot->draw(painter, {width, m_drawn.size.height()});
    painter.end();
}

void scrollLeft(QImage& image, int pixels) {
    if (pixels <= 0)
        return;
    const auto gone = static_cast<std::size_t>(pixels) * 4, kept = static_cast<std::size_t>(image.width()) * 4 - gone;
    for (int y = 0; y < image.height(); ++y) {
        uchar* line = image.scanLine(y);
        std::memmove(line, line + gone, kept);
        std::memset(line + kept, 0, gone);
    }
}

void paintDevicePixels(QPainter& painter, const QPointF& corner, const QImage& image, const QRect& part, qreal scale) {
    if (scale == 1)
        return painter.drawImage(corner, image, part);
    painter.save();
    painter.scale(1 / scale, 1 / scale);
    painter.drawImage(QPointF(std::round(corner.x() * scale), std::round(corner.y() * scale)), image, part);
    painter.restore();
}

} // namespace vitrine::ui
