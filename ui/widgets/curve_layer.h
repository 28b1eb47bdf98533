// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the curves of a track as one picture that moves with time.  The .cpp is the only user of
// QCustomPlot, which draws them.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/series_style.h"

#include <QImage>
#include <QRect>
#include <QRegion>

#include <memory>
#include <vector>

class QPainter;

namespace vitrine::ui {

/// What a picture of curves shows.
struct CurveFrame {
    QSize size; // logical pixels
    qreal scale = 1; // device pixels a logical one
    double start = 0, end = 1; // seconds
    double top = 1, ownTop = 1; // of the common axis and of the series with a scale of their own
    friend bool operator==(const CurveFrame&, const CurveFrame&) = default;
};

/// Drawing curves costs a hundred times what moving pixels does.  So the picture is drawn once; when time passes it is
/// painted further left, and when points are added only the strip that they change is drawn again.
/// Thread: GUI.  Times ascend; a NaN is a gap.
class CurveLayer {
public:
    explicit CurveLayer(const std::vector<SeriesStyle>& styles);
    ~CurveLayer();
    CurveLayer(const CurveLayer&) = delete;
    CurveLayer& operator=(const CurveLayer&) = delete;

    void setInks(const Theme& theme, const std::vector<SeriesStyle>& styles, bool dimmed);
    /// Whether the picture needs a change: points that only left the window, or none that differ, need nothing.
    bool setPoints(std::size_t series, std::vector<double> times, std::vector<double> values);
    [[nodiscard]] const std::vector<double>& times(std::size_t series) const { return m_series[series].times; }
    [[nodiscard]] const std::vector<double>& values(std::size_t series) const { return m_series[series].values; }

    /// Paints the curves of `frame` with the upper left corner at `corner`, on whole device pixels.
    void paint(QPainter& painter, const QPoint& corner, const CurveFrame& frame);
    /// Brings the picture to `frame` and says where it looks different from that of the last call: all of it, the rows in
    /// which something moves, the strip at the right where something came.  Logical pixels of the frame.
    [[nodiscard]] QRegion advance(const CurveFrame& frame);
    [[nodiscard]] int wholeDraws() const { return m_wholeDraws; } // for tests and for a profile
    [[nodiscard]] int stripDraws() const { return m_stripDraws; }

private:
    struct Series {
        std::vector<double> times, values;
        bool isStale = false; // QCustomPlot does not have them yet
    };
    struct Plot; // QCustomPlot and its graphs
    void update(const CurveFrame& frame);
    void scrollBy(int pixels);
    [[nodiscard]] int seamlessLeft(int left) const; // where a strip that has to begin at `left` can
    void draw(int left); // from there to the right edge, logical pixels
    [[nodiscard]] int shiftTo(
        const CurveFrame& frame) const; // device pixels the picture stands left of where it is drawn
    void findChanges(int from); // in the rows, from that device pixel on
    [[nodiscard]] int firstChange(int row, int from) const;

    std::unique_ptr<Plot> m_plot;
    std::vector<Series> m_series;
    QImage
        m_image; // device pixels, with room at the right to scroll into: moving a picture costs as much as painting it
    QSize m_pixels; // of the frame in it
    int m_offset = 0; // column of the image at which the frame begins
    CurveFrame m_drawn; // what the image shows
    double m_dirtyFrom; // seconds; from there on points differ from the image
    /// Of each row of pixels the first one that differs from its left neighbour; the width if all are equal.
    std::vector<int> m_changes;
    int m_wholeDraws = 0, m_stripDraws = 0;
    /// What advance() told last.
    struct Told {
        int wholeDraws = -1, stripDraws = 0, shift = 0;
        int top = 0, bottom = -1; // rows in which something moved
    };
    Told m_told;
    int m_scrolled = 0; // device pixels since advance() told last
};

/// Time from which `now` has to be drawn where `before` is drawn already: -inf all of it, +inf nothing.
[[nodiscard]] double firstDifference(const std::vector<double>& timesBefore, const std::vector<double>& valuesBefore,
    const std::vector<double>& times, const std::vector<double>& values);

/// Moves a picture of 32-bit pixels to the left; what comes in is transparent.
void scrollLeft(QImage& image, int pixels);

/// Paints a part of an image of device pixels at a logical position without rescaling it.
void paintDevicePixels(QPainter& painter, const QPointF& corner, const QImage& image, const QRect& part, qreal scale);

} // namespace vitrine::ui
