// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: ablate: every optimisation switched off in turn.
#include <fmt/format.h>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "engine/base/format.h"
#include "engine/device/backend_catalog.h"
#include "engine/lab/ablation.h"

namespace vitrine::app {
namespace {

using engine::AblationRow;

std::string milliseconds(double seconds) {
    return fmt::format("{:.1f}", seconds * 1000);
}

/// Exact switches: whether the ids stayed; others: what the loss became.
std::string quality(const AblationRow& row) {
    if (row.exact)
        return row.same_ids ? "ids equal" : "IDS DIFFER";
    return fmt::format("NLL {:+.4f}", row.nll_difference);
}

void print(const engine::AblationReport& report, Console& console) {
    console.line(fmt::format("{} on {}; each row against all on, in turns, medians", report.model, report.device));
    console.line(fmt::format("{:<19} {:>9} {:>9} {:>8} {:>10} {:>9} {:>9} {:>7} {:>8} {:>5}  {}", "row", "tokens/s",
        "full", "speedup", "TTFT p50", "TPOT p50", "ITL p99", "blocks", "KV B/tok", "fit", "answer"));
    for (const AblationRow& row : report.rows) {
        if (!row.error.empty()) {
            console.line(fmt::format("{:<19} not measured: {}", row.name, row.error));
            continue;
        }
        const std::string speedup = row.beyond_spread ? fmt::format("{:.2f}x", row.speedup) : std::string("-");
        console.line(fmt::format("{:<19} {:>9.1f} {:>9.1f} {:>8} {:>7} ms {:>6} ms {:>6} ms {:>7} {:>8} {:>5}  {}",
            row.name, row.figures.tokens_per_s, row.full.tokens_per_s, speedup, milliseconds(row.figures.ttft_p50_s),
            milliseconds(row.figures.tpot_p50_s), milliseconds(row.figures.itl_p99_s), row.figures.kv_peak_blocks,
            row.figures.kv_bytes_per_token, row.figures.sequences_that_fit, quality(row)));
        console.line(fmt::format("    {}; with all on TTFT {} ms, TPOT {} ms, ITL p99 {} ms, {} blocks, {} fit; chance "
                                 "{:.2f}x; weights {} against {}",
            row.workload, milliseconds(row.full.ttft_p50_s), milliseconds(row.full.tpot_p50_s),
            milliseconds(row.full.itl_p99_s), row.full.kv_peak_blocks, row.full.sequences_that_fit, row.spread,
            engine::format_bytes(row.figures.weight_bytes), engine::format_bytes(row.full.weight_bytes)));
    }
}

} // namespace

engine::AblationOptions ablation_options(const AblateOptions& options) {
    engine::AblationOptions ablation;
    ablation.model_path = model_path(options.model.model);
    ablation.config = options.model.config;
    ablation.num_requests = options.num_requests;
    ablation.num_pairs = options.num_pairs;
    ablation.seed = options.model.seed.value_or(1);
    ablation.rows = options.rows;
    return ablation;
}

int run_command(const AblateOptions& options, Console& console) {
    if (const auto usable = check_device(options.model); !usable)
        return console.fail(usable.error());
    const engine::AblationOptions ablation = ablation_options(options);
    const auto progress = [&console](const engine::AblationProgress& p) {
        if (p.run == 0)
            console.note(fmt::format("{}/{} {}: loading", p.row_index, p.num_rows, p.row));
        else
            console.note(fmt::format("{}/{} {}: run {} of {}", p.row_index, p.num_rows, p.row, p.run, p.num_runs));
    };
    catch_interrupts();
    std::stop_source stop;
    const std::jthread watcher([&stop](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (take_interrupt())
                stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    });
    const auto report = engine::run_ablation(ablation, progress, stop.get_token());
    if (!report)
        return console.fail(report.error());
    if (options.model.json)
        console.line(engine::ablation_json(*report));
    else
        print(*report, console);
    return kExitSuccess;
}

} // namespace vitrine::app
