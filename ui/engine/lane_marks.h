// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the steps of the requests on screen, one by one, as marks over their lanes.
#pragma once

#include "ui/bridge/step_history.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QImage>

#include <deque>
#include <map>
#include <vector>

class QPainter;

namespace vitrine::ui {

/// Chunks of prefill, accepted and rejected drafts, while steps are wide enough to be told apart.  A picture of the track
/// that moves with time: only marks that came are drawn.  Thread: GUI.
class LaneMarks {
public:
    LaneMarks(const Theme& theme, const TimeWindow& window) : m_theme(theme), m_window(window) {}

    /// Those of `rows` (sequences, from the top) in a widget of `width` pixels; whether others are there now.
    bool collect(const StepHistory& history, std::vector<quint32> rows, int width);
    [[nodiscard]] bool has(quint32 sequence) const { return m_ofSequence.contains(sequence); }
    /// Brings the picture up to the window; `size`: of the widget.
    void update(const QSize& size, qreal scale);
    void paint(QPainter& painter, const QRect& row) const; // of the widget
    void forgetPicture() { m_image = {}; }
    [[nodiscard]] int wholeDraws() const { return m_wholeDraws; } // for tests

private:
    /// One step of a sequence, drawn over its bar.
    struct Mark {
        quint64 step = 0;
        double start = 0, end = 0;
        int drafted = 0, accepted = 0;
    };
    [[nodiscard]] bool hasRoom(const StepHistory& history, std::size_t first, std::size_t last, double track) const;
    void clear();
    void draw();
    void drawMark(QPainter& painter, const Mark& mark, int top) const;

    const Theme& m_theme;
    const TimeWindow& m_window;
    std::map<quint32, std::deque<Mark>> m_ofSequence;
    std::vector<quint32> m_rows;
    double m_start = 0, m_end = 0; // of the window they were collected for
    quint64 m_nextStep = 0; // lines of earlier steps are in
    bool m_isAnew = true; // collected anew since the picture was drawn

    QImage m_image; // device pixels of the track, transparent
    double m_imageStart = 0, m_imageEnd = 0; // seconds it shows
    std::map<quint32, double> m_until; // by sequence: marks that end by then are in the picture
    int m_wholeDraws = 0;
};

} // namespace vitrine::ui
