// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: the pool formula of engine.md 7, with refusals that carry both numbers.
#include "engine/kv/kv_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/api/sentence.h"

namespace vitrine::engine {

Result<int> kv_budget(const KvBudgetQuestion& q) {
    const auto usable = static_cast<std::int64_t>(static_cast<double>(q.free_bytes) * q.memory_fraction);
    const std::int64_t left = usable - q.weight_bytes - q.scratch_bytes;
    // The null block comes on top; the part of the memory that stays free has room for it.
    const std::int64_t fitting = left <= 0 ? 0 : left / q.block_bytes;
    const std::int64_t per_sequence = q.blocks_per_sequence;
    if (q.num_blocks > 0) {
        const std::int64_t free_left = q.free_bytes - q.weight_bytes - q.scratch_bytes;
        const std::int64_t needed = (q.num_blocks + std::int64_t{1}) * q.block_bytes;
        if (needed > free_left)
            return fail(ErrorCode::out_of_memory,
                say(Sentence::blocks_over_memory, q.num_blocks, ByteCount{needed}, needed,
                    ByteCount{std::max<std::int64_t>(free_left, 0)}, std::max<std::int64_t>(free_left, 0)),
                say(Sentence::take_less_memory));
        return q.num_blocks;
    }
    if (fitting < per_sequence) {
        const std::int64_t needed = q.weight_bytes + q.scratch_bytes + per_sequence * q.block_bytes;
        return fail(ErrorCode::out_of_memory,
            say(Sentence::model_over_memory, q.context, ByteCount{needed}, needed, ByteCount{usable}, usable,
                std::llround(q.memory_fraction * 100)),
            say(Sentence::take_less_memory));
    }
    const std::int64_t useful = per_sequence * q.max_seqs;
    return static_cast<int>(std::min({fitting, useful, std::int64_t{std::numeric_limits<std::int32_t>::max() / 64}}));
}

} // namespace vitrine::engine
