// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: one step of the loop: drafts, schedule, run, commit, record.
#include <algorithm>
#include <deque>

#include "engine/base/check.h"
#include "engine/base/log.h"
#include "engine/core/engine_loop.h"
#include "engine/stats/miss_reason.h"

namespace vitrine::engine {
namespace {

constexpr std::uint16_t kMaxLines = 256; // SequenceLines of one step
constexpr std::chrono::milliseconds kBlocked{5}; // work exists and none of it may run just now
constexpr std::uint8_t kLinePreempted = 3;

std::uint32_t microseconds(TimePoint from, TimePoint to) {
    return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(to - from).count());
}

std::uint64_t microseconds_since(TimePoint start, TimePoint time) { // 32 bits are 71 minutes
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time - start).count());
}

std::uint32_t microseconds(std::chrono::nanoseconds duration) {
    return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

template <class To>
To narrow(int value) {
    return static_cast<To>(value);
}

/// What the grammar of one sequence lets follow its drafts.
class GrammarMask final : public DraftMask {
public:
    explicit GrammarMask(const GrammarState& state) : state_(state) {}
    [[nodiscard]] std::span<const std::uint32_t> after(std::span<const TokenId> drafts) override {
        return state_.allowed_after(drafts);
    }

private:
    const GrammarState& state_;
};

} // namespace

void EngineLoop::step() {
    StepTimes times;
    times.start = steady_clock().now();
    record_ = StepRecord{};
    record_.step = mail_.steps.next();
    record_.start_us = microseconds_since(start_, times.start);
    step_lines_ = 0;
    ScheduleOutput plan = begin_step(times);
    if (plan.plans.empty())
        return;
    const TimePoint aside = steady_clock().now();
    start_ahead(plan);
    if (session_->runs_aside)
        work_aside();
    times.aside = steady_clock().now() - aside;
    auto result = session_->runner->finish(plan);
    times.ran = steady_clock().now();
    if (!result)
        return fail_step(plan, result.error());
    drop_ended(plan, *result);
    const auto on_device = std::max<std::chrono::nanoseconds>(
        times.ran - times.scheduled - times.aside, result->forward_time + result->sample_time);
    if (plan.prefill_seqs == 0)
        session_->step_costs.record_step(plan.num_rows, on_device);
    session_->scheduler->measured(plan, std::chrono::duration<double>(on_device).count());
    commit_step(plan, *result, times);
    if (session_ && session_->model->config.check_invariants)
        check_invariants();
}

ScheduleOutput EngineLoop::begin_step(StepTimes& times) {
    const auto lives = [this](const SequencePlan& one) { return session_->scheduler->find(one.id) != nullptr; };
    if (ahead_ && std::ranges::none_of(ahead_->plans, lives))
        drop_ahead();
    if (ahead_) {
        ScheduleOutput plan = *std::exchange(ahead_, std::nullopt);
        session_->scheduler->begin_ahead(plan);
        times.drafted = times.scheduled = times.start;
        return plan;
    }
    const Result<void> drafted = propose_drafts();
    times.drafted = steady_clock().now();
    ScheduleOutput plan = session_->scheduler->schedule();
    times.scheduled = steady_clock().now();
    if (!drafted) {
        fail_step(plan, drafted.error());
        return {};
    }
    if (plan.plans.empty()) {
        work_aside();
        mail_.commands.wait_for(kBlocked);
        return {};
    }
    note_plan(plan, times.start);
    if (auto started = session_->runner->start(plan); !started) {
        fail_step(plan, started.error());
        return {};
    }
    return plan;
}

void EngineLoop::note_plan(const ScheduleOutput& plan, TimePoint time) {
    for (const SequenceId id : plan.preempted) {
        if (const Sequence* sequence = session_->scheduler->find(id))
            add_line(id, sequence->request(), kLinePreempted, time);
        if (session_->proposer)
            session_->proposer->forget(id);
    }
    describe_look_ups(plan);
    if (session_->model->config.check_invariants)
        session_->scheduler->check_plan(plan);
}

/// A command that waits may bring somebody who would like to join: then the next step is planned with him.
void EngineLoop::start_ahead(const ScheduleOutput& plan) {
    if (!session_->steps_ahead || !session_->runner->can_follow() || num_preparing_ > 0 || !mail_.commands.empty())
        return;
    ScheduleOutput next = session_->scheduler->schedule_ahead(plan);
    if (next.plans.empty())
        return;
    if (session_->model->config.check_invariants)
        session_->scheduler->check_plan(next);
    if (auto started = session_->runner->start(next); !started) {
        log_error("a step ahead could not be started: {}", started.error().message);
        session_->scheduler->abandon(next); // the device says the same of the running step, if it is broken
        return;
    }
    ahead_ = std::move(next);
}

void EngineLoop::drop_ahead() {
    if (!ahead_)
        return;
    (void)session_->runner->finish(*ahead_); // nobody waits for what it gives
    session_->scheduler->abandon(*ahead_);
    ahead_.reset();
}

/// Rows of sequences that ended while the step was under way count nowhere.
void EngineLoop::drop_ended(ScheduleOutput& plan, RunResult& result) const {
    for (std::size_t i = plan.plans.size(); i-- > 0;) {
        const SequencePlan& one = plan.plans[i];
        if (session_->scheduler->find(one.id) != nullptr)
            continue;
        VT_CHECK(one.token_from >= 0);
        plan.num_rows -= one.count;
        --plan.decode_rows;
        const auto at = static_cast<std::ptrdiff_t>(i);
        plan.plans.erase(plan.plans.begin() + at);
        result.outcomes.erase(result.outcomes.begin() + at);
        result.logits.erase(result.logits.begin() + at);
        result.hidden.erase(result.hidden.begin() + at);
    }
}

/// The output of the last step, and a snapshot if it is time for one.
void EngineLoop::work_aside() {
    give_pending_text();
    const TimePoint now = steady_clock().now();
    if (session_->runs_aside && snapshots_.due(now)) {
        emit_progress();
        publish(now);
    }
    outbox_.deliver();
}

void EngineLoop::give_pending_text() {
    for (PendingText& pending : pending_text_) {
        RequestState& state = requests_.at(pending.request);
        ChoiceState& choice = state.choices[pending.choice];
        give_tokens(state, choice, pending.outcome, *session_->text, pending.verdict);
        emit_output(state, choice);
    }
    pending_text_.clear();
}

void EngineLoop::describe_look_ups(const ScheduleOutput& plan) {
    const auto text_of = [this](TokenId token) { return session_->text->token_bytes(token); };
    for (const SequencePlan& one : plan.plans)
        if (one.first_look_up)
            if (auto miss = largest_miss(*one.sequence->look_up(), steady_clock().now(), text_of))
                one.sequence->set_miss(std::make_shared<const PrefixMiss>(*miss), miss_sentence(*miss));
}

Result<void> EngineLoop::propose_drafts() {
    if (!session_->proposer)
        return {};
    const auto running = session_->scheduler->running();
    const auto decodes = [](const Sequence* sequence) { return !sequence->in_prefill(); };
    const auto num_decoding = static_cast<int>(std::ranges::count_if(running, decodes));
    const DraftCosts costs = session_->step_costs.costs(std::max(num_decoding, 1));
    std::vector<Sequence*> askers;
    std::vector<DraftRequest> requests;
    std::deque<GrammarMask> masks; // requests point into it
    for (Sequence* sequence : running) {
        if (!sequence->spec().speculate || sequence->in_prefill())
            continue;
        sequence->draft_length().set_costs(costs);
        const int max_drafts = sequence->max_drafts();
        if (max_drafts == 0)
            continue;
        const GrammarState& grammar = sequence->sampler().grammar();
        DraftMask* mask = grammar.active() ? &masks.emplace_back(grammar) : nullptr;
        askers.push_back(sequence);
        requests.push_back(DraftRequest{
            sequence->id(), sequence->tokens(), max_drafts, &sequence->sampler(), &sequence->spec().extras, mask});
    }
    if (requests.empty())
        return {};
    const TimePoint start = steady_clock().now();
    auto drafts = session_->proposer->propose(requests);
    if (!drafts)
        return tl::unexpected(drafts.error());
    int num_rounds = 0;
    int num_followed = 0;
    for (std::size_t i = 0; i < askers.size(); ++i) {
        Draft& draft = (*drafts)[i];
        num_rounds = std::max(num_rounds, static_cast<int>(draft.tokens.size()));
        num_followed += draft.num_followed;
        askers[i]->set_draft(std::move(draft));
    }
    session_->step_costs.record_drafting(num_decoding, num_rounds, num_followed, steady_clock().now() - start);
    return {};
}

void EngineLoop::commit_step(const ScheduleOutput& plan, RunResult& result, const StepTimes& times) {
    std::vector<CommitVerdict> verdicts;
    std::vector<StepOutcome> outcomes;
    std::vector<Owner> owners; // plan.plans[i].sequence is good until commit()
    verdicts.reserve(plan.plans.size()); // outcomes point into it
    std::uint32_t emitted = 0;
    for (std::size_t i = 0; i < plan.plans.size(); ++i) {
        owners.push_back(owner_of(*plan.plans[i].sequence));
        verdicts.push_back(commit_plan(plan.plans[i], result, i));
        outcomes.push_back(StepOutcome{verdicts.back().kept, result.outcomes[i].num_accepted});
        const int accepted_before = record_.accepted;
        count_accepted(std::min(result.outcomes[i].num_accepted, static_cast<int>(verdicts.back().kept.size())));
        emitted += static_cast<std::uint32_t>(verdicts.back().kept.size());
        add_line(plan.plans[i], record_.accepted - accepted_before);
    }
    session_->scheduler->commit(plan, outcomes);
    for (std::size_t i = 0; i < plan.plans.size(); ++i) {
        const auto [state, choice] = owners[i];
        if (choice == nullptr) {
            if (plan.plans[i].samples)
                take_beam(*state, plan.plans[i].id, std::move(result.outcomes[i]));
            continue;
        }
        if (verdicts[i].reason)
            finish_choice(*state, *choice, *verdicts[i].reason, verdicts[i].error);
        else
            emit_output(*state, *choice);
        erase_if_done(state->id);
    }
    record_step(plan, result, times, emitted);
}

CommitVerdict EngineLoop::commit_plan(const SequencePlan& plan, RunResult& result, std::size_t index) {
    const auto [state, choice] = owner_of(*plan.sequence);
    if (choice == nullptr) // a beam: its search chooses, once all have answered
        return {};
    if (plan.all_logits)
        take_prompt_logprobs(*state, plan, result.logits[index], *session_->text);
    const bool prompt_done = plan.first_position + plan.count >= plan.sequence->num_prompt();
    if (plan.all_hidden && !pool_hidden(*state, plan, result.hidden[index]))
        return CommitVerdict{{}, FinishReason::error,
            make_error(ErrorCode::unsupported, say(Sentence::no_hidden_states), say(Sentence::load_on_cpu))};
    if (plan.all_hidden && prompt_done)
        emit_embedding(*state);
    if (prompt_done)
        emit_prompt_logprobs(*state);
    if (prompt_done && plan.sequence->spec().max_output == 0) // a scored prompt and no answer
        return CommitVerdict{{}, FinishReason::length, {}};
    if (!plan.samples)
        return {};
    kernels::SamplingOutcome& outcome = result.outcomes[index];
    CommitVerdict verdict = decide_tokens(
        *state, OutputPlace{plan.sequence->num_output(), plan.sequence->spec().max_output}, outcome, *session_->text);
    if (session_->runs_aside && !verdict.reason && !has_stop_strings(*state)) {
        const auto place = static_cast<std::size_t>(choice - state->choices.data());
        pending_text_.push_back(PendingText{state->id, place, outcome, verdict});
    } else {
        give_tokens(*state, *choice, outcome, *session_->text, verdict);
    }
    count_token_times(*state, *choice, verdict.kept.size());
    return verdict;
}

void EngineLoop::count_token_times(const RequestState& state, ChoiceState& choice, std::size_t num_tokens) {
    if (num_tokens == 0)
        return;
    const TimePoint now = steady_clock().now();
    const auto since = [now](TimePoint then) {
        return std::chrono::duration_cast<std::chrono::microseconds>(now - then);
    };
    if (choice.last_emitted == TimePoint{})
        session_->stats->on_first_token(since(state.submitted));
    else
        session_->stats->on_token_gap(since(choice.last_emitted), static_cast<int>(num_tokens));
    choice.last_emitted = now;
}

/// Drafts behind a stop are discarded and do not count.
void EngineLoop::count_accepted(int num_accepted) {
    record_.accepted = narrow<std::uint16_t>(record_.accepted + num_accepted);
    const auto positions = std::min(static_cast<std::size_t>(num_accepted), record_.accepted_per_position.size());
    for (std::size_t i = 0; i < positions; ++i)
        ++record_.accepted_per_position[i];
}

void EngineLoop::fail_step(const ScheduleOutput& plan, const Error& cause) {
    log_error("step failed: {}", cause.message);
    give_pending_text(); // of steps that did not fail, and of choices that end here
    drop_ahead(); // it went on from what failed
    Error error = cause;
    if (error.code == ErrorCode::device)
        error.remedy = "The model is being loaded again; send the request again in a moment.";
    session_->scheduler->abandon(plan);
    std::vector<RequestId> ids;
    for (const SequencePlan& sequence : plan.plans) {
        if (session_->scheduler->find(sequence.id) == nullptr)
            continue; // went with another beam of its request
        const auto [state, choice] = owner_of(*sequence.sequence);
        ids.push_back(state->id);
        if (choice != nullptr)
            finish_choice(*state, *choice, FinishReason::error, error);
        else
            fail_beams(*state, error);
    }
    for (const RequestId id : ids)
        erase_if_done(id);
    if (error.code == ErrorCode::device)
        lose_device(cause);
}

void EngineLoop::record_step(
    const ScheduleOutput& plan, const RunResult& result, const StepTimes& times, std::uint32_t emitted) {
    const TimePoint now = steady_clock().now();
    StepRecord& record = record_;
    record.draft_us = microseconds(times.start, times.drafted);
    record.schedule_us = microseconds(times.drafted, times.scheduled);
    record.sample_us = microseconds(result.sample_time);
    // The phases add up to the step's time: what was done aside is commit's, though a GPU has hidden it.
    const std::uint32_t aside_us = microseconds(times.aside);
    const std::uint32_t run_us = microseconds(times.scheduled, times.ran) - aside_us;
    record.forward_us = run_us > record.sample_us ? run_us - record.sample_us : run_us;
    record.commit_us = microseconds(times.ran, now) + aside_us;
    record.prefill_tokens = narrow<std::uint32_t>(plan.prefill_tokens);
    record.prefill_seqs = narrow<std::uint16_t>(plan.prefill_seqs);
    record.decode_rows = narrow<std::uint16_t>(plan.decode_rows);
    record.verify_seqs = narrow<std::uint16_t>(plan.verify_seqs);
    record.recomputed_tokens = narrow<std::uint32_t>(plan.recomputed_tokens);
    record.blocks_used = narrow<std::uint32_t>(plan.blocks_used);
    record.draft_rows = narrow<std::uint16_t>(plan.draft_rows);
    record.emitted = emitted;
    const BlockCounts blocks = session_->kv->counts();
    record.blocks_free = narrow<std::uint32_t>(blocks.free);
    record.blocks_cached = narrow<std::uint32_t>(blocks.cached);
    record.blocks_active = narrow<std::uint32_t>(blocks.active);
    record.blocks_shared = narrow<std::uint32_t>(blocks.shared);
    record.blocks_taken = narrow<std::uint32_t>(plan.blocks_taken);
    record.blocks_evicted = narrow<std::uint32_t>(plan.blocks_evicted);
    const KvCounters& kv = session_->kv->counters();
    record.blocks_released = static_cast<std::uint32_t>(kv.blocks_released - released_before_);
    record.blocks_window_freed = static_cast<std::uint32_t>(kv.window_freed - window_freed_before_);
    released_before_ = kv.blocks_released;
    window_freed_before_ = kv.window_freed;
    record.graph_replays = narrow<std::uint16_t>(result.graph_replays);
    record.graph_pad_rows = narrow<std::uint16_t>(result.pad_rows);
    record.prefix_queries = narrow<std::uint32_t>(plan.prefix_queries);
    record.prefix_hits = narrow<std::uint32_t>(plan.prefix_hits);
    record.running = narrow<std::uint16_t>(session_->scheduler->num_running());
    record.waiting = narrow<std::uint16_t>(session_->scheduler->num_waiting());
    record.preempted = narrow<std::uint16_t>(static_cast<int>(plan.preempted.size()));
    record.num_lines = step_lines_;
    mail_.steps.push(record);
    session_->stats->on_step(record, now);
}

void EngineLoop::add_line(const SequencePlan& plan, int accepted) {
    if (step_lines_ >= kMaxLines)
        return;
    SequenceLine line;
    line.step = record_.step;
    line.time_us = record_.start_us;
    line.request = static_cast<std::uint64_t>(plan.sequence->request());
    line.sequence = static_cast<std::uint32_t>(plan.sequence->id());
    line.first_position = narrow<std::uint32_t>(plan.first_position);
    line.count = narrow<std::uint32_t>(plan.count);
    line.hit = narrow<std::uint32_t>(plan.hit_tokens);
    line.accepted = narrow<std::uint16_t>(accepted);
    line.kind = static_cast<std::uint8_t>(plan.kind);
    mail_.lines.push(line);
    ++step_lines_;
}

void EngineLoop::add_line(
    SequenceId sequence, RequestId request, std::uint8_t kind, TimePoint time, std::uint8_t finish) {
    if (step_lines_ >= kMaxLines && kind == kLinePreempted)
        return;
    SequenceLine line;
    line.step = record_.step;
    line.time_us = microseconds_since(start_, time);
    line.request = static_cast<std::uint64_t>(request);
    line.sequence = static_cast<std::uint32_t>(sequence);
    line.kind = kind;
    line.finish = finish;
    mail_.lines.push(line);
    ++step_lines_;
}

} // namespace vitrine::engine
