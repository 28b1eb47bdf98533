// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: ticks of a virtual clock; admission and release come from the scheduler's own policies.
#include "engine/lab/simulator.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/sched/policy.h"
#include "engine/stats/percentiles.h"

namespace vitrine::engine {
namespace {

using Json = nlohmann::ordered_json;

/// A request that holds a place.
struct Held {
    std::size_t index = 0; // of the trace
    int prefilled = 0;
    int emitted = 0;
    bool ended = false;
    /// The newest token has no KV yet.
    [[nodiscard]] int computed() const noexcept { return prefilled + std::max(0, emitted - 1); }
};

class Simulation {
public:
    Simulation(const PolicyTrace& trace, BatchPolicy policy) : trace_(trace), policy_(make_policy(policy)) {
        result_.policy = policy;
        for (const TraceRequest& request : trace.requests)
            result_.requests.push_back({.id = request.id,
                .arrival_us = request.arrival_us,
                .prompt = request.prompt,
                .output = request.output});
    }

    PolicyResult run() {
        while (num_ended_ < trace_.requests.size())
            tick();
        summarize();
        return std::move(result_);
    }

private:
    void tick() {
        const auto number = static_cast<std::int64_t>(result_.ticks.size());
        const std::int64_t end_us = (number + 1) * trace_.tick_us;
        SimulatedTick tick;
        admit(number * trace_.tick_us);
        tick.padding = static_cast<int>(std::ranges::count(held_, true, &Held::ended));
        decode(tick, end_us); // of those whose prompt was done before this tick
        prefill(tick, number, end_us);
        for (const Held& held : held_)
            tick.kv_mb += held.computed() * trace_.kv_mb_per_token;
        tick.held = static_cast<int>(held_.size());
        result_.ticks.push_back(tick);
        release(end_us);
    }
    void admit(std::int64_t now_us);
    void decode(SimulatedTick& tick, std::int64_t end_us);
    void prefill(SimulatedTick& tick, std::int64_t number, std::int64_t end_us);
    void emit(Held& held, std::int64_t end_us);
    void release(std::int64_t end_us);
    void summarize();

    const PolicyTrace& trace_;
    std::unique_ptr<Policy> policy_;
    PolicyResult result_;
    std::vector<Held> held_; // in order of arrival
    std::size_t num_admitted_ = 0;
    std::size_t num_ended_ = 0;
};

void Simulation::admit(std::int64_t now_us) {
    const auto arrived = std::ranges::upper_bound(trace_.requests, now_us, {}, &TraceRequest::arrival_us);
    const auto num_arrived = static_cast<std::size_t>(arrived - trace_.requests.begin());
    const auto ended = static_cast<int>(std::ranges::count(held_, true, &Held::ended));
    const PolicyView view{.running = static_cast<int>(held_.size()) - ended,
        .ended = ended,
        .waiting = static_cast<int>(num_arrived - num_admitted_),
        .slots = trace_.slots};
    for (int i = policy_->admissions(view); i > 0; --i)
        held_.push_back({.index = num_admitted_++});
}

void Simulation::decode(SimulatedTick& tick, std::int64_t end_us) {
    for (Held& held : held_) {
        if (held.ended || held.emitted == 0)
            continue;
        ++tick.decode_rows;
        emit(held, end_us);
    }
}

void Simulation::prefill(SimulatedTick& tick, std::int64_t number, std::int64_t end_us) {
    for (Held& held : held_) {
        const int missing = result_.requests[held.index].prompt - held.prefilled;
        const int count = std::min(missing, trace_.prefill_tokens_per_tick - tick.prefill_tokens);
        if (count <= 0)
            continue;
        if (held.prefilled == 0)
            result_.requests[held.index].first_prefill_tick = static_cast<int>(number);
        held.prefilled += count;
        tick.prefill_tokens += count;
        if (count == missing)
            emit(held, end_us);
    }
}

void Simulation::emit(Held& held, std::int64_t end_us) {
    SimulatedRequest& request = result_.requests[held.index];
    if (++held.emitted == 1)
        request.ttft_us = end_us - request.arrival_us;
    if (held.emitted < request.output)
        return;
    request.e2e_us = end_us - request.arrival_us;
    held.ended = true;
    ++num_ended_;
}

void Simulation::release(std::int64_t end_us) {
    const bool all_ended = std::ranges::all_of(held_, &Held::ended);
    if (policy_->holds_ended() && !all_ended)
        return;
    for (const Held& held : held_)
        if (held.ended)
            result_.requests[held.index].release_us = end_us;
    std::erase_if(held_, [](const Held& held) { return held.ended; });
}

void Simulation::summarize() {
    std::vector<double> ttft_s;
    double e2e_sum_s = 0;
    std::int64_t last_us = 0;
    int output = 0;
    for (const SimulatedRequest& request : result_.requests) {
        ttft_s.push_back(static_cast<double>(request.ttft_us) / 1e6);
        e2e_sum_s += static_cast<double>(request.e2e_us) / 1e6;
        last_us = std::max(last_us, request.arrival_us + request.e2e_us);
        output += request.output;
    }
    const auto count = static_cast<double>(result_.requests.size());
    const double tick_s = static_cast<double>(trace_.tick_us) / 1e6;
    result_.makespan_s = static_cast<double>(last_us - result_.requests.front().arrival_us) / 1e6;
    result_.output_tokens_per_s = output / result_.makespan_s;
    result_.ttft_mean_s = std::accumulate(ttft_s.begin(), ttft_s.end(), 0.0) / count;
    result_.ttft_p50_s = percentile(ttft_s, 0.5);
    result_.ttft_max_s = std::ranges::max(ttft_s);
    result_.e2e_mean_s = e2e_sum_s / count;
    result_.mean_in_system = e2e_sum_s / result_.makespan_s;
    result_.decode_places = trace_.slots * static_cast<int>(result_.ticks.size());
    for (const SimulatedTick& tick : result_.ticks) {
        result_.decode_rows += tick.decode_rows;
        result_.kv_peak_mb = std::max(result_.kv_peak_mb, tick.kv_mb);
        result_.kv_integral_mb_s += tick.kv_mb * tick_s;
    }
}

double seconds(std::int64_t us) {
    return static_cast<double>(us) / 1e6;
}

Json to_json(const PolicyResult& result) {
    Json json;
    json["requests"] = Json::array();
    for (const SimulatedRequest& request : result.requests)
        json["requests"].push_back({{"id", request.id}, {"arrival", seconds(request.arrival_us)},
            {"prompt", request.prompt}, {"output", request.output}, {"prefill_tick", request.first_prefill_tick},
            {"ttft", seconds(request.ttft_us)}, {"e2e", seconds(request.e2e_us)}});
    json["makespan"] = result.makespan_s;
    json["output_tokens_per_s"] = result.output_tokens_per_s;
    json["ttft_mean"] = result.ttft_mean_s;
    json["ttft_p50"] = result.ttft_p50_s;
    json["ttft_max"] = result.ttft_max_s;
    json["e2e_mean"] = result.e2e_mean_s;
    json["mean_in_system"] = result.mean_in_system;
    json["decode_rows"] = result.decode_rows;
    json["decode_places"] = result.decode_places;
    json["kv_peak"] = result.kv_peak_mb;
    json["kv_integral"] = result.kv_integral_mb_s;
    json["ticks"] = Json::array();
    for (const SimulatedTick& tick : result.ticks)
        json["ticks"].push_back({{"prefill_tokens", tick.prefill_tokens}, {"decode_rows", tick.decode_rows},
            {"held", tick.held}, {"padding", tick.padding}, {"kv", tick.kv_mb}});
    return json;
}

} // namespace

PolicyResult simulate(const PolicyTrace& trace, BatchPolicy policy) {
    return Simulation(trace, policy).run();
}

std::string policies_json(const PolicyTrace& trace) {
    Json json;
    json["trace"] = {{"tick_s", seconds(trace.tick_us)}, {"prefill_tokens_per_tick", trace.prefill_tokens_per_tick},
        {"slots", trace.slots}, {"kv_mb_per_token", trace.kv_mb_per_token}};
    for (const BatchPolicy policy : {BatchPolicy::immediate, BatchPolicy::fixed, BatchPolicy::continuous})
        json["policies"][std::string(policy_name(policy))] = to_json(simulate(trace, policy));
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace vitrine::engine
