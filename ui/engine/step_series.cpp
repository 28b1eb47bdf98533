// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: bins.
#include "ui/engine/step_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kHitWindow = 60; // seconds
constexpr int kTargetBins = 120;

struct Bin {
    double emitted = 0, prefilled = 0, queries = 0, hits = 0;
    double steps = 0, rows = 0, draftedRows = 0, drafts = 0, accepted = 0;
    double active = kNone, cached = kNone, shared = kNone;
    double tokens = 0, timedSteps = 0, scheduleUs = 0, forwardUs = 0, sampleUs = 0, commitUs = 0;
};

class Bins {
public:
    Bins(double start, double end, double width)
        : m_width(width), m_first(static_cast<qint64>(std::floor(start / width))),
          m_bins(
              static_cast<std::size_t>(std::max<qint64>(1, static_cast<qint64>(std::floor(end / width)) - m_first))) {}

    [[nodiscard]] std::size_t size() const { return m_bins.size(); }
    [[nodiscard]] Bin& operator[](std::size_t index) { return m_bins[index]; }
    [[nodiscard]] double endOf(std::size_t index) const {
        return (static_cast<double>(m_first) + static_cast<double>(index) + 1) * m_width;
    }
    [[nodiscard]] double start() const { return static_cast<double>(m_first) * m_width; }
    [[nodiscard]] Bin* at(double time) {
        const qint64 index = static_cast<qint64>(std::floor(time / m_width)) - m_first;
        return index >= 0 && index < static_cast<qint64>(m_bins.size()) ? &m_bins[static_cast<std::size_t>(index)]
                                                                        : nullptr;
    }
    /// Spreads tokens of a step evenly over the bins it lasted: a long prefill is a plateau, not a spike.
    void spread(double begin, double end, double emitted, double prefilled) {
        const double duration = std::max(end - begin, 1e-6);
        for (double from = begin; from < end - 1e-9 || from == begin;) {
            const double to = std::min(std::max(end, begin + 1e-6), (std::floor(from / m_width + 1e-9) + 1) * m_width);
            if (Bin* bin = at(from); bin != nullptr) {
                bin->emitted += emitted * (to - from) / duration;
                bin->prefilled += prefilled * (to - from) / duration;
            }
            if (to >= end)
                break;
            from = to;
        }
    }

private:
    double m_width;
    qint64 m_first;
    std::vector<Bin> m_bins;
};

void addStep(Bins& bins, const StepRecord& step) {
    bins.spread(stepStart(step), stepEnd(step), step.emitted, step.prefill_tokens);
    Bin* bin = bins.at(stepStart(step));
    if (bin == nullptr)
        return;
    bin->queries += step.prefix_queries;
    bin->hits += step.prefix_hits;
    bin->steps += 1;
    bin->rows += step.decode_rows + step.prefill_seqs;
    bin->tokens += step.prefill_tokens + step.decode_rows + step.draft_rows;
    bin->timedSteps += 1;
    bin->scheduleUs += step.draft_us + step.schedule_us;
    bin->forwardUs += step.forward_us;
    bin->sampleUs += step.sample_us;
    bin->commitUs += step.commit_us;
    if (step.draft_rows > 0) {
        bin->draftedRows += step.decode_rows;
        bin->drafts += step.draft_rows;
        bin->accepted += step.accepted;
    }
    if (std::isnan(bin->active)) { // steps come newest first
        bin->active = step.blocks_active;
        bin->cached = step.blocks_cached;
        bin->shared = step.blocks_shared;
    }
}

void addBucket(Bins& bins, const StepBucket& bucket) {
    const auto second = static_cast<double>(bucket.second);
    bins.spread(
        second, second + 1, static_cast<double>(bucket.emittedTokens), static_cast<double>(bucket.prefillTokens));
    Bin* bin = bins.at(second);
    if (bin == nullptr)
        return;
    bin->queries += static_cast<double>(bucket.prefixQueries);
    bin->hits += static_cast<double>(bucket.prefixHits);
    bin->steps += bucket.steps;
    bin->rows += static_cast<double>(bucket.steps) * bucket.maxRunning;
    bin->tokens += static_cast<double>(bucket.prefillTokens + bucket.emittedTokens + bucket.draftRows);
    if (std::isnan(bin->active)) {
        bin->active = bucket.blocksActive;
        bin->cached = bucket.blocksCached;
        bin->shared = 0;
    }
}

void fill(Bins& bins, const StepHistory& feed) {
    const auto& steps = feed.steps();
    double oldest = std::numeric_limits<double>::infinity();
    for (std::size_t i = steps.size(); i-- > 0;) {
        oldest = stepStart(steps[i]);
        if (stepEnd(steps[i]) < bins.start())
            return;
        addStep(bins, steps[i]);
    }
    const auto& buckets = feed.buckets(); // what the full-rate ring has lost
    for (std::size_t i = buckets.size(); i-- > 0;) {
        const auto second = static_cast<double>(buckets[i].second);
        if (second + 1 < bins.start())
            return;
        if (second + 1 <= oldest)
            addBucket(bins, buckets[i]);
    }
}

} // namespace

double binWidth(double span) {
    const double raw = span / kTargetBins;
    for (const double width : {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0})
        if (width >= raw)
            return width;
    return 600;
}

StepSeries collectSeries(const StepHistory& feed, double start, double end) {
    StepSeries series;
    series.bin = binWidth(end - start);
    const double from = std::max(0.0, start - kHitWindow);
    Bins bins(from, end, series.bin);
    fill(bins, feed);
    const auto hitBins = static_cast<std::size_t>(std::max(1.0, kHitWindow / series.bin));
    double queries = 0, hits = 0;
    double active = 0, cached = 0, shared = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        Bin& bin = bins[i];
        queries += bin.queries;
        hits += bin.hits;
        if (i >= hitBins) {
            queries -= bins[i - hitBins].queries;
            hits -= bins[i - hitBins].hits;
        }
        active = std::isnan(bin.active) ? active : bin.active;
        cached = std::isnan(bin.cached) ? cached : bin.cached;
        shared = std::isnan(bin.shared) ? shared : bin.shared;
        if (bins.endOf(i) < start)
            continue;
        series.time.push_back(bins.endOf(i));
        series.decodeRate.push_back(bin.emitted / series.bin);
        series.prefillRate.push_back(bin.prefilled > 0 ? bin.prefilled / series.bin : kNone);
        series.active.push_back(active);
        series.cached.push_back(cached);
        series.shared.push_back(shared);
        series.hitRate.push_back(queries > 0 ? hits / queries : 0);
        series.accepted.push_back(bin.draftedRows > 0 ? bin.accepted / bin.draftedRows : kNone);
        series.batch.push_back(bin.steps > 0 ? bin.rows / bin.steps : 0);
        series.tokens.push_back(bin.steps > 0 ? bin.tokens / bin.steps : 0);
        const auto mean = [&](double us) { return bin.timedSteps > 0 ? us / bin.timedSteps / 1e3 : kNone; };
        series.scheduleMs.push_back(mean(bin.scheduleUs));
        series.forwardMs.push_back(mean(bin.forwardUs));
        series.sampleMs.push_back(mean(bin.sampleUs));
        series.commitMs.push_back(mean(bin.commitUs));
        if (bin.draftedRows > 0)
            series.drafted = bin.drafts / bin.draftedRows;
        series.peakDecode = std::max(series.peakDecode, series.decodeRate.back());
        series.peakActive = std::max(series.peakActive, active);
        series.peakBatch = std::max(series.peakBatch, series.batch.back());
    }
    return series;
}

StepTotals sumSteps(const StepHistory& history, double start, double end) {
    StepTotals totals;
    totals.seconds = end - start;
    const auto& steps = history.steps();
    for (std::size_t i = history.firstEndingAfter(start); i < steps.size() && stepStart(steps[i]) < end; ++i) {
        const StepRecord& step = steps[i];
        ++totals.steps;
        totals.prefillTokens += step.prefill_tokens;
        totals.emitted += step.emitted;
        totals.queries += step.prefix_queries;
        totals.hits += step.prefix_hits;
        totals.rows += step.decode_rows + step.prefill_seqs;
        totals.computed += step.prefill_tokens + step.decode_rows + step.draft_rows;
        totals.draftRows += step.draft_rows;
        totals.draftedSeqs += step.draft_rows > 0 ? step.decode_rows : 0;
        totals.accepted += step.accepted;
        totals.scheduleUs += step.draft_us + step.schedule_us;
        totals.forwardUs += step.forward_us;
        totals.sampleUs += step.sample_us;
        totals.commitUs += step.commit_us;
        totals.peakActive = std::max(totals.peakActive, step.blocks_active);
        for (std::size_t p = 0; p < totals.acceptedAt.size(); ++p)
            totals.acceptedAt[p] += step.accepted_per_position[p];
    }
    return totals;
}

PositionCounts countPositions(const StepHistory& history, double start, double end) {
    constexpr std::uint8_t kVerify = 2;
    PositionCounts counts;
    const auto& steps = history.steps();
    const std::size_t first = history.firstEndingAfter(start);
    if (first == steps.size())
        return counts;
    const auto& lines = history.lines();
    for (std::size_t i = lines.size(); i-- > 0 && lines[i].step >= steps[first].step;) {
        if (lines[i].kind != kVerify || lines[i].count < 2)
            continue;
        const StepRecord* step = history.find(lines[i].step);
        if (step == nullptr || stepStart(*step) >= end)
            continue;
        const std::size_t drafts = std::min<std::size_t>(lines[i].count - 1, counts.offered.size());
        counts.positions = std::max(counts.positions, static_cast<int>(drafts));
        for (std::size_t p = 0; p < drafts; ++p) {
            ++counts.offered[p];
            counts.accepted[p] += lines[i].accepted > p;
        }
    }
    return counts;
}

} // namespace vitrine::ui
