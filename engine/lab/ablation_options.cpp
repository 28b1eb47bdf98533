// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: one ablation for the window and the command line.
#include <algorithm>

#include "engine/lab/ablation.h"

namespace vitrine::engine {

AblationOptions ablation_of(const LoadedModel& model) {
    AblationOptions options;
    options.model_path = model.info.path;
    options.config.device = model.config.device;
    options.config.isa = model.config.isa;
    options.config.num_threads = model.config.num_threads;
    if (model.config.device != "cpu")
        options.config.gpu_layers = model.config.gpu_layers;
    options.config.block_tokens = model.config.block_tokens;
    options.config.quantize = model.config.quantize;
    options.config.adapters = model.config.adapters;
    options.config.context = std::min(kAblationContext, model.context);
    return options;
}

std::vector<std::string> ablation_arguments(const AblationOptions& options) {
    const EngineConfig& config = options.config;
    const EngineConfig defaults;
    std::vector<std::string> arguments{"ablate", options.model_path};
    const auto add = [&](const char* name, std::string value) {
        arguments.emplace_back(name);
        arguments.push_back(std::move(value));
    };
    if (config.device != defaults.device)
        add("--device", config.device);
    if (config.isa != defaults.isa)
        add("--isa", config.isa);
    if (config.num_threads != defaults.num_threads)
        add("--threads", std::to_string(config.num_threads));
    if (config.gpu_layers != defaults.gpu_layers)
        add("--gpu-layers", std::to_string(config.gpu_layers));
    if (config.block_tokens != defaults.block_tokens)
        add("--block-size", std::to_string(config.block_tokens));
    if (!config.quantize.empty())
        add("--quant", config.quantize);
    for (const AdapterFile& adapter : config.adapters)
        add("--lora-scaled", adapter.path + ":" + std::to_string(adapter.weight));
    add("--ctx", std::to_string(config.context));
    add("--requests", std::to_string(options.num_requests));
    add("--pairs", std::to_string(options.num_pairs));
    if (!options.rows.empty()) {
        std::string rows;
        for (const std::string& row : options.rows)
            rows += (rows.empty() ? "" : ",") + row;
        add("--rows", rows);
    }
    return arguments;
}

} // namespace vitrine::engine
