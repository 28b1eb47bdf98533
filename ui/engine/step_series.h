// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: step records as series for the plots, and as sums over a selection.
#pragma once

#include "ui/bridge/session_history.h"

#include <array>
#include <deque>
#include <limits>
#include <vector>

namespace vitrine::ui {

/// Values in bins of equal width, aligned to multiples of it so that they do not crawl.  NaN: nothing to say.
struct StepSeries {
    double bin = 1; // seconds
    std::vector<double> time; // end of each complete bin
    std::vector<double> decodeRate; // tokens per second
    std::vector<double> prefillRate;
    std::vector<double> active, cached, shared; // blocks at the end of the bin
    std::vector<double> hitRate; // 0..1, over the last 60 s
    std::vector<double> accepted; // drafts a decoding sequence and step
    std::vector<double> batch; // sequences a step
    std::vector<double> tokens; // prompt, decode and draft tokens computed a step
    std::vector<double> scheduleMs, forwardMs, sampleMs, commitMs; // mean of the bin's steps; drafting is scheduling
    double peakDecode = 0, peakActive = 0, peakBatch = 0;
    std::vector<double> drafts; // of a sequence that had some, a step; not a number: no drafts in the bin
    double drafted = 0, peakDrafts = 0; // the last of them; the most
};

[[nodiscard]] double binWidth(double spanSeconds);

struct StepBin {
    double emitted = 0, prefilled = 0, queries = 0, hits = 0;
    double steps = 0, rows = 0, draftingSeqs = 0, drafts = 0, accepted = 0;
    double active = -1, cached = -1, shared = -1; // -1: no step began in it
    double rowsThrough = -1, tokensThrough = -1; // of a step that began before it and still ran; -1: none
    double tokens = 0, timedSteps = 0, scheduleUs = 0, forwardUs = 0, sampleUs = 0, commitUs = 0;
};

/// Keeps the bins of a window that moves forward, so that each step is read once: a window of ten seconds completes a
/// bin ten times a second.  Another window, or another engine's history, is collected anew.
class SeriesCollector {
public:
    /// Of the window [start, end].  Costs the steps that came since the last call, or those of the window and of the
    /// minute before.
    /// complete: until when every step is known; bins that end later are not told yet.
    [[nodiscard]] StepSeries collect(const StepHistory& history, double start, double end,
        double complete = std::numeric_limits<double>::infinity());

private:
    [[nodiscard]] bool continues(const StepHistory& history, qint64 first, double width) const;
    void restart(const StepHistory& history, qint64 first, qint64 last);
    void readSteps(const StepHistory& history, std::size_t from);
    void readBuckets(const StepHistory& history);
    void addStep(const StepRecord& step);
    void addBucket(const StepBucket& bucket);
    void spread(double begin, double end, double emitted, double prefilled);
    void runThrough(const StepRecord& step);
    [[nodiscard]] StepBin* at(double time);
    void fill(StepSeries& series, double start, std::size_t numBins) const;

    double m_width = 0; // seconds; 0: nothing collected yet
    qint64 m_first = 0; // number of the first bin: its time / m_width
    std::deque<StepBin> m_bins;
    quint64 m_lastStep = 0, m_lastStartUs = 0; // the newest step that was read; 0: none
};

/// Collects the window [start, end]; costs the steps in it (and one minute before).
[[nodiscard]] StepSeries collectSeries(const StepHistory& history, double start, double end);

/// Sums over the steps that lie in a range; what a selection shows.
struct StepTotals {
    int steps = 0;
    double seconds = 0; // of the range
    quint64 prefillTokens = 0, emitted = 0, queries = 0, hits = 0, rows = 0, computed = 0;
    quint64 draftRows = 0, draftedSeqs = 0, accepted = 0;
    quint64 scheduleUs = 0, forwardUs = 0, sampleUs = 0, commitUs = 0;
    quint32 peakActive = 0;
    std::array<quint64, 16> acceptedAt{}; // by draft position, from step records
};
[[nodiscard]] StepTotals sumSteps(const StepHistory& history, double start, double end);

/// Of the drafts offered at each position, how many were accepted; from the lines of sequences that verified.
struct PositionCounts {
    std::array<quint64, 16> offered{}, accepted{};
    int positions = 0; // highest position offered
};
[[nodiscard]] PositionCounts countPositions(const StepHistory& history, double start, double end);

/// The same for a window that moves forward: a line is read once when it comes and taken off when its step leaves.
class PositionWindow {
public:
    [[nodiscard]] PositionCounts count(const StepHistory& history, double start, double end);

private:
    struct Step {
        quint64 step = 0;
        double end = 0;
        std::array<quint16, 16> offered{}, accepted{};
    };
    [[nodiscard]] bool continues(const StepHistory& history, double start) const;
    void add(Step& step, const SequenceLine& line);
    void take(const Step& step);

    double m_start = 0;
    std::deque<Step> m_steps; // ascending; those with a verified line
    std::array<quint64, 16> m_offered{}, m_accepted{};
    quint64 m_nextStep = 0; // lines of earlier steps are counted
    quint64 m_lastStep = 0, m_lastStartUs = 0; // the newest step at the last call; 0: none
};

} // namespace vitrine::ui
