// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: one track of live series beside its gutter.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/series_style.h"
#include "ui/widgets/time_axis.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

namespace vitrine::ui {

/// Paints nothing while hidden.  While time passes the curves are moved, not drawn anew (CurveLayer).
class LivePlot final : public QWidget {
    Q_OBJECT
public:
    LivePlot(const Theme& theme, TimeWindow& window, std::vector<SeriesStyle> series, QWidget* parent = nullptr);
    ~LivePlot() override;

    void setLabels(const QString& label, const QString& unit);
    void setShortLabel(const QString& label); // where the gutter is too narrow for the other one
    /// Value in the gutter and what stands right of it ("peak 211"); replaced by the cursor's read-out while it is on.
    void setCurrent(const QString& value, const QString& unit, const QString& beside);
    void setSeriesName(int series, const QString& name);
    void setFixedTop(double top); // blocks, 100 %, gamma
    void setCounts(); // requests, sequences: the axis ends at a whole number
    void setTopText(std::function<QString(double)> text); // of the tick labels
    /// A door to what explains the plot, in the track's upper left corner.
    void setLink(const QString& tip);
    /// Points of one series, times ascending.  Replaces them; nothing is painted for what is already there.
    void setPoints(int series, std::vector<double> times, std::vector<double> values);
    void setDimmed(bool dimmed); // idle: everything text3
    [[nodiscard]] int numSeries() const;
    [[nodiscard]] double top() const;
    /// Value of a series at a time: the last point at or before it; NaN if there is none.
    [[nodiscard]] double valueAt(int series, double time) const;
    /// Every series by name with its value at a time: the tool tip, so that colours are never alone.
    [[nodiscard]] QString seriesText(double time) const;
    [[nodiscard]] QString legendText() const; // as painted; empty: one series
    [[nodiscard]] int legendGrowth(int width) const; // height of the lines after its first, in a plot of that width
    [[nodiscard]] QString shownLabel() const; // as painted: the label, or the short one
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QRect curveArea() const;
    [[nodiscard]] int paintCount() const; // for tests
    [[nodiscard]] QRegion lastMoved() const; // what the last move of the curves repainted
    [[nodiscard]] int drawCount() const; // curves drawn, whole or a strip of them

signals:
    void cursorRead(double time); // so that the page can set the gutter's values
    void linkActivated();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override; // into a selection: zooms; elsewhere: playhead
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Parts;
    void replotSoon();
    void move(); // asks for a repaint of what looks different now
    void placeLegend();
    void paintTrack(QPainter& painter);
    void paintGutter(QPainter& painter, const QRect& dirty);
    [[nodiscard]] QRect valueRow() const; // of the gutter

    std::unique_ptr<Parts> m_parts;
};

} // namespace vitrine::ui
