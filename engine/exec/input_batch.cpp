// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/exec: step layout.
#include "engine/exec/input_batch.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {

namespace {

/// The first row of the plan that needs logits; count: none does.
int first_logit_row(const SequencePlan& plan) {
    return plan.count - plan.num_logit_rows();
}

int logit_rows_of(const SequencePlan& plan, const BatchPart& part) {
    return part.first + part.count - std::clamp(first_logit_row(plan), part.first, part.first + part.count);
}

} // namespace

std::vector<std::vector<BatchPart>> cut_into_batches(const ScheduleOutput& plan, int max_logit_rows) {
    std::vector<std::vector<BatchPart>> batches(1);
    int used = 0;
    for (std::size_t i = 0; i < plan.plans.size(); ++i) {
        const SequencePlan& sequence = plan.plans[i];
        int first = 0;
        // Rows that only score the prompt may be parted; those that sample stay together, their drafts are judged at once.
        const int sampled = sequence.samples ? sequence.num_drafts + 1 : 0;
        while (first < sequence.count) {
            BatchPart part{i, first, sequence.count - first};
            const int left = max_logit_rows - used;
            if (const int excess = logit_rows_of(sequence, part) - left; excess > 0) {
                const int kept = part.count - std::max(excess, sampled);
                if (kept <= 0) {
                    VT_CHECK(used > 0 || sampled <= max_logit_rows);
                    batches.emplace_back();
                    used = 0;
                    continue;
                }
                part.count = kept;
            }
            used += logit_rows_of(sequence, part);
            first += part.count;
            batches.back().push_back(part);
        }
    }
    return batches;
}

void InputBatch::build(const ScheduleOutput& plan, std::span<const BatchPart> parts) {
    for (auto* array : {&tokens_, &positions_, &slots_, &query_starts_, &context_lens_, &block_tables_, &logit_rows_})
        array->clear();
    sampling_.clear();
    adapter_weights_.clear();
    logit_ranges_.clear();
    sampled_plans_.clear();
    want_logits_ = false;
    want_hidden_ = false;
    max_blocks_ = 1;
    for (const BatchPart& part : parts)
        max_blocks_ = std::max(max_blocks_, plan.plans[part.plan].sequence->table().num_blocks());
    query_starts_.push_back(0);
    for (const BatchPart& part : parts) {
        const SequencePlan& sequence = plan.plans[part.plan];
        const int first_row = static_cast<int>(tokens_.size());
        add_rows(sequence, part);
        add_adapters(sequence);
        add_logits(sequence, part, first_row);
    }
    add_tables(plan, parts);
}

/// Slots and tables, group by group.
void InputBatch::add_tables(const ScheduleOutput& plan, std::span<const BatchPart> parts) {
    const auto width = static_cast<std::size_t>(max_blocks_);
    block_tables_.resize(static_cast<std::size_t>(num_groups_) * parts.size() * width, 0);
    auto row = block_tables_.begin();
    for (std::size_t group = 0; group < static_cast<std::size_t>(num_groups_); ++group) {
        for (const BatchPart& part : parts) {
            const SequencePlan& one = plan.plans[part.plan];
            const BlockTable& table = one.sequence->table();
            const int begin = one.first_position + part.first;
            for (int position = begin; position < begin + part.count; ++position)
                slots_.push_back(table.slot(position, block_tokens_, group));
            std::ranges::transform(table.groups[group].blocks, row, &BlockId::value);
            row += max_blocks_;
        }
    }
}

void InputBatch::add_rows(const SequencePlan& plan, const BatchPart& part) {
    const Sequence& sequence = *plan.sequence;
    const int begin = plan.first_position + part.first;
    for (int position = begin; position < begin + part.count; ++position) {
        tokens_.push_back(plan.token_from >= 0 ? -1 - plan.token_from : sequence.token_at(position));
        positions_.push_back(position);
    }
    query_starts_.push_back(static_cast<std::int32_t>(tokens_.size()));
    context_lens_.push_back(begin + part.count);
}

/// Rows of zeros for the sequences before the first that uses an adapter, and for those behind it that do not.
void InputBatch::add_adapters(const SequencePlan& plan) {
    const std::vector<float>& weights = plan.sequence->spec().adapter_weights;
    const std::size_t num_seqs = context_lens_.size();
    if (adapter_weights_.empty()) {
        if (weights.empty())
            return;
        adapter_weights_.resize((num_seqs - 1) * weights.size(), 0);
    }
    if (weights.empty())
        adapter_weights_.resize(adapter_weights_.size() / (num_seqs - 1) * num_seqs, 0);
    else
        adapter_weights_.insert(adapter_weights_.end(), weights.begin(), weights.end());
}

void InputBatch::add_logits(const SequencePlan& plan, const BatchPart& part, int first_row) {
    const int num_logits = logit_rows_of(plan, part);
    logit_ranges_.push_back(LogitRange{static_cast<int>(logit_rows_.size()), num_logits});
    for (int row = part.count - num_logits; row < part.count; ++row)
        logit_rows_.push_back(first_row + row);
    want_logits_ = want_logits_ || plan.all_logits;
    want_hidden_ = want_hidden_ || plan.all_hidden;
    if (!plan.samples || part.first + part.count < plan.count)
        return;
    const auto first_sampled = static_cast<std::int32_t>(logit_rows_.size()) - plan.num_drafts - 1;
    const SamplerState& sampler = plan.sequence->sampler();
    if (allowed_.size() <= sampling_.size())
        allowed_.emplace_back();
    std::vector<std::uint32_t>& allowed = allowed_[sampling_.size()];
    sampler.grammar().fill_allowed(plan.sequence->drafts(), allowed);
    const int num_ahead = plan.token_from >= 0 ? 1 : 0;
    kernels::SamplingSequence row = sampler.row(first_sampled, plan.sequence->drafts(), allowed, num_ahead);
    row.draft_probs = plan.sequence->draft_probs();
    sampling_.push_back(row);
    sampled_plans_.push_back(part.plan);
}

kernels::StepArgs InputBatch::args() const {
    kernels::StepArgs args;
    args.tokens = tokens_;
    args.positions = positions_;
    args.slots = slots_;
    args.query_starts = query_starts_;
    args.context_lens = context_lens_;
    args.block_tables = block_tables_;
    args.max_blocks = max_blocks_;
    args.logit_rows = logit_rows_;
    args.sampling = sampling_;
    args.adapter_weights = adapter_weights_;
    args.want_logits = want_logits_;
    args.want_hidden = want_hidden_;
    return args;
}

} // namespace vitrine::engine
