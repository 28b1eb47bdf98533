// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the memory formula of engine.md 7.
#include "engine/lab/capacity.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

std::int64_t blocks_of(const CapacityQuestion& q) {
    return (q.context + q.block_tokens - 1) / q.block_tokens;
}

std::int64_t block_bytes(const CapacityQuestion& q) {
    return q.kv_bytes_per_token * q.block_tokens;
}

/// A tenth of the rest, rounded up.
std::int64_t margin_of(std::int64_t bytes) {
    return (bytes + 9) / 10;
}

} // namespace

LoadPlan plan_capacity(const CapacityQuestion& q) {
    LoadPlan plan;
    const std::int64_t sequence_bytes = blocks_of(q) * block_bytes(q);
    plan.weights = q.weight_bytes;
    plan.kv = q.parallel * sequence_bytes;
    plan.scratch = q.scratch_bytes;
    const std::int64_t sum = plan.weights + plan.kv + plan.scratch;
    plan.margin = margin_of(sum);
    plan.total = sum + plan.margin;
    plan.available = q.available_bytes;
    plan.fits = plan.total <= plan.available;
    plan.num_blocks = static_cast<int>(q.parallel * blocks_of(q));
    plan.block_tokens = q.block_tokens;
    plan.context = q.context;
    plan.kv_bytes_per_token = q.kv_bytes_per_token;
    plan.device = q.device;
    // available / 1.1 in integers, then what the weights leave.
    const std::int64_t left = q.available_bytes * 10 / 11 - plan.weights - plan.scratch;
    plan.max_parallel = sequence_bytes <= 0 ? 0 : static_cast<int>(std::max<std::int64_t>(left, 0) / sequence_bytes);
    return plan;
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
