// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: the engine's state as immutable values, at most 20 a second.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/api/event.h"
#include "engine/api/histogram.h"
#include "engine/api/model_info.h"
#include "engine/api/prefix_miss.h"

namespace vitrine::engine {

enum class SequenceState : std::uint8_t { preparing, waiting, prefill, decode, preempted, finished };

/// One sequence (one choice of a request), running, waiting or lately finished.
struct SequenceStatus {
    RequestId request{};
    std::uint32_t sequence = 0; // owner id in the block map
    int choice = 0;
    RequestSource source = RequestSource::chat;
    std::string label;
    SequenceState state = SequenceState::waiting;
    int prompt_tokens = 0;
    int cached_tokens = 0;
    int computed_tokens = 0;
    int output_tokens = 0;
    int num_blocks = 0; // held now, over all block groups
    int window_freed_blocks = 0; // given back because the window of their layers moved on
    int preemptions = 0;
    std::shared_ptr<const PrefixMiss> miss; // why prompt tokens were not found; null: not looked up, or all hit
    std::string miss_note; // the same as an English sentence, for clients of the endpoint
    std::chrono::microseconds age{0};
    std::chrono::microseconds first_token{0}; // TTFT, from submit; 0: none yet
};

/// Blocks, not bytes; free + cached + active == total.  shared counts active blocks with two or more references.
struct BlockCounts {
    int total = 0; // usable: without the null block
    int free = 0;
    int cached = 0;
    int active = 0;
    int shared = 0;
};

enum class BlockState : std::uint8_t { free, cached, active };
struct BlockStatus {
    BlockState state = BlockState::free;
    std::uint16_t references = 0;
    std::uint32_t owner = 0; // oldest sequence that refers to it; 0: none
    std::uint32_t last_used_ms = 0; // age at the time of the snapshot
    std::uint8_t group = 0; // index into LoadedModel::block_groups: whose K and V it holds, or held last
    bool window_freed = false; // given back by a window that moved on, while its sequence lived; until it is used again
};

/// Layers that share block tables.  A block holds K and V of one group.
struct BlockGroup {
    int window_tokens = 0; // what its layers see, the token itself included; 0: everything
    int num_layers = 0;
};

/// Totals since the model was loaded.  What a step does is the sum over step records.
struct Counters {
    std::uint64_t steps = 0;
    std::uint64_t prompt_tokens = 0; // computed by prefill
    std::uint64_t generation_tokens = 0;
    std::uint64_t prefix_queries = 0; // tokens
    std::uint64_t prefix_hits = 0; // tokens
    std::uint64_t preemptions = 0;
    std::uint64_t evictions = 0; // blocks
    std::uint64_t recomputed_tokens = 0;
    std::uint64_t drafts = 0;
    std::uint64_t draft_tokens = 0;
    std::uint64_t accepted_tokens = 0;
    std::array<std::uint64_t, 16> accepted_per_position{};
    std::array<std::uint64_t, 5> finished{}; // choices; index == FinishReason
    std::array<std::uint64_t, 6> cancelled{}; // choices, by the state they were in; index == SequenceState
    std::uint64_t rejected = 0; // requests
    std::map<std::string, std::uint64_t> rejections; // name of the ErrorCode -> requests; their sum is `rejected`
    std::map<std::string, std::uint64_t> miss_tokens; // reason -> tokens
    std::uint64_t slo_met = 0; // choices that ended by themselves and met every objective of the configuration
    std::array<std::uint64_t, 5> phase_us{}; // draft, schedule, forward, sample, commit
    std::uint64_t window_freed = 0; // blocks that a window left behind
    std::uint64_t graph_replays = 0; // steps run as recorded graphs; 0 on devices without
    std::uint64_t graph_pad_rows = 0; // rows added to reach a recorded size
};

/// Rates over the last 10 s unless said otherwise; p50, p95, p99 by nearest rank over the last 1,000 samples (1,000
/// choices, or gaps).  A cancelled or failed choice is censored: +inf where its time was not reached, never left out.
struct Rates {
    double prefill_tokens_per_s = 0;
    double decode_tokens_per_s = 0;
    double prefix_hit_rate_60s = 0; // 0..1
    double prefix_hit_rate = 0; // since load
    double accepted_per_step = 0;
    double mean_batch = 0; // sequences a step
    double drafts_per_step = 0; // drafted tokens of one verifying sequence: gamma in use
    std::array<double, 3> ttft_s{};
    std::array<double, 3> tpot_s{};
    std::array<double, 3> itl_s{};
    std::array<double, 3> e2e_s{};
    std::array<double, 3> queue_s{};
    int num_ttft = 0; // samples behind the percentiles above
    int num_tpot = 0;
    int num_itl = 0;
    int num_e2e = 0;
    int num_queue = 0;
    int num_censored = 0; // of num_e2e
    double goodput_60s = 0; // choices a second that met every objective, over the last 60 s
};

/// One LoRA adapter of the loaded model.
struct LoadedAdapter {
    std::string name; // requests may name it instead of the model
    std::string path;
    float weight = 1; // of requests that choose none
    int rank = 0; // the largest
    float alpha = 0;
    std::int64_t bytes = 0; // of its factors on the device
    std::uint64_t generation = 0; // part of every block's key: rises with every load
};

/// The model that answers now; immutable while it is loaded.
struct LoadedModel {
    std::uint64_t generation = 0; // rises with every load
    ModelInfo info;
    EngineConfig config; // every default resolved
    LoadPlan plan; // predicted
    std::int64_t measured_weight_bytes = 0;
    std::int64_t measured_kv_bytes = 0;
    int context = 0;
    kernels::DeviceInfo device;
    std::optional<Error> device_reason; // why no GPU is used, if one was wanted
    std::vector<kernels::KernelReport> kernels;
    std::vector<LoadedAdapter> adapters;
    std::vector<BlockGroup> block_groups; // index == BlockStatus::group
    bool is_chat_model = false;
    std::optional<Error> template_note; // why it does not chat, if it does not
    std::chrono::microseconds load_time{0};
};

/// Why tokens take long now.
enum class SlowCause : std::uint8_t {
    none,
    preemption,
    places,
    blocks,
    prefill,
    overhead,
    device,
    sharing,
    missed_prefix
};

/// The figures behind a SlowCause; those it does not use are 0.
struct SlowFigures {
    int count = 0; // preemption: of the last 10 s; places, blocks: waiting; prefill: decoding; sharing: answers
    int amount = 0; // places: taken; blocks: idle; device: layers on the CPU
    int of = 0; // blocks: of the pool; device: layers, 0 when all run on the CPU
    std::int64_t tokens = 0; // prefill: of prompts that are left
    double share = 0; // overhead: of a step
    double tokens_per_s = 0; // sharing: of all together
    std::shared_ptr<const PrefixMiss> miss = nullptr; // missed_prefix
};

struct Snapshot {
    std::uint64_t number = 0;
    std::chrono::steady_clock::time_point time;
    std::uint64_t engine_us = 0; // `time` on the clock of StepRecord::start_us
    std::uint64_t last_step = 0; // StepRecord::step of the last step before it; 0: none
    std::shared_ptr<const LoadedModel> model; // null: none loaded
    int running = 0;
    int waiting = 0;
    int preparing = 0;
    BlockCounts blocks;
    int peak_active_blocks = 0; // most that one step has used since the model was loaded
    std::int64_t backlog_prefill_tokens = 0; // prompt tokens of unfinished sequences that are not computed yet
    std::int64_t backlog_decode_tokens = 0; // tokens they may still give: the limit, or the mean output so far if lower
    std::vector<BlockStatus> block_map; // index == block id - 1
    std::vector<SequenceStatus> sequences; // running, then waiting, then the last 16 finished
    Counters counters;
    Rates rates;
    Histograms histograms;
    SlowCause slow_cause = SlowCause::none;
    SlowFigures slow_figures;
    std::string slow_reason; // the same as one English sentence, for clients of the endpoint; or empty
};

} // namespace vitrine::engine
