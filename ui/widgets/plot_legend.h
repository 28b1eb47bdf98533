// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: which line of a plot is which, above the curves, in as many lines as its names need.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/series_style.h"

#include <QPixmap>
#include <QWidget>

#include <vector>

namespace vitrine::ui {

/// A mark as the series is drawn, and its name.  Painted once and then copied: the plot below it moves ten times a second.
class PlotLegend final : public QWidget {
    Q_OBJECT
public:
    explicit PlotLegend(const Theme& theme, QWidget* parent = nullptr);
    void setSeries(const std::vector<SeriesStyle>& series, bool dimmed);
    [[nodiscard]] QString text() const; // names in order, as painted
    void setRoom(int width); // of the track: names that do not fit it go to the next line
    [[nodiscard]] int heightFor(int width) const; // with that room
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] QSize sizeHint() const override { return m_size; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Places {
        std::vector<QPoint> corners; // of the mark of each series
        QSize size;
    };
    [[nodiscard]] Places placesIn(int width) const;
    void arrange();
    void render();
    void paintMark(QPainter& painter, const SeriesStyle& style, const QRect& box) const;

    const Theme& m_theme;
    std::vector<SeriesStyle> m_series;
    bool m_dimmed = false;
    int m_room = QWIDGETSIZE_MAX;
    std::vector<QPoint> m_corners;
    QSize m_size;
    QPixmap m_picture;
};

} // namespace vitrine::ui
