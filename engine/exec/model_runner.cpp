// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/exec: step execution.
#include "engine/exec/model_runner.h"

#include "engine/base/check.h"

namespace vitrine::engine {

ModelRunner::ModelRunner(std::unique_ptr<kernels::KvPool> pool, std::unique_ptr<kernels::Executable> executable,
    kernels::StepLimits limits, std::int64_t vocab_size)
    : pool_(std::move(pool)), executable_(std::move(executable)), limits_(limits), vocab_size_(vocab_size),
      batch_(pool_->geometry().block_tokens) {}

Result<RunResult> ModelRunner::run(const ScheduleOutput& plan) {
    RunResult result;
    result.outcomes.resize(plan.plans.size());
    result.logits.resize(plan.plans.size());
    if (!plan.copies.empty())
        VT_TRY(pool_->copy_blocks(plan.copies));
    for (const auto& parts : cut_into_batches(plan, limits_.max_logit_rows))
        if (!parts.empty())
            VT_TRY(run_batch(plan, parts, result));
    return result;
}

Result<kernels::StepResult> ModelRunner::run_raw(const kernels::StepArgs& args) {
    auto ticket = executable_->submit(args);
    if (!ticket)
        return tl::unexpected(ticket.error());
    return executable_->wait(*ticket);
}

Result<void> ModelRunner::run_batch(const ScheduleOutput& plan, std::span<const BatchPart> parts, RunResult& result) {
    batch_.build(plan, parts);
    auto step = run_raw(batch_.args());
    if (!step)
        return tl::unexpected(step.error());
    VT_CHECK(step->sampled.size() == batch_.sampled_plans().size());
    for (std::size_t i = 0; i < step->sampled.size(); ++i)
        result.outcomes[batch_.sampled_plans()[i]] = std::move(step->sampled[i]);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!plan.plans[parts[i].plan].all_logits)
            continue;
        const auto range = batch_.logit_ranges()[i];
        const auto begin = step->logits.begin() + range.first * vocab_size_;
        auto& logits = result.logits[parts[i].plan];
        logits.insert(logits.end(), begin, begin + range.count * vocab_size_);
    }
    result.forward_time += step->forward_time;
    result.sample_time += step->sample_time;
    return {};
}

} // namespace vitrine::engine
