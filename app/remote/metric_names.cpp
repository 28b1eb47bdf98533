// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: names of metrics.  Sources: docs.vllm.ai/en/stable/usage/metrics, docs.sglang.io/references/
// production_metrics, llama.cpp tools/server/README (GET /metrics), nvidia.github.io/TensorRT-LLM (trtllm-serve,
// Prometheus metrics); app/endpoint/native/metrics.cpp for Vitrine.
#include "app/remote/metric_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace vitrine::app {
namespace {

using ui::ServerHistogram;
using ui::ServerKind;
using ui::ServerReading;

enum class Merge : std::uint8_t { sum, mean };
struct NumberName {
    std::string_view name;
    double ServerReading::*field;
    Merge merge = Merge::sum;
};
/// Names of one field stand newest first: what an older release calls it is read only where the newer name is absent.
constexpr NumberName kNumbers[] = {
    {"vllm:num_requests_running", &ServerReading::running},
    {"vllm:num_requests_waiting", &ServerReading::waiting},
    {"vllm:kv_cache_usage_perc", &ServerReading::kvUsage, Merge::mean},
    {"vllm:gpu_cache_usage_perc", &ServerReading::kvUsage, Merge::mean}, // before 0.10
    {"vllm:prompt_tokens_total", &ServerReading::promptTokens},
    {"vllm:generation_tokens_total", &ServerReading::generationTokens},
    {"vllm:prefix_cache_queries_total", &ServerReading::prefixQueries},
    {"vllm:gpu_prefix_cache_queries_total", &ServerReading::prefixQueries},
    {"vllm:prefix_cache_hits_total", &ServerReading::prefixHits},
    {"vllm:gpu_prefix_cache_hits_total", &ServerReading::prefixHits},
    {"vllm:gpu_prefix_cache_hit_rate", &ServerReading::hitRate, Merge::mean}, // before 0.8
    {"vllm:spec_decode_num_drafts_total", &ServerReading::drafts},
    {"vllm:spec_decode_num_draft_tokens_total", &ServerReading::draftTokens},
    {"vllm:spec_decode_num_accepted_tokens_total", &ServerReading::acceptedTokens},
    {"vllm:num_preemptions_total", &ServerReading::preemptions},
    {"vllm:request_success_total", &ServerReading::finished},
    {"vitrine_steps_total", &ServerReading::steps},

    {"sglang:num_running_reqs", &ServerReading::running},
    {"sglang:num_queue_reqs", &ServerReading::waiting},
    {"sglang:token_usage", &ServerReading::kvUsage, Merge::mean},
    {"sglang:cache_hit_rate", &ServerReading::hitRate, Merge::mean},
    {"sglang:gen_throughput", &ServerReading::decodeRate},
    {"sglang:prompt_tokens_total", &ServerReading::promptTokens},
    {"sglang:generation_tokens_total", &ServerReading::generationTokens},
    {"sglang:cached_tokens_total", &ServerReading::prefixHits},
    {"sglang:num_requests_total", &ServerReading::finished},

    {"llamacpp:requests_processing", &ServerReading::running},
    {"llamacpp:requests_deferred", &ServerReading::waiting},
    {"llamacpp:kv_cache_usage_ratio", &ServerReading::kvUsage, Merge::mean}, // until 2025
    {"llamacpp:prompt_tokens_total", &ServerReading::promptTokens},
    {"llamacpp:tokens_predicted_total", &ServerReading::generationTokens},
    {"llamacpp:prompt_tokens_seconds", &ServerReading::promptRate},
    {"llamacpp:predicted_tokens_seconds", &ServerReading::decodeRate},
    {"llamacpp:n_decode_total", &ServerReading::steps},

    {"trtllm_kv_cache_utilization", &ServerReading::kvUsage, Merge::mean},
    {"trtllm_kv_cache_hit_rate", &ServerReading::hitRate, Merge::mean},
    {"trtllm_request_success_total", &ServerReading::finished},
};

struct HistogramName {
    std::string_view name; // without _bucket, _sum, _count
    ServerHistogram ServerReading::*field;
};
constexpr HistogramName kHistograms[] = {
    {"vllm:time_to_first_token_seconds", &ServerReading::firstToken},
    {"vllm:inter_token_latency_seconds", &ServerReading::tokenGap},
    {"vllm:time_per_output_token_seconds", &ServerReading::tokenGap}, // its older name
    {"vllm:e2e_request_latency_seconds", &ServerReading::e2e},
    {"vllm:request_queue_time_seconds", &ServerReading::queue},
    {"sglang:time_to_first_token_seconds", &ServerReading::firstToken},
    {"sglang:inter_token_latency_seconds", &ServerReading::tokenGap},
    {"sglang:time_per_output_token_seconds", &ServerReading::tokenGap},
    {"sglang:e2e_request_latency_seconds", &ServerReading::e2e},
    {"sglang:queue_time_seconds", &ServerReading::queue},
    {"trtllm_time_to_first_token_seconds", &ServerReading::firstToken},
    {"trtllm_time_per_output_token_seconds", &ServerReading::tokenGap},
    {"trtllm_e2e_request_latency_seconds", &ServerReading::e2e},
    {"trtllm_request_queue_time_seconds", &ServerReading::queue},
};

struct LabelledName {
    std::string_view name, label, value;
    double ServerReading::*field;
};
constexpr LabelledName kLabelled[] = {
    {"vitrine_kv_blocks", "state", "active", &ServerReading::blocksActive},
    {"vitrine_kv_blocks", "state", "cached", &ServerReading::blocksCached},
    {"vitrine_kv_blocks", "state", "shared", &ServerReading::blocksShared},
    {"vitrine_memory_bytes", "kind", "weights", &ServerReading::weightBytes},
    {"vitrine_memory_bytes", "kind", "kv", &ServerReading::kvBytes},
    {"vitrine_step_seconds", "phase", "schedule", &ServerReading::scheduleSeconds},
    {"vitrine_step_seconds", "phase", "forward", &ServerReading::forwardSeconds},
    {"vitrine_step_seconds", "phase", "sample", &ServerReading::sampleSeconds},
    {"vitrine_step_seconds", "phase", "commit", &ServerReading::commitSeconds},
};

using ByName = std::multimap<std::string_view, const MetricSample*>;

bool isRepeated(const MetricSample& sample) {
    for (const std::string_view rank : {"tp_rank", "pp_rank"}) {
        const std::string* value = sample.label(rank);
        if (value != nullptr && *value != "0" && !value->empty())
            return true;
    }
    return false;
}

ByName samplesOf(const std::vector<MetricSample>& samples, std::string_view model) {
    const auto isOfModel = [&](const MetricSample& sample) {
        const std::string* name = sample.label("model_name");
        return name != nullptr && *name == model;
    };
    const bool knows = std::any_of(samples.begin(), samples.end(), isOfModel);
    ByName result;
    for (const MetricSample& sample : samples)
        if (!isRepeated(sample) && (!knows || sample.label("model_name") == nullptr || isOfModel(sample)))
            result.emplace(sample.name, &sample);
    return result;
}

void readNumbers(const ByName& samples, ServerReading& reading) {
    for (const NumberName& entry : kNumbers) {
        const auto [first, last] = samples.equal_range(entry.name);
        if (first == last || !std::isnan(reading.*entry.field))
            continue;
        double sum = 0;
        for (auto it = first; it != last; ++it)
            sum += it->second->value;
        reading.*entry.field = entry.merge == Merge::mean ? sum / double(std::distance(first, last)) : sum;
    }
    for (const LabelledName& entry : kLabelled) {
        const auto [first, last] = samples.equal_range(entry.name);
        for (auto it = first; it != last; ++it) {
            const std::string* value = it->second->label(entry.label);
            double& field = reading.*entry.field;
            if (value != nullptr && *value == entry.value)
                field = (std::isnan(field) ? 0 : field) + it->second->value;
        }
    }
}

bool boundOf(const MetricSample& sample, double& bound) {
    const std::string* text = sample.label("le");
    if (text == nullptr)
        return false;
    const char *begin = text->data() + (text->starts_with('+') ? 1 : 0), *end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(begin, end, bound);
    return error == std::errc{} && stop == end && !std::isnan(bound);
}

/// What no number of requests, tokens, bytes or seconds can be counts as not told: a NaN, an infinity, less than zero.
double told(double value) {
    constexpr double kMost = 9e15; // whole numbers are exact up to there
    return value >= 0 && value < kMost ? value : ServerReading::kUntold;
}

/// Cumulative counts never fall with the bound; where they do, no quantile of them is one.
bool isCumulative(const ServerHistogram& histogram) {
    double last = 0;
    return std::ranges::all_of(histogram.counts,
        [&last](double count) { return !std::isnan(told(count)) && count >= std::exchange(last, count); });
}

ServerHistogram histogramOf(const ByName& samples, const std::string& name) {
    std::map<double, double> buckets; // several engines: added up by bound
    const auto [first, last] = samples.equal_range(name + "_bucket");
    for (auto it = first; it != last; ++it) {
        double bound = 0;
        if (!boundOf(*it->second, bound))
            return {};
        buckets[bound] += it->second->value;
    }
    ServerHistogram histogram;
    if (buckets.empty() || !std::isinf(buckets.rbegin()->first))
        return histogram; // without +Inf it is not known how many there were
    for (const auto& [bound, count] : buckets) {
        histogram.bounds.push_back(bound);
        histogram.counts.push_back(count);
    }
    if (!isCumulative(histogram))
        return {};
    const auto [sumFirst, sumLast] = samples.equal_range(name + "_sum");
    for (auto it = sumFirst; it != sumLast; ++it)
        histogram.sum += std::isnan(told(it->second->value)) ? 0 : it->second->value;
    return histogram;
}

/// What needs a word of its own.
void readPeculiar(const ByName& samples, ServerReading& reading) {
    // vLLM keeps the size of its pool in a label of an info metric.
    const auto [first, last] = samples.equal_range("vllm:cache_config_info");
    for (auto it = first; it != last; ++it) {
        const std::string* blocks = it->second->label("num_gpu_blocks");
        double count = 0;
        if (blocks != nullptr &&
            std::from_chars(blocks->data(), blocks->data() + blocks->size(), count).ec == std::errc{})
            reading.blocksTotal = (std::isnan(reading.blocksTotal) ? 0 : reading.blocksTotal) + count;
    }
    // SGLang looks up every prompt token; its mean length of a verified run counts the model's own token.
    if (samples.contains("sglang:cached_tokens_total"))
        reading.prefixQueries = reading.promptTokens;
    const auto length = samples.find("sglang:spec_accept_length");
    if (length != samples.end() && length->second->value >= 1)
        reading.acceptedPerStep = length->second->value - 1;
}

} // namespace

ServerKind serverKind(const std::vector<MetricSample>& samples) {
    const auto has = [&](std::string_view prefix) {
        return std::any_of(samples.begin(), samples.end(),
            [&](const MetricSample& sample) { return std::string_view(sample.name).starts_with(prefix); });
    };
    if (has("vitrine_"))
        return ServerKind::vitrine; // it has vLLM's names as well
    if (has("vllm:"))
        return ServerKind::vllm;
    if (has("sglang:"))
        return ServerKind::sglang;
    if (has("llamacpp:"))
        return ServerKind::llamaCpp;
    return has("trtllm_") ? ServerKind::tensorRtLlm : ServerKind::unknown;
}

ServerReading readMetrics(const std::vector<MetricSample>& samples, std::string_view model) {
    const ByName byName = samplesOf(samples, model);
    ServerReading reading;
    readNumbers(byName, reading);
    for (const HistogramName& entry : kHistograms)
        if ((reading.*entry.field).empty())
            reading.*entry.field = histogramOf(byName, std::string(entry.name));
    readPeculiar(byName, reading);
    const auto check = [](const char*, double& value) { value = told(value); };
    ui::forEachGauge(reading, check);
    ui::forEachCounter(reading, check);
    return reading;
}

bool hasRestarted(const ServerReading& before, const ServerReading& now) {
    std::vector<double> old;
    ui::forEachCounter(before, [&](const char*, double value) { old.push_back(value); });
    bool fell = false;
    std::size_t index = 0;
    ui::forEachCounter(now, [&](const char*, double value) { fell = fell || value < old[index++]; });
    std::vector<double> totals;
    ui::forEachHistogram(before, [&](const char*, const ServerHistogram& one) { totals.push_back(one.total()); });
    index = 0;
    ui::forEachHistogram(now, [&](const char*, const ServerHistogram& one) {
        fell = fell || (!one.empty() && one.total() < totals[index]);
        ++index;
    });
    return fell; // comparisons with NaN are false
}

} // namespace vitrine::app
