// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: what a model, a context and a number of parallel requests take (engine.md 7).
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/model_info.h"

namespace vitrine::engine {

struct CapacityQuestion {
    std::int64_t weight_bytes = 0;
    std::int64_t scratch_bytes = 0;
    std::int64_t kv_bytes_per_token = 0;
    int block_tokens = 16;
    int context = 0; // tokens of one sequence
    int parallel = 1; // sequences
    std::int64_t available_bytes = 0;
    std::string device;
};

/// make_load_plan() of a question in numbers: equal layers, parallel * ceil(context / block) blocks and the null block.
[[nodiscard]] LoadPlan plan_capacity(const CapacityQuestion& question);

struct PoolCapacity {
    std::int64_t tokens = 0;
    std::int64_t blocks = 0; // usable
    std::int64_t sequences = 0; // of `context` tokens
};
/// Pool of `fraction` of the free memory: N = 1 + floor((free * fraction - weights - scratch) / block bytes).
[[nodiscard]] PoolCapacity pool_capacity(const CapacityQuestion& question, double fraction);

} // namespace vitrine::engine
