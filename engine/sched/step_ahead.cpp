// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the step behind the running one (engine.md 1, stepping ahead).  The device runs steps in order, so
// a block that is freed now may be given away at once: whoever writes it next does so behind the step that still does.
#include <algorithm>

#include "engine/base/check.h"
#include "engine/sched/scheduler.h"

namespace vitrine::engine {

bool Scheduler::may_step_ahead(const ScheduleOutput& plan) const {
    const bool full = num_running() >= config_.max_seqs;
    if (!config_.kv_cache || !ended_.empty() || !plan.preempted.empty() || (waiting_.size() > 0 && !full))
        return false;
    int live = 0;
    for (const SequencePlan& one : plan.plans) {
        if (find(one.id) == nullptr)
            continue; // ended while this step ran ahead itself
        const SequenceSpec& spec = one.sequence->spec_;
        if (!one.samples || one.all_hidden || spec.speculate || one.sequence->sampler_.needs_last_token())
            return false;
        ++live;
    }
    return live == num_running(); // else a prompt waits for its next chunk
}

ScheduleOutput Scheduler::schedule_ahead(const ScheduleOutput& plan) {
    if (!may_step_ahead(plan))
        return {};
    StepBuilder step(step_ + 1, config_.max_batch_tokens, clock_.now(), kv_.counters());
    std::vector<Sequence*> planned;
    for (std::size_t entry = 0; entry < plan.plans.size(); ++entry) {
        Sequence* sequence = find(plan.plans[entry].id);
        if (sequence == nullptr || sequence->num_output() + 1 >= sequence->spec_.max_output)
            continue; // has ended, or ends with the running step
        const int position = sequence->computed_;
        if (step.left() == 0 || !kv_.extend(sequence->table_, position, position + 1)) {
            for (Sequence* one : planned) {
                --one->computed_;
                one->ahead_ = 0;
            }
            return {}; // the usual schedule() preempts
        }
        SequencePlan next;
        next.id = sequence->id();
        next.sequence = sequence;
        next.kind = PlanKind::decode;
        next.first_position = position;
        next.count = 1;
        next.samples = true;
        next.token_from = static_cast<int>(entry); // every plan of the running step samples
        step.add(next, false);
        ++sequence->computed_;
        sequence->ahead_ = 1;
        planned.push_back(sequence);
    }
    if (!planned.empty())
        ++step_;
    return step.finish(kv_);
}

void Scheduler::begin_ahead(const ScheduleOutput& plan) {
    for (const SequencePlan& one : plan.plans) {
        if (Sequence* sequence = find(one.id)) {
            VT_CHECK(sequence->ahead_ == 1);
            sequence->ahead_ = 0;
        }
    }
}

} // namespace vitrine::engine
