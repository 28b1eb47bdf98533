// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: step records as series for the plots, and as sums over a selection.
#pragma once

#include "ui/bridge/session_history.h"

#include <array>
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
    double drafted = 0; // drafts a decoding sequence and step, in the last bin that had any
};

[[nodiscard]] double binWidth(double spanSeconds);
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

} // namespace vitrine::ui
