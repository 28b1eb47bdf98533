// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded pages, cut to what is read.  vLLM: names and labels of docs.vllm.ai/en/stable/usage/metrics and, for the older
// one, docs.vllm.ai/en/v0.7.0; SGLang: docs.sglang.io/references/production_metrics (its numbers); llama.cpp: the table in
// tools/server/README.md; TensorRT-LLM: nvidia.github.io/TensorRT-LLM, examples/prometheus_metrics.
#include "app/remote/metric_names.h"

#include <cmath>
#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

using ui::quantileBetween;
using ui::ServerHistogram;
using ui::ServerKind;
using ui::ServerReading;

constexpr const char* kVllm = R"(# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 12.0
vllm:num_requests_running{engine="1",model_name="meta-llama/Llama-3.1-8B-Instruct"} 10.0
vllm:num_requests_waiting{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 3.0
vllm:num_requests_waiting{engine="1",model_name="meta-llama/Llama-3.1-8B-Instruct"} 0.0
vllm:kv_cache_usage_perc{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 0.5
vllm:kv_cache_usage_perc{engine="1",model_name="meta-llama/Llama-3.1-8B-Instruct"} 0.25
vllm:cache_config_info{block_size="16",cache_dtype="auto",engine="0",num_gpu_blocks="27000",num_cpu_blocks="None"} 1.0
vllm:prompt_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 1.5e+06
vllm:prompt_tokens_created{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 1.7e+09
vllm:generation_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 7557.0
vllm:prefix_cache_queries_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 2000.0
vllm:prefix_cache_hits_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 1500.0
vllm:num_preemptions_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 4.0
vllm:spec_decode_num_drafts_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 100.0
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 400.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 250.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="meta-llama/Llama-3.1-8B-Instruct"} 30.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="meta-llama/Llama-3.1-8B-Instruct"} 12.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.1",model_name="meta-llama/Llama-3.1-8B-Instruct"} 40.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.25",model_name="meta-llama/Llama-3.1-8B-Instruct"} 90.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="meta-llama/Llama-3.1-8B-Instruct"} 100.0
vllm:time_to_first_token_seconds_sum{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 13.5
vllm:time_to_first_token_seconds_count{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} 100.0
vllm:inter_token_latency_seconds_bucket{engine="0",le="0.01",model_name="meta-llama/Llama-3.1-8B-Instruct"} 10.0
vllm:inter_token_latency_seconds_bucket{engine="0",le="+Inf",model_name="meta-llama/Llama-3.1-8B-Instruct"} 20.0
python_gc_objects_collected_total{generation="0"} 12683.0
)";

constexpr const char* kOldVllm = R"(vllm:gpu_cache_usage_perc{model_name="m"} 0.75
vllm:num_requests_running{model_name="m"} 2.0
vllm:gpu_prefix_cache_queries_total{model_name="m"} 40.0
vllm:gpu_prefix_cache_hits_total{model_name="m"} 10.0
vllm:time_per_output_token_seconds_bucket{le="0.01",model_name="m"} 5.0
vllm:time_per_output_token_seconds_bucket{le="+Inf",model_name="m"} 5.0
)";

constexpr const char* kSglang = R"(# HELP sglang:prompt_tokens_total Number of prefill tokens processed.
# TYPE sglang:prompt_tokens_total counter
sglang:prompt_tokens_total{model_name="meta-llama/Llama-3.1-8B-Instruct"} 8.128902e+06
sglang:generation_tokens_total{model_name="meta-llama/Llama-3.1-8B-Instruct"} 7.557572e+06
sglang:cached_tokens_total{cache_source="device",model_name="meta-llama/Llama-3.1-8B-Instruct"} 61000.0
sglang:cached_tokens_total{cache_source="host",model_name="meta-llama/Llama-3.1-8B-Instruct"} 28.0
sglang:token_usage{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 0.28
sglang:token_usage{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="1"} 0.28
sglang:cache_hit_rate{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 0.007507552643049313
sglang:num_running_reqs{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 162.0
sglang:num_running_reqs{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="1"} 162.0
sglang:num_queue_reqs{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 2826.0
sglang:gen_throughput{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 86.50814177726902
sglang:spec_accept_length{model_name="meta-llama/Llama-3.1-8B-Instruct",tp_rank="0"} 2.5
sglang:time_to_first_token_seconds_sum{model_name="meta-llama/Llama-3.1-8B-Instruct"} 2.3518979474117756e+06
sglang:time_to_first_token_seconds_bucket{le="0.06",model_name="meta-llama/Llama-3.1-8B-Instruct"} 3.0
sglang:time_to_first_token_seconds_bucket{le="0.08",model_name="meta-llama/Llama-3.1-8B-Instruct"} 6.0
sglang:time_to_first_token_seconds_bucket{le="+Inf",model_name="meta-llama/Llama-3.1-8B-Instruct"} 11008.0
)";

constexpr const char* kLlamaCpp = R"(# HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 120
# HELP llamacpp:tokens_predicted_total Number of generation tokens processed.
llamacpp:tokens_predicted_total 300
llamacpp:n_decode_total 310
llamacpp:prompt_tokens_seconds 812.5
llamacpp:predicted_tokens_seconds 44.2
llamacpp:requests_processing 1
llamacpp:requests_deferred 0
)";

constexpr const char* kTensorRt = R"(trtllm_request_success_total{finished_reason="stop",model_name="undefined"} 7.0
trtllm_kv_cache_hit_rate{model_name="undefined"} 0.5
trtllm_kv_cache_utilization{model_name="undefined"} 0.125
trtllm_time_to_first_token_seconds_bucket{le="0.1",model_name="undefined"} 6.0
trtllm_time_to_first_token_seconds_bucket{le="+Inf",model_name="undefined"} 7.0
)";

ServerReading readingOf(const char* page, std::string_view model = "meta-llama/Llama-3.1-8B-Instruct") {
    const auto samples = parseMetrics(page);
    EXPECT_TRUE(samples.has_value());
    return samples ? readMetrics(*samples, model) : ServerReading();
}

ServerKind kindOf(const char* page) {
    const auto samples = parseMetrics(page);
    return samples ? serverKind(*samples) : ServerKind::unknown;
}

TEST(MetricNames, TellServersApart) {
    EXPECT_EQ(kindOf(kVllm), ServerKind::vllm);
    EXPECT_EQ(kindOf(kSglang), ServerKind::sglang);
    EXPECT_EQ(kindOf(kLlamaCpp), ServerKind::llamaCpp);
    EXPECT_EQ(kindOf(kTensorRt), ServerKind::tensorRtLlm);
    EXPECT_EQ(kindOf("vllm:num_requests_running 1\nvitrine_steps_total 2\n"), ServerKind::vitrine);
    EXPECT_EQ(kindOf("python_info 1\n"), ServerKind::unknown);
}

TEST(MetricNames, ReadVllmAndAddItsEngines) {
    const ServerReading reading = readingOf(kVllm);
    EXPECT_EQ(reading.running, 22);
    EXPECT_EQ(reading.waiting, 3);
    EXPECT_EQ(reading.kvUsage, 0.375);
    EXPECT_EQ(reading.blocksTotal, 27000);
    EXPECT_EQ(reading.promptTokens, 1.5e6);
    EXPECT_EQ(reading.generationTokens, 7557);
    EXPECT_EQ(reading.prefixQueries, 2000);
    EXPECT_EQ(reading.prefixHits, 1500);
    EXPECT_EQ(reading.preemptions, 4);
    EXPECT_EQ(reading.drafts, 100);
    EXPECT_EQ(reading.acceptedTokens, 250);
    EXPECT_EQ(reading.finished, 42);
    EXPECT_EQ(reading.firstToken.bounds.size(), 3U);
    EXPECT_EQ(reading.firstToken.total(), 100);
    EXPECT_EQ(reading.firstToken.sum, 13.5);
    EXPECT_TRUE(std::isnan(reading.forwardSeconds)); // not told is not zero
    EXPECT_TRUE(std::isnan(reading.blocksActive));
    EXPECT_TRUE(reading.e2e.empty());
}

TEST(MetricNames, ReadTheNamesOfOlderVllm) {
    const ServerReading reading = readingOf(kOldVllm, "m");
    EXPECT_EQ(reading.kvUsage, 0.75);
    EXPECT_EQ(reading.prefixQueries, 40);
    EXPECT_EQ(reading.tokenGap.total(), 5);
}

TEST(MetricNames, ReadSglangWithoutCountingRanksTwice) {
    const ServerReading reading = readingOf(kSglang);
    EXPECT_EQ(reading.running, 162);
    EXPECT_EQ(reading.waiting, 2826);
    EXPECT_EQ(reading.kvUsage, 0.28);
    EXPECT_EQ(reading.prefixHits, 61028);
    EXPECT_EQ(reading.prefixQueries, 8128902);
    EXPECT_DOUBLE_EQ(reading.decodeRate, 86.50814177726902);
    EXPECT_EQ(reading.acceptedPerStep, 1.5);
    EXPECT_EQ(reading.firstToken.total(), 11008);
}

TEST(MetricNames, ReadLlamaCppAndTensorRt) {
    const ServerReading llama = readingOf(kLlamaCpp);
    EXPECT_EQ(llama.running, 1);
    EXPECT_EQ(llama.generationTokens, 300);
    EXPECT_EQ(llama.decodeRate, 44.2);
    EXPECT_EQ(llama.steps, 310);
    EXPECT_TRUE(std::isnan(llama.kvUsage));
    EXPECT_TRUE(llama.firstToken.empty());
    const ServerReading tensorRt = readingOf(kTensorRt);
    EXPECT_EQ(tensorRt.kvUsage, 0.125);
    EXPECT_EQ(tensorRt.hitRate, 0.5);
    EXPECT_EQ(tensorRt.firstToken.total(), 7);
}

TEST(MetricNames, LeaveOutOtherModelsOnlyWhenThisOneIsKnown) {
    const char* page = "vllm:num_requests_running{model_name=\"a\"} 1\nvllm:num_requests_running{model_name=\"b\"} 4\n";
    EXPECT_EQ(readingOf(page, "a").running, 1);
    EXPECT_EQ(readingOf(page, "c").running, 5);
}

TEST(MetricNames, TakeNoHistogramWithoutItsEnd) {
    EXPECT_TRUE(readingOf("vllm:time_to_first_token_seconds_bucket{le=\"1\"} 4\n").firstToken.empty());
}

TEST(MetricNames, TakeNoNumberThatCanBeNone) {
    for (const char* odd : {"NaN", "+Inf", "-Inf", "-3", "1e300"}) {
        const std::string value(odd);
        const ServerReading reading = readingOf(("vllm:num_requests_running " + value + "\nvllm:num_requests_waiting " +
            value + "\nvllm:kv_cache_usage_perc " + value + "\nvllm:generation_tokens_total " + value +
            "\nvllm:prompt_tokens_total 7\nvllm:cache_config_info{num_gpu_blocks=\"" + value + "\"} 1\n")
                                                    .c_str());
        for (const double told :
            {reading.running, reading.waiting, reading.kvUsage, reading.generationTokens, reading.blocksTotal})
            EXPECT_TRUE(std::isnan(told)) << odd << " read as " << told;
        EXPECT_EQ(reading.promptTokens, 7) << odd;
    }
}

TEST(MetricNames, TakeNoHistogramThatIsNone) {
    const auto firstToken = [](const char* le, const char* low, const char* high) {
        const auto bucket = [](const std::string& bound, const std::string& count) {
            return "vllm:time_to_first_token_seconds_bucket{le=\"" + bound + "\"} " + count + "\n";
        };
        return readingOf((bucket(le, low) + bucket("+Inf", high)).c_str()).firstToken;
    };
    EXPECT_EQ(firstToken("0.1", "4", "9").total(), 9);
    EXPECT_TRUE(firstToken("0.1", "9", "4").empty()) << "cumulative counts never fall";
    EXPECT_TRUE(firstToken("0.1", "NaN", "4").empty());
    EXPECT_TRUE(firstToken("0.1", "-2", "4").empty());
    EXPECT_TRUE(firstToken("0.1", "2", "+Inf").empty());
    EXPECT_TRUE(firstToken("NaN", "2", "4").empty());
    EXPECT_TRUE(firstToken("0.1s", "2", "4").empty());
}

TEST(MetricNames, NoticeARestart) {
    ServerReading before, now;
    before.generationTokens = 100;
    now.generationTokens = 140;
    EXPECT_FALSE(hasRestarted(before, now));
    now.generationTokens = 3;
    EXPECT_TRUE(hasRestarted(before, now));
    before.generationTokens = ServerReading::kUntold;
    EXPECT_FALSE(hasRestarted(before, now)); // what was not told cannot fall
    const double inf = std::numeric_limits<double>::infinity();
    before.firstToken = {{0.1, inf}, {4, 5}, 0.5}; // a server that counts in histograms alone
    now.firstToken = {{0.1, inf}, {1, 1}, 0.1};
    EXPECT_TRUE(hasRestarted(before, now));
    now.firstToken = {};
    EXPECT_FALSE(hasRestarted(before, now));
}

/// Prometheus' histogram_quantile on the same buckets: 0.1 + (0.25 - 0.1) * (0.5 * 100 - 40) / 50 and so on.
TEST(ServerHistogram, EstimatesQuantilesAsPrometheusDoes) {
    const double inf = std::numeric_limits<double>::infinity();
    const ServerHistogram now{{0.1, 0.25, inf}, {40, 90, 100}, 0};
    EXPECT_DOUBLE_EQ(quantileBetween({}, now, 0.5), 0.13);
    EXPECT_DOUBLE_EQ(quantileBetween({}, now, 0.2), 0.05);
    EXPECT_DOUBLE_EQ(quantileBetween({}, now, 0.99), 0.25); // beyond every bound: at least that
    const ServerHistogram before{{0.1, 0.25, inf}, {40, 80, 90}, 0};
    EXPECT_DOUBLE_EQ(quantileBetween(before, now, 0.5), 0.175); // ten more, all between 0.1 and 0.25
    EXPECT_TRUE(std::isnan(quantileBetween(now, now, 0.5)));
    EXPECT_TRUE(std::isnan(quantileBetween({{0.1, inf}, {1, 2}, 0}, now, 0.5)));
    EXPECT_TRUE(std::isnan(quantileBetween({}, {}, 0.5)));
}

} // namespace
} // namespace vitrine::app
