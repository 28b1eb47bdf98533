// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: plots, their series and what stands in their gutter.
#include "ui/engine/engine_tracks.h"

#include "ui/engine/position_bars.h"
#include "ui/engine/track_texts.h"
#include "ui/widgets/numbers.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::ui {
namespace {

using Shape = SeriesStyle::Shape;

constexpr int kLegendLine = 9; // what a legend takes above the curves beyond the room that is there anyway

/// Bytes of one KV block, the null block counted.
double blockBytes(const Snapshot& snapshot) {
    return snapshot.model && snapshot.blocks.total > 0
        ? static_cast<double>(snapshot.model->measured_kv_bytes) / (snapshot.blocks.total + 1)
        : 0;
}

} // namespace

EngineTracks::EngineTracks(const Theme& theme, TimeWindow& window, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_window(window), m_positions(new PositionBars(theme, window)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    addPlot(rate, 71,
        {{Shape::bars, Color::prefill, 0.28, true, tr("prefill")},
            {Shape::line, Color::decode, 0, false, tr("decode")}})
        ->setLabels(tr("Decode, all requests"), tr("tok/s"));
    addPlot(batch, 47,
        {{Shape::bars, Color::prefill, 0.14, true, tr("tokens a step")},
            {Shape::line, Color::accent, 0, false, tr("sequences")}})
        ->setLabels(tr("Batch, sequences"), {});
    m_plots[batch]->setCounts();
    addPlot(kv, 55,
        {{Shape::area, Color::cached, 0.55, false, tr("cached"), true},
            {Shape::line, Color::accent, 0.30, false, tr("active")},
            {Shape::dashed, Color::shared, 0, false, tr("shared")}})
        ->setLabels(tr("KV blocks in use"), {});
    addPlot(prefix, 47, {{Shape::step, Color::accent, 0.14, false, tr("prefix hits")}})
        ->setLabels(tr("Prefix hits, 60 s"), QStringLiteral("%"));
    m_plots[prefix]->setFixedTop(100);
    addPlot(accepted, 47, {{Shape::line, Color::accent, 0, false, tr("accepted")}})
        ->setLabels(tr("Accepted drafts"), {});
    column->addWidget(m_positions);
    for (const Track track : {ttft, itl}) {
        addPlot(track, 55,
            {{Shape::line, Color::accent, 0, false, tr("p50")}, {Shape::dashed, Color::accent, 0, false, tr("p95")},
                {Shape::dashed, Color::text2, 0, false, tr("p99")}})
            ->setLabels(track == ttft ? tr("First token, p50") : tr("Between tokens, p50"), tr("ms"));
        m_plots[track]->setTopText([](double ms) {
            return ms >= 10'000 ? fixedText(ms / 1000, 0) + QStringLiteral(" s") : fixedText(ms, ms < 10 ? 1 : 0);
        });
    }
    // Areas from the tallest to the lowest, opaque: each shows what it adds to the one before it.
    addPlot(stepTime, 71,
        {{Shape::area, Color::seqB, 1, false, tr("draft and schedule"), true},
            {Shape::area, Color::seqD, 1, false, tr("detokenize"), true},
            {Shape::area, Color::seqC, 1, false, tr("sample"), true},
            {Shape::area, Color::decode, 1, false, tr("forward")}})
        ->setLabels(tr("Step time"), tr("ms"));
    m_plots[stepTime]->setTopText([](double ms) { return fixedText(ms, ms < 10 ? 1 : 0); });
    addPlot(memory, 55,
        {{Shape::area, Color::cached, 0.55, false, tr("KV free"), true},
            {Shape::area, Color::seqC, 0.45, false, tr("KV in use"), true},
            {Shape::line, Color::accent, 0.30, false, tr("weights")}})
        ->setLabels(tr("Device memory"), {});
    m_plots[memory]->setTopText([](double bytes) { return bytesText(bytes); });
    shortenLabels();
    linkExperiments();
    placePlots();
    connect(&theme, &Theme::changed, this, &EngineTracks::placePlots);
    connect(&window, &TimeWindow::gutterChanged, this, &EngineTracks::placePlots);
}

/// For a narrow gutter, a long tick beside it, large text.
void EngineTracks::shortenLabels() {
    m_plots[rate]->setShortLabel(tr("Decode"));
    m_plots[batch]->setShortLabel(m_isServer ? tr("Running") : tr("Batch"));
    m_plots[kv]->setShortLabel(m_isServer ? tr("KV cache") : tr("KV blocks"));
    m_plots[prefix]->setShortLabel(tr("Prefix hits"));
    m_plots[accepted]->setShortLabel(tr("Drafts"));
    m_plots[ttft]->setShortLabel(tr("First token"));
    m_plots[itl]->setShortLabel(tr("Between tokens"));
    m_plots[memory]->setShortLabel(tr("Memory"));
}

void EngineTracks::linkExperiments() {
    struct Link {
        Track track;
        QString experiment, question;
    };
    const Link links[] = {{rate, QStringLiteral("quantization"), tr("Lab: would fewer bits be faster?")},
        {batch, QStringLiteral("policies"), tr("Lab: why does batching help?")},
        {kv, QStringLiteral("paging"), tr("Lab: what do blocks save?")},
        {prefix, QStringLiteral("prefix"), tr("Lab: what does the prefix cache find?")},
        {accepted, QStringLiteral("speculation"), tr("Lab: when do drafts pay?")},
        {ttft, QStringLiteral("policies"), tr("Lab: which policy answers first?")},
        {itl, QStringLiteral("kvcache"), tr("Lab: what does a token cost without the KV cache?")},
        {stepTime, QStringLiteral("ablation"), tr("Lab: what does each optimisation buy?")},
        {memory, QStringLiteral("capacity"), tr("Lab: how many requests fit?")}};
    for (const Link& link : links) {
        m_plots[link.track]->setLink(link.question);
        connect(m_plots[link.track], &LivePlot::linkActivated, this,
            [this, experiment = link.experiment] { emit experimentRequested(experiment); });
    }
}

LivePlot* EngineTracks::addPlot(Track track, int height, std::vector<SeriesStyle> styles) {
    if (styles.size() > 1)
        height += kLegendLine;
    auto* plot = new LivePlot(m_theme, m_window, std::move(styles));
    layout()->addWidget(plot);
    m_plots[track] = plot;
    m_heights[track] = height;
    return plot;
}

/// A legend of several lines takes nothing from the curves.
void EngineTracks::placePlots() {
    for (std::size_t track = 0; track < m_plots.size(); ++track)
        m_plots[track]->setFixedHeight(m_theme.px(m_heights[track]) + m_plots[track]->legendGrowth(width()));
}

void EngineTracks::resizeEvent(QResizeEvent*) {
    placePlots();
}

void EngineTracks::setDimmed(bool dimmed) {
    for (LivePlot* plot : m_plots)
        plot->setDimmed(dimmed);
    m_positions->setDimmed(dimmed);
}

double EngineTracks::completeUntil(const SessionHistory& history, const Snapshot& snapshot) {
    const auto& steps = history.steps().steps();
    return snapshot.running > 0 && !steps.empty() ? stepEnd(steps.back()) : std::numeric_limits<double>::infinity();
}

void EngineTracks::setHistory(const SessionHistory& history, const Snapshot& snapshot) {
    nameTracks(history.server().has_value());
    if (m_isServer)
        return setReadings(history.readings());
    m_series = m_collector.collect(history.steps(), m_window.start(), m_window.end(), completeUntil(history, snapshot));
    const StepSeries& series = m_series;
    auto [prefillTimes, prefillValues] = asBars(series, series.prefillRate);
    m_plots[rate]->setPoints(0, std::move(prefillTimes), std::move(prefillValues));
    m_plots[rate]->setPoints(1, series.time, series.decodeRate);
    auto [tokenTimes, tokenValues] = asBars(series, series.tokens);
    m_plots[batch]->setPoints(0, std::move(tokenTimes), std::move(tokenValues));
    m_plots[batch]->setPoints(1, series.time, series.batch);
    if (snapshot.blocks.total > 0) // without a model the scale of before stays
        m_plots[kv]->setFixedTop(snapshot.blocks.total);
    m_plots[kv]->setPoints(0, series.time, sum(series.active, series.cached));
    m_plots[kv]->setPoints(1, series.time, series.active);
    m_plots[kv]->setPoints(2, series.time, series.shared);
    std::vector<double> percent(series.hitRate);
    for (double& value : percent)
        value *= 100;
    m_plots[prefix]->setPoints(0, series.time, std::move(percent));
    const bool drafts = snapshot.model && !snapshot.model->config.draft.empty();
    m_plots[accepted]->setVisible(drafts || series.drafted > 0);
    m_positions->setVisible(drafts || series.drafted > 0);
    m_plots[accepted]->setFixedTop(std::ceil(series.peakDrafts));
    m_plots[accepted]->setPoints(0, series.time, series.accepted);
    setRates(history.rates());
    setStepTimes();
    setMemory(snapshot);
}

void EngineTracks::setRates(const HistoryRing<RatePoint>& points) {
    std::size_t first = points.size();
    while (first > 0 && points[first - 1].time >= m_window.start())
        --first;
    first = first > 0 ? first - 1 : first; // a line comes from the left edge
    // Of each bin the last one: the same ones while the window moves, and no more than can be told apart.
    std::vector<std::size_t> chosen;
    qint64 bin = -1;
    for (std::size_t i = first; i < points.size(); ++i) {
        const auto own = static_cast<qint64>(points[i].time / m_series.bin);
        if (own == bin)
            chosen.back() = i;
        else if (points[i].time <= m_window.end())
            chosen.push_back(i);
        else
            break;
        bin = own;
    }
    for (const Track track : {ttft, itl}) {
        std::vector<double> times;
        std::array<std::vector<double>, 3> values;
        for (const std::size_t i : chosen) {
            const auto& triple = track == ttft ? points[i].rates.ttft_s : points[i].rates.itl_s;
            times.push_back(points[i].time);
            for (std::size_t p = 0; p < 3; ++p)
                values[p].push_back(triple[0] > 0 && std::isfinite(triple[p]) ? triple[p] * 1000 : kNoValue);
        }
        for (std::size_t p = 0; p < 3; ++p)
            m_plots[track]->setPoints(static_cast<int>(p), times, std::move(values[p]));
    }
}

void EngineTracks::setStepTimes() {
    const std::vector<double> sampled = sum(m_series.forwardMs, m_series.sampleMs);
    const std::vector<double> committed = sum(sampled, m_series.commitMs);
    m_plots[stepTime]->setPoints(0, m_series.time, sum(committed, m_series.scheduleMs));
    m_plots[stepTime]->setPoints(1, m_series.time, committed);
    m_plots[stepTime]->setPoints(2, m_series.time, sampled);
    m_plots[stepTime]->setPoints(3, m_series.time, m_series.forwardMs);
}

void EngineTracks::setMemory(const Snapshot& snapshot) {
    const double weights = snapshot.model ? static_cast<double>(snapshot.model->measured_weight_bytes) : 0;
    const double pool = snapshot.model ? static_cast<double>(snapshot.model->measured_kv_bytes) : 0;
    const double block = blockBytes(snapshot);
    std::vector<double> used(m_series.active);
    for (double& value : used)
        value = weights + value * block;
    const std::size_t count = m_series.time.size();
    m_plots[memory]->setPoints(0, m_series.time, std::vector<double>(count, weights + pool));
    m_plots[memory]->setPoints(1, m_series.time, std::move(used));
    m_plots[memory]->setPoints(2, m_series.time, std::vector<double>(count, weights));
}

void EngineTracks::setReadouts(const SessionHistory& history, const Snapshot& snapshot) {
    if (m_isServer)
        return readReadings(history);
    const auto selection = m_window.selection();
    const auto range = selection.value_or(std::pair(m_window.start(), m_window.end()));
    if (m_positions->isVisibleTo(this))
        m_positions->setCounts(selection || m_window.paused()
                ? countPositions(history.steps(), range.first, range.second)
                : m_positionWindow.count(history.steps(), range.first, range.second));
    if (const auto moment = m_window.moment())
        readMoment(*moment, snapshot);
    else if (selection)
        readSelection(sumSteps(history.steps(), selection->first, selection->second), snapshot);
    else
        readNow(snapshot);
}

void EngineTracks::readNow(const Snapshot& snapshot) {
    const StepSeries& series = m_series;
    const Rates& rates = snapshot.rates;
    m_plots[rate]->setCurrent(
        rateText(rates.decode_tokens_per_s), tr("tok/s"), tr("peak %1").arg(rateText(series.peakDecode)));
    m_plots[batch]->setCurrent(
        fixedText(rates.mean_batch, 1), tr("a step"), tr("peak %1").arg(fixedText(series.peakBatch, 1)));
    m_plots[kv]->setCurrent(countText(snapshot.blocks.active),
        percentText(snapshot.blocks.total > 0 ? double(snapshot.blocks.active) / snapshot.blocks.total : 0),
        tr("peak %1").arg(countText(std::llround(std::max<double>(series.peakActive, snapshot.blocks.active)))));
    m_plots[prefix]->setCurrent(fixedText(rates.prefix_hit_rate_60s * 100, 0), QStringLiteral("%"),
        tr("%1 all").arg(fixedText(rates.prefix_hit_rate * 100, 0)));
    m_plots[accepted]->setCurrent(
        fixedText(rates.accepted_per_step, 1), tr("of %1").arg(fixedText(rates.drafts_per_step, 1)), {});
    const auto latency = [this](Track track, const std::array<double, 3>& triple) {
        const double p50 = triple[0] > 0 ? triple[0] : kNoValue;
        m_plots[track]->setCurrent(latencyText(p50), latencyUnit(p50),
            triple[0] > 0 ? tr("p95 %1 · p99 %2").arg(latencyText(triple[1]), latencyText(triple[2])) : QString());
    };
    latency(ttft, rates.ttft_s);
    latency(itl, rates.itl_s);
    const auto last = [](const std::vector<double>& values) {
        const auto found =
            std::find_if(values.rbegin(), values.rend(), [](double value) { return !std::isnan(value); });
        return found == values.rend() ? kNoValue : *found;
    };
    const double host = last(series.scheduleMs) + last(series.sampleMs) + last(series.commitMs);
    m_plots[stepTime]->setCurrent(
        fixedOrNone(last(series.forwardMs) + host, 1), tr("ms"), tr("host %1").arg(fixedOrNone(host, 1)));
    const double weights = snapshot.model ? static_cast<double>(snapshot.model->measured_weight_bytes) : 0;
    const double pool = snapshot.model ? static_cast<double>(snapshot.model->measured_kv_bytes) : 0;
    m_plots[memory]->setCurrent(bytesText(weights + pool), {}, tr("KV %1").arg(bytesText(pool)));
}

void EngineTracks::readMoment(double time, const Snapshot& snapshot) {
    const auto at = [&](Track track, int series) { return m_plots[track]->valueAt(series, time); };
    m_plots[rate]->setCurrent(orNone(at(rate, 1), rateText(at(rate, 1))), tr("tok/s"), {});
    m_plots[batch]->setCurrent(
        fixedOrNone(at(batch, 1), 1), tr("a step"), tr("%1 tokens").arg(fixedOrNone(at(batch, 0), 0)));
    const double active = at(kv, 1);
    m_plots[kv]->setCurrent(orNone(active, countText(std::llround(active))),
        percentText(snapshot.blocks.total > 0 && !std::isnan(active) ? active / snapshot.blocks.total : 0), {});
    m_plots[prefix]->setCurrent(fixedOrNone(at(prefix, 0), 0), QStringLiteral("%"), {});
    const auto bin = std::ranges::lower_bound(m_series.time, time) - m_series.time.begin();
    const double drafts = bin < std::ssize(m_series.drafts) ? m_series.drafts[static_cast<std::size_t>(bin)] : kNoValue;
    m_plots[accepted]->setCurrent(fixedOrNone(at(accepted, 0), 1), tr("of %1").arg(fixedOrNone(drafts, 1)), {});
    for (const Track track : {ttft, itl}) {
        const double p50 = at(track, 0) / 1000;
        m_plots[track]->setCurrent(latencyText(p50), latencyUnit(p50),
            tr("p95 %1 · p99 %2").arg(latencyText(at(track, 1) / 1000), latencyText(at(track, 2) / 1000)));
    }
    const double whole = at(stepTime, 0), forward = at(stepTime, 3);
    m_plots[stepTime]->setCurrent(fixedOrNone(whole, 1), tr("ms"), tr("host %1").arg(fixedOrNone(whole - forward, 1)));
    m_plots[memory]->setCurrent(orNone(at(memory, 1), bytesText(at(memory, 1))), tr("in use"), {});
}

void EngineTracks::readSelection(const StepTotals& totals, const Snapshot& snapshot) {
    const auto ratio = [](quint64 part, quint64 whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kNoValue;
    };
    const auto steps = static_cast<quint64>(totals.steps);
    m_plots[rate]->setCurrent(rateText(totals.seconds > 0 ? double(totals.emitted) / totals.seconds : 0), tr("tok/s"),
        tr("%1 tok").arg(countText(static_cast<qint64>(totals.emitted))));
    m_plots[batch]->setCurrent(fixedOrNone(ratio(totals.rows, steps), 1), tr("a step"),
        tr("%1 tokens").arg(fixedOrNone(ratio(totals.computed, steps), 0)));
    m_plots[kv]->setCurrent(countText(totals.peakActive),
        percentText(snapshot.blocks.total > 0 ? double(totals.peakActive) / snapshot.blocks.total : 0), tr("peak"));
    m_plots[prefix]->setCurrent(fixedOrNone(ratio(totals.hits, totals.queries) * 100, 0), QStringLiteral("%"),
        tr("%1 of %2").arg(countText(qint64(totals.hits)), countText(qint64(totals.queries))));
    m_plots[accepted]->setCurrent(fixedOrNone(ratio(totals.accepted, totals.draftedSeqs), 1),
        tr("of %1").arg(fixedOrNone(ratio(totals.draftRows, totals.draftedSeqs), 1)), {});
    const double host = (ratio(totals.scheduleUs + totals.sampleUs + totals.commitUs, steps)) / 1e3;
    m_plots[stepTime]->setCurrent(
        fixedOrNone(ratio(totals.forwardUs, steps) / 1e3 + host, 1), tr("ms"), tr("host %1").arg(fixedOrNone(host, 1)));
}

} // namespace vitrine::ui
