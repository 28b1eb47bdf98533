// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the configuration check, which makes the progress claim of engine.md 2.3 hold.
#include "engine/sched/scheduler_config.h"

#include <algorithm>
#include <fmt/core.h>

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
            fmt::format("max_seqs {}, gamma {} and context {} must be at least 1, 0 and 1", config.max_seqs,
                config.max_gamma, config.context),
            "raise the value that is too small");
    if (config.prefill_chunk < block_tokens)
        return fail(ErrorCode::invalid_argument,
            fmt::format(
                "a prefill chunk of {} tokens is smaller than one KV block of {}", config.prefill_chunk, block_tokens),
            fmt::format("use a chunk of {} or more", block_tokens));
    if (config.prefix_cache && !(config.kv_cache && config.paged_kv))
        return fail(ErrorCode::invalid_argument,
            "the prefix cache needs a paged KV cache that is kept, and one of both is off",
            "switch the prefix cache off");
    const int needed = smallest_budget(config, block_tokens);
    if (config.max_batch_tokens < needed)
        return fail(ErrorCode::invalid_argument,
            fmt::format("max_batch_tokens is {}, and {} sequences with up to {} drafts each need {}{}",
                config.max_batch_tokens, config.max_seqs, config.max_gamma, needed,
                config.chunked_prefill ? "" : " (a whole prompt at once: chunked prefill is off)"),
            fmt::format("use --max-batch-tokens {} or lower --max-seqs", needed));
    return {};
}

} // namespace vitrine::engine
