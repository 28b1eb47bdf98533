// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: budget and totals of one step.
#include "engine/sched/step_builder.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {

StepBuilder::StepBuilder(std::uint64_t step, int budget, TimePoint now, const KvCounters& before)
    : now_(now), before_(before), left_(budget), prefill_left_(budget) {
    output_.step = step;
}

void StepBuilder::add(const SequencePlan& plan, bool long_prefill) {
    VT_CHECK(plan.count > 0 && plan.count <= left_);
    left_ -= plan.count;
    if (plan.kind == PlanKind::prefill)
        prefill_left_ -= plan.count;
    if (long_prefill)
        long_prefill_ = plan.id;
    output_.plans.push_back(plan);
}

int StepBuilder::remove(SequenceId id) {
    const auto found = std::ranges::find(output_.plans, id, &SequencePlan::id);
    if (found == output_.plans.end())
        return 0;
    const int count = found->count;
    left_ += count;
    if (found->kind == PlanKind::prefill)
        prefill_left_ += count;
    if (long_prefill_ == id)
        long_prefill_ = SequenceId{};
    output_.plans.erase(found);
    return count;
}

ScheduleOutput StepBuilder::finish(const KvCacheManager& kv) {
    const KvCounters& after = kv.counters();
    const auto first = [](const SequencePlan& plan) { return plan.kind != PlanKind::prefill; };
    std::stable_partition(output_.plans.begin(), output_.plans.end(), first); // clang 14 cannot make the subrange
    for (const SequencePlan& plan : output_.plans) {
        output_.num_rows += plan.count;
        output_.draft_rows += plan.num_drafts;
        output_.verify_seqs += plan.num_drafts > 0 ? 1 : 0;
        if (plan.kind == PlanKind::prefill) {
            output_.prefill_tokens += plan.count;
            ++output_.prefill_seqs;
        } else {
            ++output_.decode_rows;
        }
    }
    output_.prefix_queries = static_cast<int>(after.queries - before_.queries);
    output_.prefix_hits = static_cast<int>(after.hits - before_.hits);
    output_.blocks_taken = static_cast<int>(after.blocks_taken - before_.blocks_taken);
    output_.blocks_evicted = static_cast<int>(after.blocks_evicted - before_.blocks_evicted);
    output_.blocks_used = kv.counts().active;
    return std::move(output_);
}

} // namespace vitrine::engine
