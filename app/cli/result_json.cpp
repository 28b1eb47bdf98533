// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: JSON of engine values.
#include "app/cli/result_json.h"

#include <nlohmann/json.hpp>

namespace vitrine::app {

nlohmann::ordered_json plan_json(const engine::LoadPlan& plan) {
    nlohmann::ordered_json devices = nlohmann::ordered_json::array();
    for (const engine::DevicePlan& device : plan.devices)
        devices.push_back({{"device", device.device}, {"layers", device.num_layers}, {"weights", device.weights},
            {"kv", device.kv}, {"scratch", device.scratch}, {"total", device.total}, {"available", device.available},
            {"fits", device.fits}});
    return {{"weights", plan.weights}, {"kv", plan.kv}, {"scratch", plan.scratch}, {"margin", plan.margin},
        {"total", plan.total}, {"available", plan.available}, {"fits", plan.fits}, {"max_parallel", plan.max_parallel},
        {"num_blocks", plan.num_blocks}, {"block_tokens", plan.block_tokens}, {"context", plan.context},
        {"kv_bytes_per_token", plan.kv_bytes_per_token}, {"kv_bytes_per_far_token", plan.kv_bytes_per_far_token},
        {"kv_block_bytes", plan.kv_block_bytes}, {"blocks_per_sequence", plan.blocks_per_sequence},
        {"device", plan.device}, {"devices", devices}};
}

nlohmann::ordered_json kernels_json(std::span<const kernels::KernelReport> kernels) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const kernels::KernelReport& report : kernels)
        json[report.op] = report.reason.empty() ? report.kernel : report.kernel + " (" + report.reason + ")";
    return json;
}

} // namespace vitrine::app
