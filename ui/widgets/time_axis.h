// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: one time axis for all tracks of a page: window, cursor, selection; and the widget that draws it.
#pragma once

#include "ui/theme/theme.h"

#include <QObject>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace vitrine::ui {

/// What the tracks of a page share.  Times in seconds of the engine's clock (StepRecord::start_us / 1e6).
class TimeWindow final : public QObject {
    Q_OBJECT
public:
    explicit TimeWindow(QObject* parent = nullptr);

    [[nodiscard]] double span() const { return m_span; } // seconds shown
    [[nodiscard]] double end() const { return m_end; } // right edge
    [[nodiscard]] double start() const { return m_end - m_span; }
    [[nodiscard]] bool paused() const { return m_paused; }
    [[nodiscard]] bool recorded() const { return m_recorded; } // nothing comes behind the last moment
    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    [[nodiscard]] std::optional<std::pair<double, double>> selection() const { return m_selection; }
    /// Where the past is replayed; stays when the mouse leaves.  Only while paused.
    [[nodiscard]] std::optional<double> playhead() const { return m_playhead; }
    /// The moment the tracks tell about: the cursor, else the playhead.
    [[nodiscard]] std::optional<double> moment() const { return m_cursor ? m_cursor : m_playhead; }
    /// Distance of vertical grid lines for the span: 1, 10, 60 s, or 5 to 8 nice steps.
    [[nodiscard]] double gridStep() const;
    [[nodiscard]] std::vector<double> gridLines() const; // times inside the window

    void setSpan(double seconds);
    void setNow(double seconds); // ignored while paused
    void setPaused(bool paused);
    void setRecorded(bool recorded);
    void setCursor(std::optional<double> seconds);
    void setPlayhead(std::optional<double> seconds); // pauses; resuming takes it away
    void setSelection(std::optional<std::pair<double, double>> range);
    void zoom(double factor, double around); // by the wheel; a running window keeps its right edge at now
    void zoomTo(double start, double end); // pauses
    void pan(double seconds); // pauses
    void setGutter(int pixels);
    [[nodiscard]] int gutter() const { return m_gutter; }
    /// x of a time in a track of `width` pixels: the gutter left, `kRightMargin` right.
    [[nodiscard]] double xOf(double seconds, int width) const;
    [[nodiscard]] double timeAt(double x, int width) const;
    static constexpr int kRightMargin = 16;

signals:
    void windowChanged(); // span or right edge
    void cursorChanged();
    void selectionChanged();
    void playheadChanged();
    void zoomed(); // the span was chosen by hand
    void pausedChanged(bool paused);
    void gutterChanged();

private:
    double m_span = 60, m_end = 0, m_now = 0;
    int m_gutter = 176;
    bool m_paused = false, m_recorded = false;
    std::optional<double> m_cursor, m_playhead;
    std::optional<std::pair<double, double>> m_selection;
};

/// 24 px: labels "-50 ... now" or "... end" and the tag of the moment.  Text left of the gutter's edge is `title`.  Press or drag sets
/// the playhead, the wheel zooms, with Shift it pans.
class TimeAxis final : public QWidget {
    Q_OBJECT
public:
    TimeAxis(const Theme& theme, TimeWindow& window, const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QString edgeText() const; // what the right edge is: now, the end of a recording, or a pause

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QRectF tagBox(const QString& text) const;

    const Theme& m_theme;
    TimeWindow& m_window;
    QString m_title;
    double m_shownSpan = 0; // as painted
};

} // namespace vitrine::ui
