// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/native/native_handlers.h"

namespace vitrine::app {
namespace {

/// An infinite one, which a cancelled request can cause, is null in JSON.
nlohmann::ordered_json percentiles(const std::array<double, 3>& values, int count) {
    return {{"p50", values[0]}, {"p95", values[1]}, {"p99", values[2]}, {"n", count}};
}

const char* state_name(engine::SequenceState state) {
    constexpr const char* kNames[] = {"preparing", "waiting", "prefill", "decode", "preempted", "finished"};
    return kNames[static_cast<int>(state)];
}

nlohmann::ordered_json sequence_json(const engine::SequenceStatus& s) {
    return {{"request", static_cast<std::uint64_t>(s.request)}, {"choice", s.choice}, {"state", state_name(s.state)},
        {"prompt_tokens", s.prompt_tokens}, {"cached_tokens", s.cached_tokens}, {"computed_tokens", s.computed_tokens},
        {"output_tokens", s.output_tokens}, {"blocks", s.num_blocks}, {"window_freed_blocks", s.window_freed_blocks},
        {"preemptions", s.preemptions}, {"miss_note", s.miss_note}};
}

} // namespace

nlohmann::ordered_json stats_json(const engine::Snapshot& snapshot) {
    const engine::Counters& c = snapshot.counters;
    const engine::Rates& r = snapshot.rates;
    nlohmann::ordered_json sequences = nlohmann::ordered_json::array();
    for (const engine::SequenceStatus& sequence : snapshot.sequences)
        sequences.push_back(sequence_json(sequence));
    nlohmann::ordered_json finished;
    for (std::size_t i = 0; i < c.finished.size(); ++i)
        finished[engine::finish_reason_name(static_cast<engine::FinishReason>(i))] = c.finished[i];
    constexpr const char* kPhases[] = {"draft", "schedule", "forward", "sample", "commit"};
    nlohmann::ordered_json phases;
    for (std::size_t i = 0; i < c.phase_us.size(); ++i)
        phases[kPhases[i]] = static_cast<double>(c.phase_us[i]) / 1e6;
    nlohmann::ordered_json out = {{"running", snapshot.running}, {"waiting", snapshot.waiting},
        {"preparing", snapshot.preparing},
        {"kv_blocks",
            {{"total", snapshot.blocks.total}, {"free", snapshot.blocks.free}, {"cached", snapshot.blocks.cached},
                {"active", snapshot.blocks.active}, {"shared", snapshot.blocks.shared}}},
        {"steps", c.steps}, {"prompt_tokens_total", c.prompt_tokens}, {"generation_tokens_total", c.generation_tokens},
        {"prefix_cache_queries_total", c.prefix_queries}, {"prefix_cache_hits_total", c.prefix_hits},
        {"prefix_cache_hit_rate", r.prefix_hit_rate}, {"prefix_cache_hit_rate_60s", r.prefix_hit_rate_60s},
        {"prefix_miss_tokens_total", c.miss_tokens}, {"preemptions_total", c.preemptions},
        {"evictions_total", c.evictions}, {"recomputed_tokens_total", c.recomputed_tokens}, {"drafts_total", c.drafts},
        {"draft_tokens_total", c.draft_tokens}, {"accepted_tokens_total", c.accepted_tokens},
        {"prefill_tokens_per_s", r.prefill_tokens_per_s}, {"decode_tokens_per_s", r.decode_tokens_per_s},
        {"mean_batch", r.mean_batch}, {"ttft_s", percentiles(r.ttft_s, r.num_ttft)},
        {"tpot_s", percentiles(r.tpot_s, r.num_tpot)}, {"itl_s", percentiles(r.itl_s, r.num_itl)},
        {"e2e_s", percentiles(r.e2e_s, r.num_e2e)}, {"queue_s", percentiles(r.queue_s, r.num_queue)},
        {"censored", r.num_censored}, {"goodput_per_s", r.goodput_60s}, {"slo_met_total", c.slo_met},
        {"finished", finished}, {"rejected_total", c.rejected}, {"rejections_total", c.rejections},
        {"accepted_tokens_per_position", c.accepted_per_position}, {"accepted_per_step", r.accepted_per_step},
        {"kv_peak_blocks", snapshot.peak_active_blocks}, {"kv_window_freed_total", c.window_freed},
        {"graph_replays_total", c.graph_replays}, {"graph_pad_rows_total", c.graph_pad_rows},
        {"backlog_tokens", {{"prefill", snapshot.backlog_prefill_tokens}, {"decode", snapshot.backlog_decode_tokens}}},
        {"step_s", phases}, {"sequences", sequences}, {"slow_reason", snapshot.slow_reason}};
    if (snapshot.model) {
        const engine::LoadedModel& m = *snapshot.model;
        out["model"] = {{"name", m.info.name}, {"quantization", m.info.quantization}, {"context", m.context},
            {"kv_type", std::string(kernels::kv_type_name(m.config.kv_type))},
            {"kv_bytes_per_token", m.plan.kv_bytes_per_token},
            {"kv_bytes_per_far_token", m.plan.kv_bytes_per_far_token}, {"kv_block_bytes", m.plan.kv_block_bytes},
            {"weight_bytes", m.measured_weight_bytes}, {"kv_bytes", m.measured_kv_bytes}, {"device", m.device.name},
            {"isa", m.device.isa}, {"device_reason", m.device_reason ? m.device_reason->message : ""},
            {"gpu_layers", m.config.gpu_layers}, {"layers", m.info.num_layers}};
    }
    return out;
}

void handle_stats(const std::shared_ptr<Exchange>& exchange, Services& services) {
    respond_json(*exchange, stats_json(*services.engine.snapshot()));
}

void handle_health(const std::shared_ptr<Exchange>& exchange, Services& services) {
    if (services.engine.snapshot()->model || services.models->loads_on_demand()) {
        respond_json(*exchange, {{"status", "ok"}});
        return;
    }
    ApiError error;
    error.status = 503;
    error.type = "unavailable_error";
    error.code = "model_not_loaded";
    error.message = "No model is loaded yet.";
    error.retry_after_s = 1;
    respond_error(*exchange, error);
}

void handle_lora_adapters(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const auto model = services.engine.snapshot()->model;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; model && i < model->adapters.size(); ++i) {
        const engine::LoadedAdapter& adapter = model->adapters[i];
        list.push_back({{"id", i}, {"path", adapter.path}, {"scale", adapter.weight}, {"name", adapter.name},
            {"rank", adapter.rank}, {"alpha", adapter.alpha}});
    }
    respond_json(*exchange, list);
}

void handle_props(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const auto snapshot = services.engine.snapshot();
    const auto text = services.engine.text_model();
    respond_json(*exchange,
        {{"model_path", ""}, {"chat_template", text ? text->chat_template() : ""},
            {"n_ctx", snapshot->model ? snapshot->model->context : 0},
            {"total_slots", snapshot->model ? snapshot->model->config.max_seqs : 0},
            {"default_generation_settings", {{"temperature", 1.0}, {"top_p", 1.0}}}});
}

} // namespace vitrine::app
