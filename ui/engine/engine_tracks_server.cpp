// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the tracks of a server elsewhere: what its metrics tell; tracks it tells nothing for are hidden.
#include "ui/engine/engine_tracks.h"
#include "ui/engine/position_bars.h"
#include "ui/engine/track_texts.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

bool tells(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
}

double lastOf(const std::vector<double>& values) {
    const auto found = std::find_if(values.rbegin(), values.rend(), [](double value) { return !std::isnan(value); });
    return found == values.rend() ? kNoValue : *found;
}

} // namespace

void EngineTracks::nameTracks(bool server) {
    if (server == m_isServer)
        return;
    m_isServer = server;
    m_plots[batch]->setLabels(server ? tr("Requests running") : tr("Batch, sequences"), {});
    m_plots[batch]->setSeriesName(0, server ? tr("waiting") : tr("tokens a step"));
    m_plots[batch]->setSeriesName(1, server ? tr("running") : tr("sequences"));
    m_plots[kv]->setLabels(server ? tr("KV cache in use") : tr("KV blocks in use"), {});
    m_plots[kv]->setSeriesName(0, server ? QString() : tr("cached")); // a server tells one share
    m_plots[kv]->setSeriesName(1, server ? tr("in use") : tr("active"));
    m_plots[kv]->setSeriesName(2, server ? QString() : tr("shared"));
    shortenLabels();
    for (const Track track : {kv, batch, accepted})
        m_plots[track]->setFixedTop(0);
    for (LivePlot* plot : m_plots) {
        plot->setVisible(true); // showTold() and setHistory() hide what has nothing to say
        for (int series = 0; series < plot->numSeries(); ++series)
            plot->setPoints(series, {}, {});
    }
    m_positions->hide();
    placePlots(); // other names in the legends
}

void EngineTracks::setReadings(const HistoryRing<ServerReading>& readings) {
    m_readings = collectReadings(readings, m_window.start(), m_window.end());
    m_series = m_readings.steps;
    auto [prefillTimes, prefillValues] = asBars(m_series, m_series.prefillRate);
    m_plots[rate]->setPoints(0, std::move(prefillTimes), std::move(prefillValues));
    m_plots[rate]->setPoints(1, m_series.time, m_series.decodeRate);
    auto [waitTimes, waitValues] = asBars(m_series, m_readings.waiting);
    m_plots[batch]->setPoints(0, std::move(waitTimes), std::move(waitValues));
    m_plots[batch]->setPoints(1, m_series.time, m_series.batch);
    // Shares everywhere: most servers tell no block.
    m_plots[kv]->setFixedTop(100);
    m_plots[kv]->setPoints(1, m_series.time, m_readings.kvUsage);
    std::vector<double> percent(m_series.hitRate);
    for (double& value : percent)
        value *= 100;
    m_plots[prefix]->setPoints(0, m_series.time, std::move(percent));
    m_plots[accepted]->setFixedTop(m_series.drafted > 0 ? std::ceil(m_series.drafted) : 0);
    m_plots[accepted]->setPoints(0, m_series.time, m_series.accepted);
    for (std::size_t p = 0; p < 3; ++p) {
        m_plots[ttft]->setPoints(static_cast<int>(p), m_series.time, m_readings.firstTokenMs[p]);
        m_plots[itl]->setPoints(static_cast<int>(p), m_series.time, m_readings.tokenGapMs[p]);
    }
    setStepTimes();
    showTold();
}

void EngineTracks::showTold() {
    m_plots[kv]->setVisible(tells(m_readings.kvUsage));
    m_plots[prefix]->setVisible(tells(m_series.hitRate));
    m_plots[accepted]->setVisible(tells(m_series.accepted));
    m_plots[ttft]->setVisible(tells(m_readings.firstTokenMs[0]));
    m_plots[itl]->setVisible(tells(m_readings.tokenGapMs[0]));
    m_plots[stepTime]->setVisible(tells(m_series.forwardMs));
    m_plots[memory]->hide();
    m_positions->hide();
}

void EngineTracks::readReadings(const SessionHistory& history) {
    const auto selection = m_window.selection();
    const auto moment = m_window.moment();
    if (!moment && selection)
        return readReadingTotals(sumReadings(history.readings(), selection->first, selection->second));
    const auto value = [&](Track track, int series, const std::vector<double>& all) {
        return moment ? m_plots[track]->valueAt(series, *moment) : lastOf(all);
    };
    const auto peak = [&](double highest, int decimals) {
        return moment ? QString() : tr("peak %1").arg(fixedText(highest, decimals));
    };
    const double decode = value(rate, 1, m_series.decodeRate);
    m_plots[rate]->setCurrent(orNone(decode, rateText(decode)), tr("tok/s"), peak(m_series.peakDecode, 0));
    const double waiting = moment    ? m_plots[batch]->valueAt(0, *moment)
        : m_readings.waiting.empty() ? kNoValue
                                     : m_readings.waiting.back();
    m_plots[batch]->setCurrent(fixedOrNone(value(batch, 1, m_series.batch), 0), tr("running"),
        std::isnan(waiting) ? QString() : tr("%1 waiting").arg(fixedText(waiting, 0)));
    m_plots[kv]->setCurrent(fixedOrNone(value(kv, 1, m_readings.kvUsage), 1), QStringLiteral("%"), {});
    const double hits = moment ? m_plots[prefix]->valueAt(0, *moment) : lastOf(m_series.hitRate) * 100;
    m_plots[prefix]->setCurrent(fixedOrNone(hits, 0), QStringLiteral("%"), {});
    m_plots[accepted]->setCurrent(fixedOrNone(value(accepted, 0, m_series.accepted), 1),
        m_series.drafted > 0 ? tr("of %1").arg(fixedText(m_series.drafted, 0)) : QString(), {});
    const auto latency = [&](Track track, const std::array<std::vector<double>, 3>& all) {
        const double p50 = value(track, 0, all[0]) / 1e3;
        m_plots[track]->setCurrent(latencyText(p50), latencyUnit(p50),
            tr("p95 %1 · p99 %2")
                .arg(latencyText(value(track, 1, all[1]) / 1e3), latencyText(value(track, 2, all[2]) / 1e3)));
    };
    latency(ttft, m_readings.firstTokenMs);
    latency(itl, m_readings.tokenGapMs);
    const double forward = value(stepTime, 3, m_series.forwardMs);
    const double whole = moment
        ? m_plots[stepTime]->valueAt(0, *moment)
        : forward + lastOf(m_series.scheduleMs) + lastOf(m_series.sampleMs) + lastOf(m_series.commitMs);
    m_plots[stepTime]->setCurrent(fixedOrNone(whole, 1), tr("ms"), tr("host %1").arg(fixedOrNone(whole - forward, 1)));
}

void EngineTracks::readReadingTotals(const ReadingTotals& totals) {
    const double decode = totals.seconds > 0 ? totals.generated / totals.seconds : kNoValue;
    m_plots[rate]->setCurrent(orNone(decode, rateText(decode)), tr("tok/s"),
        tr("%1 tok").arg(orNone(totals.generated, countText(std::llround(std::max(0.0, totals.generated))))));
    m_plots[batch]->setCurrent(fixedOrNone(totals.meanRunning, 1), tr("running"), tr("mean"));
    m_plots[kv]->setCurrent(fixedOrNone(totals.peakKv * 100, 1), QStringLiteral("%"), tr("peak"));
    m_plots[prefix]->setCurrent(
        fixedOrNone(totals.queries > 0 ? totals.hits / totals.queries * 100 : kNoValue, 0), QStringLiteral("%"), {});
    m_plots[accepted]->setCurrent(
        fixedOrNone(totals.drafts > 0 ? totals.accepted / totals.drafts : kNoValue, 1), {}, {});
    const auto latency = [&](Track track, const std::array<double, 3>& triple) {
        m_plots[track]->setCurrent(latencyText(triple[0]), latencyUnit(triple[0]),
            tr("p95 %1 · p99 %2").arg(latencyText(triple[1]), latencyText(triple[2])));
    };
    latency(ttft, totals.firstToken);
    latency(itl, totals.tokenGap);
    m_plots[stepTime]->setCurrent(kNone, tr("ms"), {});
}

} // namespace vitrine::ui
