// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: readings of a server elsewhere as series for the plots, and over a selection.
#pragma once

#include "ui/bridge/history_ring.h"
#include "ui/bridge/server_reading.h"
#include "ui/engine/step_series.h"

#include <array>

namespace vitrine::ui {

/// One point a reading, or a stretch of them in wide windows; rates are differences of counters over that stretch.
/// NaN: not told, or the server began anew inside the stretch.
struct ReadingSeries {
    StepSeries steps; // time, decodeRate, prefillRate, batch (running), hitRate, accepted, *Ms, active, cached, shared
    std::vector<double> waiting; // requests
    std::vector<double> kvUsage; // percent
    std::array<std::vector<double>, 3> firstTokenMs, tokenGapMs; // p50, p95, p99 of the last minute, from buckets
};
[[nodiscard]] ReadingSeries collectReadings(const HistoryRing<ServerReading>& readings, double start, double end);

/// What was counted between the first and the last reading of a range.  NaN: not told.
struct ReadingTotals {
    double seconds = 0;
    double generated = ServerReading::kUntold, hits = ServerReading::kUntold, queries = ServerReading::kUntold;
    double accepted = ServerReading::kUntold, drafts = ServerReading::kUntold;
    double meanRunning = ServerReading::kUntold, peakKv = ServerReading::kUntold; // peakKv: 0..1
    std::array<double, 3> firstToken{}, tokenGap{}; // seconds; p50, p95, p99
};
[[nodiscard]] ReadingTotals sumReadings(const HistoryRing<ServerReading>& readings, double start, double end);

} // namespace vitrine::ui
