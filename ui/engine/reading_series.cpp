// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: readings as series.
#include "ui/engine/reading_series.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kUntold = ServerReading::kUntold;
constexpr double kMinute = 60;
constexpr std::size_t kTargetPoints = 240;
constexpr double kQuantiles[] = {0.5, 0.95, 0.99};

/// Index of the first reading at or after `time`.
std::size_t firstAt(const HistoryRing<ServerReading>& readings, double time) {
    std::size_t low = 0, high = readings.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (readings[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool isBrokenBetween(const HistoryRing<ServerReading>& readings, std::size_t from, std::size_t to) {
    for (std::size_t i = from + 1; i <= to; ++i)
        if (!goesOn(readings[i - 1], readings[i]))
            return true;
    return false;
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : kUntold;
}
double orElse(double value, double other) {
    return std::isnan(value) ? other : value;
}

/// The earliest reading of the minute before `at` that belongs to the same run of the server.
std::size_t minuteBefore(const HistoryRing<ServerReading>& readings, std::size_t at) {
    const std::size_t first = firstAt(readings, readings[at].time - kMinute);
    for (std::size_t i = at; i > first; --i)
        if (!goesOn(readings[i - 1], readings[i]))
            return i;
    return first;
}

void addPoint(ReadingSeries& series, const HistoryRing<ServerReading>& readings, std::size_t from, std::size_t at) {
    const ServerReading& now = readings[at];
    const ServerReading& then = readings[from];
    const ServerReading& minute = readings[minuteBefore(readings, at)];
    const bool broken = isBrokenBetween(readings, from, at);
    const double seconds = broken ? kUntold : now.time - then.time;
    StepSeries& steps = series.steps;
    steps.time.push_back(now.time);
    steps.decodeRate.push_back(
        orElse(ratio(now.generationTokens - then.generationTokens, seconds), broken ? kUntold : now.decodeRate));
    const double prefill =
        orElse(ratio(now.promptTokens - then.promptTokens, seconds), broken ? kUntold : now.promptRate);
    steps.prefillRate.push_back(prefill > 0 ? prefill : kUntold);
    steps.batch.push_back(now.running);
    steps.tokens.push_back(broken
            ? kUntold
            : ratio(now.promptTokens - then.promptTokens + now.generationTokens - then.generationTokens,
                  now.steps - then.steps));
    steps.active.push_back(now.blocksActive);
    steps.cached.push_back(now.blocksCached);
    steps.shared.push_back(now.blocksShared);
    steps.hitRate.push_back(
        orElse(ratio(now.prefixHits - minute.prefixHits, now.prefixQueries - minute.prefixQueries), now.hitRate));
    steps.accepted.push_back(
        orElse(ratio(now.acceptedTokens - then.acceptedTokens, now.drafts - then.drafts), now.acceptedPerStep));
    const double numSteps = broken ? kUntold : now.steps - then.steps;
    const auto mean = [&](double after, double before) { return ratio((after - before) * 1e3, numSteps); };
    steps.scheduleMs.push_back(mean(now.scheduleSeconds, then.scheduleSeconds));
    steps.forwardMs.push_back(mean(now.forwardSeconds, then.forwardSeconds));
    steps.sampleMs.push_back(mean(now.sampleSeconds, then.sampleSeconds));
    steps.commitMs.push_back(mean(now.commitSeconds, then.commitSeconds));
    if (now.drafts > then.drafts)
        steps.drafted = (now.draftTokens - then.draftTokens) / (now.drafts - then.drafts);
    series.waiting.push_back(now.waiting > 0 ? now.waiting : kUntold);
    series.kvUsage.push_back(now.kvUsage * 100);
    for (std::size_t q = 0; q < std::size(kQuantiles); ++q) {
        series.firstTokenMs[q].push_back(quantileBetween(minute.firstToken, now.firstToken, kQuantiles[q]) * 1e3);
        series.tokenGapMs[q].push_back(quantileBetween(minute.tokenGap, now.tokenGap, kQuantiles[q]) * 1e3);
    }
}

} // namespace

ReadingSeries collectReadings(const HistoryRing<ServerReading>& readings, double start, double end) {
    ReadingSeries series;
    const std::size_t first = firstAt(readings, start), last = firstAt(readings, end);
    const std::size_t stride = std::max<std::size_t>(1, (last - first + kTargetPoints - 1) / kTargetPoints);
    // Multiples of the stride, so that points do not crawl.  The reading before the first gives it something to differ from.
    for (std::size_t i = (first + stride - 1) / stride * stride; i < last; i += stride)
        if (i >= stride)
            addPoint(series, readings, i - stride, i);
    StepSeries& steps = series.steps;
    steps.bin = steps.time.size() > 1
        ? (steps.time.back() - steps.time.front()) / static_cast<double>(steps.time.size() - 1)
        : 1;
    const auto peak = [](const std::vector<double>& values) {
        double highest = 0;
        for (const double value : values)
            highest = value > highest ? value : highest;
        return highest;
    };
    steps.peakDecode = peak(steps.decodeRate);
    steps.peakBatch = peak(steps.batch);
    steps.peakActive = peak(steps.active);
    return series;
}

ReadingTotals sumReadings(const HistoryRing<ServerReading>& readings, double start, double end) {
    ReadingTotals totals;
    std::size_t first = firstAt(readings, start);
    const std::size_t last = firstAt(readings, end);
    if (last < first + 2)
        return totals;
    for (std::size_t i = last - 1; i > first; --i)
        if (!goesOn(readings[i - 1], readings[i]))
            first = i; // counters of one run of the server only
    const ServerReading &from = readings[first], &to = readings[last - 1];
    totals.seconds = to.time - from.time;
    totals.generated = to.generationTokens - from.generationTokens;
    totals.hits = to.prefixHits - from.prefixHits;
    totals.queries = to.prefixQueries - from.prefixQueries;
    totals.accepted = to.acceptedTokens - from.acceptedTokens;
    totals.drafts = to.drafts - from.drafts;
    double sum = 0;
    totals.peakKv = from.kvUsage;
    for (std::size_t i = first; i < last; ++i) {
        sum += readings[i].running;
        totals.peakKv = std::max(totals.peakKv, readings[i].kvUsage);
    }
    totals.meanRunning = sum / static_cast<double>(last - first);
    for (std::size_t q = 0; q < std::size(kQuantiles); ++q) {
        totals.firstToken[q] = quantileBetween(from.firstToken, to.firstToken, kQuantiles[q]);
        totals.tokenGap[q] = quantileBetween(from.tokenGap, to.tokenGap, kQuantiles[q]);
    }
    return totals;
}

} // namespace vitrine::ui
