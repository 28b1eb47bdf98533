// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: which line of a plot is which, in a line above the curves.
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
    [[nodiscard]] QSize sizeHint() const override { return m_size; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void render();
    void paintMark(QPainter& painter, const SeriesStyle& style, const QRect& box) const;

    const Theme& m_theme;
    std::vector<SeriesStyle> m_series;
    bool m_dimmed = false;
    QSize m_size;
    QPixmap m_picture;
};

} // namespace vitrine::ui
