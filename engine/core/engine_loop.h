// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the engine thread: drains commands, steps while there is work, parks when there is none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "engine/api/step_record.h"
#include "engine/base/command_queue.h"
#include "engine/base/latest_value.h"
#include "engine/base/seq_ring.h"
#include "engine/base/task_pool.h"
#include "engine/core/commands.h"
#include "engine/core/commit.h"
#include "engine/core/event_outbox.h"
#include "engine/core/request_state.h"
#include "engine/stats/snapshot_builder.h"

namespace vitrine::engine {

/// The mailboxes that the engine thread shares with everybody; nothing else is shared and mutable.
struct EngineMailboxes {
    CommandQueue<Command> commands{1024};
    LatestValue<Snapshot> snapshot{std::make_shared<const Snapshot>()};
    LatestValue<TextModel> text;
    SeqRing<StepRecord> steps{8192};
    SeqRing<SequenceLine> lines{32768};
};

/// Invariants: a request is in requests_ from its submit to its last event; a choice's sequence is in the scheduler or the
/// choice is finished.  Thread: run() is the engine thread; the rest is private to it.
class EngineLoop {
public:
    /// All outlive the loop.  on_device_lost: the device failed and its session is gone; a RecoverCommand is to follow.
    EngineLoop(EngineMailboxes& mailboxes, TaskPool& prepare_pool, std::function<void(const Error&)> on_device_lost);

    /// Returns once the command queue is closed and every request has ended as cancelled.
    void run();

private:
    struct StepTimes {
        TimePoint start, drafted, scheduled, ran;
        std::chrono::nanoseconds aside{0}; // of [scheduled, ran): spent on the output of the step before
    };
    /// What goes on once the model is loaded again after a device error: sequences that the failed step did not hold, to be
    /// computed again from their text, and requests that were prepared meanwhile.
    struct Stranded {
        std::vector<std::unique_ptr<Sequence>> sequences;
        std::vector<PreparedCommand> prepared;
    };
    /// Tokens whose text nobody needs to know for the next step.
    struct PendingText {
        RequestId request{};
        std::size_t choice = 0; // index
        kernels::SamplingOutcome outcome;
        CommitVerdict verdict;
    };

    // commands
    bool drain_commands(); // false: there was none
    void handle(SubmitCommand command);
    void handle(PreparedCommand command);
    void handle(CancelCommand command);
    void handle(InstallCommand command);
    void handle(RecoverCommand command);
    void handle(ResetPrefixCacheCommand command);
    void handle(BlockTextCommand command);
    void admit(RequestState& state);
    Result<void> add_sequences(RequestState& state);
    void reject(RequestId id, const RequestRefusal& refusal);
    void end_all_requests();

    // one step
    void step();
    /// What runs next, handed to the device: the step ahead, or drafts and a new schedule.  Empty plans: nothing to do.
    ScheduleOutput begin_step(StepTimes& times);
    void note_plan(const ScheduleOutput& plan, TimePoint time);
    /// Hands over the step behind `plan`, if there can be one.
    void start_ahead(const ScheduleOutput& plan);
    /// Waits for the step ahead and forgets it: nobody it was for is left, or the session goes.
    void drop_ahead();
    void drop_ended(ScheduleOutput& plan, RunResult& result) const;
    Result<void> propose_drafts();
    void commit_step(const ScheduleOutput& plan, RunResult& result, const StepTimes& times);
    void fail_step(const ScheduleOutput& plan, const Error& cause);
    void lose_device(const Error& error);
    void install(std::unique_ptr<ModelSession> session);
    void resume_stranded();
    void fail_stranded(const Error& error);
    CommitVerdict commit_plan(const SequencePlan& plan, RunResult& result, std::size_t index);
    void count_accepted(int num_accepted);
    void count_token_times(const RequestState& state, ChoiceState& choice, std::size_t num_tokens);
    void record_step(
        const ScheduleOutput& plan, const RunResult& result, const StepTimes& times, std::uint32_t emitted);
    void add_line(const SequencePlan& plan, int accepted);
    /// What happened to a sequence outside its rows; finish: FinishReason of an end.
    void add_line(SequenceId sequence, RequestId request, std::uint8_t kind, TimePoint time, std::uint8_t finish = 0);
    void give_pending_text();
    void work_aside();
    void describe_look_ups(const ScheduleOutput& plan);
    void check_invariants(); // aborts on a bug

    // beam search
    void start_beams(RequestState& state);
    Result<void> add_beam_round(RequestState& state);
    void take_beam(RequestState& state, SequenceId sequence, kernels::SamplingOutcome outcome);
    void finish_beams(RequestState& state);
    void fail_beams(RequestState& state, const Error& error);
    void drop_beams(RequestState& state);

    // output
    void emit_output(RequestState& state, ChoiceState& choice);
    void emit_prompt_logprobs(RequestState& state);
    void emit_embedding(RequestState& state);
    void finish_choice(RequestState& state, ChoiceState& choice, FinishReason reason, std::optional<Error> error);
    void post(RequestState& state, ChoiceState& choice, Event event);
    void emit_best(RequestState& state);
    void emit_progress();
    void erase_if_done(RequestId id);
    [[nodiscard]] Finished make_finished(
        const RequestState& state, const ChoiceState& choice, const Sequence* sequence) const;

    void publish(TimePoint now);
    [[nodiscard]] RequestState* find_request(RequestId id);
    struct Owner {
        RequestState* request = nullptr;
        ChoiceState* choice = nullptr; // null: the sequence is a beam
    };
    [[nodiscard]] Owner owner_of(const Sequence& sequence);

    EngineMailboxes& mail_;
    TaskPool& prepare_pool_;
    const TimePoint start_;
    const std::function<void(const Error&)> on_device_lost_;
    std::unique_ptr<ModelSession> session_;
    std::optional<Stranded> stranded_; // from a device error until the model is back: there is no session meanwhile
    std::map<RequestId, RequestState> requests_; // in order of submit
    EventOutbox outbox_;
    SnapshotBuilder snapshots_;
    std::uint32_t next_sequence_ = 1;
    int num_preparing_ = 0;
    std::uint16_t step_lines_ = 0;
    StepRecord record_; // of the running step
    std::uint64_t released_before_ = 0;
    std::uint64_t window_freed_before_ = 0;
    std::optional<ScheduleOutput> ahead_; // runs behind the step that is committed next
    std::vector<PendingText> pending_text_; // at most one step's; given while the next one runs
};

} // namespace vitrine::engine
