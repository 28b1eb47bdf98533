// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: what an engine that runs elsewhere tells about itself.
#pragma once

#include <QString>
#include <limits>
#include <vector>

namespace vitrine::ui {

enum class ServerKind : std::uint8_t { unknown, vitrine, vllm, sglang, llamaCpp, tensorRtLlm };

/// "vLLM", "SGLang" ...; empty when it is not known.
[[nodiscard]] QString serverKindName(ServerKind kind);

/// Which server it is and how well it can be seen.
struct ServerFacts {
    QString name; // as the user called it
    QString host; // "gpu7.example.org:8000"
    ServerKind kind = ServerKind::unknown;
    QString version; // empty: not told
    QString metricsProblem; // one sentence why there are no readings; empty: they come
};

/// A histogram as a server counts it since its start.  Empty: not told.
struct ServerHistogram {
    std::vector<double> bounds; // upper, ascending; the last one is +Inf
    std::vector<double> counts; // cumulative, one a bound
    double sum = 0;

    [[nodiscard]] bool empty() const noexcept { return bounds.empty(); }
    [[nodiscard]] double total() const noexcept { return counts.empty() ? 0 : counts.back(); }
};

/// Quantile q of what `now` has counted more than `before`, linear inside a bucket as Prometheus' histogram_quantile
/// does; the lower bound of the last bucket when it lies above every finite bound.  NaN: nothing was counted, or the
/// bounds differ.
[[nodiscard]] double quantileBetween(const ServerHistogram& before, const ServerHistogram& now, double q);

/// One reading of /metrics.  NaN, or an empty histogram: this server does not tell.  Counters run since the server's start.
struct ServerReading {
    static constexpr double kUntold = std::numeric_limits<double>::quiet_NaN();

    double time = 0; // seconds of the remote engine's clock: since the connection was made
    bool restarted = false; // a counter fell: the server began anew since the reading before
    bool own = false; // of this program's requests alone: the metrics could not be read

    double running = kUntold; // requests
    double waiting = kUntold;
    double kvUsage = kUntold; // 0..1
    double blocksTotal = kUntold;
    double blocksActive = kUntold;
    double blocksCached = kUntold;
    double blocksShared = kUntold;
    double weightBytes = kUntold;
    double kvBytes = kUntold;
    double hitRate = kUntold; // 0..1, where the server tells a rate and no counters
    double promptRate = kUntold; // tokens a second, likewise
    double decodeRate = kUntold;
    double acceptedPerStep = kUntold; // likewise; the model's own token not counted

    double promptTokens = kUntold; // counters
    double generationTokens = kUntold;
    double prefixQueries = kUntold; // tokens
    double prefixHits = kUntold;
    double drafts = kUntold;
    double draftTokens = kUntold;
    double acceptedTokens = kUntold;
    double preemptions = kUntold;
    double finished = kUntold; // requests
    double steps = kUntold;
    double scheduleSeconds = kUntold;
    double forwardSeconds = kUntold;
    double sampleSeconds = kUntold;
    double commitSeconds = kUntold;

    ServerHistogram firstToken; // seconds
    ServerHistogram tokenGap;
    ServerHistogram e2e;
    ServerHistogram queue;
};

/// Whether counters of `now` go on where those of `before`, the reading before it, ended.
[[nodiscard]] inline bool goesOn(const ServerReading& before, const ServerReading& now) {
    return !now.restarted && now.own == before.own;
}

/// visit(name, reference to the number) for every gauge, then for every counter.
template <class R, class Visit>
void forEachGauge(R& reading, Visit visit) {
    visit("running", reading.running);
    visit("waiting", reading.waiting);
    visit("kv_usage", reading.kvUsage);
    visit("blocks_total", reading.blocksTotal);
    visit("blocks_active", reading.blocksActive);
    visit("blocks_cached", reading.blocksCached);
    visit("blocks_shared", reading.blocksShared);
    visit("weight_bytes", reading.weightBytes);
    visit("kv_bytes", reading.kvBytes);
    visit("hit_rate", reading.hitRate);
    visit("prompt_rate", reading.promptRate);
    visit("decode_rate", reading.decodeRate);
    visit("accepted_per_step", reading.acceptedPerStep);
}
template <class R, class Visit>
void forEachCounter(R& reading, Visit visit) {
    visit("prompt_tokens", reading.promptTokens);
    visit("generation_tokens", reading.generationTokens);
    visit("prefix_queries", reading.prefixQueries);
    visit("prefix_hits", reading.prefixHits);
    visit("drafts", reading.drafts);
    visit("draft_tokens", reading.draftTokens);
    visit("accepted_tokens", reading.acceptedTokens);
    visit("preemptions", reading.preemptions);
    visit("finished", reading.finished);
    visit("steps", reading.steps);
    visit("schedule_seconds", reading.scheduleSeconds);
    visit("forward_seconds", reading.forwardSeconds);
    visit("sample_seconds", reading.sampleSeconds);
    visit("commit_seconds", reading.commitSeconds);
}
template <class R, class Visit>
void forEachHistogram(R& reading, Visit visit) {
    visit("first_token", reading.firstToken);
    visit("token_gap", reading.tokenGap);
    visit("e2e", reading.e2e);
    visit("queue", reading.queue);
}

} // namespace vitrine::ui
