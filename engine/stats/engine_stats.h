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
    explicit EngineStats(TimePoint start);

    /// What the step record does not carry.
    struct StepExtras {
        int recomputed_tokens = 0; // ScheduleOutput
        int verify_seqs = 0; // ScheduleOutput
    };
    void on_step(const StepRecord& record, const StepExtras& extras, TimePoint now);
    void on_finished(const Finished& finished);
    void on_rejected() { ++counters_.rejected; }
    /// A gap between two tokens of one sequence; k tokens in one step are one gap, then k - 1 zeros.
    void on_token_gap(std::chrono::microseconds gap, int num_tokens);

    /// kv gives the miss reasons.
    [[nodiscard]] Counters counters(const KvCounters& kv) const;
    [[nodiscard]] Rates rates(TimePoint now) const;
    [[nodiscard]] SlowFacts slow_facts(TimePoint now) const;
    /// Mean output of finished requests; 0 before the first.
    [[nodiscard]] double mean_output_tokens() const noexcept;

private:
    Counters counters_;
    RateMeter prefill_; // the last 10 s, if not said otherwise
    RateMeter emitted_;
    RateMeter rows_;
    RateMeter steps_;
    RateMeter sequences_;
    RateMeter accepted_;
    RateMeter verify_seqs_;
    RateMeter preempted_;
    RateMeter step_us_;
    RateMeter overhead_us_; // outside forward and sample
    RateMeter queries_; // 60 s
    RateMeter hits_; // 60 s
    SampleWindow ttft_s_;
    SampleWindow itl_s_;
    SampleWindow e2e_s_;
    std::uint64_t output_tokens_finished_ = 0;
    std::uint64_t num_finished_ = 0;
};

} // namespace vitrine::engine
