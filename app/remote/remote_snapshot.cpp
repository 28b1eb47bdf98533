// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: readings of a server as the values pages know.
#include "app/remote/remote_snapshot.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;

namespace {

constexpr double kRateSeconds = 10, kMinuteSeconds = 60;

void count(double told, std::uint64_t& into) {
    if (told >= 0) // false for NaN
        into = static_cast<std::uint64_t>(std::llround(told));
}

/// The reading that lies `seconds` before the last one, or the oldest there is.
const ServerReading& before(const std::deque<ServerReading>& readings, double seconds) {
    const double from = readings.back().time - seconds;
    for (const ServerReading& reading : readings)
        if (reading.time >= from)
            return reading;
    return readings.back();
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : ServerReading::kUntold;
}

void set(double told, double& into) {
    if (!std::isnan(told))
        into = told;
}

void applyCounters(const ServerReading& now, Counters& counters) {
    count(now.steps, counters.steps);
    count(now.promptTokens, counters.prompt_tokens);
    count(now.generationTokens, counters.generation_tokens);
    count(now.prefixQueries, counters.prefix_queries);
    count(now.prefixHits, counters.prefix_hits);
    count(now.preemptions, counters.preemptions);
    count(now.drafts, counters.drafts);
    count(now.draftTokens, counters.draft_tokens);
    count(now.acceptedTokens, counters.accepted_tokens);
}

void applyRates(const std::deque<ServerReading>& readings, Rates& rates) {
    const ServerReading& now = readings.back();
    const ServerReading& lately = before(readings, kRateSeconds);
    const ServerReading& minute = before(readings, kMinuteSeconds);
    const double seconds = now.time - lately.time;
    set(now.promptRate, rates.prefill_tokens_per_s);
    set(now.decodeRate, rates.decode_tokens_per_s);
    set(ratio(now.promptTokens - lately.promptTokens, seconds), rates.prefill_tokens_per_s);
    set(ratio(now.generationTokens - lately.generationTokens, seconds), rates.decode_tokens_per_s);
    set(now.hitRate, rates.prefix_hit_rate);
    set(now.hitRate, rates.prefix_hit_rate_60s);
    set(ratio(now.prefixHits, now.prefixQueries), rates.prefix_hit_rate);
    set(ratio(now.prefixHits - minute.prefixHits, now.prefixQueries - minute.prefixQueries), rates.prefix_hit_rate_60s);
    set(now.acceptedPerStep, rates.accepted_per_step);
    set(ratio(now.acceptedTokens - lately.acceptedTokens, now.drafts - lately.drafts), rates.accepted_per_step);
    set(now.running, rates.mean_batch);
    constexpr double kQuantiles[] = {0.5, 0.95, 0.99};
    for (std::size_t i = 0; i < std::size(kQuantiles); ++i) {
        set(quantileBetween(minute.firstToken, now.firstToken, kQuantiles[i]), rates.ttft_s[i]);
        set(quantileBetween(minute.tokenGap, now.tokenGap, kQuantiles[i]), rates.itl_s[i]);
        set(quantileBetween(minute.e2e, now.e2e, kQuantiles[i]), rates.e2e_s[i]);
        set(quantileBetween(minute.queue, now.queue, kQuantiles[i]), rates.queue_s[i]);
    }
}

} // namespace

std::shared_ptr<const engine::LoadedModel> remoteModel(const RemoteTarget& target) {
    static std::atomic<std::uint64_t> generation{std::uint64_t{1} << 62U};
    auto model = std::make_shared<engine::LoadedModel>();
    model->generation = ++generation;
    model->info.name = toStdString(target.model);
    model->info.path = toStdString(target.server.url.toString());
    model->info.has_chat_template = true;
    model->is_chat_model = true;
    model->context = target.context;
    model->device.id = "remote";
    model->device.name = toStdString(target.server.name);
    return model;
}

void applyReadings(const std::deque<ServerReading>& readings, Snapshot& snapshot) {
    if (readings.empty())
        return;
    const ServerReading& now = readings.back();
    // Readings are up to a second old: requests of this program are there for certain.  A server that does not tell who
    // waits counts them among those that run.
    const int waitingInRunning = std::isnan(now.waiting) ? snapshot.waiting : 0;
    if (!std::isnan(now.running))
        snapshot.running = std::max(snapshot.running, static_cast<int>(std::lround(now.running)) - waitingInRunning);
    if (!std::isnan(now.waiting))
        snapshot.waiting = static_cast<int>(std::lround(now.waiting));
    if (now.blocksTotal > 0) {
        snapshot.blocks.total = static_cast<int>(std::lround(now.blocksTotal));
        const double active = std::isnan(now.blocksActive) ? now.kvUsage * now.blocksTotal : now.blocksActive;
        snapshot.blocks.active = std::isnan(active) ? 0 : static_cast<int>(std::lround(active));
        snapshot.blocks.cached = std::isnan(now.blocksCached) ? 0 : static_cast<int>(std::lround(now.blocksCached));
        snapshot.blocks.shared = std::isnan(now.blocksShared) ? 0 : static_cast<int>(std::lround(now.blocksShared));
        snapshot.blocks.free = snapshot.blocks.total - snapshot.blocks.active - snapshot.blocks.cached;
    }
    applyCounters(now, snapshot.counters);
    if (readings.size() > 1)
        applyRates(readings, snapshot.rates);
}

} // namespace vitrine::app
