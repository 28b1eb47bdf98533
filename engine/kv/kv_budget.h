// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: how many blocks the memory left can hold.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "kernels/api/kv_pool.h"

namespace vitrine::engine {

struct KvBudgetQuestion {
    std::int64_t free_bytes = 0; // of the device, before weights
    double memory_fraction = 0.9;
    std::int64_t weight_bytes = 0;
    std::int64_t scratch_bytes = 0;
    std::int64_t block_bytes = 0; // Footprint::kv_block_bytes
    int blocks_per_sequence = 0; // of `context` tokens: LoadPlan::blocks_per_sequence
    int context = 0; // tokens one sequence may have
    int max_seqs = 256; // more blocks than max_seqs contexts are never used
    int num_blocks = 0; // usable blocks asked for; 0: what fits
};

/// Usable blocks (without the null block).  out_of_memory carries both numbers: when the blocks asked for do not fit, or
/// not even one sequence of `context` tokens does.
[[nodiscard]] Result<int> kv_budget(const KvBudgetQuestion& question);

} // namespace vitrine::engine
