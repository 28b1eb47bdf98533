// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one lane a request: waiting, reading, writing, preempted, ended.
#pragma once

#include "ui/engine/lane_history.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QWidget>

#include <map>
#include <vector>

namespace vitrine::ui {

class SequenceIndex;

class RequestLanes final : public QWidget {
    Q_OBJECT
public:
    RequestLanes(const Theme& theme, TimeWindow& window, SequenceIndex& sequences, QWidget* parent = nullptr);
    /// Copies the lanes of the window, or of the selection if there is one, and repaints.  Steps are drawn one by one
    /// while they are wide enough: chunks of prefill, accepted and rejected drafts.
    void setLanes(const LaneHistory& history, const StepHistory& steps);
    void setDimmed(bool dimmed);
    [[nodiscard]] int laneCount() const { return static_cast<int>(m_lanes.size()); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString textTwin() const;

    static constexpr int kMaxRows = 6; // more: running ones first, the rest is counted

signals:
    void sequenceHovered(quint32 sequence); // 0: none
    void sequenceActivated(quint32 sequence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // up and down choose a lane, Enter opens it

private:
    /// One step of a sequence, drawn over its bar.
    struct Mark {
        double start = 0, end = 0;
        bool prefill = false;
        int drafted = 0, accepted = 0;
    };
    void collectMarks(const StepHistory& steps);
    void paintMarks(QPainter& painter, const Lane& lane, const QRect& row);
    void paintEnd(QPainter& painter, const Lane& lane, const QRect& row);
    void paintName(QPainter& painter, const Lane& lane, const QRect& row);
    void paintBars(QPainter& painter, const Lane& lane, const QRect& row);
    [[nodiscard]] double endMarkOf(const Lane& lane, const QFontMetrics& metrics) const;
    void paintText(QPainter& painter, const Lane& lane, const QRect& row);
    [[nodiscard]] QString barText(const Lane& lane) const;
    void setHover(int row);

    const Theme& m_theme;
    TimeWindow& m_window;
    SequenceIndex& m_sequences;
    std::vector<Lane> m_lanes;
    std::map<quint32, std::vector<Mark>> m_marks; // by sequence
    int m_first = 0; // row on top, by the wheel
    int m_hover = -1;
    bool m_dimmed = false;
};

} // namespace vitrine::ui
