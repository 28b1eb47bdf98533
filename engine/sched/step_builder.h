// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the plan of one step while the scheduler makes it.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/clock.h"
#include "engine/kv/kv_cache_manager.h"
#include "engine/sched/schedule_output.h"
#include "engine/sched/sequence.h"

namespace vitrine::engine {

/// Invariant: left() + rows of all plans == budget.  Thread: engine.
class StepBuilder {
public:
    StepBuilder(std::uint64_t step, int budget, TimePoint now, const KvCounters& before);

    [[nodiscard]] int left() const noexcept { return left_; }
    /// Of it, what prompts may take.
    [[nodiscard]] int prefill_left() const noexcept { return std::min(left_, prefill_left_); }
    void limit_prefill(int tokens) { prefill_left_ = tokens; } // before the first prefill plan
    [[nodiscard]] bool has_plans() const noexcept { return !output_.plans.empty(); }
    [[nodiscard]] TimePoint now() const noexcept { return now_; }
    /// A sequence with more than one chunk to go is planned: the one such of this step.
    [[nodiscard]] bool has_long_prefill() const noexcept { return long_prefill_ != SequenceId{}; }
    [[nodiscard]] bool preempted_any() const noexcept { return !output_.preempted.empty(); }

    void add(const SequencePlan& plan, bool long_prefill);
    /// Takes a plan back; returns its count, 0 if there is none.
    int remove(SequenceId id);
    void add_preempted(SequenceId id) { output_.preempted.push_back(id); }
    void add_copy(kernels::BlockCopy copy) { output_.copies.push_back(copy); }
    void add_recomputed(int tokens) { output_.recomputed_tokens += tokens; }
    /// Orders the plans and fills in the totals.
    [[nodiscard]] ScheduleOutput finish(const KvCacheManager& kv);

private:
    ScheduleOutput output_;
    const TimePoint now_;
    const KvCounters before_;
    int left_;
    int prefill_left_;
    SequenceId long_prefill_{};
};

} // namespace vitrine::engine
