// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: which waiting sequences join the running ones (engine.md 2.1 rule 3, and 2.3).
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/check.h"
#include "engine/sched/scheduler.h"

namespace vitrine::engine {
namespace {

/// Waiting pays off if the other's prefill will leave at least so many blocks that are not cached yet.
constexpr int kMinSharedBlocks = 2;

} // namespace

void Scheduler::admit_waiting(StepBuilder& step) {
    const PolicyView view{.running = num_running(),
        .ended = static_cast<int>(ended_.size()),
        .waiting = num_waiting(),
        .slots = config_.max_seqs};
    int places = std::min(policy_->admissions(view), config_.max_seqs - num_running());
    if (places <= 0)
        return;
    std::vector<Sequence*> passed; // long ones that later, shorter ones go past
    for (Sequence* candidate : waiting_.ordered(step.now(), config_.raise_after)) {
        if (places == 0 || step.prefill_left() == 0)
            return;
        switch (try_admit(step, *candidate)) {
        case Admission::admitted:
            --places;
            for (Sequence* longer : passed)
                ++longer->times_passed_;
            break;
        case Admission::passed:
            passed.push_back(candidate);
            break;
        case Admission::set_aside:
            break;
        case Admission::stop:
            return;
        }
    }
}

Scheduler::Admission Scheduler::try_admit(StepBuilder& step, Sequence& candidate) {
    if (const Sequence* leader = find(candidate.spec_.leader); leader != nullptr && shares_blocks()) {
        if (leader->num_output() == 0 && leader->spec_.max_output > 0)
            return Admission::set_aside; // its prefill serves this one too
        if (!leader->in_prefill() && candidate.num_output() == 0 && candidate.num_prompt() > 1 &&
            kv_.can_fork(leader->table_, candidate.num_prompt() - 1)) // else the cache may still have what it needs
            return try_fork(step, candidate, *leader);
    }
    const bool may_look = config_.prefix_cache && !candidate.spec_.prompt_logprobs && !candidate.spec_.hidden;
    const PrefixMatch match = kv_.look_up(candidate.tokens(), candidate.spec_.extras, may_look);
    if (may_look && config_.hold_same_prefix && shares_running_prefill(candidate, match))
        return Admission::set_aside;

    const int wanted = candidate.target() - match.hit_tokens;
    const int cap = config_.chunked_prefill ? config_.prefill_chunk : std::numeric_limits<int>::max();
    const bool is_long = wanted > cap;
    if (is_long && step.has_long_prefill())
        return candidate.times_passed_ < config_.max_passes ? Admission::passed : Admission::stop;
    const int count = std::min({wanted, cap, step.prefill_left()});
    if (!config_.chunked_prefill && count < wanted)
        return Admission::stop;
    if (!gate_open(kv_.most_new(&match, 0, slots_for(candidate.target()), most_step_tokens(config_)), &match))
        return Admission::stop;

    const bool resumed = candidate.preemptions_ > 0;
    const Result<void> admitted = kv_.admit(candidate.table_, match, slots_for(match.hit_tokens + count), resumed);
    VT_CHECK(admitted.has_value()); // the gate has seen that they are there
    candidate.computed_ = match.hit_tokens;
    candidate.committed_ = match.hit_tokens;
    if (!resumed) {
        candidate.cached_tokens_ = match.hit_tokens;
        candidate.look_up_ = match;
        candidate.look_up_->groups.clear();
        candidate.look_up_->tips.clear();
    }
    start_running(candidate);
    plan_one(step, candidate, count, is_long, true);
    return Admission::admitted;
}

Scheduler::Admission Scheduler::try_fork(StepBuilder& step, Sequence& candidate, const Sequence& leader) {
    // The last prompt token is computed again: its logits give this choice its own first draw.
    const int shared_tokens = candidate.num_prompt() - 1;
    if (!gate_open(kv_.most_new(nullptr, shared_tokens, candidate.target(), most_step_tokens(config_)), nullptr))
        return Admission::stop;
    const auto copies = kv_.fork(candidate.table_, leader.table_, shared_tokens, candidate.target());
    VT_CHECK(copies.has_value());
    for (const kernels::BlockCopy& copy : *copies)
        step.add_copy(copy);
    candidate.computed_ = shared_tokens;
    candidate.committed_ = shared_tokens;
    candidate.cached_tokens_ = shared_tokens;
    start_running(candidate);
    plan_one(step, candidate, 1, false, true);
    return Admission::admitted;
}

bool Scheduler::shares_running_prefill(const Sequence& candidate, const PrefixMatch& match) const {
    const int cached = match.num_blocks();
    return std::ranges::any_of(running_view_, [&](const Sequence* other) {
        if (!other->in_prefill() || other->spec_.extras != candidate.spec_.extras)
            return false;
        const auto head = std::ranges::mismatch(other->tokens(), candidate.tokens());
        const auto shared = static_cast<int>(head.in1 - other->tokens().begin());
        // A full hit is cut by one block, which the candidate computes in any case.
        return std::min(shared, candidate.num_tokens() - 1) / kv_.block_tokens() - cached >= kMinSharedBlocks;
    });
}

bool Scheduler::gate_open(int num_new_blocks, const PrefixMatch* hit) const {
    int reserve = 0;
    if (num_running() > 0 && config_.paged_kv) { // else nobody grows
        const auto share = static_cast<int>(std::floor(config_.free_share * kv_.num_blocks()));
        reserve = std::max(share, num_running());
    }
    return num_new_blocks + reserve <= kv_.num_available(hit);
}

} // namespace vitrine::engine
