// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: engine.md 11, invariants 1 to 4, as checks that end the process.
#include <algorithm>
#include <unordered_set>

#include "engine/base/check.h"
#include "engine/sched/scheduler.h"

namespace vitrine::engine {

void Scheduler::check_running(const Sequence& sequence) const {
    const BlockTable& table = sequence.table_;
    VT_CHECK(find(sequence.id()) == &sequence);
    VT_CHECK(sequence.state_ == SequenceState::prefill || sequence.state_ == SequenceState::decode);
    VT_CHECK(sequence.committed_ >= 0 && sequence.committed_ <= sequence.computed_);
    VT_CHECK(sequence.ahead_ >= 0 && sequence.ahead_ <= 1);
    VT_CHECK(sequence.computed_ <= sequence.target() && sequence.num_tokens() <= config_.context + 1);
    // Slots of rejected drafts stay; a fork takes its whole prompt at once.
    const int most = slots_for(sequence.num_tokens() + 1 + config_.max_gamma);
    VT_CHECK(table.num_blocks() >= kv_.blocks_for(sequence.computed_) && table.num_blocks() <= kv_.blocks_for(most));
    VT_CHECK(table.num_hashed * kv_.block_tokens() <= sequence.committed_);
    VT_CHECK(table.num_hashed == 0 || shares_blocks());
    VT_CHECK(table.num_held() <= kv_.most_held(most, most_step_tokens(config_)));
    for (const GroupBlocks& group : table.groups) {
        for (int i = group.num_behind; i < table.num_hashed; ++i) {
            const auto cached = kv_.cached_tokens(group.blocks[static_cast<std::size_t>(i)]);
            VT_CHECK(static_cast<int>(cached.size()) == kv_.block_tokens());
            VT_CHECK(std::ranges::equal(
                cached, sequence.tokens().subspan(static_cast<std::size_t>(i) * cached.size(), cached.size())));
        }
        for (int i = 1; i < table.num_blocks() && !config_.paged_kv; ++i) // what one piece means
            VT_CHECK(group.blocks[static_cast<std::size_t>(i)].value == group.blocks.front().value + i);
    }
}

void Scheduler::check_invariants() const {
    std::vector<const BlockTable*> tables;
    for (const BlockTable& table : ended_)
        tables.push_back(&table);
    VT_CHECK(running_.size() == running_view_.size() && num_running() <= config_.max_seqs);
    VT_CHECK(by_id_.size() == running_.size() + waiting_.size());
    for (const Sequence* sequence : running_view_) {
        tables.push_back(&sequence->table_);
        check_running(*sequence);
    }
    for (const Sequence* sequence : waiting()) {
        VT_CHECK(find(sequence->id()) == sequence);
        VT_CHECK(sequence->computed_ == 0 && sequence->committed_ == 0 && sequence->table_.empty());
        VT_CHECK(sequence->draft_.tokens.empty());
        VT_CHECK(sequence->state_ == SequenceState::waiting || sequence->state_ == SequenceState::preempted);
    }
    kv_.check_invariants(tables);
    if (!has_work())
        VT_CHECK(kv_.counts().active == 0);
}

void Scheduler::check_plan(const ScheduleOutput& plan) const {
    int rows = 0;
    int prefill = 0;
    std::unordered_set<SequenceId> planned;
    std::unordered_set<std::int32_t> slots;
    for (const SequencePlan& one : plan.plans) {
        const BlockTable& table = one.sequence->table_;
        VT_CHECK(planned.insert(one.id).second && find(one.id) == one.sequence);
        VT_CHECK(one.count > 0 && one.first_position + one.count == one.sequence->computed_);
        VT_CHECK(one.num_drafts <= config_.max_gamma && one.num_drafts < one.count);
        rows += one.count;
        prefill += one.kind == PlanKind::prefill ? one.count : 0;
        for (std::size_t group = 0; group < table.groups.size(); ++group) {
            for (int position = one.first_position; position < one.first_position + one.count; ++position) {
                const std::int32_t slot = table.slot(position, kv_.block_tokens(), group);
                const Block& block = kv_.pool().block(BlockId{slot / kv_.block_tokens()});
                VT_CHECK(slot >= kv_.block_tokens() && slots.insert(slot).second);
                VT_CHECK(block.ref_count == 1 && !block.cached);
            }
        }
    }
    VT_CHECK(rows == plan.num_rows && prefill == plan.prefill_tokens && rows <= config_.max_batch_tokens);
    VT_CHECK(rows - prefill <= config_.max_seqs * (1 + config_.max_gamma));
    VT_CHECK(plan.prefix_hits <= plan.prefix_queries);
    const auto is_ahead = [](const SequencePlan& one) { return one.token_from >= 0; };
    if (running_view_.empty() || std::ranges::any_of(plan.plans, is_ahead)) // the oldest may be at its end
        return;
    const Sequence& oldest = *running_view_.front(); // sorted by schedule()
    VT_CHECK(planned.contains(oldest.id()));
    for (const SequenceId id : plan.preempted) {
        const SequenceSpec& victim = find(id)->spec_;
        VT_CHECK(oldest.spec_.priority != victim.priority || oldest.spec_.arrival <= victim.arrival);
    }
}

} // namespace vitrine::engine
