// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/exec: step execution.
#include "engine/exec/model_runner.h"

#include <utility>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

void append_rows(
    std::vector<float>& target, const std::vector<float>& rows, InputBatch::LogitRange range, std::int64_t width) {
    const auto begin = rows.begin() + range.first * width;
    target.insert(target.end(), begin, begin + range.count * width);
}

} // namespace

ModelRunner::ModelRunner(std::unique_ptr<kernels::KvPool> pool, std::unique_ptr<kernels::Executable> executable,
    kernels::StepLimits limits, std::int64_t vocab_size)
    : pool_(std::move(pool)), executable_(std::move(executable)), limits_(limits), vocab_size_(vocab_size),
      batch_(pool_->geometry().block_tokens, pool_->geometry().num_groups) {}

Result<void> ModelRunner::start(const ScheduleOutput& plan) {
    VT_CHECK(!ticket_);
    result_ = RunResult{};
    result_.outcomes.resize(plan.plans.size());
    result_.logits.resize(plan.plans.size());
    result_.hidden.resize(plan.plans.size());
    if (!plan.copies.empty())
        VT_TRY(pool_->copy_blocks(plan.copies));
    for (auto& parts : cut_into_batches(plan, limits_.max_logit_rows)) {
        if (parts.empty())
            continue;
        if (ticket_)
            VT_TRY(collect(plan, *std::exchange(ticket_, std::nullopt)));
        parts_ = std::move(parts);
        batch_.build(plan, parts_);
        auto ticket = executable_->submit(batch_.args());
        if (!ticket)
            return tl::unexpected(ticket.error());
        ticket_ = *ticket;
    }
    return {};
}

Result<RunResult> ModelRunner::finish(const ScheduleOutput& plan) {
    if (ticket_)
        VT_TRY(collect(plan, *std::exchange(ticket_, std::nullopt)));
    return std::move(result_);
}

Result<kernels::StepResult> ModelRunner::run_raw(const kernels::StepArgs& args) {
    auto ticket = executable_->submit(args);
    if (!ticket)
        return tl::unexpected(ticket.error());
    return executable_->wait(*ticket);
}

Result<void> ModelRunner::collect(const ScheduleOutput& plan, kernels::Ticket ticket) {
    auto step = executable_->wait(ticket);
    if (!step)
        return tl::unexpected(step.error());
    VT_CHECK(step->sampled.size() == batch_.sampled_plans().size());
    for (std::size_t i = 0; i < step->sampled.size(); ++i)
        result_.outcomes[batch_.sampled_plans()[i]] = std::move(step->sampled[i]);
    const auto num_logit_rows = static_cast<std::int64_t>(batch_.args().logit_rows.size());
    const std::int64_t dim = num_logit_rows > 0 ? std::ssize(step->hidden) / num_logit_rows : 0; // 0: none is given
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const auto range = batch_.logit_ranges()[i];
        const std::size_t index = parts_[i].plan;
        if (plan.plans[index].all_logits)
            append_rows(result_.logits[index], step->logits, range, vocab_size_);
        if (plan.plans[index].all_hidden)
            append_rows(result_.hidden[index], step->hidden, range, dim);
    }
    result_.graph_replays += step->graph_replayed ? 1 : 0;
    result_.pad_rows += step->pad_rows;
    result_.forward_time += step->forward_time;
    result_.sample_time += step->sample_time;
    return {};
}

} // namespace vitrine::engine
