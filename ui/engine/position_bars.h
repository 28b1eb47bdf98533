// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: of the drafts at each position, how many were accepted.
#pragma once

#include "ui/engine/step_series.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QWidget>

namespace vitrine::ui {

/// One bar a draft position, over the window or the selection; not on the time axis.
class PositionBars final : public QWidget {
    Q_OBJECT
public:
    PositionBars(const Theme& theme, TimeWindow& window, QWidget* parent = nullptr);
    void setCounts(const PositionCounts& counts);
    void setDimmed(bool dimmed);
    [[nodiscard]] const PositionCounts& counts() const { return m_counts; }
    [[nodiscard]] QString textTwin() const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    TimeWindow& m_window;
    PositionCounts m_counts;
    bool m_dimmed = false;
};

} // namespace vitrine::ui
