// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the plots of the Engine page, one below the other on the page's time axis.
#pragma once

#include "ui/engine/reading_series.h"
#include "ui/engine/step_series.h"
#include "ui/widgets/live_plot.h"

#include <QWidget>

#include <array>

namespace vitrine::ui {

class PositionBars;

class EngineTracks final : public QWidget {
    Q_OBJECT
public:
    enum Track : std::uint8_t { rate, batch, kv, prefix, accepted, ttft, itl, stepTime, memory, numTracks };

    EngineTracks(const Theme& theme, TimeWindow& window, QWidget* parent = nullptr);

    /// Fills the series of the window.  `snapshot`: the engine's figures of now, or of the end of a recording.
    void setHistory(const SessionHistory& history, const Snapshot& snapshot);
    /// Until when the plots can tell: a step that runs is not recorded yet, and what it makes would look like a dip.
    [[nodiscard]] static double completeUntil(const SessionHistory& history, const Snapshot& snapshot);
    /// Values in the gutter: of the cursor or playhead, else of the selection, else the engine's own of now.
    void setReadouts(const SessionHistory& history, const Snapshot& snapshot);
    void setDimmed(bool dimmed);
    [[nodiscard]] LivePlot* plot(Track track) const { return m_plots[track]; }
    [[nodiscard]] PositionBars* positions() const { return m_positions; }
    [[nodiscard]] const StepSeries& series() const { return m_series; }

signals:
    void experimentRequested(const QString& name); // of the laboratory, that explains a plot

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    LivePlot* addPlot(Track track, int height, std::vector<SeriesStyle> styles);
    void linkExperiments();
    void shortenLabels();
    void placePlots();
    void setRates(const HistoryRing<RatePoint>& points);
    void setStepTimes();
    void setMemory(const Snapshot& snapshot);
    void readSelection(const StepTotals& totals, const Snapshot& snapshot);
    void readMoment(double time, const Snapshot& snapshot);
    void readNow(const Snapshot& snapshot);
    /// Of a server elsewhere: engine_tracks_server.cpp.
    void nameTracks(bool server);
    void setReadings(const HistoryRing<ServerReading>& readings);
    void showTold();
    void readReadings(const SessionHistory& history);
    void readReadingTotals(const ReadingTotals& totals);

    const Theme& m_theme;
    TimeWindow& m_window;
    std::array<LivePlot*, numTracks> m_plots{};
    std::array<int, numTracks> m_heights{}; // units of the theme
    PositionBars* m_positions;
    StepSeries m_series;
    SeriesCollector m_collector;
    PositionWindow m_positionWindow; // of the running window
    ReadingSeries m_readings; // instead, of a server elsewhere
    bool m_isServer = false;
};

} // namespace vitrine::ui
