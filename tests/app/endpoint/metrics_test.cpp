// SPDX-License-Identifier: GPL-3.0-or-later
// /metrics and /stats are two views of one snapshot: the same figures, under vLLM's names.
#include "app/endpoint/native/metrics.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "app/endpoint/native/native_handlers.h"

namespace vitrine::app {
namespace {

engine::Snapshot busy_snapshot() {
    engine::Snapshot snapshot;
    snapshot.running = 3;
    snapshot.waiting = 2;
    snapshot.preparing = 1;
    snapshot.blocks = {.total = 40, .free = 10, .cached = 20, .active = 10, .shared = 4};
    snapshot.peak_active_blocks = 33;
    snapshot.backlog_prefill_tokens = 77;
    snapshot.backlog_decode_tokens = 88;
    engine::Counters& c = snapshot.counters;
    std::uint64_t next = 100;
    for (std::uint64_t* counter :
        {&c.steps, &c.prompt_tokens, &c.generation_tokens, &c.prefix_queries, &c.prefix_hits, &c.preemptions,
            &c.evictions, &c.recomputed_tokens, &c.drafts, &c.draft_tokens, &c.accepted_tokens, &c.slo_met})
        *counter = next++;
    c.accepted_per_position[0] = 7;
    c.accepted_per_position[1] = 5;
    c.finished = {11, 12, 13, 14, 15};
    c.cancelled[1] = 14;
    c.rejected = 2;
    c.rejections = {{"context_length", 2}};
    c.miss_tokens = {{"cold", 9}};
    c.phase_us = {500'000, 1'000'000, 2'500'000, 3'000'000, 4'000'000};
    snapshot.histograms.first_token_s.observe(0.05);
    snapshot.histograms.first_token_s.observe(0.06);
    snapshot.histograms.first_token_s.observe(3000);
    engine::SequenceStatus decoding;
    decoding.state = engine::SequenceState::decode;
    snapshot.sequences.assign(3, decoding);
    return snapshot;
}

/// Sample name with its labels but the two that all have -> value.
std::map<std::string, double> samples_of(const std::string& text) {
    std::map<std::string, double> samples;
    std::istringstream lines(text);
    const std::regex form(R"re(([a-z0-9_:]+)\{model_name="m\\"x",engine="0"(?:,(.*))?\} (\S+))re");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# "))
            continue;
        std::smatch parts;
        EXPECT_TRUE(std::regex_match(line, parts, form)) << line;
        EXPECT_TRUE(samples.emplace(parts[1].str() + "{" + parts[2].str() + "}", std::stod(parts[3])).second) << line;
    }
    return samples;
}

TEST(Metrics, AreTheFiguresOfStats) {
    const engine::Snapshot snapshot = busy_snapshot();
    const auto samples = samples_of(metrics_text(snapshot, "m\"x"));
    const nlohmann::ordered_json stats = stats_json(snapshot);
    const std::pair<const char*, const char*> pairs[] = {
        {"vllm:num_requests_running{}", "/running"},
        {"vllm:num_requests_waiting{}", "/waiting"},
        {"vllm:prompt_tokens_total{}", "/prompt_tokens_total"},
        {"vllm:generation_tokens_total{}", "/generation_tokens_total"},
        {"vllm:prefix_cache_queries_total{}", "/prefix_cache_queries_total"},
        {"vllm:prefix_cache_hits_total{}", "/prefix_cache_hits_total"},
        {"vllm:num_preemptions_total{}", "/preemptions_total"},
        {"vllm:spec_decode_num_drafts_total{}", "/drafts_total"},
        {"vllm:spec_decode_num_draft_tokens_total{}", "/draft_tokens_total"},
        {"vllm:spec_decode_num_accepted_tokens_total{}", "/accepted_tokens_total"},
        {"vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"}", "/accepted_tokens_per_position/1"},
        {"vllm:request_success_total{finished_reason=\"stop\"}", "/finished/stop"},
        {"vllm:request_success_total{finished_reason=\"length\"}", "/finished/length"},
        {"vllm:request_success_total{finished_reason=\"abort\"}", "/finished/cancelled"},
        {"vllm:corrupted_requests_total{}", "/finished/error"},
        {"vitrine_kv_blocks{state=\"free\"}", "/kv_blocks/free"},
        {"vitrine_kv_blocks{state=\"cached\"}", "/kv_blocks/cached"},
        {"vitrine_kv_blocks{state=\"active\"}", "/kv_blocks/active"},
        {"vitrine_kv_blocks{state=\"shared\"}", "/kv_blocks/shared"},
        {"vitrine_kv_peak_blocks{}", "/kv_peak_blocks"},
        {"vitrine_backlog_tokens{kind=\"prefill\"}", "/backlog_tokens/prefill"},
        {"vitrine_backlog_tokens{kind=\"decode\"}", "/backlog_tokens/decode"},
        {"vitrine_prefix_miss_tokens_total{reason=\"cold\"}", "/prefix_miss_tokens_total/cold"},
        {"vitrine_kv_evictions_total{}", "/evictions_total"},
        {"vitrine_recomputed_tokens_total{}", "/recomputed_tokens_total"},
        {"vitrine_rejected_total{reason=\"context_length\"}", "/rejected_total"},
        {"vitrine_slo_met_total{}", "/slo_met_total"},
        {"vitrine_step_seconds{phase=\"forward\"}", "/step_s/forward"},
        {"vitrine_steps_total{}", "/steps"},
    };
    for (const auto& [sample, pointer] : pairs) {
        ASSERT_TRUE(samples.contains(sample)) << sample;
        EXPECT_DOUBLE_EQ(samples.at(sample), stats.at(nlohmann::ordered_json::json_pointer(pointer)).get<double>())
            << sample;
    }
    EXPECT_DOUBLE_EQ(samples.at("vllm:kv_cache_usage_perc{}"), 0.25);
    EXPECT_DOUBLE_EQ(samples.at("vitrine_requests{state=\"preparing\"}"), 1);
    EXPECT_DOUBLE_EQ(samples.at("vitrine_requests{state=\"decode\"}"), 3);
    EXPECT_DOUBLE_EQ(samples.at("vitrine_cancelled_total{state=\"waiting\"}"), 14);
}

TEST(Metrics, BucketsAreCumulativeAndEndWithTheCount) {
    const auto samples = samples_of(metrics_text(busy_snapshot(), "m\"x"));
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_bucket{le=\"0.04\"}"), 0);
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_bucket{le=\"0.06\"}"), 2);
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_bucket{le=\"2560\"}"), 2);
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_bucket{le=\"+Inf\"}"), 3);
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_count{}"), 3);
    EXPECT_DOUBLE_EQ(samples.at("vllm:time_to_first_token_seconds_sum{}"), 3000.11);
}

TEST(Metrics, AreThereWithoutAModel) {
    const auto samples = samples_of(metrics_text(engine::Snapshot{}, "m\"x"));
    EXPECT_DOUBLE_EQ(samples.at("vllm:kv_cache_usage_perc{}"), 0);
    EXPECT_DOUBLE_EQ(samples.at("vllm:generation_tokens_total{}"), 0);
}

} // namespace
} // namespace vitrine::app
