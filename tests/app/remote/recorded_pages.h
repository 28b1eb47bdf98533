// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/app/remote: metrics pages of vLLM and SGLang as they come second by second.  Names and labels are those of
// the recorded pages in metric_names_test.cpp; the numbers are such that rates follow by hand.
#pragma once

#include <QByteArray>

namespace vitrine::testing {

inline constexpr const char* kRecordedModel = "meta-llama/Llama-3.1-8B-Instruct";

inline QByteArray metricSample(const char* name, double value, const char* labels = "") {
    return QByteArray(name) + "{" + labels + "model_name=\"" + kRecordedModel + "\"} " +
        QByteArray::number(value, 'g', 15) + "\n";
}

/// Two engines: 30 and 50 tokens a second, 200 of 400 looked-up tokens found, 4 drafts a step of which 2.5 are taken, ten
/// first tokens a second of which eight come below 100 ms.
inline QByteArray vllmPage(int second) {
    const double s = second;
    const char *first = "engine=\"0\",", *other = "engine=\"1\",";
    return "# HELP vllm:num_requests_running Number of requests in model execution batches.\n"
           "# TYPE vllm:num_requests_running gauge\n" +
        metricSample("vllm:num_requests_running", 12, first) + metricSample("vllm:num_requests_running", 10, other) +
        metricSample("vllm:num_requests_waiting", 3, first) + metricSample("vllm:num_requests_waiting", 0, other) +
        metricSample("vllm:kv_cache_usage_perc", 0.5, first) + metricSample("vllm:kv_cache_usage_perc", 0.25, other) +
        "vllm:cache_config_info{block_size=\"16\",engine=\"0\",num_gpu_blocks=\"27000\",num_cpu_blocks=\"None\"} "
        "1.0\n" +
        metricSample("vllm:generation_tokens_total", 1e6 + 30 * s, first) +
        metricSample("vllm:generation_tokens_total", 5e5 + 50 * s, other) +
        metricSample("vllm:prompt_tokens_total", 900 * s, first) +
        metricSample("vllm:prefix_cache_queries_total", 400 * s, first) +
        metricSample("vllm:prefix_cache_hits_total", 200 * s, first) +
        metricSample("vllm:spec_decode_num_drafts_total", 10 * s, first) +
        metricSample("vllm:spec_decode_num_draft_tokens_total", 40 * s, first) +
        metricSample("vllm:spec_decode_num_accepted_tokens_total", 25 * s, first) +
        metricSample("vllm:time_to_first_token_seconds_bucket", 8 * s, "engine=\"0\",le=\"0.1\",") +
        metricSample("vllm:time_to_first_token_seconds_bucket", 10 * s, "engine=\"0\",le=\"0.2\",") +
        metricSample("vllm:time_to_first_token_seconds_bucket", 10 * s, "engine=\"0\",le=\"+Inf\",") +
        metricSample("vllm:time_to_first_token_seconds_sum", 0.7 * s, first) +
        "python_gc_objects_collected_total{generation=\"0\"} 12683.0\n";
}

/// One engine on two ranks that tell the same; rates instead of counters for hits and drafts.
inline QByteArray sglangPage(int second) {
    const double s = second;
    QByteArray page;
    for (const char* rank : {"tp_rank=\"0\",", "tp_rank=\"1\","})
        page += metricSample("sglang:num_running_reqs", 162, rank) + metricSample("sglang:num_queue_reqs", 0, rank) +
            metricSample("sglang:token_usage", 0.28, rank) + metricSample("sglang:gen_throughput", 86.5, rank) +
            metricSample("sglang:spec_accept_length", 2.5, rank);
    return page + metricSample("sglang:prompt_tokens_total", 1000 * s) +
        metricSample("sglang:generation_tokens_total", 120 * s) +
        metricSample("sglang:cached_tokens_total", 150 * s, "cache_source=\"device\",") +
        metricSample("sglang:cached_tokens_total", 100 * s, "cache_source=\"host\",") +
        metricSample("sglang:time_per_output_token_seconds_bucket", 50 * s, "le=\"0.02\",") +
        metricSample("sglang:time_per_output_token_seconds_bucket", 100 * s, "le=\"0.04\",") +
        metricSample("sglang:time_per_output_token_seconds_bucket", 100 * s, "le=\"+Inf\",");
}

} // namespace vitrine::testing
