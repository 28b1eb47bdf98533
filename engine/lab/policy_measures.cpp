// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: measures of a simulated run.
#include "engine/lab/policy_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "engine/stats/percentiles.h"

namespace vitrine::engine {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double seconds(std::int64_t us) {
    return static_cast<double>(us) / 1e6;
}

std::array<double, 3> percentiles(std::span<const double> samples) {
    return {percentile(samples, 0.5), percentile(samples, 0.95), percentile(samples, 0.99)};
}

/// Integral over time of a number that changes at events (+1, -1), and its highest value.
std::pair<double, int> integrate(std::vector<std::pair<std::int64_t, int>> events) {
    std::ranges::sort(events); // at one moment the -1 come first
    double area = 0;
    int now = 0, peak = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        now += events[i].second;
        peak = std::max(peak, now);
        if (i + 1 < events.size())
            area += now * seconds(events[i + 1].first - events[i].first);
    }
    return {area, peak};
}

/// SplitMix64 (Steele, Lea, Flood 2014): short, and the same numbers everywhere, unlike std distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double uniform() { // in (0, 1)
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
    }

private:
    std::uint64_t state_;
};

} // namespace

double PolicyMeasures::little_error() const {
    return mean_in_system > 0 ? std::abs(mean_in_system - arrivals_per_s * mean_time_s) / mean_in_system : 0;
}

PolicyMeasures measure_policy(
    const PolicyTrace& trace, const PolicyResult& result, const Objective& objective, double window_s) {
    PolicyMeasures measures;
    if (result.requests.empty())
        return measures;
    const std::int64_t first = result.requests.front().arrival_us;
    const std::int64_t end =
        first + static_cast<std::int64_t>((window_s > 0 ? window_s : result.makespan_s) * 1e6 + 0.5);
    std::vector<double> ttft, tpot, e2e;
    std::vector<std::pair<std::int64_t, int>> queue, system;
    int good = 0;
    for (const SimulatedRequest& request : result.requests) {
        const std::int64_t started = request.first_prefill_tick * trace.tick_us;
        queue.insert(queue.end(), {{request.arrival_us, 1}, {std::max(started, request.arrival_us), -1}});
        system.insert(system.end(), {{request.arrival_us, 1}, {request.arrival_us + request.e2e_us, -1}});
        measures.mean_time_s += seconds(request.e2e_us) / static_cast<double>(result.requests.size());
        if (request.arrival_us > end)
            continue;
        ++measures.requests;
        const bool begun = request.arrival_us + request.ttft_us <= end;
        const bool ended = request.arrival_us + request.e2e_us <= end;
        measures.unfinished += !ended;
        ttft.push_back(begun ? seconds(request.ttft_us) : kInfinite);
        e2e.push_back(ended ? seconds(request.e2e_us) : kInfinite);
        const double per_token =
            request.output > 1 ? seconds(request.e2e_us - request.ttft_us) / (request.output - 1) : 0;
        if (request.output > 1)
            tpot.push_back(ended ? per_token : kInfinite);
        good += ended && ttft.back() <= objective.ttft_s && per_token <= objective.tpot_s + 1e-9;
    }
    measures.ttft_s = percentiles(ttft);
    measures.tpot_s = percentiles(tpot);
    measures.e2e_s = percentiles(e2e);
    measures.goodput_per_s = good / std::max(seconds(end - first), 1e-9);
    const auto [waited, peak] = integrate(std::move(queue));
    measures.mean_queue = waited / result.makespan_s;
    measures.peak_queue = peak;
    measures.utilization = result.decode_places > 0 ? double(result.decode_rows) / result.decode_places : 0;
    measures.kv_peak_mb = result.kv_peak_mb;
    measures.mean_in_system = integrate(std::move(system)).first / result.makespan_s;
    measures.arrivals_per_s = static_cast<double>(result.requests.size()) / result.makespan_s;
    return measures;
}

PolicyTrace make_trace(const LoadShape& shape, const PolicyTrace& base) {
    PolicyTrace trace = base;
    trace.requests.clear();
    Random random(shape.seed);
    const auto length = [&](int mean) { return std::max(1, static_cast<int>(mean * (0.5 + random.uniform()) + 0.5)); };
    double at_s = 0;
    for (int i = 0; i < shape.requests; ++i) {
        TraceRequest request;
        request.id = (i + 1 < 10 ? "R0" : "R") + std::to_string(i + 1);
        request.arrival_us = static_cast<std::int64_t>(at_s * 1e6);
        request.prompt = length(shape.prompt_mean);
        request.output = length(shape.output_mean);
        trace.requests.push_back(std::move(request));
        at_s += -std::log(random.uniform()) / std::max(shape.rate_per_s, 1e-6);
    }
    return trace;
}

} // namespace vitrine::engine
