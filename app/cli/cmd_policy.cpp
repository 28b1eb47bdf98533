// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: policy: the scheduling laboratory without a model.
#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/lab/policy_trace.h"
#include "engine/lab/simulator.h"
#include "engine/sched/policy.h"

namespace vitrine::app {
namespace {

void print(const engine::PolicyResult& result, Console& console) {
    console.line(fmt::format("{:<11} makespan {:6.2f} s  {:7.2f} tokens/s  TTFT mean {:.4f} p50 {:.3f} max {:.3f} s  "
                             "KV peak {:.2f} MB, {:.4f} MB s  rows {}/{}",
        engine::policy_name(result.policy), result.makespan_s, result.output_tokens_per_s, result.ttft_mean_s,
        result.ttft_p50_s, result.ttft_max_s, result.kv_peak_mb, result.kv_integral_mb_s, result.decode_rows,
        result.decode_places));
    for (const engine::SimulatedRequest& request : result.requests)
        console.line(fmt::format("  {:<6} prefill in tick {:>3}  TTFT {:.3f} s  E2E {:.3f} s", request.id,
            request.first_prefill_tick, static_cast<double>(request.ttft_us) * 1e-6,
            static_cast<double>(request.e2e_us) * 1e-6));
}

} // namespace

int run_command(const PolicyOptions& options, Console& console) {
    engine::PolicyTrace trace = engine::toy_trace();
    if (!options.trace_file.empty()) {
        const auto text = read_text(options.trace_file, console);
        if (!text)
            return console.fail(text.error());
        auto parsed = engine::parse_trace(*text);
        if (!parsed)
            return console.fail(parsed.error());
        trace = *std::move(parsed);
    }
    if (options.json) {
        console.line(engine::policies_json(trace));
        return kExitSuccess;
    }
    for (const auto policy :
        {engine::BatchPolicy::immediate, engine::BatchPolicy::fixed, engine::BatchPolicy::continuous})
        print(engine::simulate(trace, policy), console);
    return kExitSuccess;
}

} // namespace vitrine::app
