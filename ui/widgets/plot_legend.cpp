// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the legend of a plot.
#include "ui/widgets/plot_legend.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr int kMark = 12, kMarkGap = 5, kEntryGap = 12, kPad = 6; // units of the theme
constexpr double kGround = 0.82; // opacity: what lies below shows, the words stay readable

} // namespace

PlotLegend::PlotLegend(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void PlotLegend::setSeries(const std::vector<SeriesStyle>& series, bool dimmed) {
    m_series = series;
    std::erase_if(m_series, [](const SeriesStyle& one) { return one.name.isEmpty(); }); // it has nothing to show
    m_dimmed = dimmed;
    arrange();
}

void PlotLegend::setRoom(int width) {
    if (width != std::exchange(m_room, width))
        arrange();
}

int PlotLegend::heightFor(int width) const {
    return placesIn(width).size.height();
}

int PlotLegend::lineHeight() const {
    return m_theme.lineHeight(TextRole::small) + 2;
}

PlotLegend::Places PlotLegend::placesIn(int width) const {
    const QFontMetrics metrics(m_theme.font(TextRole::small));
    const int pad = m_theme.px(kPad), before = m_theme.px(kMark) + m_theme.px(kMarkGap), gap = m_theme.px(kEntryGap);
    Places places;
    int x = pad, y = 0, widest = 0;
    for (const SeriesStyle& one : m_series) {
        const int wide = before + metrics.horizontalAdvance(one.name);
        if (x > pad && x + wide + pad > width) {
            x = pad;
            y += lineHeight();
        }
        places.corners.emplace_back(x, y);
        widest = std::max(widest, x + wide + pad);
        x += wide + gap;
    }
    places.size = {widest, y + lineHeight()};
    return places;
}

void PlotLegend::arrange() {
    Places places = placesIn(m_room);
    m_corners = std::move(places.corners);
    m_size = places.size;
    m_picture = {};
    update();
}

QString PlotLegend::text() const {
    QStringList names;
    for (const SeriesStyle& one : m_series)
        names += one.name;
    return names.join(QStringLiteral(", "));
}

void PlotLegend::paintMark(QPainter& painter, const SeriesStyle& style, const QRect& box) const {
    using Shape = SeriesStyle::Shape;
    const QColor ink = m_theme.color(m_dimmed ? Color::text3 : style.color);
    if (style.shape == Shape::area || style.shape == Shape::bars) {
        const QRect square = box.adjusted(1, 1, -1, -1);
        painter.fillRect(square, m_theme.color(m_dimmed ? Color::text3 : style.color, std::max(0.25, style.fill)));
        if (style.shape == Shape::bars) {
            painter.setPen(QPen(ink, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(square.adjusted(0, 0, -1, -1));
        }
        return;
    }
    QPen pen(ink, style.shape == Shape::dashed ? 1.4 : 2);
    if (style.shape == Shape::dashed)
        pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.drawLine(box.left(), box.center().y() + 1, box.right(), box.center().y() + 1);
}

void PlotLegend::render() {
    const qreal scale = devicePixelRatioF();
    m_picture = QPixmap(m_size * scale);
    m_picture.setDevicePixelRatio(scale);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    painter.setLayoutDirection(Qt::LeftToRight); // as the plot below it
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::page, kGround));
    painter.drawRoundedRect(QRectF(QPointF(), QSizeF(m_size)), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_theme.font(TextRole::small));
    const QFontMetrics metrics(painter.font());
    const int mark = m_theme.px(kMark), line = lineHeight();
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const QPoint corner = m_corners[i];
        paintMark(painter, m_series[i], QRect(corner + QPoint(0, (line - mark) / 2), QSize(mark, mark)));
        painter.setPen(m_theme.color(m_dimmed ? Color::text3 : Color::text2));
        const QString& name = m_series[i].name;
        painter.drawText(
            QRect(corner + QPoint(mark + m_theme.px(kMarkGap), 0), QSize(metrics.horizontalAdvance(name) + 2, line)),
            Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

void PlotLegend::paintEvent(QPaintEvent*) {
    if (m_picture.isNull() || !qFuzzyCompare(m_picture.devicePixelRatio(), devicePixelRatioF()))
        render();
    QPainter(this).drawPixmap(0, 0, m_picture);
}

} // namespace vitrine::ui
