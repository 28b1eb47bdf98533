// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: one trace under the three batch policies, on a virtual clock of ticks (engine.md 8).
#pragma once

#include <string>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/lab/policy_trace.h"

namespace vitrine::engine {

struct SimulatedRequest {
    std::string id;
    std::int64_t arrival_us = 0;
    int prompt = 0;
    int output = 0;
    int first_prefill_tick = 0;
    std::int64_t ttft_us = 0;
    std::int64_t e2e_us = 0;
    std::int64_t release_us = 0; // end of the tick that gave its place back; later than the end only as padding
};
struct SimulatedTick {
    int prefill_tokens = 0;
    int decode_rows = 0;
    int held = 0; // places taken
    int padding = 0; // of them by ended requests
    double kv_mb = 0; // at its end
};
struct PolicyResult {
    BatchPolicy policy = BatchPolicy::continuous;
    std::vector<SimulatedRequest> requests; // as in the trace
    std::vector<SimulatedTick> ticks;
    double makespan_s = 0;
    double output_tokens_per_s = 0;
    double ttft_mean_s = 0;
    double ttft_p50_s = 0; // nearest rank
    double ttft_max_s = 0;
    double e2e_mean_s = 0;
    double mean_in_system = 0; // sum of e2e / makespan (Little's law)
    int decode_rows = 0;
    int decode_places = 0; // slots * ticks
    double kv_peak_mb = 0;
    double kv_integral_mb_s = 0;
};

/// Requires: a trace from toy_trace() or parse_trace().
[[nodiscard]] PolicyResult simulate(const PolicyTrace& trace, BatchPolicy policy);
/// {"trace": {...}, "policies": {"immediate": {...}, "static": {...}, "continuous": {...}}}: the document of
/// `vitrine-cli policy --json`.
[[nodiscard]] std::string policies_json(const PolicyTrace& trace);

} // namespace vitrine::engine
