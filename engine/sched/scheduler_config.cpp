// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the configuration check, which makes the progress claim of engine.md 2.3 hold.
#include "engine/sched/scheduler_config.h"

#include <algorithm>

#include "kernels/api/sentence.h"

namespace vitrine::engine {

int smallest_budget(const SchedulerConfig& config, int block_tokens) noexcept {
    const int decode = config.max_seqs * (1 + config.max_gamma) + block_tokens;
    return config.chunked_prefill ? decode
                                  : std::max(decode, config.context + config.max_seqs * (1 + config.max_gamma));
}

int most_step_tokens(const SchedulerConfig& config) noexcept {
    return config.chunked_prefill ? std::max(config.prefill_chunk, 1 + config.max_gamma) : config.context;
}

Result<void> check_config(const SchedulerConfig& config, int block_tokens) {
    if (config.max_seqs < 1 || config.max_gamma < 0 || config.context < 1)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::scheduler_values_too_small, config.max_seqs, config.max_gamma, config.context),
            say(Sentence::raise_small_value));
    if (config.prefill_chunk < block_tokens)
        return fail(ErrorCode::invalid_argument, say(Sentence::chunk_below_block, config.prefill_chunk, block_tokens),
            say(Sentence::use_chunk_from, block_tokens));
    if (config.prefix_cache && !(config.kv_cache && config.paged_kv))
        return fail(ErrorCode::invalid_argument, say(Sentence::prefix_cache_without_blocks),
            say(Sentence::switch_prefix_cache_off));
    const int needed = smallest_budget(config, block_tokens);
    if (config.max_batch_tokens < needed)
        return fail(ErrorCode::invalid_argument,
            say(config.chunked_prefill ? Sentence::step_budget_too_small : Sentence::step_budget_below_prompt,
                config.max_batch_tokens, config.max_seqs, config.max_gamma, needed),
            say(Sentence::raise_step_budget, needed));
    return {};
}

} // namespace vitrine::engine
