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
    : pool_(std::move(pool)), executable_(std::move(executable)), limits_(limits),
      vocab_size_(vocab_size), flights_{Flight(pool_->geometry()), Flight(pool_->geometry())} {}

Result<void> ModelRunner::start(const ScheduleOutput& plan) {
    const bool behind = flights_[oldest_].ticket.has_value();
    VT_CHECK(!behind || can_follow());
    Flight& flight = flights_[behind ? 1 - oldest_ : oldest_];
    flight.result = RunResult{};
    flight.result.outcomes.resize(plan.plans.size());
    flight.result.logits.resize(plan.plans.size());
    flight.result.hidden.resize(plan.plans.size());
    flight.num_parts = 0;
    if (!plan.copies.empty())
        VT_TRY(pool_->copy_blocks(plan.copies));
    for (auto& parts : cut_into_batches(plan, limits_.max_logit_rows)) {
        if (parts.empty())
            continue;
        VT_TRY(collect(plan, flight));
        flight.parts = std::move(parts);
        flight.batch.build(plan, flight.parts);
        auto ticket = executable_->submit(flight.batch.args());
        if (!ticket)
            return tl::unexpected(ticket.error());
        flight.ticket = *ticket;
        ++flight.num_parts;
    }
    return {};
}

bool ModelRunner::can_follow() const noexcept {
    const Flight& running = flights_[oldest_];
    return running.ticket && !flights_[1 - oldest_].ticket && running.num_parts == 1 && executable_->keeps_tokens();
}

Result<RunResult> ModelRunner::finish(const ScheduleOutput& plan) {
    Flight& flight = flights_[oldest_];
    VT_CHECK(flight.ticket);
    oldest_ = 1 - oldest_;
    VT_TRY(collect(plan, flight));
    return std::move(flight.result);
}

Result<kernels::StepResult> ModelRunner::run_raw(const kernels::StepArgs& args) {
    auto ticket = executable_->submit(args);
    if (!ticket)
        return tl::unexpected(ticket.error());
    return executable_->wait(*ticket);
}

Result<void> ModelRunner::collect(const ScheduleOutput& plan, Flight& flight) {
    if (!flight.ticket)
        return {};
    auto step = executable_->wait(*std::exchange(flight.ticket, std::nullopt));
    if (!step)
        return tl::unexpected(step.error());
    VT_CHECK(step->sampled.size() == flight.batch.sampled_plans().size());
    for (std::size_t i = 0; i < step->sampled.size(); ++i)
        flight.result.outcomes[flight.batch.sampled_plans()[i]] = std::move(step->sampled[i]);
    const auto num_logit_rows = static_cast<std::int64_t>(flight.batch.args().logit_rows.size());
    const std::int64_t dim = num_logit_rows > 0 ? std::ssize(step->hidden) / num_logit_rows : 0; // 0: none is given
    for (std::size_t i = 0; i < flight.parts.size(); ++i) {
        const auto range = flight.batch.logit_ranges()[i];
        const std::size_t index = flight.parts[i].plan;
        if (plan.plans[index].all_logits)
            append_rows(flight.result.logits[index], step->logits, range, vocab_size_);
        if (plan.plans[index].all_hidden)
            append_rows(flight.result.hidden[index], step->hidden, range, dim);
    }
    flight.result.graph_replays += step->graph_replayed ? 1 : 0;
    flight.result.pad_rows += step->pad_rows;
    flight.result.forward_time += step->forward_time;
    flight.result.sample_time += step->sample_time;
    return {};
}

} // namespace vitrine::engine
