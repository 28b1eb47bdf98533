// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: configuration defaults.
#include "engine/core/config_defaults.h"

#include <algorithm>

#include "engine/spec/acceptance.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr int kDefaultContext = 8192;
constexpr int kAutoGamma = 8;
constexpr int kMaxSeqs = 4096;
constexpr std::int64_t kLogitBytes = std::int64_t{256} << 20;

Result<void> check_range(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most)
        return {};
    return fail(ErrorCode::invalid_argument, say(Sentence::option_out_of_range, name, value, least, most),
        say(Sentence::choose_other_value, name));
}

Result<void> check_knobs(const EngineConfig& config, const ModelConfig& model) {
    VT_TRY(check_range("context", config.context, 0, model.context_length));
    VT_TRY(check_range("max_seqs", config.max_seqs, 1, kMaxSeqs));
    VT_TRY(check_range("num_blocks", config.num_blocks, 0, 1 << 28));
    VT_TRY(check_range("max_batch_tokens", config.max_batch_tokens, 0, 1 << 20));
    VT_TRY(check_range("prefill_chunk", config.prefill_chunk, 0, 1 << 20));
    if (!(config.slo_ttft_s > 0) || !(config.slo_tpot_s > 0))
        return fail(ErrorCode::invalid_argument,
            say(Sentence::objectives_not_positive, six_digits(config.slo_ttft_s), six_digits(config.slo_tpot_s)),
            say(Sentence::use_times_above_zero));
    VT_TRY(check_range("gamma", config.gamma, -1, kMaxDraftPositions));
    if (config.gamma > 0 && config.draft.empty())
        return fail(ErrorCode::invalid_argument, say(Sentence::gamma_without_drafter, config.gamma),
            say(Sentence::add_drafter));
    if (config.block_tokens != 0 && config.block_tokens != 16 && config.block_tokens != 32)
        return fail(ErrorCode::invalid_argument, say(Sentence::block_size_unknown, config.block_tokens),
            say(Sentence::use_16_or_32));
    if (!(config.memory_fraction > 0) || config.memory_fraction > 1)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::memory_share_out_of_range, six_digits(config.memory_fraction)), say(Sentence::use_share));
    return {};
}

} // namespace

int max_gamma(const EngineConfig& config) noexcept {
    if (config.draft.empty())
        return 0;
    return config.gamma >= 0 ? config.gamma : kAutoGamma;
}

kernels::Numerics choose_numerics(const ModelInfo& info, std::string_view device) {
    constexpr std::int64_t kSmallWeightBytes = std::int64_t{512} << 20;
    const bool chooses = device == "cpu" || device.starts_with("cuda"); // both have int8 activations in fast mode
    return chooses && info.weight_bytes <= kSmallWeightBytes ? kernels::Numerics::exact : kernels::Numerics::fast;
}

Result<EngineConfig> resolve_config(EngineConfig config, const ModelConfig& model, const kernels::DeviceInfo& device) {
    VT_TRY(check_knobs(config, model));
    const bool gpu = is_gpu(device);
    config.device = device.id;
    config.isa = device.isa;
    if (device.num_threads > 0)
        config.num_threads = device.num_threads;
    if (config.block_tokens == 0)
        config.block_tokens = gpu ? 32 : 16;
    config.prefix_cache = config.prefix_cache && config.kv_cache && config.paged_kv; // it shares what stays in blocks
    config.window_groups =
        config.window_groups && config.kv_cache && config.paged_kv; // what stays in place keeps it all
    if (config.context == 0) {
        config.context = std::min(model.context_length, kDefaultContext);
        // A pool made small on purpose bounds a sequence too.
        if (config.num_blocks > 0)
            config.context = std::min(config.context, config.num_blocks * config.block_tokens);
    }
    if (model.encoder) { // a text comes in one step, and nothing is generated
        config.prefix_cache = config.chunked_prefill = false;
        config.draft.clear();
        config.gamma = -1;
    }
    const SchedulerConfig wanted = make_scheduler_config(config);
    if (config.max_batch_tokens == 0)
        config.max_batch_tokens = std::max(gpu ? 2048 : 512, smallest_budget(wanted, config.block_tokens));
    if (model.encoder)
        config.max_batch_tokens = std::max(config.max_batch_tokens, config.context);
    if (config.prefill_chunk == 0)
        config.prefill_chunk = gpu ? 2048 : 256;
    if (!config.chunked_prefill)
        config.prefill_chunk = std::max(config.prefill_chunk, config.context);
    config.prefill_chunk = std::min(config.prefill_chunk, config.max_batch_tokens);
    VT_TRY(check_config(make_scheduler_config(config), config.block_tokens));
    return config;
}

SchedulerConfig make_scheduler_config(const EngineConfig& config) {
    SchedulerConfig scheduler;
    scheduler.max_batch_tokens = config.max_batch_tokens;
    scheduler.prefill_chunk = config.prefill_chunk;
    scheduler.max_seqs = config.max_seqs;
    scheduler.max_gamma = max_gamma(config);
    scheduler.context = config.context;
    scheduler.chunked_prefill = config.chunked_prefill;
    scheduler.policy = config.policy;
    scheduler.prefix_cache = config.prefix_cache;
    scheduler.kv_cache = config.kv_cache;
    scheduler.paged_kv = config.paged_kv;
    return scheduler;
}

kernels::StepLimits make_step_limits(const EngineConfig& config, std::int64_t vocab_size) {
    kernels::StepLimits limits;
    limits.max_rows = config.max_batch_tokens;
    limits.max_seqs = config.max_seqs;
    limits.max_context = config.context;
    limits.graphs = config.cuda_graphs;
    const std::int64_t affordable = kLogitBytes / (std::max<std::int64_t>(vocab_size, 1) * std::int64_t{sizeof(float)});
    const std::int64_t least = 1 + kMaxDraftPositions; // one sequence with all its drafts
    limits.max_logit_rows =
        static_cast<int>(std::min<std::int64_t>(std::max(affordable, least), config.max_batch_tokens));
    return limits;
}

} // namespace vitrine::engine
