// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: a chart of an experiment, painted: lines, bars or a Gantt chart.
#pragma once

#include "ui/lab/lab_result.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace vitrine::ui {

/// Series differ by colour, dash and the name at their end; a table twin is the accessible description.
class LabChartView final : public QWidget {
    Q_OBJECT
public:
    LabChartView(const Theme& theme, LabChart chart, QWidget* parent = nullptr);
    [[nodiscard]] const LabChart& chart() const { return m_chart; }
    [[nodiscard]] QString textTwin() const;
    [[nodiscard]] std::vector<double> xTicks() const; // as painted, of lines
    [[nodiscard]] std::vector<double> yTicks() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Head {
        int title = 0, height = 0; // of the title alone; of title and names
        std::vector<QRect> names; // of the series
    };
    [[nodiscard]] QString titleText() const;
    [[nodiscard]] Head headOf(int width) const;
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] int bottomRoom() const; // for the axis below
    void paintLegend(QPainter& painter, const Head& head);
    void paintAxes(QPainter& painter);
    void paintLines(QPainter& painter);
    void paintBars(QPainter& painter);
    void paintGantt(QPainter& painter);
    void paintSpan(QPainter& painter, const LabSpan& span, int row, const QRectF& area);
    void paintCursor(QPainter& painter);
    void measureRange();
    [[nodiscard]] QColor inkOf(std::size_t series) const;
    [[nodiscard]] QPointF at(const QRectF& area, const QPointF& value) const;
    [[nodiscard]] int rowHeight() const { return m_theme.px(20); }

    const Theme& m_theme;
    LabChart m_chart;
    double m_left = 0, m_right = 1, m_top = 1, m_bottom = 0, m_step = 0.25;
    double m_cursor = -1; // x in pixels
};

} // namespace vitrine::ui
