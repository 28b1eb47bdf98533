// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: one rule for prefill, decode, resume and verify: some of target - computed (engine.md 2.1).
#include "engine/sched/scheduler.h"

#include <algorithm>
#include <limits>

#include "engine/base/check.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

Scheduler::Scheduler(const SchedulerConfig& config, KvCacheManager& kv, const Clock& clock)
    : config_(config), kv_(kv), clock_(clock), policy_(make_policy(config.policy)) {
    VT_CHECK(check_config(config, kv.block_tokens()).has_value());
}

Scheduler::~Scheduler() {
    release_ended();
    for (const auto& sequence : running_)
        kv_.release(sequence->table_);
}

Result<void> Scheduler::check_fit(int num_prompt, int max_output) const {
    const bool too_long = num_prompt > config_.context || (num_prompt == config_.context && max_output > 0);
    if (too_long)
        return fail(ErrorCode::context_length, say(Sentence::prompt_over_context, num_prompt, config_.context),
            say(Sentence::shorten_conversation));
    const int needed =
        kv_.most_held(slots_for(std::min(num_prompt + max_output, config_.context)), most_step_tokens(config_));
    if (needed > kv_.num_blocks())
        return fail(ErrorCode::out_of_memory, say(Sentence::request_over_pool, needed, kv_.num_blocks()),
            say(Sentence::ask_for_less));
    return {};
}

Result<void> Scheduler::add(std::unique_ptr<Sequence> sequence) {
    VT_CHECK(sequence != nullptr && !by_id_.contains(sequence->id()));
    VT_CHECK(!sequence->spec().speculate || sequence->spec().draft_length.max_gamma <= config_.max_gamma);
    if (sequence->num_prompt() == 0)
        return fail(ErrorCode::invalid_argument, say(Sentence::prompt_empty), say(Sentence::send_a_token));
    VT_TRY(check_fit(sequence->num_prompt(), sequence->spec().max_output));
    sequence->state_ = sequence->preemptions_ > 0 ? SequenceState::preempted : SequenceState::waiting;
    by_id_.emplace(sequence->id(), sequence.get());
    waiting_.push(std::move(sequence));
    return {};
}

ScheduleOutput Scheduler::schedule() {
    const auto committed = [](const auto& sequence) { return sequence->ahead_ == 0; };
    VT_CHECK(std::ranges::all_of(running_, committed));
    const TimePoint now = clock_.now();
    StepBuilder step(++step_, config_.max_batch_tokens, now, kv_.counters());
    sort_running(now);
    plan_running(step, Pass::short_ones);
    limit_prefill(step);
    plan_running(step, Pass::prefill);
    if (!step.preempted_any() && step.prefill_left() > 0)
        admit_waiting(step);
    return step.finish(kv_);
}

/// Streams that are being written stay fluent: prompts beside them are cut smaller.
void Scheduler::limit_prefill(StepBuilder& step) const {
    const bool applies = config_.max_gap_ratio > 0 && config_.chunked_prefill &&
        config_.policy == BatchPolicy::continuous && step.has_plans();
    if (const int allowed = applies ? pace_.prefill_allowance(config_.max_gap_ratio, kv_.block_tokens()) : 0;
        allowed > 0)
        step.limit_prefill(allowed);
}

void Scheduler::measured(const ScheduleOutput& plan, double seconds) {
    pace_.on_step(plan.prefill_tokens, plan.num_rows - plan.prefill_tokens, seconds);
}

void Scheduler::plan_running(StepBuilder& step, Pass pass) {
    const int most_short = 1 + config_.max_gamma;
    const std::vector<Sequence*> order = running_view_; // preemption shortens the real list
    for (Sequence* sequence : order) {
        const int remaining = sequence->remaining();
        const bool is_short = remaining <= most_short;
        if (sequence->state_ == SequenceState::preempted || remaining == 0 || is_short != (pass == Pass::short_ones))
            continue;
        // Chunking off: a prompt runs in one piece, whose size the configuration check has allowed.
        const int cap = config_.chunked_prefill ? config_.prefill_chunk : std::numeric_limits<int>::max();
        const bool is_long = !is_short && remaining > cap; // many drafts are no prefill
        if (is_long && step.has_long_prefill())
            continue;
        int count = std::min({remaining, is_short ? remaining : cap, is_short ? step.left() : step.prefill_left()});
        if (count > 0 && extend_or_preempt(step, *sequence, count))
            plan_one(step, *sequence, count, is_long);
    }
}

bool Scheduler::extend_or_preempt(StepBuilder& step, Sequence& asker, int& count) {
    while (!kv_.extend(asker.table_, asker.computed_, asker.computed_ + count)) {
        if (!ended_.empty()) { // padding of a static batch gives way first
            release_ended();
        } else if (!asker.draft_.tokens.empty()) { // so do guesses
            asker.draft_ = Draft{};
            count = std::min(count, asker.remaining());
        } else {
            Sequence& victim = *running_view_.back(); // lowest priority, then youngest
            preempt(step, victim);
            if (&victim == &asker)
                return false;
        }
    }
    return true;
}

void Scheduler::preempt(StepBuilder& step, Sequence& victim) {
    victim.computed_ -= step.remove(victim.id());
    victim.max_computed_ = std::max(victim.max_computed_, victim.computed_);
    kv_.release(victim.table_); // hashed blocks stay findable: a resume often hits its own prefix
    victim.computed_ = 0;
    victim.committed_ = 0;
    victim.draft_ = Draft{};
    ++victim.preemptions_;
    victim.state_ = SequenceState::preempted;
    step.add_preempted(victim.id());
    waiting_.push(stop_running(victim.id()));
}

void Scheduler::plan_one(StepBuilder& step, Sequence& sequence, int count, bool long_prefill, bool admitted) {
    SequencePlan plan;
    plan.id = sequence.id();
    plan.sequence = &sequence;
    plan.first_position = sequence.computed_;
    plan.count = count;
    plan.hit_tokens = admitted ? sequence.computed_ : 0;
    plan.first_look_up = admitted && sequence.preemptions_ == 0 && sequence.look_up_;
    plan.num_drafts = static_cast<int>(sequence.draft_.tokens.size());
    plan.kind = sequence.in_prefill() ? PlanKind::prefill : plan.num_drafts > 0 ? PlanKind::verify : PlanKind::decode;
    plan.samples = sequence.remaining() == count && sequence.spec_.max_output > 0;
    plan.all_logits = sequence.spec_.prompt_logprobs && sequence.num_output() == 0;
    plan.all_hidden = sequence.spec_.hidden;
    VT_CHECK(plan.num_drafts == 0 || plan.kind == PlanKind::verify);
    step.add_recomputed(std::clamp(sequence.max_computed_ - sequence.computed_, 0, count));
    step.add(plan, long_prefill);
    sequence.state_ = plan.kind == PlanKind::prefill ? SequenceState::prefill : SequenceState::decode;
    sequence.computed_ += count; // at once; commit() corrects it for rejected drafts
    if (!sequence.first_planned_)
        sequence.first_planned_ = step.now();
}

void Scheduler::sort_running(TimePoint now) {
    const auto before = [&](const auto& a, const auto& b) { return goes_before(*a, *b, now, config_.raise_after); };
    std::ranges::sort(running_, before);
    std::ranges::sort(running_view_, before);
}

void Scheduler::start_running(Sequence& sequence) {
    running_.push_back(waiting_.take(sequence.id()));
    VT_CHECK(running_.back() != nullptr);
    running_view_.push_back(&sequence);
}

std::unique_ptr<Sequence> Scheduler::stop_running(SequenceId id) {
    const auto found = std::ranges::find(running_, id, [](const auto& sequence) { return sequence->id(); });
    if (found == running_.end())
        return nullptr;
    std::unique_ptr<Sequence> taken = std::move(*found);
    running_.erase(found);
    std::erase(running_view_, taken.get());
    return taken;
}

} // namespace vitrine::engine
