// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: charts, painted.
#include "ui/lab/lab_chart.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/axis_ticks.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::ui {
namespace {

constexpr int kSteps = 4; // between the ticks of a y axis
constexpr int kPlotHeight = 220, kTitle = 24, kBottom = 36, kRightRoom = 16;
constexpr int kBarsBottom = 4; // bars have no axis below them
constexpr int kSwatchRoom = 44; // before the name of a series
constexpr int kEndRoom = 16; // from the end of a request to its words
constexpr Color kInks[] = {Color::accent, Color::seqB, Color::seqA, Color::seqD, Color::seqC, Color::seqE};

QString axisText(double value) {
    const double size = std::abs(value);
    return size >= 100'000 ? fixedText(value / 1000, 0) + u'k'
        : size >= 100      ? countText(std::llround(value))
        : size >= 10       ? fixedText(value, size == std::floor(size) ? 0 : 1)
        : size >= 0.1      ? fixedText(value, size == std::floor(size) ? 0 : 2)
        : size == 0        ? QStringLiteral("0")
                           : fixedText(value, 4);
}

/// What has whole values only is a count, in files of older versions too.
AxisValues valuesOf(const LabChart& chart, double (QPointF::*coordinate)() const) {
    for (const LabSeries& series : chart.series)
        for (const QPointF& point : series.points)
            if (const double value = (point.*coordinate)(); std::isfinite(value) && value != std::floor(value))
                return AxisValues::any;
    return AxisValues::counts;
}

std::vector<double> ticksFrom(double first, double last, double step) {
    std::vector<double> ticks;
    for (double at = std::ceil(first / step - 1e-9); at * step <= last + step * 1e-6; ++at)
        ticks.push_back(at * step);
    return ticks;
}

Qt::PenStyle dashOf(std::size_t series, bool expected) {
    constexpr Qt::PenStyle kDashes[] = {Qt::SolidLine, Qt::DashDotLine, Qt::DotLine};
    return expected ? Qt::DashLine : kDashes[series / 2 % std::size(kDashes)];
}

} // namespace

LabChartView::LabChartView(const Theme& theme, LabChart chart, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_chart(std::move(chart)) {
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true); // the key takes the lines it needs
    setSizePolicy(policy);
    setAccessibleName(m_chart.title);
    setAccessibleDescription(textTwin());
    measureRange();
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void LabChartView::measureRange() {
    double left = std::numeric_limits<double>::infinity(), right = -left, top = 0;
    for (const LabSeries& series : m_chart.series)
        for (const QPointF& point : series.points)
            if (std::isfinite(point.y())) {
                left = std::min(left, point.x());
                right = std::max(right, point.x());
                top = std::max(top, point.y());
            }
    for (const LabSpan& span : m_chart.spans) {
        left = std::min(left, span.start);
        right = std::max(right, span.end);
    }
    m_left = std::isfinite(left) ? left : 0;
    m_right = std::isfinite(right) && right > m_left ? right : m_left + 1;
    if (valuesOf(m_chart, &QPointF::y) == AxisValues::counts) {
        m_step = niceStep(top, kSteps, AxisValues::counts);
        m_top = std::max(1.0, std::ceil(top / m_step)) * m_step;
    } else {
        m_top = niceTop(top);
        m_step = m_top / kSteps;
    }
}

QSize LabChartView::sizeHint() const {
    return {640, heightForWidth(640)};
}

int LabChartView::heightForWidth(int width) const {
    int height = m_theme.px(kPlotHeight);
    if (m_chart.kind == LabChart::Kind::gantt)
        height = static_cast<int>(m_chart.categories.size()) * rowHeight() + m_theme.px(kTitle) + 8;
    if (m_chart.kind == LabChart::Kind::bars)
        height = static_cast<int>(m_chart.categories.size()) *
            (static_cast<int>(m_chart.series.size()) * m_theme.px(16) + 8);
    return height + headOf(width).height + bottomRoom();
}

int LabChartView::bottomRoom() const {
    return m_theme.px(m_chart.kind == LabChart::Kind::bars ? kBarsBottom : kBottom);
}

QString LabChartView::titleText() const {
    return m_chart.kind == LabChart::Kind::lines && !m_chart.yLabel.isEmpty()
        ? QStringLiteral("%1, %2").arg(m_chart.title, m_chart.yLabel)
        : m_chart.title.text();
}

/// Title and names of the series: in one line where they fit, else below each other, in as many lines as they need.
LabChartView::Head LabChartView::headOf(int width) const {
    const QFontMetrics title(m_theme.font(TextRole::smallMedium)), names(m_theme.font(TextRole::small));
    const int line = m_theme.px(kTitle);
    Head head;
    const bool hasLegend =
        m_chart.kind == LabChart::Kind::lines || (m_chart.kind == LabChart::Kind::bars && m_chart.series.size() > 1);
    int legend = 0;
    for (std::size_t i = 0; hasLegend && i < m_chart.series.size(); ++i)
        legend += kSwatchRoom + names.horizontalAdvance(m_chart.series[i].name);
    const bool isOneLine = title.horizontalAdvance(titleText()) + legend + kRightRoom <= width;
    head.title = isOneLine
        ? line
        : std::max(line, title.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, titleText()).height() + 4);
    head.height = head.title;
    if (!hasLegend)
        return head;
    int x = isOneLine ? width - kRightRoom - legend : 0, y = isOneLine ? 0 : head.title;
    for (const LabSeries& series : m_chart.series) {
        const int wide = kSwatchRoom + names.horizontalAdvance(series.name);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        head.names.emplace_back(x, y, wide, line);
        x += wide;
    }
    head.height = std::max(head.title, y + line);
    return head;
}

QRectF LabChartView::plotArea() const {
    const QFontMetrics metrics(m_theme.font(TextRole::small));
    int left = m_theme.px(64);
    if (m_chart.kind != LabChart::Kind::lines)
        for (const LabText& name : m_chart.categories)
            left = std::max(left, metrics.horizontalAdvance(name) + 24);
    left = std::min(left, width() / 3);
    int right = kRightRoom;
    for (const LabSpan& span : m_chart.spans) // what stands behind the last end
        if (span.kind == LabSpan::Kind::end)
            right = std::max(right, kEndRoom + metrics.horizontalAdvance(span.text) + 4);
    const int top = headOf(width()).height + 8;
    return {double(left), double(top), double(std::max(20, width() - left - right)),
        double(std::max(20, height() - top - bottomRoom()))};
}

std::vector<double> LabChartView::yTicks() const {
    return ticksFrom(m_bottom, m_top, m_step);
}

std::vector<double> LabChartView::xTicks() const {
    const bool hasCounts =
        m_chart.kind == LabChart::Kind::lines && valuesOf(m_chart, &QPointF::x) == AxisValues::counts;
    const int most = std::clamp(static_cast<int>(plotArea().width()) / m_theme.px(70), 2, 8);
    return ticksFrom(
        m_left, m_right, niceStep(m_right - m_left, most, hasCounts ? AxisValues::counts : AxisValues::any));
}

QPointF LabChartView::at(const QRectF& area, const QPointF& value) const {
    return {area.left() + (value.x() - m_left) / (m_right - m_left) * area.width(),
        area.bottom() - (value.y() - m_bottom) / (m_top - m_bottom) * area.height()};
}

QColor LabChartView::inkOf(std::size_t series) const {
    return m_theme.color(kInks[series % std::size(kInks)]);
}

QString LabChartView::textTwin() const {
    QStringList parts{m_chart.title};
    for (const LabSeries& series : m_chart.series) {
        QStringList points;
        for (const QPointF& point : series.points)
            points += m_chart.kind == LabChart::Kind::bars
                ? m_chart.categories.value(static_cast<int>(point.x())).text() + u' ' + axisText(point.y())
                : QStringLiteral("%1: %2").arg(axisText(point.x()), axisText(point.y()));
        parts += series.name + QStringLiteral(": ") + points.join(QStringLiteral(", "));
    }
    for (const LabSpan& span : m_chart.spans)
        if (span.kind == LabSpan::Kind::end)
            parts += QStringLiteral("%1 %2").arg(m_chart.categories.value(span.row), span.text);
    return parts.join(QStringLiteral("; "));
}

void LabChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // axes run so in every language
    painter.setFont(m_theme.font(TextRole::smallMedium));
    painter.setPen(m_theme.color(Color::text2));
    const Head head = headOf(width());
    painter.drawText(
        QRect(0, 0, width(), head.title), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, titleText());
    painter.setFont(m_theme.font(TextRole::small));
    paintLegend(painter, head);
    if (m_chart.kind != LabChart::Kind::bars)
        paintAxes(painter);
    if (m_chart.kind == LabChart::Kind::lines)
        paintLines(painter);
    else if (m_chart.kind == LabChart::Kind::bars)
        paintBars(painter);
    else
        paintGantt(painter);
    if (m_chart.kind == LabChart::Kind::lines && m_cursor >= 0)
        paintCursor(painter);
}

void LabChartView::paintLegend(QPainter& painter, const Head& head) {
    for (std::size_t i = 0; i < head.names.size(); ++i) {
        const LabSeries& series = m_chart.series[i];
        const QRect& box = head.names[i];
        const int middle = box.center().y();
        if (m_chart.kind == LabChart::Kind::bars) {
            painter.fillRect(QRect(box.left() + 18, middle - 5, 10, 10), inkOf(i));
        } else {
            painter.setPen(QPen(inkOf(i), 2, dashOf(i, series.expected)));
            painter.drawLine(box.left() + 6, middle, box.left() + 28, middle);
        }
        painter.setPen(m_theme.color(Color::text2));
        painter.drawText(box.adjusted(kSwatchRoom - 8, 0, 2, 0), Qt::AlignVCenter, series.name);
    }
}

void LabChartView::paintAxes(QPainter& painter) {
    const QRectF area = plotArea();
    const QColor line = m_theme.color(Color::hairline);
    painter.setPen(m_theme.color(Color::text3));
    const int text = m_theme.lineHeight(TextRole::small);
    if (m_chart.kind == LabChart::Kind::lines) {
        for (const double value : yTicks()) {
            const double y = at(area, {m_left, value}).y();
            paintHairline(painter, QRectF(area.left(), y, area.width(), 1).toRect(), Qt::TopEdge, line);
            painter.setPen(m_theme.color(Color::text3));
            painter.drawText(
                QRectF(0, y - text / 2.0, area.left() - 8, text), Qt::AlignRight | Qt::AlignVCenter, axisText(value));
        }
    }
    for (const double value : xTicks()) {
        const double x = at(area, {value, 0}).x();
        paintHairline(painter, QRectF(x, area.top(), 1, area.height()).toRect(), Qt::LeftEdge, line);
        painter.setPen(m_theme.color(Color::text3));
        painter.drawText(QRectF(x - 40, area.bottom() + 2, 80, text), Qt::AlignCenter, axisText(value));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 2 + text, area.width(), text), Qt::AlignRight, m_chart.xLabel);
}

void LabChartView::paintLines(QPainter& painter) {
    const QRectF area = plotArea();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        const LabSeries& series = m_chart.series[i];
        QPainterPath path;
        bool open = false;
        for (const QPointF& point : series.points) {
            if (!std::isfinite(point.y())) {
                open = false;
                continue;
            }
            const QPointF where = at(area, point);
            open ? path.lineTo(where) : path.moveTo(where);
            open = true;
        }
        QPen pen(inkOf(i), 1.8, dashOf(i, series.expected));
        pen.setJoinStyle(Qt::RoundJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        if (series.expected || series.points.size() > 40)
            continue; // measured points are marked, a formula has none
        painter.setBrush(inkOf(i));
        for (const QPointF& point : series.points)
            if (std::isfinite(point.y()))
                painter.drawEllipse(at(area, point), 2.5, 2.5);
    }
}

void LabChartView::paintBars(QPainter& painter) {
    const QRectF area = plotArea();
    const int bar = m_theme.px(14), pitch = m_theme.px(16);
    const QFontMetrics metrics(painter.font());
    const double wide = area.width() - m_theme.px(90); // the values stand behind the bars
    double y = area.top();
    for (int category = 0; category < m_chart.categories.size(); ++category) {
        const double high = static_cast<double>(m_chart.series.size()) * pitch;
        painter.setPen(m_theme.color(Color::text1));
        painter.drawText(QRectF(0, y, area.left() - 10, high), Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(m_chart.categories[category], Qt::ElideRight, static_cast<int>(area.left()) - 12));
        for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
            const double top = y + static_cast<double>(i) * pitch + 1;
            const auto& points = m_chart.series[i].points;
            const auto found = std::find_if(points.begin(), points.end(),
                [&](const QPointF& point) { return static_cast<int>(point.x()) == category; });
            const bool known = found != points.end() && std::isfinite(found->y());
            const double length = known ? std::max(1.0, found->y() / m_top * wide) : 0;
            const QRect box(static_cast<int>(area.left()), static_cast<int>(top), static_cast<int>(length), bar);
            painter.fillRect(box, inkOf(i));
            if (m_chart.series[i].expected)
                paintHatch(painter, box, m_theme.color(Color::page));
            painter.setPen(m_theme.color(Color::text2));
            painter.drawText(QRectF(area.left() + length + 6, top, m_theme.px(120), bar), Qt::AlignVCenter,
                known ? axisText(found->y()) +
                        (m_chart.yLabel.isEmpty() ? QString() : kNoBreakSpace + m_chart.yLabel.text())
                      : QString(kNone));
        }
        y += high + 8;
    }
}

void LabChartView::paintGantt(QPainter& painter) {
    const QRectF area = plotArea();
    const int high = rowHeight();
    for (int row = 0; row < m_chart.categories.size(); ++row) {
        const QString name = m_chart.categories[row];
        const bool group = name.startsWith(u'#');
        const QRectF line(0, area.top() + row * high, area.left() - 10, high);
        painter.setFont(m_theme.font(group ? TextRole::strong : TextRole::small));
        painter.setPen(m_theme.color(group ? Color::text1 : Color::text3));
        if (group) // nothing else stands in its line
            painter.drawText(QRectF(0, line.top(), width(), high), Qt::AlignLeft | Qt::AlignVCenter, name.mid(1));
        else
            painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                QFontMetrics(painter.font()).elidedText(name, Qt::ElideRight, static_cast<int>(line.width())));
        if (group && row > 0)
            paintHairline(
                painter, QRectF(0, line.top(), width(), 1).toRect(), Qt::TopEdge, m_theme.color(Color::hairline));
    }
    painter.setFont(m_theme.font(TextRole::small));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const LabSpan& span : m_chart.spans)
        paintSpan(painter, span, span.row, area);
}

void LabChartView::paintSpan(QPainter& painter, const LabSpan& span, int row, const QRectF& area) {
    const int high = rowHeight();
    const double left = at(area, {span.start, 0}).x(), right = at(area, {span.end, 0}).x();
    const double middle = area.top() + (row + 0.5) * high, bar = high - 6;
    const QRectF box(left + 0.5, middle - bar / 2, std::max(1.5, right - left - 1), bar);
    painter.setPen(Qt::NoPen);
    switch (span.kind) {
    case LabSpan::Kind::arrival:
        painter.fillRect(QRectF(left, middle - bar / 2, 1.5, bar), m_theme.color(Color::text1));
        return;
    case LabSpan::Kind::queued:
        painter.setBrush(m_theme.color(Color::queued));
        painter.drawRect(QRectF(left, middle - 2.5, right - left, 5));
        return;
    case LabSpan::Kind::prefill:
        painter.setBrush(m_theme.color(Color::prefill));
        break;
    case LabSpan::Kind::decode:
        painter.setBrush(m_theme.color(Color::decode));
        break;
    case LabSpan::Kind::padding:
        painter.setPen(QPen(m_theme.color(Color::decode), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, 2, 2);
        paintHatch(painter, box.toRect().adjusted(1, 1, -1, -1), m_theme.color(Color::decode));
        return;
    case LabSpan::Kind::end:
        painter.setPen(QPen(m_theme.color(Color::text2), 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(right + 4, middle - 3.5, 7, 7));
        painter.drawText(
            QRectF(right + kEndRoom, middle - high / 2.0, width() - right, high), Qt::AlignVCenter, span.text);
        return;
    }
    painter.drawRoundedRect(box, 2, 2);
    if (!span.text.isEmpty() && QFontMetrics(painter.font()).horizontalAdvance(span.text) + 4 < box.width()) {
        painter.setPen(m_theme.color(Color::inLane));
        painter.drawText(box, Qt::AlignCenter, span.text);
    }
}

void LabChartView::paintCursor(QPainter& painter) {
    const QRectF area = plotArea();
    if (m_cursor < area.left() || m_cursor > area.right())
        return;
    const double x = m_left + (m_cursor - area.left()) / area.width() * (m_right - m_left);
    paintHairline(
        painter, QRectF(m_cursor, area.top(), 1, area.height()).toRect(), Qt::LeftEdge, m_theme.color(Color::text2));
    QStringList words;
    for (const LabSeries& series : m_chart.series) {
        const auto nearest = std::min_element(series.points.begin(), series.points.end(),
            [x](const QPointF& a, const QPointF& b) { return std::abs(a.x() - x) < std::abs(b.x() - x); });
        if (nearest != series.points.end() && std::isfinite(nearest->y()))
            words += QStringLiteral("%1 %2: %3").arg(series.name, axisText(nearest->x()), axisText(nearest->y()));
    }
    const QFontMetrics metrics(painter.font());
    int wide = 0;
    for (const QString& word : words)
        wide = std::max(wide, metrics.horizontalAdvance(word));
    QRectF box(m_cursor + 10, area.top() + 4, wide + 16, static_cast<double>(words.size()) * metrics.height() + 10);
    if (box.right() > width())
        box.moveRight(m_cursor - 10);
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.setBrush(m_theme.color(Color::popup));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(m_theme.color(Color::text1));
    painter.drawText(box.adjusted(8, 5, 0, 0), words.join(u'\n'));
}

void LabChartView::mouseMoveEvent(QMouseEvent* event) {
    if (m_chart.kind != LabChart::Kind::lines)
        return;
    m_cursor = event->position().x();
    update();
}

void LabChartView::leaveEvent(QEvent*) {
    if (m_cursor >= 0) {
        m_cursor = -1;
        update();
    }
}

} // namespace vitrine::ui
