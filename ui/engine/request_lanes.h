// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one lane a request: waiting, reading, writing, preempted, ended.
#pragma once

#include "ui/engine/lane_history.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QWidget>

#include <vector>

namespace vitrine::ui {

class SequenceIndex;

class RequestLanes final : public QWidget {
    Q_OBJECT
public:
    RequestLanes(const Theme& theme, TimeWindow& window, SequenceIndex& sequences, QWidget* parent = nullptr);
    void setLanes(const LaneHistory& history); // repaints; copies what is in the window
    void setDimmed(bool dimmed);
    [[nodiscard]] int laneCount() const { return static_cast<int>(m_lanes.size()); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString textTwin() const;

    static constexpr int kMaxRows = 6; // more: running ones first, the rest is counted

signals:
    void sequenceHovered(quint32 sequence); // 0: none
    void requestActivated(quint64 request);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void paintName(QPainter& painter, const Lane& lane, const QRect& row);
    void paintBars(QPainter& painter, const Lane& lane, const QRect& row);
    void paintText(QPainter& painter, const Lane& lane, const QRect& row);
    [[nodiscard]] QString barText(const Lane& lane) const;
    void setHover(int row);

    const Theme& m_theme;
    TimeWindow& m_window;
    SequenceIndex& m_sequences;
    std::vector<Lane> m_lanes;
    int m_first = 0; // row on top, by the wheel
    int m_hover = -1;
    bool m_dimmed = false;
};

} // namespace vitrine::ui
