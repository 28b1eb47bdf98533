// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: sums over step records.
#include "engine/stats/engine_stats.h"

namespace vitrine::engine {
namespace {

constexpr std::chrono::milliseconds kWindow{10'000};
constexpr std::chrono::milliseconds kPrefixWindow{60'000};

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

double seconds(std::chrono::microseconds duration) {
    return static_cast<double>(duration.count()) / 1e6;
}

} // namespace

EngineStats::EngineStats(TimePoint start)
    : prefill_(kWindow, start), emitted_(kWindow, start), rows_(kWindow, start), steps_(kWindow, start),
      sequences_(kWindow, start), accepted_(kWindow, start), verify_seqs_(kWindow, start), preempted_(kWindow, start),
      step_us_(kWindow, start), overhead_us_(kWindow, start), queries_(kPrefixWindow, start),
      hits_(kPrefixWindow, start) {}

void EngineStats::on_step(const StepRecord& record, const StepExtras& extras, TimePoint now) {
    ++counters_.steps;
    counters_.prompt_tokens += record.prefill_tokens;
    counters_.generation_tokens += record.emitted;
    counters_.prefix_queries += record.prefix_queries;
    counters_.prefix_hits += record.prefix_hits;
    counters_.preemptions += record.preempted;
    counters_.evictions += record.blocks_evicted;
    counters_.recomputed_tokens += static_cast<std::uint64_t>(extras.recomputed_tokens);
    counters_.drafts += static_cast<std::uint64_t>(extras.verify_seqs);
    counters_.draft_tokens += record.draft_rows;
    counters_.accepted_tokens += record.accepted;
    for (std::size_t i = 0; i < counters_.accepted_per_position.size(); ++i)
        counters_.accepted_per_position[i] += record.accepted_per_position[i];

    const double overhead = record.schedule_us + record.commit_us;
    prefill_.add(now, record.prefill_tokens);
    emitted_.add(now, record.emitted);
    rows_.add(now, record.prefill_tokens + record.decode_rows + record.draft_rows);
    steps_.add(now, 1);
    sequences_.add(now, record.prefill_seqs + record.decode_rows);
    accepted_.add(now, record.accepted);
    verify_seqs_.add(now, extras.verify_seqs);
    preempted_.add(now, record.preempted);
    step_us_.add(now, overhead + record.forward_us + record.sample_us);
    overhead_us_.add(now, overhead);
    queries_.add(now, record.prefix_queries);
    hits_.add(now, record.prefix_hits);
}

void EngineStats::on_finished(const Finished& finished) {
    ++counters_.finished[static_cast<std::size_t>(finished.reason)];
    if (finished.reason == FinishReason::cancelled || finished.reason == FinishReason::error)
        return; // cut short: its times would flatter the percentiles
    if (finished.usage.output_tokens > 0)
        ttft_s_.add(seconds(finished.timings.first_token));
    e2e_s_.add(seconds(finished.timings.total));
    output_tokens_finished_ += static_cast<std::uint64_t>(finished.usage.output_tokens);
    ++num_finished_;
}

void EngineStats::on_token_gap(std::chrono::microseconds gap, int num_tokens) {
    for (int i = 0; i < num_tokens; ++i)
        itl_s_.add(i == 0 ? seconds(gap) : 0);
}

Counters EngineStats::counters(const KvCounters& kv) const {
    Counters counters = counters_;
    for (int i = 0; i < kNumMissReasons; ++i) {
        const auto reason = static_cast<MissReason>(i);
        counters.miss_tokens[std::string(miss_reason_name(reason))] = kv.missed[static_cast<std::size_t>(i)];
    }
    return counters;
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
    rates.ttft_s = ttft_s_.p50_p95_p99();
    rates.itl_s = itl_s_.p50_p95_p99();
    rates.e2e_s = e2e_s_.p50_p95_p99();
    rates.num_latency_samples = static_cast<int>(e2e_s_.size());
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
