// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the memory formula of engine.md 7.
#include "engine/lab/capacity.h"

#include <algorithm>

#include "engine/model/memory_plan.h"

namespace vitrine::engine {
namespace {

std::int64_t blocks_of(const CapacityQuestion& q) {
    return (q.context + q.block_tokens - 1) / q.block_tokens;
}

std::int64_t block_bytes(const CapacityQuestion& q) {
    return q.kv_bytes_per_token * q.block_tokens;
}

} // namespace

LoadPlan plan_capacity(const CapacityQuestion& q) {
    MemoryNeeds needs;
    needs.weight_bytes = q.weight_bytes;
    needs.scratch_bytes = q.scratch_bytes;
    needs.kv_block_bytes = block_bytes(q);
    needs.kv_bytes_per_token = q.kv_bytes_per_token;
    needs.block_tokens = q.block_tokens;
    needs.blocks_per_sequence = static_cast<int>(blocks_of(q));
    needs.num_blocks = static_cast<int>(q.parallel * blocks_of(q));
    needs.context = q.context;
    needs.available_bytes = q.available_bytes;
    needs.device = q.device;
    return make_load_plan(needs);
}

PoolCapacity pool_capacity(const CapacityQuestion& q, double fraction) {
    PoolCapacity pool;
    const auto usable = static_cast<std::int64_t>(static_cast<double>(q.available_bytes) * fraction);
    const std::int64_t left = std::max<std::int64_t>(usable - q.weight_bytes - q.scratch_bytes, 0);
    pool.tokens = left / q.kv_bytes_per_token;
    pool.blocks = left / block_bytes(q);
    pool.sequences = pool.blocks / std::max<std::int64_t>(blocks_of(q), 1);
    return pool;
}

} // namespace vitrine::engine
