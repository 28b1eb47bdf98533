// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: shares out each step's token budget and the KV blocks (engine.md 2).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/base/clock.h"
#include "engine/kv/kv_cache_manager.h"
#include "engine/sched/policy.h"
#include "engine/sched/prefill_pace.h"
#include "engine/sched/schedule_output.h"
#include "engine/sched/scheduler_config.h"
#include "engine/sched/sequence.h"
#include "engine/sched/step_builder.h"
#include "engine/sched/waiting_queue.h"

namespace vitrine::engine {

/// What the engine loop learned about one planned sequence: the tokens it keeps of accepted drafts + one sampled.  A stop
/// inside the run cuts `kept`, and then the sequence is finished next.
struct StepOutcome {
    std::span<const TokenId> kept;
    int num_accepted = 0; // drafts the sampler accepted, those behind a stop included
};

/// Owns every sequence from add() to finish().  One step of the engine loop:
///   1. set_draft() on decoding sequences (max_drafts() > 0)
///   2. plan = schedule()
///   3. run copies and rows, sample
///   4. commit(plan, outcomes), in the order of plan.plans
///   5. finish(id) for those that stopped; cancel() may come at any time between steps
/// Invariants: engine.md 11, 1 to 4.  Thread: engine.
class Scheduler {
public:
    /// Requires: check_config() passed.  kv outlives the scheduler.
    Scheduler(const SchedulerConfig& config, KvCacheManager& kv, const Clock& clock);
    ~Scheduler();

    /// Refuses what can never fit: prompt >= context (`context_length`; max_output 0 allows prompt == context), or more
    /// blocks than the pool has (`out_of_memory`), both numbers in the message.
    [[nodiscard]] Result<void> check_fit(int num_prompt, int max_output) const;
    /// The sequence waits from now on; one of take_all() is computed again.  Fails like check_fit(); then nothing happened.
    Result<void> add(std::unique_ptr<Sequence> sequence);

    [[nodiscard]] ScheduleOutput schedule();
    /// The step behind `plan`, made while that one runs: a decode row for each of its sequences that will go on, whose token
    /// is what `plan` samples.  Empty, and nothing has changed: a prompt is unfinished, somebody could be admitted, a row
    /// depends on its token (penalties, grammar, drafts), blocks are missing.  Commit `plan`, then begin_ahead().
    [[nodiscard]] ScheduleOutput schedule_ahead(const ScheduleOutput& plan);
    /// `plan`, made by schedule_ahead(), is the running step from now on.  Sequences may have ended since.
    void begin_ahead(const ScheduleOutput& plan);
    /// What the step of `plan` took, so that the next ones know how many prompt tokens decoding streams can bear.
    void measured(const ScheduleOutput& plan, double seconds);
    /// Appends what was kept, corrects computed for rejected drafts, enters full blocks into the prefix cache.
    /// outcomes: one a plan; those of plans without `samples` are empty.  Plans whose sequence was taken out are skipped.
    void commit(const ScheduleOutput& plan, std::span<const StepOutcome> outcomes);
    /// Like commit(), for a step that failed on the device: nothing was computed, everything planned is finished by the
    /// caller.
    void abandon(const ScheduleOutput& plan);

    /// Takes the sequence out and releases its blocks once (policy static: its blocks when the batch has ended).  Used for
    /// every end: stop, length, cancel, error.  nullptr: unknown id, already taken out.
    [[nodiscard]] std::unique_ptr<Sequence> finish(SequenceId id);

    /// Takes every sequence out, in order of id, for another scheduler: what was computed of them is forgotten, as in a
    /// preemption.
    [[nodiscard]] std::vector<std::unique_ptr<Sequence>> take_all();

    [[nodiscard]] Sequence* find(SequenceId id) const; // nullptr: neither running nor waiting
    /// In order of arrival, or of priority.  Good until the next schedule() or finish().
    [[nodiscard]] std::span<Sequence* const> running() const noexcept { return running_view_; }
    [[nodiscard]] std::vector<Sequence*> waiting() const; // head first
    [[nodiscard]] int num_running() const noexcept { return static_cast<int>(running_.size()); }
    [[nodiscard]] int num_waiting() const noexcept { return static_cast<int>(waiting_.size()); }
    [[nodiscard]] bool has_work() const noexcept { return num_running() + num_waiting() > 0; }
    [[nodiscard]] std::uint64_t step() const noexcept { return step_; } // of the last schedule()
    [[nodiscard]] const SchedulerConfig& config() const noexcept { return config_; }

    /// States, references and the oldest sequence that refers to each block; index == block id - 1.
    [[nodiscard]] std::vector<BlockStatus> block_map() const;
    /// Tokens whose K and V lie in the block now; empty: free.
    [[nodiscard]] std::vector<TokenId> block_tokens(BlockId block) const;
    /// Invariants 1 to 4 of engine.md 11 between two steps.
    void check_invariants() const;
    /// The same for a plan: budget, slots, blocks that may be written, and that the oldest moves.
    void check_plan(const ScheduleOutput& plan) const;

private:
    enum class Pass { short_ones, prefill };
    void plan_running(StepBuilder& step, Pass pass);
    void limit_prefill(StepBuilder& step) const;
    void plan_one(StepBuilder& step, Sequence& sequence, int count, bool long_prefill, bool admitted = false);
    [[nodiscard]] bool may_step_ahead(const ScheduleOutput& plan) const;
    bool extend_or_preempt(StepBuilder& step, Sequence& asker, int& count);
    void preempt(StepBuilder& step, Sequence& victim);
    void admit_waiting(StepBuilder& step);
    enum class Admission { admitted, set_aside, passed, stop };
    Admission try_admit(StepBuilder& step, Sequence& candidate);
    Admission try_fork(StepBuilder& step, Sequence& candidate, const Sequence& leader);
    [[nodiscard]] bool shares_running_prefill(const Sequence& candidate, const PrefixMatch& match) const;
    /// Slots that a sequence of `num_tokens` takes: a whole context's if the cache is not paged.
    [[nodiscard]] int slots_for(int num_tokens) const noexcept {
        return config_.paged_kv ? num_tokens : config_.context;
    }
    [[nodiscard]] bool shares_blocks() const noexcept { return config_.kv_cache && config_.paged_kv; }
    [[nodiscard]] bool gate_open(int num_new_blocks, const PrefixMatch* hit) const;
    void start_running(Sequence& sequence);
    std::unique_ptr<Sequence> stop_running(SequenceId id);
    void commit_one(const SequencePlan& plan, const StepOutcome& outcome, TimePoint now);
    static void forget_computed(Sequence& sequence);
    void release_ended();
    void sort_running(TimePoint now);
    void check_running(const Sequence& sequence) const;

    const SchedulerConfig config_;
    KvCacheManager& kv_;
    const Clock& clock_;
    std::unique_ptr<Policy> policy_;
    WaitingQueue waiting_;
    std::vector<std::unique_ptr<Sequence>> running_;
    std::vector<Sequence*> running_view_;
    std::unordered_map<SequenceId, Sequence*> by_id_; // running and waiting
    std::vector<BlockTable> ended_; // policy static: places of ended sequences
    PrefillPace pace_;
    std::uint64_t step_ = 0;
};

} // namespace vitrine::engine
