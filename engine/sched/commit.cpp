// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: what a step changed, the end of sequences, and the view of the blocks.
#include <algorithm>

#include "engine/base/check.h"
#include "engine/sched/scheduler.h"

namespace vitrine::engine {

void Scheduler::commit(const ScheduleOutput& plan, std::span<const StepOutcome> outcomes) {
    VT_CHECK(outcomes.size() == plan.plans.size());
    const TimePoint now = clock_.now();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (by_id_.contains(plan.plans[i].id)) // else it was cancelled meanwhile, and its result counts nowhere
            commit_one(plan.plans[i], outcomes[i], now);
    }
}

void Scheduler::commit_one(const SequencePlan& plan, const StepOutcome& outcome, TimePoint now) {
    Sequence& sequence = *plan.sequence;
    VT_CHECK(plan.samples || outcome.kept.empty());
    VT_CHECK(
        static_cast<int>(outcome.kept.size()) <= outcome.num_accepted + 1 && outcome.num_accepted <= plan.num_drafts);
    for (const TokenId token : outcome.kept) {
        sequence.tokens_.push_back(token);
        sequence.sampler_.append(token);
    }
    // Slots of rejected drafts are stale and will be overwritten; tokens behind a stop do not exist.
    int computed = sequence.computed_ - sequence.ahead_ - (plan.num_drafts - outcome.num_accepted);
    if (!outcome.kept.empty()) {
        computed = std::min(computed, sequence.num_tokens() - 1);
        sequence.first_token_ = sequence.first_token_.value_or(now);
        sequence.last_token_ = now;
    }
    sequence.committed_ = computed;
    sequence.computed_ = computed + sequence.ahead_;
    sequence.draft_ = Draft{};
    if (plan.kind != PlanKind::prefill) {
        const int counted = std::min(outcome.num_accepted, static_cast<int>(outcome.kept.size()));
        ++sequence.decode_steps_;
        sequence.acceptance_.record(plan.num_drafts, counted);
        sequence.draft_length_.record(plan.num_drafts, counted);
    }
    if (!sequence.in_prefill())
        sequence.state_ = SequenceState::decode;
    if (!shares_blocks()) {
        if (!config_.kv_cache && !outcome.kept.empty())
            forget_computed(sequence);
        return;
    }
    const int verified = std::min(computed, sequence.num_tokens());
    kv_.enter_full_blocks(sequence.table_, sequence.tokens(), verified, sequence.spec_.extras);
}

/// Ablation: K and V of earlier steps are written again in the next one.
void Scheduler::forget_computed(Sequence& sequence) {
    sequence.max_computed_ = std::max(sequence.max_computed_, sequence.computed_);
    sequence.computed_ = 0;
    sequence.committed_ = 0;
}

void Scheduler::abandon(const ScheduleOutput& plan) {
    for (const SequencePlan& one : plan.plans) {
        if (!by_id_.contains(one.id))
            continue;
        one.sequence->computed_ -= one.count;
        one.sequence->ahead_ = 0;
        one.sequence->draft_ = Draft{};
    }
}

std::vector<std::unique_ptr<Sequence>> Scheduler::take_all() {
    std::vector<SequenceId> ids;
    for (const auto& [id, sequence] : by_id_)
        ids.push_back(id);
    std::ranges::sort(ids);
    std::vector<std::unique_ptr<Sequence>> taken;
    for (const SequenceId id : ids) {
        Sequence& sequence = *by_id_.at(id);
        if (sequence.computed_ > 0) {
            forget_computed(sequence);
            ++sequence.preemptions_;
        }
        sequence.draft_ = Draft{};
        taken.push_back(finish(id));
    }
    return taken;
}

std::unique_ptr<Sequence> Scheduler::finish(SequenceId id) {
    if (by_id_.erase(id) == 0)
        return nullptr;
    std::unique_ptr<Sequence> sequence = stop_running(id);
    if (sequence == nullptr) {
        sequence = waiting_.take(id);
    } else if (policy_->holds_ended() && !running_.empty()) {
        ended_.push_back(std::move(sequence->table_));
        sequence->table_ = BlockTable{};
    } else {
        kv_.release(sequence->table_);
    }
    if (running_.empty())
        release_ended();
    sequence->state_ = SequenceState::finished;
    return sequence;
}

void Scheduler::release_ended() {
    for (BlockTable& table : ended_)
        kv_.release(table);
    ended_.clear();
}

Sequence* Scheduler::find(SequenceId id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

std::vector<Sequence*> Scheduler::waiting() const {
    return waiting_.ordered(clock_.now(), config_.raise_after);
}

std::vector<BlockStatus> Scheduler::block_map() const {
    std::vector<BlockStatus> map = kv_.block_map();
    for (const Sequence* sequence : running_view_) {
        const auto id = static_cast<std::uint32_t>(sequence->id());
        for (const GroupBlocks& group : sequence->table_.groups) {
            for (const BlockId block : std::span(group.blocks).subspan(static_cast<std::size_t>(group.num_behind))) {
                std::uint32_t& owner = map[static_cast<std::size_t>(block.value - 1)].owner;
                owner =
                    owner == 0 ? id : std::min(owner, id); // any one; the lowest id stays the same from step to step
            }
        }
    }
    return map;
}

std::vector<TokenId> Scheduler::block_tokens(BlockId block) const {
    if (const std::span<const TokenId> cached = kv_.cached_tokens(block); !cached.empty())
        return {cached.begin(), cached.end()};
    for (const Sequence* sequence : running_view_) {
        for (const GroupBlocks& group : sequence->table_.groups) {
            const auto found = std::ranges::find(group.blocks, block);
            if (found == group.blocks.end())
                continue;
            const auto first = static_cast<int>(found - group.blocks.begin()) * kv_.block_tokens();
            const int end = std::min({first + kv_.block_tokens(), sequence->computed_, sequence->num_tokens()});
            if (end <= first)
                return {};
            return {sequence->tokens_.begin() + first, sequence->tokens_.begin() + end};
        }
    }
    return {};
}

} // namespace vitrine::engine
