// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: totals and rates of one loaded model, fed by the engine loop once a step.
#pragma once

#include <chrono>

#include "engine/api/event.h"
#include "engine/api/snapshot.h"
#include "engine/api/step_record.h"
#include "engine/kv/kv_cache_manager.h"
#include "engine/stats/percentiles.h"
#include "engine/stats/rate_meter.h"
#include "engine/stats/slow_reason.h"

namespace vitrine::engine {

/// Every total equals the sum over step records (invariant 6 of engine.md 11).  Thread: engine.
class EngineStats {
public:
    /// What goodput asks of a request.
    struct Objectives {
        double ttft_s = 1;
        double tpot_s = 0.05;
    };
    EngineStats(TimePoint start, const Objectives& objectives);

    void on_step(const StepRecord& record, TimePoint now);
    /// One choice; `state`: the one it ended in.
    void on_finished(const Finished& finished, SequenceState state, TimePoint now);
    /// The last choice of a request has ended; longest: its most output tokens.
    void on_request_finished(const Request& request, int longest);
    void on_rejected(ErrorCode code);
    /// A choice has its first token, `after` its request was submitted; told at once, not when it ends.
    void on_first_token(std::chrono::microseconds after);
    /// A gap between two tokens of one sequence; k tokens in one step are one gap, then k - 1 zeros.
    void on_token_gap(std::chrono::microseconds gap, int num_tokens);

    /// kv gives the miss reasons.
    [[nodiscard]] Counters counters(const KvCounters& kv) const;
    /// pool gives the times of blocks.
    [[nodiscard]] Histograms histograms(const BlockPool& pool) const;
    [[nodiscard]] int peak_active_blocks() const noexcept { return peak_active_blocks_; }
    [[nodiscard]] Rates rates(TimePoint now) const;
    [[nodiscard]] SlowFacts slow_facts(TimePoint now) const;
    /// Mean output of finished requests; 0 before the first.
    [[nodiscard]] double mean_output_tokens() const noexcept;

private:
    void observe_times(const Finished& finished, bool censored);
    [[nodiscard]] bool met_objectives(const Finished& finished) const;

    const Objectives objectives_;
    Counters counters_;
    Histograms histograms_; // but those of blocks
    int peak_active_blocks_ = 0;
    RateMeter prefill_; // the last 10 s, if not said otherwise
    RateMeter emitted_;
    RateMeter rows_;
    RateMeter steps_;
    RateMeter sequences_;
    RateMeter accepted_;
    RateMeter drafted_;
    RateMeter verify_seqs_;
    RateMeter preempted_;
    RateMeter step_us_;
    RateMeter overhead_us_; // outside forward and sample
    RateMeter queries_; // 60 s
    RateMeter hits_; // 60 s
    RateMeter good_; // 60 s
    SampleWindow ttft_s_;
    SampleWindow tpot_s_;
    SampleWindow itl_s_;
    SampleWindow e2e_s_;
    SampleWindow queue_s_;
    std::uint64_t output_tokens_finished_ = 0;
    std::uint64_t num_finished_ = 0;
};

} // namespace vitrine::engine
