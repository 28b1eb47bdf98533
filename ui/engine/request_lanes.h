// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one lane a request: waiting, reading, writing, preempted, ended.
#pragma once

#include "ui/engine/lane_history.h"
#include "ui/engine/lane_marks.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QHash>
#include <QStaticText>
#include <QWidget>

#include <vector>

namespace vitrine::ui {

class SequenceIndex;

class RequestLanes final : public QWidget {
    Q_OBJECT
public:
    RequestLanes(const Theme& theme, TimeWindow& window, SequenceIndex& sequences, QWidget* parent = nullptr);
    /// Shows the lanes of the window, or of the selection if there is one; paints only what looks different.  Steps are
    /// drawn one by one while they are wide enough: chunks of prefill, accepted and rejected drafts.
    /// `history` is asked again when it is painted: it outlives this widget.
    void setLanes(const LaneHistory& history, const StepHistory& steps);
    void setDimmed(bool dimmed);
    [[nodiscard]] int laneCount() const { return static_cast<int>(m_lanes.size()); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString textTwin() const;
    [[nodiscard]] int paintCount() const { return m_paints; } // for tests

    static constexpr int kMaxRows = 6; // more: running ones first, the rest is counted

signals:
    void sequenceHovered(quint32 sequence); // 0: none
    void sequenceActivated(quint32 sequence);
    void scrolled(); // other rows are on screen: their steps have to be collected

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // up and down choose a lane, Enter opens it

private:
    /// What is seen of a row besides its place in time.
    struct Look {
        quint32 sequence = 0;
        bool ended = false;
        FinishReason finish = FinishReason::stop;
        QString label;
        int hitTokens = 0, promptTokens = 0, outputTokens = 0; // output only where it is written
        std::size_t segments = 0;
        double first = 0, last = 0; // start of the first and of the last segment
        friend bool operator==(const Look&, const Look&) = default;
    };
    [[nodiscard]] const Lane* laneAt(int row) const; // null: it has left
    [[nodiscard]] std::vector<quint32> shownRows() const;
    [[nodiscard]] std::vector<Look> looks() const;
    void updateTrack(); // all but the names, which stand still
    void updateMoving(); // of the track, the rows in which something moves with time
    [[nodiscard]] bool standsStill(const Lane& lane) const;
    void paintEnd(QPainter& painter, const Lane& lane, const QRect& row);
    void paintName(QPainter& painter, const Lane& lane, const QRect& row);
    void paintBars(QPainter& painter, const Lane& lane, const QRect& row);
    [[nodiscard]] double endMarkOf(const Lane& lane);
    [[nodiscard]] QStaticText layOut(const QString& text);
    void paintText(QPainter& painter, const Lane& lane, const QRect& row);
    [[nodiscard]] QString barText(const Lane& lane) const;
    void setHover(int row);

    const Theme& m_theme;
    TimeWindow& m_window;
    SequenceIndex& m_sequences;
    const LaneHistory* m_history = nullptr;
    std::vector<quint32> m_lanes; // sequences, in the order of the rows
    std::vector<Look> m_looks;
    LaneMarks m_marks;
    std::vector<quint32> m_still; // rows on screen that stood still when they were last asked for; 0: one that moves
    QHash<QString, QStaticText> m_texts; // laid out, in the font of the bars
    int m_first = 0; // row on top, by the wheel
    int m_hover = -1;
    bool m_dimmed = false;
    double m_shownSpan = 0; // as painted
    int m_paints = 0;
};

} // namespace vitrine::ui
