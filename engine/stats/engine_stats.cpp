// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: sums over step records.
#include "engine/stats/engine_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::engine {
namespace {

constexpr std::chrono::milliseconds kWindow{10'000};
constexpr std::chrono::milliseconds kLongWindow{60'000};
constexpr double kNever = std::numeric_limits<double>::infinity();

/// As it stands in metrics.
const char* error_code_name(ErrorCode code) {
    constexpr const char* kNames[] = {"invalid_argument", "not_found", "io", "bad_file", "unsupported", "out_of_memory",
        "out_of_blocks", "context_length", "template_error", "invalid_schema", "device", "busy", "cancelled",
        "internal"};
    return kNames[static_cast<int>(code)];
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

double seconds(std::chrono::microseconds duration) {
    return static_cast<double>(duration.count()) / 1e6;
}

/// Mean time of a token after the first; none for a single token.
std::optional<double> time_per_token(const Finished& finished) {
    if (finished.usage.output_tokens < 2)
        return std::nullopt;
    return seconds(finished.timings.decode) / (finished.usage.output_tokens - 1);
}

} // namespace

EngineStats::EngineStats(TimePoint start, const Objectives& objectives)
    : objectives_(objectives), prefill_(kWindow, start), emitted_(kWindow, start), rows_(kWindow, start),
      steps_(kWindow, start), sequences_(kWindow, start), accepted_(kWindow, start), drafted_(kWindow, start),
      verify_seqs_(kWindow, start), preempted_(kWindow, start), step_us_(kWindow, start), overhead_us_(kWindow, start),
      queries_(kLongWindow, start), hits_(kLongWindow, start), good_(kLongWindow, start) {}

void EngineStats::on_step(const StepRecord& record, TimePoint now) {
    ++counters_.steps;
    counters_.prompt_tokens += record.prefill_tokens;
    counters_.generation_tokens += record.emitted;
    counters_.prefix_queries += record.prefix_queries;
    counters_.prefix_hits += record.prefix_hits;
    counters_.preemptions += record.preempted;
    counters_.evictions += record.blocks_evicted;
    counters_.recomputed_tokens += record.recomputed_tokens;
    counters_.drafts += record.verify_seqs;
    counters_.draft_tokens += record.draft_rows;
    counters_.accepted_tokens += record.accepted;
    counters_.window_freed += record.blocks_window_freed;
    counters_.graph_replays += record.graph_replays;
    counters_.graph_pad_rows += record.graph_pad_rows;
    for (std::size_t i = 0; i < counters_.accepted_per_position.size(); ++i)
        counters_.accepted_per_position[i] += record.accepted_per_position[i];

    const std::uint32_t phases[] = {
        record.draft_us, record.schedule_us, record.forward_us, record.sample_us, record.commit_us};
    for (std::size_t i = 0; i < counters_.phase_us.size(); ++i)
        counters_.phase_us[i] += phases[i];
    peak_active_blocks_ = std::max(peak_active_blocks_, static_cast<int>(record.blocks_used));

    const std::uint32_t rows = record.prefill_tokens + record.decode_rows + record.draft_rows;
    histograms_.step_tokens.observe(rows);
    const double overhead = record.schedule_us + record.commit_us;
    prefill_.add(now, record.prefill_tokens);
    emitted_.add(now, record.emitted);
    rows_.add(now, rows);
    steps_.add(now, 1);
    sequences_.add(now, record.prefill_seqs + record.decode_rows);
    accepted_.add(now, record.accepted);
    drafted_.add(now, record.draft_rows);
    verify_seqs_.add(now, record.verify_seqs);
    preempted_.add(now, record.preempted);
    step_us_.add(now, overhead + record.forward_us + record.sample_us);
    overhead_us_.add(now, overhead);
    queries_.add(now, record.prefix_queries);
    hits_.add(now, record.prefix_hits);
}

void EngineStats::on_finished(const Finished& finished, SequenceState state, TimePoint now) {
    ++counters_.finished[static_cast<std::size_t>(finished.reason)];
    if (finished.reason == FinishReason::cancelled)
        ++counters_.cancelled[static_cast<std::size_t>(state)];
    const bool censored = finished.reason == FinishReason::cancelled || finished.reason == FinishReason::error;
    observe_times(finished, censored);
    if (censored)
        return;
    if (met_objectives(finished)) {
        ++counters_.slo_met;
        good_.add(now, 1);
    }
    output_tokens_finished_ += static_cast<std::uint64_t>(finished.usage.output_tokens);
    ++num_finished_;
}

void EngineStats::observe_times(const Finished& finished, bool censored) {
    const RequestTimings& times = finished.timings;
    const bool has_token = times.first_token.count() > 0;
    if (censored) { // a time that was not reached is longer than any
        if (!has_token)
            ttft_s_.add(kNever);
        e2e_s_.add(kNever);
    } else {
        e2e_s_.add(seconds(times.total));
        histograms_.e2e_s.observe(seconds(times.total));
    }
    if (const auto tpot = time_per_token(finished))
        tpot_s_.add(*tpot);
    if (censored)
        return;
    queue_s_.add(seconds(times.queued));
    histograms_.queue_s.observe(seconds(times.queued));
    histograms_.prompt_tokens.observe(finished.usage.prompt_tokens);
    histograms_.output_tokens.observe(finished.usage.output_tokens);
    if (!has_token)
        return;
    histograms_.prefill_s.observe(seconds(times.prefill));
    histograms_.decode_s.observe(seconds(times.decode));
    histograms_.inference_s.observe(seconds(times.prefill + times.decode));
}

bool EngineStats::met_objectives(const Finished& finished) const {
    return seconds(finished.timings.first_token) <= objectives_.ttft_s &&
        time_per_token(finished).value_or(0) <= objectives_.tpot_s;
}

void EngineStats::on_request_finished(const Request& request, int longest) {
    histograms_.max_output_tokens.observe(longest);
    histograms_.asked_choices.observe(request.num_choices);
    if (request.stop.max_tokens >= 0)
        histograms_.asked_max_tokens.observe(request.stop.max_tokens);
}

void EngineStats::on_rejected(ErrorCode code) {
    ++counters_.rejected;
    ++counters_.rejections[error_code_name(code)];
}

void EngineStats::on_first_token(std::chrono::microseconds after) {
    ttft_s_.add(seconds(after));
    histograms_.first_token_s.observe(seconds(after));
}

void EngineStats::on_token_gap(std::chrono::microseconds gap, int num_tokens) {
    for (int i = 0; i < num_tokens; ++i) {
        itl_s_.add(i == 0 ? seconds(gap) : 0);
        histograms_.token_gap_s.observe(i == 0 ? seconds(gap) : 0);
    }
}

Counters EngineStats::counters(const KvCounters& kv) const {
    Counters counters = counters_;
    for (int i = 0; i < kNumMissReasons; ++i) {
        const auto reason = static_cast<MissReason>(i);
        counters.miss_tokens[std::string(miss_reason_name(reason))] = kv.missed[static_cast<std::size_t>(i)];
    }
    return counters;
}

Histograms EngineStats::histograms(const BlockPool& pool) const {
    Histograms all = histograms_;
    all.block_lifetime_s = pool.times().lifetime_s;
    all.block_idle_s = pool.times().idle_s;
    all.block_reuse_gap_s = pool.times().reuse_gap_s;
    return all;
}

Rates EngineStats::rates(TimePoint now) const {
    Rates rates;
    rates.prefill_tokens_per_s = prefill_.per_second(now);
    rates.decode_tokens_per_s = emitted_.per_second(now);
    rates.prefix_hit_rate_60s = ratio(hits_.sum(now), queries_.sum(now));
    rates.prefix_hit_rate =
        ratio(static_cast<double>(counters_.prefix_hits), static_cast<double>(counters_.prefix_queries));
    rates.accepted_per_step = ratio(accepted_.sum(now), verify_seqs_.sum(now));
    rates.mean_batch = ratio(sequences_.sum(now), steps_.sum(now));
    rates.drafts_per_step = ratio(drafted_.sum(now), verify_seqs_.sum(now));
    const auto fill = [](const SampleWindow& window, std::array<double, 3>& values, int& count) {
        values = window.p50_p95_p99();
        count = static_cast<int>(window.size());
    };
    fill(ttft_s_, rates.ttft_s, rates.num_ttft);
    fill(tpot_s_, rates.tpot_s, rates.num_tpot);
    fill(itl_s_, rates.itl_s, rates.num_itl);
    fill(e2e_s_, rates.e2e_s, rates.num_e2e);
    fill(queue_s_, rates.queue_s, rates.num_queue);
    rates.num_censored =
        static_cast<int>(std::ranges::count_if(e2e_s_.samples(), [](double sample) { return std::isinf(sample); }));
    rates.goodput_60s = good_.per_second(now);
    return rates;
}

SlowFacts EngineStats::slow_facts(TimePoint now) const {
    SlowFacts facts;
    facts.preemptions = static_cast<int>(preempted_.sum(now));
    facts.prefill_share = ratio(prefill_.sum(now), rows_.sum(now));
    facts.overhead_share = ratio(overhead_us_.sum(now), step_us_.sum(now));
    return facts;
}

double EngineStats::mean_output_tokens() const noexcept {
    return ratio(static_cast<double>(output_tokens_finished_), static_cast<double>(num_finished_));
}

} // namespace vitrine::engine
