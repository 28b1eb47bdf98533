// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: what a simulated policy did for its requests: percentiles, goodput, queue, Little's law (engine.md 7).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/lab/simulator.h"

namespace vitrine::engine {

/// A request meets it when both hold.
struct Objective {
    double ttft_s = 1;
    double tpot_s = 0.05;
};

/// Percentiles p50, p95, p99 by nearest rank over every request of the window; one that has not come so far by its end
/// counts as infinite, so a percentile may be +inf.
struct PolicyMeasures {
    int requests = 0; // that arrived in the window
    int unfinished = 0; // of them, at its end
    std::array<double, 3> ttft_s{}, tpot_s{}, e2e_s{}; // tpot: of requests with two tokens or more
    double goodput_per_s = 0; // requests that met the objective, a second of the window
    double mean_queue = 0; // requests waiting for their first prefill, over time
    int peak_queue = 0;
    double utilization = 0; // decode rows of the places there were
    double kv_peak_mb = 0;
    // Little's law over the whole run, which starts and ends empty; counted apart: events on one side, times on the other.
    double mean_in_system = 0; // integral of the number in the system / makespan
    double arrivals_per_s = 0;
    double mean_time_s = 0; // in the system
    [[nodiscard]] double little_error() const; // |L - lambda W| / L
};

/// window_s: from the first arrival; 0: until the last request has ended.
[[nodiscard]] PolicyMeasures measure_policy(
    const PolicyTrace& trace, const PolicyResult& result, const Objective& objective, double window_s = 0);

/// Arrivals after exponential gaps of mean 1/rate, lengths uniform in [mean/2, 3 mean/2]; equal for equal seeds.
struct LoadShape {
    int requests = 64;
    double rate_per_s = 4;
    int prompt_mean = 64; // tokens
    int output_mean = 32;
    std::uint64_t seed = 1;
};
/// Places, tick and prefill budget come from `base`.
[[nodiscard]] PolicyTrace make_trace(const LoadShape& shape, const PolicyTrace& base);

} // namespace vitrine::engine
