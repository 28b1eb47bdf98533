// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: a model on two devices.
#include "engine/device/split_backend.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

namespace vitrine::engine {
namespace {

using kernels::Executable;
using kernels::Footprint;
using kernels::KernelReport;
using kernels::KvPool;
using kernels::KvSpec;
using kernels::Program;
using kernels::ProgramPart;
using kernels::StepArgs;
using kernels::StepLimits;
using kernels::StepResult;
using kernels::Ticket;

/// The front computes no logits.
StepLimits front_limits(StepLimits limits) {
    limits.max_logit_rows = 1;
    return limits;
}

/// Resolves a part in place.
Result<std::vector<KernelReport>> resolve_part(
    ProgramPart& part, const kernels::Backend& backend, const SplitRequest& request) {
    auto resolved = kernels::resolve(std::move(part.program), backend, request.numerics, request.decompose);
    if (!resolved)
        return tl::unexpected(resolved.error());
    part.program = std::move(resolved->program);
    return std::move(resolved->kernels);
}

/// Both pools; every block has its front layers in one and its back layers in the other.
class SplitKvPool final : public KvPool {
public:
    SplitKvPool(std::unique_ptr<KvPool> front, std::unique_ptr<KvPool> back, int front_layers, int num_groups)
        : front_(std::move(front)), back_(std::move(back)), front_layers_(front_layers), num_groups_(num_groups) {}

    [[nodiscard]] kernels::KvGeometry geometry() const noexcept override {
        kernels::KvGeometry geometry = front_->geometry();
        geometry.bytes_per_block += back_->geometry().bytes_per_block;
        geometry.num_groups = num_groups_;
        return geometry;
    }
    Result<void> copy_blocks(std::span<const kernels::BlockCopy> copies) override {
        VT_TRY(front_->copy_blocks(copies));
        return back_->copy_blocks(copies);
    }
    [[nodiscard]] Result<std::vector<float>> read_block(kernels::LayerId layer, std::int32_t block) const override {
        return layer.value < front_layers_ ? front_->read_block(layer, block)
                                           : back_->read_block({layer.value - front_layers_}, block);
    }
    [[nodiscard]] KvPool& front() const noexcept { return *front_; }
    [[nodiscard]] KvPool& back() const noexcept { return *back_; }

private:
    std::unique_ptr<KvPool> front_;
    std::unique_ptr<KvPool> back_;
    int front_layers_;
    int num_groups_; // of the whole model; a part may lack the last ones
};

/// Slots and tables of the groups that a part has: they are numbered from the start.
StepArgs for_groups(StepArgs step, int num_groups) {
    const auto groups = static_cast<std::size_t>(num_groups);
    step.slots = step.slots.first(groups * step.tokens.size());
    step.block_tables =
        step.block_tables.first(groups * step.context_lens.size() * static_cast<std::size_t>(step.max_blocks));
    return step;
}

/// submit() waits for the front, then hands its rows to the back, which may go on behind it.
class SplitExecutable final : public Executable {
public:
    struct Half {
        std::unique_ptr<Executable> executable;
        int num_groups = 1;
    };
    SplitExecutable(Half front, Half back, std::vector<KernelReport> kernels)
        : front_(std::move(front)), back_(std::move(back)), kernels_(std::move(kernels)) {}

    Result<Ticket> submit(const StepArgs& step) override {
        StepArgs first = for_groups(step, front_.num_groups);
        first.logit_rows = {};
        first.sampling = {};
        first.want_logits = first.want_hidden = false;
        auto front_ticket = front_.executable->submit(first);
        if (!front_ticket)
            return tl::unexpected(front_ticket.error());
        const auto rows = front_.executable->wait(*front_ticket);
        if (!rows)
            return tl::unexpected(rows.error());
        StepArgs second = for_groups(step, back_.num_groups);
        second.input = rows->output;
        auto ticket = back_.executable->submit(second);
        if (ticket)
            front_times_.push_back(rows->forward_time);
        return ticket;
    }
    Result<StepResult> wait(Ticket ticket) override {
        auto result = back_.executable->wait(ticket);
        if (result && !front_times_.empty()) {
            result->forward_time += front_times_.front();
            front_times_.pop_front();
        }
        return result;
    }
    [[nodiscard]] std::span<const KernelReport> kernels() const noexcept override { return kernels_; }

private:
    Half front_, back_;
    std::vector<KernelReport> kernels_;
    std::deque<std::chrono::nanoseconds> front_times_; // of the steps that the back has not given back
};

/// The group of the part that is this one of the whole program, if the part has it.
kernels::WeightGroupId group_in(const ProgramPart& part, kernels::WeightGroupId whole) {
    const auto found = std::find(part.groups.begin(), part.groups.end(), whole);
    if (found == part.groups.end())
        return {};
    return {static_cast<std::int32_t>(found - part.groups.begin())};
}

Footprint estimate_part(
    const kernels::Backend& backend, const ProgramPart& part, const KvSpec& kv, const StepLimits& limits) {
    return backend.estimate(part.program, kernels::kv_of_part(kv, part), limits);
}

} // namespace

Result<std::unique_ptr<SplitBackend>> SplitBackend::make(const Program& whole, const SplitRequest& request,
    std::unique_ptr<kernels::Backend> front, std::unique_ptr<kernels::Backend> back) {
    auto cut = kernels::cut_program(whole, request.front_layers);
    if (!cut)
        return tl::unexpected(cut.error());
    std::array<Part, 2> parts{
        Part{std::move(front), std::move(cut->front), {}}, Part{std::move(back), std::move(cut->back), {}}};
    for (Part& part : parts) {
        auto kernels = resolve_part(part.piece, *part.backend, request);
        if (!kernels)
            return tl::unexpected(kernels.error());
        part.kernels = *std::move(kernels);
    }
    return std::unique_ptr<SplitBackend>(new SplitBackend(std::move(parts)));
}

std::array<Footprint, 2> SplitBackend::estimate_parts(const KvSpec& kv, const StepLimits& limits) const {
    return {estimate_part(*parts_[0].backend, parts_[0].piece, kv, front_limits(limits)),
        estimate_part(*parts_[1].backend, parts_[1].piece, kv, limits)};
}

std::vector<KernelReport> SplitBackend::kernels() const {
    std::vector<KernelReport> reports;
    for (const Part& part : parts_) {
        const std::string device = part.backend->device().id;
        for (KernelReport report : part.kernels) {
            report.kernel = device + " " + report.kernel;
            reports.push_back(std::move(report));
        }
    }
    return reports;
}

kernels::DeviceInfo SplitBackend::device() const {
    kernels::DeviceInfo info = parts_[0].backend->device();
    const kernels::DeviceInfo back = parts_[1].backend->device();
    info.id += "+" + back.id;
    info.name += " + " + back.name;
    info.isa += "+" + back.isa;
    info.memory_total_bytes += back.memory_total_bytes;
    info.memory_free_bytes += back.memory_free_bytes;
    info.num_threads = std::max(info.num_threads, back.num_threads);
    return info;
}

kernels::Verdict SplitBackend::check(
    const Program& /*program*/, const kernels::Op& /*op*/, kernels::Numerics /*mode*/) const {
    return kernels::Accepted{"split"}; // each part was resolved for its own device
}

bool SplitBackend::takes_kv_groups() const noexcept {
    return parts_[0].backend->takes_kv_groups() && parts_[1].backend->takes_kv_groups();
}

Footprint SplitBackend::estimate(const Program& /*program*/, const KvSpec& kv, const StepLimits& limits) const {
    const auto [front, back] = estimate_parts(kv, limits);
    return {front.weight_bytes + back.weight_bytes, front.kv_block_bytes + back.kv_block_bytes,
        front.workspace_bytes + back.workspace_bytes};
}

Result<void> SplitBackend::upload(
    const Program& /*program*/, kernels::WeightGroupId id, kernels::WeightGroupBytes bytes) {
    for (Part& part : parts_) {
        const kernels::WeightGroupId own = group_in(part.piece, id);
        if (own.valid())
            VT_TRY(part.backend->upload(part.piece.program, own, bytes));
    }
    return {};
}

std::int64_t SplitBackend::held_weight_bytes() const noexcept {
    return parts_[0].backend->held_weight_bytes() + parts_[1].backend->held_weight_bytes();
}

Result<std::unique_ptr<KvPool>> SplitBackend::make_kv_pool(const KvSpec& kv, int num_blocks) {
    std::array<std::unique_ptr<KvPool>, 2> pools;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        auto pool = parts_[i].backend->make_kv_pool(kernels::kv_of_part(kv, parts_[i].piece), num_blocks);
        if (!pool)
            return tl::unexpected(pool.error());
        pools[i] = *std::move(pool);
    }
    return std::make_unique<SplitKvPool>(
        std::move(pools[0]), std::move(pools[1]), parts_[1].piece.first_layer, kernels::kv_num_groups(kv));
}

Result<std::unique_ptr<Executable>> SplitBackend::compile(
    const Program& /*program*/, KvPool& pool, const StepLimits& limits, kernels::Numerics mode) {
    auto* own = dynamic_cast<SplitKvPool*>(&pool);
    if (own == nullptr)
        return fail(ErrorCode::invalid_argument, "the KV pool was made by another backend");
    auto front = parts_[0].backend->compile(parts_[0].piece.program, own->front(), front_limits(limits), mode);
    if (!front)
        return tl::unexpected(front.error());
    auto back = parts_[1].backend->compile(parts_[1].piece.program, own->back(), limits, mode);
    if (!back)
        return tl::unexpected(back.error());
    return std::make_unique<SplitExecutable>(
        SplitExecutable::Half{*std::move(front), own->front().geometry().num_groups},
        SplitExecutable::Half{*std::move(back), own->back().geometry().num_groups}, kernels());
}

Result<Footprint> estimate_front(const Program& whole, const SplitRequest& request, const kernels::Backend& front,
    const KvSpec& kv, const StepLimits& limits) {
    auto cut = kernels::cut_program(whole, request.front_layers);
    if (!cut)
        return tl::unexpected(cut.error());
    if (auto resolved = resolve_part(cut->front, front, request); !resolved)
        return tl::unexpected(resolved.error());
    return estimate_part(front, cut->front, kv, front_limits(limits));
}

} // namespace vitrine::engine
