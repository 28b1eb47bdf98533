// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/native/metrics.h"

#include <array>
#include <fmt/format.h>
#include <iterator>

#include "app/endpoint/model_switch.h"
#include "app/endpoint/native/native_handlers.h"

namespace vitrine::app {
namespace {

constexpr const char* kStateNames[] = {"preparing", "waiting", "prefill", "decode", "preempted", "finished"};
constexpr const char* kPhaseNames[] = {"draft", "schedule", "forward", "sample", "commit"};
/// vLLM's word for a cancelled request is abort.
constexpr const char* kFinishNames[] = {"stop", "length", "tool_calls", "abort", "error"};

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

class Writer {
public:
    explicit Writer(std::string_view model_name)
        : labels_(fmt::format("model_name=\"{}\",engine=\"0\"", escaped(model_name))) {}

    void family(const char* name, const char* type, const char* help) {
        name_ = name;
        fmt::format_to(std::back_inserter(out_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    }
    template <class T>
    void value(T number, std::string_view more = {}) {
        fmt::format_to(
            std::back_inserter(out_), "{}{{{}{}{}}} {}\n", name_, labels_, more.empty() ? "" : ",", more, number);
    }
    template <class T>
    void labelled(const char* label, std::string_view label_value, T number) {
        value(number, fmt::format("{}=\"{}\"", label, label_value));
    }
    template <class T>
    void single(const char* name, const char* type, const char* help, T number) {
        family(name, type, help);
        value(number);
    }
    void histogram(const char* name, const char* help, const engine::Histogram& histogram) {
        family(name, "histogram", help);
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
            below += histogram.counts[i];
            const std::string bound =
                i < histogram.bounds.size() ? fmt::format("{}", histogram.bounds[i]) : std::string("+Inf");
            line("_bucket", fmt::format(",le=\"{}\"", bound), below);
        }
        line("_sum", "", histogram.sum);
        line("_count", "", histogram.count);
    }
    std::string finish() { return std::move(out_); }

private:
    template <class T>
    void line(const char* suffix, std::string_view more, T number) {
        fmt::format_to(std::back_inserter(out_), "{}{}{{{}{}}} {}\n", name_, suffix, labels_, more, number);
    }

    std::string labels_;
    std::string name_;
    std::string out_;
};

void write_gauges(Writer& out, const engine::Snapshot& s) {
    out.single("vllm:num_requests_running", "gauge", "Sequences that hold KV blocks.", s.running);
    out.single("vllm:num_requests_waiting", "gauge", "Sequences that wait, preempted ones among them.", s.waiting);
    out.single("vllm:kv_cache_usage_perc", "gauge", "Active KV blocks over all of them, 0 to 1.",
        s.blocks.total > 0 ? static_cast<double>(s.blocks.active) / s.blocks.total : 0.0);
    if (s.model) {
        out.family("vllm:cache_config_info", "gauge", "The KV cache, in labels.");
        out.value(1,
            fmt::format("block_size=\"{}\",num_gpu_blocks=\"{}\",cache_dtype=\"{}\",enable_prefix_caching=\"{}\"",
                s.model->config.block_tokens, s.blocks.total, kernels::kv_type_name(s.model->config.kv_type),
                s.model->config.prefix_cache ? "True" : "False"));
    }
    out.family("vitrine_kv_blocks", "gauge", "KV blocks by state; shared ones are among the active.");
    out.labelled("state", "free", s.blocks.free);
    out.labelled("state", "cached", s.blocks.cached);
    out.labelled("state", "active", s.blocks.active);
    out.labelled("state", "shared", s.blocks.shared);
    out.single(
        "vitrine_kv_peak_blocks", "gauge", "Most active blocks of one step since the load.", s.peak_active_blocks);
    out.family("vitrine_backlog_tokens", "gauge", "Tokens that unfinished sequences still have to compute or to give.");
    out.labelled("kind", "prefill", s.backlog_prefill_tokens);
    out.labelled("kind", "decode", s.backlog_decode_tokens);
    std::array<int, std::size(kStateNames)> states{};
    for (const engine::SequenceStatus& sequence : s.sequences)
        ++states[static_cast<std::size_t>(sequence.state)];
    states[0] = s.preparing;
    out.family("vitrine_requests", "gauge", "Sequences by state; finished ones are counted by request_success_total.");
    for (std::size_t i = 0; i + 1 < states.size(); ++i)
        out.labelled("state", kStateNames[i], states[i]);
    if (s.model) {
        out.family("vitrine_memory_bytes", "gauge", "Memory of the loaded model.");
        out.labelled("kind", "weights", s.model->measured_weight_bytes);
        out.labelled("kind", "kv", s.model->measured_kv_bytes);
        out.labelled("kind", "workspace", s.model->plan.scratch);
    }
    out.single(
        "vitrine_spec_gamma", "gauge", "Mean drafts of a verifying sequence, last 10 s.", s.rates.drafts_per_step);
    out.single(
        "vitrine_goodput_per_s", "gauge", "Choices a second that met every objective, last 60 s.", s.rates.goodput_60s);
}

void write_step_counters(Writer& out, const engine::Counters& c) {
    out.single("vllm:prompt_tokens_total", "counter", "Prompt tokens computed.", c.prompt_tokens);
    out.single("vllm:generation_tokens_total", "counter", "Tokens given.", c.generation_tokens);
    out.single("vllm:prefix_cache_queries_total", "counter", "Tokens looked up in the prefix cache.", c.prefix_queries);
    out.single("vllm:prefix_cache_hits_total", "counter", "Tokens taken from the prefix cache.", c.prefix_hits);
    out.single("vllm:num_preemptions_total", "counter", "Sequences that gave their blocks back.", c.preemptions);
    out.single("vllm:spec_decode_num_drafts_total", "counter", "Verified drafts.", c.drafts);
    out.single("vllm:spec_decode_num_draft_tokens_total", "counter", "Drafted tokens.", c.draft_tokens);
    out.single("vllm:spec_decode_num_accepted_tokens_total", "counter", "Accepted drafted tokens.", c.accepted_tokens);
    out.family(
        "vllm:spec_decode_num_accepted_tokens_per_pos_total", "counter", "Accepted tokens by place in the draft.");
    for (std::size_t i = 0; i < c.accepted_per_position.size(); ++i)
        out.labelled("position", std::to_string(i), c.accepted_per_position[i]);
    out.single("vitrine_steps_total", "counter", "Steps of the engine.", c.steps);
    out.single("vitrine_kv_evictions_total", "counter", "Cached blocks given to another content.", c.evictions);
    out.single("vitrine_recomputed_tokens_total", "counter", "Rows computed once more.", c.recomputed_tokens);
    out.family("vitrine_step_seconds", "counter", "Time of the phases of all steps.");
    for (std::size_t i = 0; i < c.phase_us.size(); ++i)
        out.labelled("phase", kPhaseNames[i], static_cast<double>(c.phase_us[i]) / 1e6);
    out.family("vitrine_prefix_miss_tokens_total", "counter", "Tokens not taken from the prefix cache, by reason.");
    for (const auto& [reason, tokens] : c.miss_tokens)
        out.labelled("reason", reason, tokens);
}

void write_request_counters(Writer& out, const engine::Counters& c) {
    out.family("vllm:request_success_total", "counter", "Choices that ended, by reason.");
    for (std::size_t i = 0; i < c.finished.size(); ++i)
        out.labelled("finished_reason", kFinishNames[i], c.finished[i]);
    out.single("vllm:corrupted_requests_total", "counter", "Choices that ended with an error.",
        c.finished[static_cast<std::size_t>(engine::FinishReason::error)]);
    out.family("vitrine_cancelled_total", "counter", "Cancelled choices, by the state they were in.");
    for (std::size_t i = 0; i + 1 < c.cancelled.size(); ++i)
        out.labelled("state", kStateNames[i], c.cancelled[i]);
    out.family("vitrine_rejected_total", "counter", "Requests that never ran, by reason.");
    for (const auto& [reason, requests] : c.rejections)
        out.labelled("reason", reason, requests);
    out.single("vitrine_slo_met_total", "counter", "Choices that met every objective.", c.slo_met);
}

void write_histograms(Writer& out, const engine::Histograms& h) {
    out.histogram("vllm:time_to_first_token_seconds", "Submit to the first token.", h.first_token_s);
    out.histogram("vllm:inter_token_latency_seconds", "Between two tokens of a sequence.", h.token_gap_s);
    out.histogram(
        "vllm:time_per_output_token_seconds", "The older name of inter_token_latency_seconds.", h.token_gap_s);
    out.histogram("vllm:e2e_request_latency_seconds", "Submit to the end.", h.e2e_s);
    out.histogram("vllm:request_queue_time_seconds", "Submit to the first planned step.", h.queue_s);
    out.histogram("vllm:request_prefill_time_seconds", "First planned step to the first token.", h.prefill_s);
    out.histogram("vllm:request_decode_time_seconds", "First token to the last.", h.decode_s);
    out.histogram("vllm:request_inference_time_seconds", "First planned step to the last token.", h.inference_s);
    out.histogram("vllm:kv_block_lifetime_seconds", "Life of evicted blocks.", h.block_lifetime_s);
    out.histogram("vllm:kv_block_idle_before_evict_seconds", "Last use to eviction.", h.block_idle_s);
    out.histogram("vllm:kv_block_reuse_gap_seconds", "Between two uses of a cached block.", h.block_reuse_gap_s);
    out.histogram("vllm:iteration_tokens_total", "Rows of a step.", h.step_tokens);
    out.histogram("vllm:request_prompt_tokens", "Prompt tokens of a choice.", h.prompt_tokens);
    out.histogram("vllm:request_generation_tokens", "Tokens of a choice.", h.output_tokens);
    out.histogram(
        "vllm:request_max_num_generation_tokens", "Tokens of a request's longest choice.", h.max_output_tokens);
    out.histogram("vllm:request_params_max_tokens", "max_tokens of requests that gave it.", h.asked_max_tokens);
    out.histogram("vllm:request_params_n", "n of requests.", h.asked_choices);
}

} // namespace

std::string metrics_text(const engine::Snapshot& snapshot, std::string_view model_name) {
    Writer out(model_name);
    write_gauges(out, snapshot);
    write_step_counters(out, snapshot.counters);
    write_request_counters(out, snapshot.counters);
    write_histograms(out, snapshot.histograms);
    return out.finish();
}

void handle_metrics(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const std::vector<NamedModel> models = services.models->list(); // the loaded one first
    const bool is_loaded = !models.empty() && models.front().loaded;
    HttpResponse response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = metrics_text(*services.engine.snapshot(), is_loaded ? models.front().id : std::string());
    exchange->respond(std::move(response));
}

} // namespace vitrine::app
