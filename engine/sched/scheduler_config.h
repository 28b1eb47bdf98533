// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: limits of the scheduler, checked before it starts.
#pragma once

#include <chrono>

#include "engine/api/engine_config.h"
#include "engine/base/result.h"

namespace vitrine::engine {

struct SchedulerConfig {
    int max_batch_tokens = 512; // budget of one step
    int prefill_chunk = 256; // cap: tokens of one sequence in one step
    int max_seqs = 256;
    int max_gamma = 0; // most drafts of one sequence in one step
    int context = 8192; // tokens of one sequence
    bool chunked_prefill = true;
    BatchPolicy policy = BatchPolicy::continuous;
    bool prefix_cache = true;
    bool kv_cache = true; // off: a sequence that got a token computes everything again (ablation; no prefix cache then)
    bool paged_kv =
        true; // off: a sequence takes the blocks of a whole context at once (ablation; no prefix cache then)
    bool hold_same_prefix = true; // one computes, the rest hit
    double free_share = 0.01; // of the pool that stays free while something runs
    std::chrono::seconds raise_after{5}; // waiting raises a request one level; 0: never
    double max_gap_ratio = 2.5; // a step with prompts, over one that only decodes; 0: prompts take what they need
    int max_passes = 64; // how often a long request may be passed by short ones
};

/// budget >= max_seqs * (1 + max_gamma) + block_tokens, so that decoding can never eat the whole budget; without chunking
/// also budget >= context.  `invalid_argument` carries both numbers.
[[nodiscard]] Result<void> check_config(const SchedulerConfig& config, int block_tokens);
/// Most tokens of one sequence in one step.
[[nodiscard]] int most_step_tokens(const SchedulerConfig& config) noexcept;
/// The smallest budget that check_config() takes.
[[nodiscard]] int smallest_budget(const SchedulerConfig& config, int block_tokens) noexcept;

} // namespace vitrine::engine
