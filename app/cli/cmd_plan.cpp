// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: plan.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "app/cli/result_json.h"
#include "engine/base/format.h"
#include "engine/core/load_job.h"
#include "engine/model/memory_plan.h"
#include "engine/model/synthetic_model.h"

namespace vitrine::app {
namespace {

/// The engine's plan for one sequence, asked again for `parallel` of them and another memory (of the first device).
engine::LoadPlan adjusted(const engine::LoadSetup& setup, const PlanOptions& options) {
    const engine::LoadPlan& base = setup.plan;
    std::vector<engine::MemoryNeeds> all;
    for (const engine::DevicePlan& device : base.devices) {
        engine::MemoryNeeds needs;
        needs.weight_bytes = device.weights;
        needs.scratch_bytes = device.scratch;
        needs.kv_block_bytes = device.kv_block_bytes;
        needs.kv_bytes_per_token = base.kv_bytes_per_token;
        needs.kv_bytes_per_far_token = base.kv_bytes_per_far_token;
        needs.blocks_per_sequence = base.blocks_per_sequence;
        needs.block_tokens = base.block_tokens;
        needs.context = base.context;
        needs.num_blocks = options.parallel * base.blocks_per_sequence;
        needs.available_bytes = options.memory_bytes > 0 && all.empty() ? options.memory_bytes : device.available;
        needs.device = device.device;
        needs.num_layers = device.num_layers;
        all.push_back(std::move(needs));
    }
    return engine::make_load_plan(all);
}

/// Which layers run where, if several devices share them.
void print_devices(const engine::LoadPlan& plan, Console& console) {
    if (plan.devices.size() < 2)
        return;
    for (const engine::DevicePlan& device : plan.devices)
        console.line(fmt::format("{:<9} {:>10}  of {} free for {} layers: {} of weights, {} of KV, {}", device.device,
            engine::format_bytes(device.total), engine::format_bytes(device.available), device.num_layers,
            engine::format_bytes(device.weights), engine::format_bytes(device.kv),
            device.fits ? "fits" : "does not fit"));
}

/// Of a model, or of a built-in shape in BF16 or in the type of --quant.
Result<engine::LoadSetup> set_up(const ModelOptions& options) {
    engine::EngineConfig config = options.config;
    config.draft = model_path(config.draft);
    const engine::BackendCatalog catalog;
    const auto preset = engine::find_shape_preset(options.model);
    if (!preset || std::filesystem::exists(options.model))
        return engine::set_up_load(model_path(options.model), config, catalog, {});
    const auto mix = engine::quant_mix_from_name(config.quantize.empty() ? "bf16" : config.quantize);
    VT_TRY(mix);
    config.quantize.clear(); // the shapes have it
    return engine::set_up_shapes(engine::shapes_of_preset(*preset, *mix), config, catalog);
}

} // namespace

int run_command(const PlanOptions& options, Console& console) {
    auto setup = set_up(options.model);
    if (!setup)
        return console.fail(setup.error());
    const engine::LoadPlan plan = adjusted(*setup, options);
    if (options.model.json) {
        console.json(plan_json(plan));
    } else {
        console.line(fmt::format("weights   {:>10}", engine::format_bytes(plan.weights)));
        console.line(fmt::format("KV        {:>10}  {} x {} tokens, {} bytes a token{}", engine::format_bytes(plan.kv),
            options.parallel, plan.context, plan.kv_bytes_per_token,
            plan.kv_bytes_per_far_token < plan.kv_bytes_per_token
                ? fmt::format(", {} beyond the sliding window", plan.kv_bytes_per_far_token)
                : ""));
        console.line(fmt::format("scratch   {:>10}", engine::format_bytes(plan.scratch)));
        console.line(fmt::format("margin    {:>10}", engine::format_bytes(plan.margin)));
        console.line(fmt::format("total     {:>10}  of {} free on {}: {}", engine::format_bytes(plan.total),
            engine::format_bytes(plan.available), plan.device, plan.fits ? "fits" : "does not fit"));
        print_devices(plan, console);
        if (const std::optional<Error>& reason = setup->made.device_reason)
            console.line(fmt::format("the CPU computes: {}", reason->message));
        console.line(fmt::format("at most {} requests of {} tokens", plan.max_parallel, plan.context));
    }
    return kExitSuccess;
}

} // namespace vitrine::app
