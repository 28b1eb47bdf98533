// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: every optimisation switched off in turn, measured against all of them on (engine.md 9).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/engine.h"

namespace vitrine::engine {

enum class AblationLoad : std::uint8_t {
    single, // one sequence
    mixed, // many at once, lengths mixed
    arrivals, // the same, arriving at random
    shared_head, // one long head, many tails
    long_prompts, // some decode while long prompts arrive
    copying, // the answer repeats the prompt
    long_context, // many long sequences
};

/// A workload in figures; whoever shows it words it.  Those that a load does not have are 0.
struct WorkloadFigures {
    AblationLoad load = AblationLoad::single;
    int requests = 0;
    int prompt_tokens = 0; // of each; 0: mixed lengths
    int output_tokens = 0;
    int shared_tokens = 0; // shared_head: of the prompt
    int long_prompts = 0; // long_prompts: that arrive beside the requests
    double gap_ms = 0; // arrivals: mean
};

inline constexpr int kAblationContext = 1024; // tokens of a sequence, where none are asked for

struct AblationOptions {
    std::string model_path;
    EngineConfig config; // device, threads, block size ...; what a row switches is set by the ablation
    int num_requests = 16; // of a workload; the long-prompt workload takes a quarter
    int num_pairs = 5; // A B B A ...: runs with all on and runs with one thing off
    std::uint64_t seed = 1;
    std::vector<std::string> rows; // only these; empty: all that the device has
};

/// Medians over the runs of one configuration.
struct AblationFigures {
    double tokens_per_s = 0; // output tokens over the time from the first arrival to the last token
    double ttft_p50_s = 0;
    double tpot_p50_s = 0;
    double itl_p99_s = 0;
    int kv_peak_blocks = 0; // highest of all runs
    std::int64_t kv_bytes_per_token = 0;
    std::int64_t weight_bytes = 0;
    int sequences_that_fit = 0; // of the workload's mean length, in the blocks of the pool
};

struct AblationRow {
    std::string name; // "full", "no_kv_cache" ...
    WorkloadFigures load;
    std::string workload; // the same as an English sentence
    AblationFigures figures;
    AblationFigures full; // all on, in the same interleaved runs
    double speedup = 0; // full tokens per second over this row's
    double spread = 0; // the same of two groups of full runs: what chance alone gives, >= 1
    bool beyond_spread = false; // speedup or its inverse exceeds spread
    double ttft_ratio = 0; // this row's over full's
    double itl_p99_ratio = 0;
    bool exact = false; // the switch must not change any id
    bool same_ids = false; // all ids of all runs equal full's
    double nll_difference = 0; // mean over a text, this row - full; of rows that are not exact
    std::string error; // why the row could not be measured; empty: it was
    Error cause; // the same with its number, for windows in other languages
};

struct AblationReport {
    std::string model;
    std::string device;
    std::vector<AblationRow> rows; // "full" first
};

struct AblationProgress {
    std::string row;
    int run = 0; // 1 .. num_runs of this row; 0: loading
    int num_runs = 0;
    int row_index = 0;
    int num_rows = 0;
};

/// Of a loaded model: on its device, with its threads, blocks and weights; the rest is what the ablation itself sets.
[[nodiscard]] AblationOptions ablation_of(const LoadedModel& model);
/// What makes `vitrine-cli` measure the same: "ablate", MODEL, "--device" ...
[[nodiscard]] std::vector<std::string> ablation_arguments(const AblationOptions& options);

/// Two engines are loaded side by side, one with all on and one with one thing off, and take turns.  A row that fails
/// says so in its `error`; `cancelled` after `stop` was requested.  Blocks; thread: any but the engine's.
[[nodiscard]] Result<AblationReport> run_ablation(const AblationOptions& options,
    const std::function<void(const AblationProgress&)>& progress, const std::stop_token& stop,
    const std::function<std::unique_ptr<Engine>()>& make = make_engine);

/// {"model", "device", "rows": [{name, tokens_per_s, ttft_p50, tpot_p50, kv_peak_blocks, speedup, ...}]}: the document of
/// `vitrine-cli ablate --json`.
[[nodiscard]] std::string ablation_json(const AblationReport& report);

} // namespace vitrine::engine
