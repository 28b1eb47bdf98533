// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: bins.
#include "ui/engine/step_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint8_t kVerify = 2; // SequenceLine::kind
constexpr double kHitWindow = 60; // seconds
constexpr int kTargetBins = 120;
constexpr qint64 kMaxBins = 1 << 20; // a clock that leaps must not take the memory

qint64 binOf(double time, double width) {
    return static_cast<qint64>(std::floor(time / width));
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
    return SeriesCollector().collect(feed, start, end);
}

StepSeries SeriesCollector::collect(const StepHistory& history, double start, double end, double complete) {
    const double width = binWidth(end - start);
    const qint64 first = binOf(std::max(0.0, start - kHitWindow), width);
    const qint64 last =
        std::max(first + 1, binOf(std::min(end, complete), width)); // the one behind the last complete bin
    if (continues(history, first, width)) {
        for (; m_first < first && !m_bins.empty(); ++m_first)
            m_bins.pop_front();
        m_first = first;
        if (const auto count = static_cast<std::size_t>(last - first); m_bins.size() < count)
            m_bins.resize(count);
        const auto& steps = history.steps();
        std::size_t from = steps.size();
        while (from > 0 && steps[from - 1].step > m_lastStep)
            --from;
        readSteps(history, from);
    } else {
        m_width = width;
        restart(history, first, last);
    }
    StepSeries series;
    series.bin = width;
    fill(series, start, static_cast<std::size_t>(last - first));
    return series;
}

/// The newest step that was read is still the one it was: no other engine, and not so long ago that the ring lost some.
bool SeriesCollector::continues(const StepHistory& history, qint64 first, double width) const {
    if (width != m_width || first < m_first)
        return false;
    const StepRecord* last = m_lastStep == 0 ? nullptr : history.find(m_lastStep);
    return last != nullptr && last->start_us == m_lastStartUs;
}

void SeriesCollector::restart(const StepHistory& history, qint64 first, qint64 last) {
    m_first = first;
    m_bins.assign(static_cast<std::size_t>(last - first), {});
    m_lastStep = 0;
    readBuckets(history);
    readSteps(history, history.firstEndingAfter(static_cast<double>(first) * m_width));
}

void SeriesCollector::readSteps(const StepHistory& history, std::size_t from) {
    const auto& steps = history.steps();
    if (steps.empty())
        return;
    // Steps of the bin that is not complete yet are kept for later.
    if (const qint64 behind = binOf(stepEnd(steps.back()), m_width) + 1 - m_first;
        behind > static_cast<qint64>(m_bins.size()) && behind < kMaxBins)
        m_bins.resize(static_cast<std::size_t>(behind));
    for (std::size_t i = from; i < steps.size(); ++i)
        addStep(steps[i]);
    m_lastStep = steps.back().step;
    m_lastStartUs = steps.back().start_us;
}

/// What the full-rate ring has lost.
void SeriesCollector::readBuckets(const StepHistory& history) {
    const auto& buckets = history.buckets();
    const double begin = static_cast<double>(m_first) * m_width;
    const double oldest = history.steps().empty() ? kInfinity : stepStart(history.steps()[0]);
    std::size_t from = buckets.size();
    while (from > 0 && static_cast<double>(buckets[from - 1].second) + 1 >= begin)
        --from;
    for (; from < buckets.size() && static_cast<double>(buckets[from].second) + 1 <= oldest; ++from)
        addBucket(buckets[from]);
}

StepBin* SeriesCollector::at(double time) {
    const qint64 index = binOf(time, m_width) - m_first;
    return index >= 0 && index < static_cast<qint64>(m_bins.size()) ? &m_bins[static_cast<std::size_t>(index)]
                                                                    : nullptr;
}

/// Spreads tokens of a step evenly over the bins it lasted: a long prefill is a plateau, not a spike.
void SeriesCollector::spread(double begin, double end, double emitted, double prefilled) {
    const double duration = std::max(end - begin, 1e-6);
    for (double from = begin; from < end - 1e-9 || from == begin;) {
        const double to = std::min(std::max(end, begin + 1e-6), (std::floor(from / m_width + 1e-9) + 1) * m_width);
        if (StepBin* bin = at(from); bin != nullptr) {
            bin->emitted += emitted * (to - from) / duration;
            bin->prefilled += prefilled * (to - from) / duration;
        }
        if (to >= end)
            break;
        from = to;
    }
}

/// A step longer than a bin: its sequences run in the bins in which no other began, too.
void SeriesCollector::runThrough(const StepRecord& step) {
    const qint64 last = binOf(stepEnd(step), m_width) - m_first;
    for (qint64 i = std::max<qint64>(0, binOf(stepStart(step), m_width) + 1 - m_first);
         i <= std::min(last, static_cast<qint64>(m_bins.size()) - 1); ++i) {
        StepBin& bin = m_bins[static_cast<std::size_t>(i)];
        bin.rowsThrough = step.decode_rows + step.prefill_seqs;
        bin.tokensThrough = step.prefill_tokens + step.decode_rows + step.draft_rows;
    }
}

void SeriesCollector::addStep(const StepRecord& step) {
    spread(stepStart(step), stepEnd(step), step.emitted, step.prefill_tokens);
    runThrough(step);
    StepBin* bin = at(stepStart(step));
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
        bin->draftingSeqs += step.verify_seqs; // the others of the batch had none to accept
        bin->drafts += step.draft_rows;
        bin->accepted += step.accepted;
    }
    bin->active = step.blocks_active; // of the last step that began in it
    bin->cached = step.blocks_cached;
    bin->shared = step.blocks_shared;
}

void SeriesCollector::addBucket(const StepBucket& bucket) {
    const auto second = static_cast<double>(bucket.second);
    spread(second, second + 1, static_cast<double>(bucket.emittedTokens), static_cast<double>(bucket.prefillTokens));
    StepBin* bin = at(second);
    if (bin == nullptr)
        return;
    bin->queries += static_cast<double>(bucket.prefixQueries);
    bin->hits += static_cast<double>(bucket.prefixHits);
    bin->steps += bucket.steps;
    bin->rows += static_cast<double>(bucket.steps) * bucket.maxRunning;
    bin->tokens += static_cast<double>(bucket.prefillTokens + bucket.emittedTokens + bucket.draftRows);
    bin->active = bucket.blocksActive;
    bin->cached = bucket.blocksCached;
    bin->shared = 0;
}

void SeriesCollector::fill(StepSeries& series, double start, std::size_t numBins) const {
    const auto hitBins = static_cast<std::size_t>(std::max(1.0, kHitWindow / series.bin));
    double queries = 0, hits = 0;
    double active = 0, cached = 0, shared = 0;
    for (std::size_t i = 0; i < numBins; ++i) {
        const StepBin& bin = m_bins[i];
        queries += bin.queries;
        hits += bin.hits;
        if (i >= hitBins) {
            queries -= m_bins[i - hitBins].queries;
            hits -= m_bins[i - hitBins].hits;
        }
        active = bin.active < 0 ? active : bin.active;
        cached = bin.cached < 0 ? cached : bin.cached;
        shared = bin.shared < 0 ? shared : bin.shared;
        const double end = (static_cast<double>(m_first) + static_cast<double>(i) + 1) * m_width;
        if (end < start)
            continue;
        series.time.push_back(end);
        series.decodeRate.push_back(bin.emitted / series.bin);
        series.prefillRate.push_back(bin.prefilled > 0 ? bin.prefilled / series.bin : kNone);
        series.active.push_back(active);
        series.cached.push_back(cached);
        series.shared.push_back(shared);
        series.hitRate.push_back(queries > 0 ? hits / queries : 0);
        series.accepted.push_back(bin.draftingSeqs > 0 ? bin.accepted / bin.draftingSeqs : kNone);
        series.drafts.push_back(bin.draftingSeqs > 0 ? bin.drafts / bin.draftingSeqs : kNone);
        series.batch.push_back(bin.steps > 0 ? bin.rows / bin.steps : std::max(0.0, bin.rowsThrough));
        series.tokens.push_back(bin.steps > 0 ? bin.tokens / bin.steps : std::max(0.0, bin.tokensThrough));
        const auto mean = [&](double us) { return bin.timedSteps > 0 ? us / bin.timedSteps / 1e3 : kNone; };
        series.scheduleMs.push_back(mean(bin.scheduleUs));
        series.forwardMs.push_back(mean(bin.forwardUs));
        series.sampleMs.push_back(mean(bin.sampleUs));
        series.commitMs.push_back(mean(bin.commitUs));
        if (bin.draftingSeqs > 0) {
            series.drafted = series.drafts.back();
            series.peakDrafts = std::max(series.peakDrafts, series.drafted);
        }
        series.peakDecode = std::max(series.peakDecode, series.decodeRate.back());
        series.peakActive = std::max(series.peakActive, active);
        series.peakBatch = std::max(series.peakBatch, series.batch.back());
    }
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
        totals.draftedSeqs += step.verify_seqs;
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

/// Forward, and the newest step of the last call is still the one it was.
bool PositionWindow::continues(const StepHistory& history, double start) const {
    const StepRecord* last = m_lastStep == 0 ? nullptr : history.find(m_lastStep);
    return start >= m_start && last != nullptr && last->start_us == m_lastStartUs;
}

void PositionWindow::add(Step& step, const SequenceLine& line) {
    const std::size_t drafts = std::min<std::size_t>(line.count - 1, step.offered.size());
    for (std::size_t p = 0; p < drafts; ++p) {
        const bool accepted = line.accepted > p;
        ++step.offered[p];
        step.accepted[p] = static_cast<quint16>(step.accepted[p] + accepted);
        ++m_offered[p];
        m_accepted[p] += accepted;
    }
}

void PositionWindow::take(const Step& step) {
    for (std::size_t p = 0; p < step.offered.size(); ++p) {
        m_offered[p] -= step.offered[p];
        m_accepted[p] -= step.accepted[p];
    }
}

PositionCounts PositionWindow::count(const StepHistory& history, double start, double end) {
    const auto& steps = history.steps();
    if (!continues(history, start) || stepStart(steps.back()) >= end)
        *this = {};
    m_start = start;
    if (steps.empty())
        return {};
    m_lastStep = steps.back().step;
    m_lastStartUs = steps.back().start_us;
    const std::size_t first = history.firstEndingAfter(start);
    while (!m_steps.empty() && m_steps.front().end <= start) {
        take(m_steps.front());
        m_steps.pop_front();
    }
    if (first < steps.size()) {
        const quint64 from = std::max<quint64>(m_nextStep, steps[first].step);
        if (!m_steps.empty() && m_steps.back().step >= from) { // perhaps not all of its lines were there
            take(m_steps.back());
            m_steps.pop_back();
        }
        const auto& lines = history.lines();
        std::size_t line = lines.size();
        while (line > 0 && lines[line - 1].step >= from)
            --line;
        const StepRecord* step = nullptr;
        for (; line < lines.size(); ++line) {
            if (lines[line].kind != kVerify || lines[line].count < 2)
                continue;
            if (step == nullptr || step->step != lines[line].step)
                step = history.find(lines[line].step);
            if (step == nullptr || stepStart(*step) >= end)
                continue;
            if (m_steps.empty() || m_steps.back().step != step->step)
                m_steps.push_back({step->step, stepEnd(*step), {}, {}});
            add(m_steps.back(), lines[line]);
        }
        m_nextStep = m_steps.empty() ? from : m_steps.back().step;
    }
    PositionCounts counts;
    counts.offered = m_offered;
    counts.accepted = m_accepted;
    for (std::size_t p = 0; p < m_offered.size(); ++p)
        if (m_offered[p] > 0)
            counts.positions = static_cast<int>(p) + 1;
    return counts;
}

} // namespace vitrine::ui
