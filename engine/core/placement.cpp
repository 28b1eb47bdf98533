// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: layers on devices.
#include "engine/core/placement.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/log.h"
#include "engine/core/config_defaults.h"
#include "engine/kv/kv_budget.h"
#include "engine/model/model_inspection.h"
#include "kernels/api/host_memory.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

// A CPU pool shares the machine with everything else, so it stops at what sixteen full contexts take.
constexpr int kCpuPoolContexts = 16;

/// What one device is asked to hold.
struct Part {
    kernels::DeviceInfo device;
    kernels::Footprint footprint;
    int num_layers = 0;
};

std::int64_t free_bytes_of(const kernels::DeviceInfo& device, const HeldBytes& held) {
    const auto given_back = held.find(device.id);
    const std::int64_t free_bytes =
        device.memory_free_bytes > 0 ? device.memory_free_bytes : kernels::available_memory_bytes().value_or(0);
    return free_bytes + (given_back == held.end() ? 0 : given_back->second);
}

/// The draft model runs where the first layers run, and the CPU holds the tokenizer's tables: 30 MB for 262,144 tokens.
void add_companions(const LoadSetup& setup, Part& part, bool is_first) {
    if (!is_gpu(part.device))
        part.footprint.workspace_bytes += tokenizer_bytes(*setup.file);
    if (!setup.draft || !is_first)
        return;
    const DraftSetup& draft = *setup.draft; // its pool holds as many tokens
    part.footprint.weight_bytes += draft.footprint.weight_bytes;
    part.footprint.kv_block_bytes += static_cast<std::int64_t>(
        std::ceil(draft.blocks_per_target_block * static_cast<double>(draft.footprint.kv_block_bytes)));
    part.footprint.workspace_bytes += draft.footprint.workspace_bytes;
}

KvBudgetQuestion budget_question(const LoadSetup& setup, const Part& part, const HeldBytes& held) {
    KvBudgetQuestion question;
    question.free_bytes = free_bytes_of(part.device, held);
    question.memory_fraction = setup.config.memory_fraction;
    question.weight_bytes = part.footprint.weight_bytes;
    question.scratch_bytes = part.footprint.workspace_bytes;
    question.block_bytes = part.footprint.kv_block_bytes;
    question.blocks_per_sequence = setup.blocks_per_sequence();
    question.context = setup.config.context;
    question.max_seqs = is_gpu(part.device) ? setup.config.max_seqs : std::min(setup.config.max_seqs, kCpuPoolContexts);
    question.num_blocks = setup.config.num_blocks;
    return question;
}

int num_layers_of(const kernels::Program& program) {
    return static_cast<int>(program.kv_layers.size());
}

/// In the order of their layers.
std::vector<Part> parts_of(const LoadSetup& setup) {
    std::vector<Part> parts;
    if (setup.split == nullptr) {
        parts.push_back({setup.made.backend->device(),
            setup.made.backend->estimate(setup.resolved.program, setup.kv.spec, setup.limits),
            num_layers_of(setup.resolved.program)});
    } else {
        const auto footprints = setup.split->estimate_parts(setup.kv.spec, setup.limits);
        for (std::size_t i = 0; i < footprints.size(); ++i) {
            const SplitBackend::Part& part = setup.split->parts()[i];
            parts.push_back({part.backend->device(), footprints[i], num_layers_of(part.piece.program)});
        }
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        add_companions(setup, parts[i], i == 0);
    return parts;
}

/// The weights and one sequence's cache fit: what loading asks for as well.
Result<void> check_fits(const LoadSetup& setup, Part part, const HeldBytes& held) {
    add_companions(setup, part, true);
    if (auto blocks = kv_budget(budget_question(setup, part, held)); !blocks)
        return tl::unexpected(blocks.error());
    return {};
}

/// Tries the places of layers of one setup on its GPU.
class GpuPlacement {
public:
    GpuPlacement(LoadSetup& setup, const kernels::Program& program, const PlacementRequest& request)
        : setup_(setup), program_(program), request_(request), num_layers_(num_layers_of(program)) {}

    [[nodiscard]] Result<Placement> place() {
        const int wanted = request_.config.gpu_layers;
        if (wanted == 0)
            return Placement{true, {}};
        if (wanted > 0 && wanted < num_layers_)
            return split(wanted);
        auto resolved =
            kernels::resolve(program_, *setup_.made.backend, setup_.config.numerics, setup_.config.decompose);
        if (!resolved)
            return cannot_run(resolved.error());
        const Part whole{setup_.made.backend->device(),
            setup_.made.backend->estimate(resolved->program, setup_.kv.spec, setup_.limits), num_layers_};
        if (wanted < 0) {
            if (const auto fits = check_fits(setup_, whole, request_.held); !fits)
                return share(fits.error());
        }
        setup_.resolved = *std::move(resolved);
        setup_.config.gpu_layers = num_layers_;
        return Placement{};
    }

private:
    [[nodiscard]] bool automatic() const { return request_.config.device == "auto"; }
    [[nodiscard]] SplitRequest split_request(int layers) const {
        return {layers, setup_.config.numerics, setup_.config.decompose};
    }

    /// An op that the GPU declines as a whole.
    [[nodiscard]] Result<Placement> cannot_run(const Error& error) const {
        if (error.code != ErrorCode::unsupported)
            return tl::unexpected(error);
        if (automatic())
            return Placement{true, wrapped(error, say(Sentence::gpu_runs_not, cause_of(error)))};
        Error refusal = error;
        refusal.advised = say(Sentence::cpu_runs_this_model);
        refusal.remedy = english(refusal.advised);
        return tl::unexpected(std::move(refusal));
    }

    /// As many layers as fit beside one sequence's cache; all others to the CPU.
    [[nodiscard]] Result<Placement> share(const Error& too_large) {
        int fitting = 0;
        for (int too_many = num_layers_; fitting + 1 < too_many;) {
            const int middle = fitting + (too_many - fitting) / 2;
            const auto fits = front_fits(middle);
            if (!fits)
                return tl::unexpected(fits.error());
            (*fits ? fitting : too_many) = middle;
        }
        if (fitting > 0)
            return split(fitting);
        Phrase reason = say(Sentence::no_layer_fits, num_layers_, cause_of(too_large));
        if (automatic())
            return Placement{true, make_error(ErrorCode::out_of_memory, std::move(reason))};
        return fail(ErrorCode::out_of_memory, std::move(reason), say(Sentence::choose_auto_or_cpu));
    }
    [[nodiscard]] Result<bool> front_fits(int layers) const {
        const auto footprint =
            estimate_front(program_, split_request(layers), *setup_.made.backend, setup_.kv.spec, setup_.limits);
        if (!footprint)
            return tl::unexpected(footprint.error());
        return check_fits(setup_, {setup_.made.backend->device(), *footprint, layers}, request_.held).has_value();
    }

    [[nodiscard]] Result<Placement> split(int layers) {
        auto cpu = request_.make_backend(DeviceRequest{"cpu", request_.config.isa, request_.config.num_threads});
        if (!cpu)
            return tl::unexpected(cpu.error());
        auto split = SplitBackend::make(
            program_, split_request(layers), std::move(setup_.made.backend), std::move(cpu->backend));
        if (!split)
            return cannot_run(split.error());
        setup_.config.isa = (*split)->parts()[1].backend->device().isa; // the one that can be chosen
        setup_.config.num_threads = (*split)->device().num_threads;
        setup_.config.gpu_layers = layers;
        setup_.resolved = {program_, (*split)->kernels()};
        setup_.split = split->get();
        setup_.made.backend = *std::move(split);
        log_info("{} of {} layers run on {}, the others on the CPU", layers, num_layers_, setup_.config.device);
        return Placement{};
    }

    LoadSetup& setup_;
    const kernels::Program& program_;
    const PlacementRequest& request_;
    int num_layers_;
};

} // namespace

Result<Placement> place_layers(LoadSetup& setup, kernels::Program program, const PlacementRequest& request) {
    if (is_gpu(setup.made.backend->device()))
        return GpuPlacement(setup, program, request).place();
    if (request.config.gpu_layers > 0)
        return fail(ErrorCode::invalid_argument,
            setup.made.device_reason
                ? say(Sentence::gpu_layers_without_gpu_why, request.config.gpu_layers, setup.config.device,
                      cause_of(*setup.made.device_reason))
                : say(Sentence::gpu_layers_without_gpu, request.config.gpu_layers, setup.config.device),
            say(Sentence::leave_gpu_layers));
    auto resolved =
        kernels::resolve(std::move(program), *setup.made.backend, setup.config.numerics, setup.config.decompose);
    if (!resolved)
        return tl::unexpected(resolved.error());
    setup.resolved = *std::move(resolved);
    setup.config.gpu_layers = 0;
    return Placement{};
}

void plan_memory(LoadSetup& setup, const HeldBytes& held) {
    std::vector<MemoryNeeds> all;
    int num_blocks = 0; // every device can hold; 0: none was asked yet
    for (const Part& part : parts_of(setup)) {
        MemoryNeeds needs;
        needs.weight_bytes = part.footprint.weight_bytes;
        needs.scratch_bytes = part.footprint.workspace_bytes;
        needs.kv_block_bytes = part.footprint.kv_block_bytes;
        needs.kv_bytes_per_token = kernels::kv_bytes_per_token(setup.kv.spec);
        needs.kv_bytes_per_far_token = kv_bytes_per_far_token(setup.kv);
        if (setup.draft) {
            needs.kv_bytes_per_token += kernels::kv_bytes_per_token(setup.draft->kv.spec);
            needs.kv_bytes_per_far_token += kv_bytes_per_far_token(setup.draft->kv);
        }
        needs.blocks_per_sequence = setup.blocks_per_sequence();
        needs.block_tokens = setup.config.block_tokens;
        needs.context = setup.config.context;
        needs.available_bytes = free_bytes_of(part.device, held);
        needs.device = part.device.id;
        needs.num_layers = part.num_layers;
        const auto blocks = kv_budget(budget_question(setup, part, held));
        if (!blocks && !setup.does_not_fit) {
            setup.does_not_fit = blocks.error();
            if (setup.split != nullptr)
                setup.does_not_fit = wrapped(blocks.error(),
                    say(Sentence::layers_on_device, part.num_layers, part.device.id, cause_of(blocks.error())));
        }
        if (blocks)
            num_blocks = num_blocks == 0 ? *blocks : std::min(num_blocks, *blocks);
        all.push_back(std::move(needs));
    }
    if (setup.does_not_fit)
        num_blocks = setup.config.num_blocks > 0 ? setup.config.num_blocks : setup.blocks_per_sequence();
    for (MemoryNeeds& needs : all)
        needs.num_blocks = num_blocks;
    setup.plan = make_load_plan(all);
}

} // namespace vitrine::engine
