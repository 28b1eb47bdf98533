// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: a track: grid, gutter and what marks a moment; the curves are a layer that moves over the grid.
#include "ui/widgets/live_plot.h"

#include "ui/widgets/axis_ticks.h"
#include "ui/widgets/curve_layer.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plot_legend.h"
#include "ui/widgets/plot_link.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace vitrine::ui {
namespace {

constexpr int kOver = 2; // rows of the curves above the top grid line
constexpr double kShrinkBelow = 0.6; // of the top, for kShrinkAfterMs
constexpr int kShrinkAfterMs = 10'000;
constexpr double kDragPixels = 4;
constexpr int kLegendTop = 1, kLegendLeft = 3; // pixels from the upper edge of the widget, from the gutter

/// A figure that stays readable where a curve runs behind it.
void drawOnGround(QPainter& painter, const Theme& theme, const QPointF& baseline, const QString& text) {
    const QFontMetrics metrics(painter.font());
    painter.fillRect(metrics.boundingRect(text).translated(baseline.toPoint()).adjusted(-2, 0, 2, 0),
        theme.color(Color::page, 0.85));
    painter.drawText(baseline, text);
}

/// Whether a part of it is on screen.
bool isInView(const QWidget& widget) {
    QRect part = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow() && at->parentWidget() != nullptr; at = at->parentWidget())
        part = part.translated(at->pos()).intersected(at->parentWidget()->rect());
    return !part.isEmpty();
}

} // namespace

struct LivePlot::Parts {
    const Theme& theme;
    TimeWindow& window;
    std::vector<SeriesStyle> styles;
    CurveLayer curves;
    PlotLink* link = nullptr; // null: nothing explains it
    PlotLegend* legend = nullptr; // null: one series, named by the label
    QString label, shortLabel, unit, value, valueUnit, beside;
    std::function<QString(double)> topText = [](double number) {
        return number < 10 && number != std::floor(number) ? fixedText(number, 1) : countText(std::llround(number));
    };
    QRect track; // of the curves
    double fixedTop = 0, top = 1, ownTop = 1;
    AxisValues axis = AxisValues::any;
    QElapsedTimer lowSince; // running while the data stay far below the top
    bool dimmed = false;
    bool stale = false; // something changed while hidden
    bool moves = false; // move() is on its way
    QRegion moved; // what it repainted last
    double shownSpan = 0; // as painted
    bool hasRun = false; // a figure is written behind a run of bars, and moves with it
    int paints = 0;
    double pressX = -1;

    Parts(const Theme& theTheme, TimeWindow& theWindow, std::vector<SeriesStyle> theStyles)
        : theme(theTheme), window(theWindow), styles(std::move(theStyles)), curves(styles) {}

    void style();
    /// Of the curves, with some rows above the track: what is at the top would else hide in its grid line.
    [[nodiscard]] CurveFrame frame(qreal scale) const {
        const double stretch = (track.height() + double(kOver)) / track.height();
        return {track.size() + QSize(0, kOver), scale, window.start(), window.end(), top * stretch, ownTop * stretch};
    }
    [[nodiscard]] QPoint curveCorner() const { return track.topLeft() - QPoint(0, kOver); }
    [[nodiscard]] bool writesRun() const;
    /// Above the top grid line: half of its tick's text; a legend takes lines of its own there.
    [[nodiscard]] int topRoom() const {
        return legend != nullptr ? kLegendTop + legend->sizeHint().height() : theme.lineHeight(TextRole::small) / 2;
    }
    [[nodiscard]] int bottomRoom() const { return theme.lineHeight(TextRole::small) / 2 - 2; }
    [[nodiscard]] int legendLeft() const {
        return window.gutter() + kLegendLeft + (link != nullptr ? link->sizeHint().width() : 0);
    }
    [[nodiscard]] int legendRoom(int width) const { return width - TimeWindow::kRightMargin - legendLeft(); }
    [[nodiscard]] int labelRoom() const;
    [[nodiscard]] QString shownLabel() const;
    [[nodiscard]] double highest(bool own) const;
    void scale();
    /// The widest run of bars in view, as first and last time and its highest value; nothing if there is none.
    [[nodiscard]] std::optional<std::tuple<double, double, double>> widestRun(std::size_t series) const;
};

int LivePlot::Parts::labelRoom() const {
    const QFontMetrics small(theme.font(TextRole::small));
    return window.gutter() - Measure::kSpace4 - 8 - small.horizontalAdvance(topText(top)) - 6;
}

QString LivePlot::Parts::shownLabel() const {
    const QFontMetrics small(theme.font(TextRole::small));
    const QString text = small.elidedText(label, Qt::ElideRight, labelRoom());
    return shortLabel.isEmpty() || text == label ? text : small.elidedText(shortLabel, Qt::ElideRight, labelRoom());
}

void LivePlot::Parts::style() {
    curves.setInks(theme, styles, dimmed);
    if (legend != nullptr)
        legend->setSeries(styles, dimmed);
}

double LivePlot::Parts::highest(bool own) const {
    double result = 0;
    for (std::size_t i = 0; i < styles.size(); ++i) {
        if (styles[i].ownScale != own)
            continue;
        const auto &times = curves.times(i), &values = curves.values(i);
        const auto first = std::lower_bound(times.begin(), times.end(), window.start()) - times.begin();
        for (auto j = static_cast<std::size_t>(first); j < times.size() && times[j] <= window.end(); ++j)
            if (values[j] > result)
                result = values[j];
    }
    return result;
}

void LivePlot::Parts::scale() {
    const double needed = niceTop(highest(false), axis);
    if (fixedTop > 0) {
        top = fixedTop;
    } else if (needed > top) {
        top = needed;
        lowSince.invalidate();
    } else if (needed < top * kShrinkBelow) {
        if (!lowSince.isValid())
            lowSince.start();
        else if (lowSince.elapsed() > kShrinkAfterMs)
            top = needed;
    } else {
        lowSince.invalidate();
    }
    ownTop = std::max(1.0, highest(true) * 1.08);
}

std::optional<std::tuple<double, double, double>> LivePlot::Parts::widestRun(std::size_t series) const {
    const auto &times = curves.times(series), &values = curves.values(series);
    std::optional<std::tuple<double, double, double>> widest;
    double first = 0, high = 0;
    bool open = false;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (std::isnan(values[i])) {
            const double last = times[i];
            if (open && last > window.start() &&
                (!widest || last - first > std::get<1>(*widest) - std::get<0>(*widest)))
                widest = std::tuple(first, last, high);
            open = false;
            continue;
        }
        if (!open)
            first = times[i];
        high = open ? std::max(high, values[i]) : values[i];
        open = true;
    }
    return widest;
}

bool LivePlot::Parts::writesRun() const {
    for (std::size_t i = 0; i < styles.size(); ++i)
        if (styles[i].ownScale && widestRun(i))
            return true;
    return false;
}

LivePlot::LivePlot(const Theme& theme, TimeWindow& window, std::vector<SeriesStyle> series, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(theme, window, std::move(series))) {
    if (m_parts->styles.size() > 1)
        m_parts->legend = new PlotLegend(theme, this);
    m_parts->style();
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent); // what lies below is not painted for every move
    connect(&window, &TimeWindow::windowChanged, this, &LivePlot::replotSoon);
    connect(&window, &TimeWindow::gutterChanged, this, [this] { resizeEvent(nullptr); });
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::selectionChanged, &TimeWindow::playheadChanged})
        connect(&window, signal, this, [this] { update(); });
    connect(&theme, &Theme::changed, this, [this] {
        m_parts->style();
        resizeEvent(nullptr); // the line of the legend
        updateGeometry();
        replotSoon();
        update();
    });
}

LivePlot::~LivePlot() = default;

void LivePlot::setLabels(const QString& label, const QString& unit) {
    m_parts->label = label;
    m_parts->unit = unit;
    setAccessibleName(label);
    update();
}

void LivePlot::setShortLabel(const QString& label) {
    m_parts->shortLabel = label;
    update();
}

void LivePlot::setCurrent(const QString& value, const QString& unit, const QString& beside) {
    Parts& parts = *m_parts;
    if (value == parts.value && unit == parts.valueUnit && beside == parts.beside)
        return;
    parts.value = value;
    parts.valueUnit = unit;
    parts.beside = beside;
    setAccessibleDescription(QStringLiteral("%1 %2 %3").arg(value, unit, beside));
    update(valueRow());
}

QRect LivePlot::valueRow() const {
    const int line1 = m_parts->theme.lineHeight(TextRole::small), line2 = m_parts->theme.lineHeight(TextRole::section);
    const int top = std::max(2, (height() - line1 - line2) / 2 - 2) + line1;
    const int tick = m_parts->theme.px(24); // the lowest one stands beside it
    return {Measure::kSpace4, top, m_parts->window.gutter() - Measure::kSpace4 - tick, line2 + 2};
}

void LivePlot::setSeriesName(int series, const QString& name) {
    QString& current = m_parts->styles[static_cast<std::size_t>(series)].name;
    if (name == current)
        return;
    current = name;
    m_parts->style();
    resizeEvent(nullptr); // the lines of the legend
}

void LivePlot::setFixedTop(double top) {
    if (top != m_parts->fixedTop) {
        m_parts->fixedTop = top;
        replotSoon();
    }
}

void LivePlot::setCounts() {
    m_parts->axis = AxisValues::counts;
    replotSoon();
}

void LivePlot::setLink(const QString& tip) {
    m_parts->link = new PlotLink(m_parts->theme, tip, this);
    connect(m_parts->link, &QAbstractButton::clicked, this, &LivePlot::linkActivated);
    placeLegend();
}

void LivePlot::setTopText(std::function<QString(double)> text) {
    m_parts->topText = std::move(text);
}

void LivePlot::setPoints(int series, std::vector<double> times, std::vector<double> values) {
    const bool isChanged =
        m_parts->curves.setPoints(static_cast<std::size_t>(series), std::move(times), std::move(values));
    if (isChanged)
        replotSoon();
}

void LivePlot::setDimmed(bool dimmed) {
    if (dimmed != m_parts->dimmed) {
        m_parts->dimmed = dimmed;
        m_parts->style();
        replotSoon();
        update();
    }
}

int LivePlot::numSeries() const {
    return static_cast<int>(m_parts->styles.size());
}

double LivePlot::top() const {
    return m_parts->top;
}

double LivePlot::valueAt(int series, double time) const {
    const auto& times = m_parts->curves.times(static_cast<std::size_t>(series));
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin())
        return std::numeric_limits<double>::quiet_NaN();
    return m_parts->curves.values(
        static_cast<std::size_t>(series))[static_cast<std::size_t>(after - times.begin() - 1)];
}

QSize LivePlot::sizeHint() const {
    return {600, m_parts->theme.px(55)};
}

QRect LivePlot::curveArea() const {
    return m_parts->track;
}

int LivePlot::paintCount() const {
    return m_parts->paints;
}

QRegion LivePlot::lastMoved() const {
    return m_parts->moved;
}

int LivePlot::drawCount() const {
    return m_parts->curves.wholeDraws() + m_parts->curves.stripDraws();
}

void LivePlot::replotSoon() {
    if (!isVisible()) {
        m_parts->stale = true;
        return;
    }
    const double top = m_parts->top;
    m_parts->scale();
    const bool isOtherGrid = m_parts->window.span() != m_parts->shownSpan; // its lines cross the whole height
    if (isOtherGrid || m_parts->window.moment() || m_parts->window.selection())
        update();
    else if (top != m_parts->top)
        update(0, 0, m_parts->window.gutter(), height());
    if (std::exchange(m_parts->moves, true))
        return;
    QMetaObject::invokeMethod(this, &LivePlot::move, Qt::QueuedConnection); // once for a move and all new points
}

/// Only the curves move: legend, grid and the texts of the gutter mostly stand still, and so do most rows of the curves.
void LivePlot::move() {
    Parts& parts = *m_parts;
    parts.moves = false;
    if (!isVisible() || !isInView(*this))
        return; // what scrolls into view is painted then
    const bool hasRun = parts.writesRun(), hadRun = std::exchange(parts.hasRun, hasRun);
    const QRegion other = parts.curves.advance(parts.frame(devicePixelRatioF()));
    parts.moved =
        hasRun || hadRun ? QRegion(parts.track.adjusted(0, -kOver, 0, 0)) : other.translated(parts.curveCorner());
    if (!parts.moved.isEmpty())
        update(parts.moved);
}

void LivePlot::resizeEvent(QResizeEvent*) {
    placeLegend();
    const int gutter = m_parts->window.gutter();
    const int top = m_parts->topRoom();
    m_parts->track = QRect(gutter, top, std::max(10, width() - gutter - TimeWindow::kRightMargin),
        std::max(10, height() - top - m_parts->bottomRoom()));
    m_parts->scale();
    update();
}

void LivePlot::placeLegend() {
    // Above the curves and where the oldest data are: what is new is never covered.
    if (PlotLink* link = m_parts->link)
        link->setGeometry(QRect(QPoint(m_parts->window.gutter() + kLegendLeft, kLegendTop), link->sizeHint()));
    PlotLegend* legend = m_parts->legend;
    if (legend == nullptr)
        return;
    legend->setRoom(m_parts->legendRoom(width()));
    legend->setGeometry(QRect(QPoint(m_parts->legendLeft(), kLegendTop), legend->sizeHint()));
}

int LivePlot::legendGrowth(int width) const {
    const PlotLegend* legend = m_parts->legend;
    return legend == nullptr ? 0 : legend->heightFor(m_parts->legendRoom(width)) - legend->lineHeight();
}

QString LivePlot::shownLabel() const {
    return m_parts->shownLabel();
}

void LivePlot::paintEvent(QPaintEvent* event) {
    ++m_parts->paints;
    if (std::exchange(m_parts->stale, false))
        m_parts->scale();
    m_parts->shownSpan = m_parts->window.span();
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // time runs from left to right in every language
    const int gutter = m_parts->window.gutter();
    painter.fillRect(event->rect(), m_parts->theme.color(Color::page));
    if (event->rect().right() >= gutter)
        paintTrack(painter);
    if (event->rect().left() < gutter)
        paintGutter(painter, event->rect());
    paintHairline(painter, rect(), Qt::BottomEdge, m_parts->theme.color(Color::hairline));
}

void LivePlot::paintTrack(QPainter& painter) {
    Parts& parts = *m_parts;
    const Theme& theme = parts.theme;
    const QRect track = parts.track;
    const QColor line = theme.color(Color::hairline);
    for (const double time : parts.window.gridLines())
        paintHairline(
            painter, QRect(static_cast<int>(parts.window.xOf(time, width())), 0, 1, height()), Qt::LeftEdge, line);
    for (const int y : {track.top(), track.center().y(), track.bottom()})
        paintHairline(painter, QRect(track.left(), y, track.width(), 1), Qt::TopEdge, line);
    if (const auto selection = parts.window.selection()) {
        const double left = parts.window.xOf(selection->first, width());
        const double right = parts.window.xOf(selection->second, width());
        painter.fillRect(QRectF(left, 0, right - left, height()), theme.color(Color::accent, 0.12));
    }
    parts.curves.paint(painter, parts.curveCorner(), parts.frame(devicePixelRatioF()));
    if (const auto moment = parts.window.moment())
        paintHairline(painter, QRect(static_cast<int>(parts.window.xOf(*moment, width())), 0, 1, height()),
            Qt::LeftEdge, theme.color(parts.window.cursor() ? Color::text2 : Color::accent));
    for (std::size_t i = 0; i < parts.styles.size(); ++i) {
        const auto run = parts.styles[i].ownScale ? parts.widestRun(i) : std::nullopt;
        if (!run)
            continue;
        painter.setFont(theme.font(TextRole::small));
        painter.setPen(theme.color(parts.dimmed ? Color::text3 : parts.styles[i].color));
        const double high = std::get<2>(*run); // its scale is its own: the legend names it
        const bool isCount = parts.axis == AxisValues::counts && high == std::floor(high);
        const QString text = isCount ? countText(std::llround(high)) : rateText(high);
        const double x = parts.window.xOf(std::get<1>(*run), width()) + 4;
        if (x + QFontMetrics(painter.font()).horizontalAdvance(text) < width() - TimeWindow::kRightMargin)
            drawOnGround(painter, theme, QPointF(x, track.top() + theme.lineHeight(TextRole::small) - 4), text);
    }
}

/// Label, value with unit, what stands beside it, ticks.
void LivePlot::paintGutter(QPainter& painter, const QRect& dirty) {
    const Parts& parts = *m_parts;
    const Theme& theme = parts.theme;
    const QRect track = parts.track;
    const int left = Measure::kSpace4, gutter = parts.window.gutter();
    painter.setFont(theme.font(TextRole::small));
    painter.setPen(theme.color(parts.dimmed ? Color::text3 : Color::text2));
    const int line1 = theme.lineHeight(TextRole::small);
    const QFontMetrics small(painter.font());
    const QRect row = valueRow().adjusted(0, 0, 0, -2);
    if (!valueRow().contains(dirty)) { // else only the value is another one
        const QString topText = parts.topText(parts.top);
        painter.drawText(
            QRect(left, row.top() - line1, parts.labelRoom(), line1), Qt::AlignVCenter, parts.shownLabel());
        painter.setPen(theme.color(Color::text3));
        painter.drawText(
            QRect(0, track.top() - line1 / 2 - 1, gutter - 8, line1), Qt::AlignRight | Qt::AlignVCenter, topText);
        painter.drawText(QRect(0, track.bottom() - line1 / 2 - 2, gutter - 8, line1), Qt::AlignRight | Qt::AlignVCenter,
            QStringLiteral("0"));
    }
    painter.setPen(theme.color(Color::text3));
    const QFont strong = theme.font(TextRole::section);
    const int advance = QFontMetrics(strong).horizontalAdvance(parts.value);
    painter.drawText(row.adjusted(advance + 4, 2, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, parts.valueUnit);
    const int taken =
        advance + 4 + small.horizontalAdvance(parts.valueUnit) + small.horizontalAdvance(parts.beside) + 8;
    if (taken <= row.width()) // the narrow gutter shows the value only
        painter.drawText(row.adjusted(0, 2, 0, 0), Qt::AlignRight | Qt::AlignVCenter, parts.beside);
    painter.setFont(strong);
    painter.setPen(theme.color(parts.dimmed ? Color::text3 : Color::text1));
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, parts.value);
}

QString LivePlot::legendText() const {
    return m_parts->legend != nullptr ? m_parts->legend->text() : QString();
}

QString LivePlot::seriesText(double time) const {
    QStringList words;
    for (std::size_t i = 0; i < m_parts->styles.size(); ++i) {
        const SeriesStyle& style = m_parts->styles[i];
        const double below = style.stacked ? valueAt(static_cast<int>(i) + 1, time) : 0;
        const double value = valueAt(static_cast<int>(i), time) - below;
        QString text = std::isnan(value) ? QString(kNone) : m_parts->topText(value);
        if (!std::isnan(value) && !m_parts->unit.isEmpty() && text.back().isDigit()) // else it carries one of its own
            text += kNoBreakSpace + m_parts->unit;
        words += QStringLiteral("%1: %2").arg(style.name, text);
    }
    return words.join(u'\n');
}

bool LivePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (help->pos().x() >= m_parts->window.gutter())
        QToolTip::showText(help->globalPos(), seriesText(m_parts->window.timeAt(help->pos().x(), width())), this);
    return true;
}

void LivePlot::mouseMoveEvent(QMouseEvent* event) {
    Parts& parts = *m_parts;
    const double x = event->position().x();
    if (x < parts.window.gutter())
        return parts.window.setCursor({});
    const double time = std::min(parts.window.timeAt(x, width()), parts.window.end());
    parts.window.setCursor(time);
    emit cursorRead(time);
    if (parts.pressX >= 0 && std::abs(x - parts.pressX) > kDragPixels)
        parts.window.setSelection(std::pair(parts.window.timeAt(parts.pressX, width()), time));
}

void LivePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && event->position().x() >= m_parts->window.gutter()) {
        m_parts->pressX = event->position().x();
        const auto selection = m_parts->window.selection();
        const double time = m_parts->window.timeAt(m_parts->pressX, width());
        if (!selection || time < selection->first || time > selection->second) // inside: perhaps a double click
            m_parts->window.setSelection({});
    }
}

void LivePlot::mouseReleaseEvent(QMouseEvent*) {
    m_parts->pressX = -1;
}

void LivePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto selection = m_parts->window.selection();
    const double time = m_parts->window.timeAt(event->position().x(), width());
    if (selection && time >= selection->first && time <= selection->second)
        m_parts->window.zoomTo(selection->first, selection->second);
    else if (event->position().x() >= m_parts->window.gutter())
        m_parts->window.setPlayhead(std::min(time, m_parts->window.end()));
}

void LivePlot::leaveEvent(QEvent*) {
    m_parts->window.setCursor({});
}

void LivePlot::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) == 0)
        return event->ignore(); // the page scrolls; with Ctrl the time zooms
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    m_parts->window.zoom(factor, m_parts->window.timeAt(event->position().x(), width()));
    event->accept();
}

} // namespace vitrine::ui
