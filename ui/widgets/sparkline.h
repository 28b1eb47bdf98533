// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the shape of the last values, no axis.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QWidget>

#include <vector>

namespace vitrine::ui {

/// Draws `values` (oldest first, evenly spaced) into `rect`: line 1.5 px, fill 14 %, a dot at the last one.
void paintSparkline(QPainter& painter, const QRectF& rect, const std::vector<double>& values, const QColor& color);

class Sparkline final : public QWidget {
    Q_OBJECT
public:
    explicit Sparkline(const Theme& theme, Color color = Color::decode, QWidget* parent = nullptr);
    void setValues(std::vector<double> values); // repaints only when they differ
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Color m_color;
    std::vector<double> m_values;
};

} // namespace vitrine::ui
