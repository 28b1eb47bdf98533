// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: memory arithmetic.
#include "engine/model/memory_plan.h"

#include <algorithm>
#include <limits>

namespace vitrine::engine {
namespace {

constexpr double kMargin = 0.1;

int sequences_that_fit(const MemoryNeeds& needs) {
    if (needs.blocks_per_sequence <= 0 || needs.kv_block_bytes <= 0)
        return 0;
    const double usable = static_cast<double>(needs.available_bytes) / (1 + kMargin) -
        static_cast<double>(needs.weight_bytes + needs.scratch_bytes + needs.kv_block_bytes);
    const double count = usable / static_cast<double>(needs.blocks_per_sequence * needs.kv_block_bytes);
    return static_cast<int>(std::clamp(count, 0.0, static_cast<double>(std::numeric_limits<int>::max())));
}

} // namespace

LoadPlan make_load_plan(const MemoryNeeds& needs) {
    LoadPlan plan;
    plan.weights = needs.weight_bytes;
    plan.kv = (std::int64_t{needs.num_blocks} + 1) * needs.kv_block_bytes;
    plan.scratch = needs.scratch_bytes;
    plan.margin = static_cast<std::int64_t>(kMargin * static_cast<double>(plan.weights + plan.kv + plan.scratch));
    plan.total = plan.weights + plan.kv + plan.scratch + plan.margin;
    plan.available = needs.available_bytes;
    plan.fits = plan.total <= plan.available;
    plan.num_blocks = needs.num_blocks;
    plan.block_tokens = needs.block_tokens;
    plan.context = needs.context;
    plan.max_parallel = sequences_that_fit(needs);
    plan.kv_bytes_per_token = needs.kv_bytes_per_token;
    plan.kv_bytes_per_far_token = needs.kv_bytes_per_far_token;
    plan.kv_block_bytes = needs.kv_block_bytes;
    plan.blocks_per_sequence = needs.blocks_per_sequence;
    plan.device = needs.device;
    plan.devices = {DevicePlan{plan.device, needs.num_layers, plan.weights, plan.kv, plan.scratch, plan.total,
        plan.available, plan.kv_block_bytes, plan.fits}};
    return plan;
}

LoadPlan make_load_plan(std::span<const MemoryNeeds> needs) {
    LoadPlan plan = make_load_plan(needs.front());
    for (const MemoryNeeds& more : needs.subspan(1)) {
        const LoadPlan part = make_load_plan(more);
        plan.weights += part.weights;
        plan.kv += part.kv;
        plan.scratch += part.scratch;
        plan.margin += part.margin;
        plan.total += part.total;
        plan.available += part.available;
        plan.fits = plan.fits && part.fits;
        plan.max_parallel = std::min(plan.max_parallel, part.max_parallel);
        plan.kv_block_bytes += part.kv_block_bytes;
        plan.device += "+" + part.device;
        plan.devices.push_back(part.devices.front());
    }
    return plan;
}

} // namespace vitrine::engine
