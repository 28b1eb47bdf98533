// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: the scene.
#include "tests/ui/support/stage_engine.h"

#include <algorithm>
#include <cmath>

namespace vitrine::testing {

using namespace engine;

namespace {

constexpr std::int64_t kGiB = 1LL << 30;
constexpr std::uint64_t kNowUs = 3'400'000'000; // of the engine's clock
constexpr std::uint32_t kStepUs = 71'800;

ModelInfo info_of(const std::string& path) {
    ModelInfo info;
    info.path = path;
    std::string name = path.substr(path.find_last_of('/') + 1);
    if (name.ends_with(".gguf"))
        name.resize(name.size() - 5);
    const std::size_t dot = name.find_last_of('.');
    info.quantization = dot == std::string::npos ? "Q4_K_M" : name.substr(dot + 1);
    info.name = name.substr(0, dot);
    const bool small = name.find("135M") != std::string::npos;
    info.architecture = small ? "llama" : "qwen3";
    info.parameters = small ? 134'515'008 : 14'768'307'200;
    info.weight_bytes = small ? 98'000'000 : static_cast<std::int64_t>(8.38 * kGiB);
    info.bytes_by_type = {{"Q4_K", info.weight_bytes * 4 / 5}, {"Q6_K", info.weight_bytes / 5}};
    info.context_length = small ? 8192 : 40'960;
    info.num_layers = small ? 30 : 40;
    info.num_heads = small ? 9 : 40;
    info.num_kv_heads = small ? 3 : 8;
    info.head_dim = small ? 64 : 128;
    info.embedding_dim = small ? 576 : 5120;
    info.feed_forward_dim = small ? 1536 : 17'408;
    const std::int64_t f16 = 2LL * info.num_layers * info.num_kv_heads * info.head_dim * 2;
    info.kv_bytes_per_token = {{"f16", f16}, {"bf16", f16}, {"int8", f16 * 33 / 64}, {"fp8", f16 / 2}};
    info.tokenizer_model = "gpt2";
    info.tokenizer_pre = "qwen2";
    info.vocab_size = 151'936;
    info.has_chat_template = name.find("base") == std::string::npos;
    info.license = "apache-2.0";
    info.file_bytes = info.weight_bytes;
    return info;
}

struct Play {
    std::uint32_t sequence;
    const char* label;
    RequestSource source;
    double start, prefill_end, decode_end; // seconds before now; decode_end 0: still running
    int prompt, hit, output;
};
constexpr Play kPlays[] = {
    {5, "Bakery menu", RequestSource::chat, 57.0, 55.8, 31.2, 1240, 0, 1480},
    {1, "Torque table", RequestSource::chat, 26.2, 23.8, 0, 2624, 0, 980},
    {2, "Seal kit", RequestSource::api, 20.1, 19.7, 0, 2611, 2560, 700},
    {3, "Noise at start", RequestSource::api, 17.8, 17.4, 0, 2590, 2560, 610},
    {4, "Service date", RequestSource::api, 9.1, 8.4, 0, 2598, 2304, 320},
};

void fill_blocks(Snapshot& snapshot) {
    snapshot.block_map.assign(StageEngine::kNumBlocks, {});
    int at = 0;
    const auto put = [&](int count, BlockState state, int references, std::uint32_t owner) {
        for (int i = 0; i < count && at < StageEngine::kNumBlocks; ++i)
            snapshot.block_map[static_cast<std::size_t>(at++)] = {
                state, static_cast<std::uint16_t>(references), owner, 40};
    };
    put(31, BlockState::cached, 0, 0);
    at += 33;
    put(16, BlockState::cached, 0, 0);
    at += 16;
    put(160, BlockState::active, 4, 1);
    const std::uint32_t pattern[] = {1, 2, 1, 3, 2, 1, 4, 2, 3, 1, 2, 3, 4, 1, 2, 3, 1, 4, 2, 3};
    int owned[5] = {0, 82, 68, 58, 44};
    for (int i = 0; owned[1] + owned[2] + owned[3] + owned[4] > 0; ++i) {
        const std::uint32_t owner = pattern[static_cast<std::size_t>(i) % std::size(pattern)];
        if (owned[owner] == 0)
            continue;
        --owned[owner];
        put(1, BlockState::active, 1, owner);
        if (i % 37 == 30)
            put(6, BlockState::cached, 0, 0);
    }
    at += 35;
    while (std::count_if(snapshot.block_map.begin(), snapshot.block_map.end(),
               [](const BlockStatus& block) { return block.state == BlockState::cached; }) < 203)
        put(1, BlockState::cached, 0, 0);
}

void count_blocks(Snapshot& snapshot) {
    BlockCounts& counts = snapshot.blocks;
    counts = {};
    counts.total = static_cast<int>(snapshot.block_map.size());
    for (const BlockStatus& block : snapshot.block_map) {
        counts.free += block.state == BlockState::free;
        counts.cached += block.state == BlockState::cached;
        counts.active += block.state == BlockState::active;
        counts.shared += block.state == BlockState::active && block.references >= 2;
    }
}

} // namespace

StageEngine::StageEngine() {
    auto model = std::make_shared<LoadedModel>();
    model->info = info_of("/models/Qwen3-14B.Q4_K_M.gguf");
    model->config.draft = "ngram";
    model->context = 8192;
    model->is_chat_model = true;
    model->device.id = "cuda:0";
    model->device.name = "RTX 4060 Ti";
    model->plan.weights = model->info.weight_bytes;
    model->plan.kv = static_cast<std::int64_t>(2.5 * kGiB);
    model->plan.block_tokens = 16;
    model->measured_weight_bytes = model->plan.weights - 60'000'000;
    model->measured_kv_bytes = model->plan.kv;
    model_ = model;
    make_history();
    play_busy();
}

void StageEngine::set(Snapshot snapshot) {
    snapshot.number = ++number_;
    snapshot.time = std::chrono::steady_clock::now();
    snapshot.engine_us = std::max(kNowUs, snapshot.engine_us); // an edit may let time pass
    snapshot.last_step = steps_.empty() ? 0 : steps_.back().step;
    const std::lock_guard lock(mutex_);
    snapshot_ = std::make_shared<const Snapshot>(std::move(snapshot));
}

void StageEngine::change(const std::function<void(Snapshot&)>& edit) {
    Snapshot copy = *snapshot();
    edit(copy);
    count_blocks(copy);
    set(std::move(copy));
}

void StageEngine::make_history() {
    std::uint64_t number = 47'400;
    for (double ago = 60; ago > 0.001; ago -= kStepUs / 1e6) {
        StepRecord step;
        step.start_us = kNowUs - static_cast<std::uint64_t>(ago * 1e6);
        std::vector<SequenceLine> lines;
        int running = 0;
        double active = 0;
        for (const Play& play : kPlays) {
            const double until = play.decode_end;
            if (ago > play.start || ago + kStepUs / 1e6 < until)
                continue;
            SequenceLine line;
            line.request = play.sequence;
            line.sequence = play.sequence;
            active += (play.prompt - play.hit) / 16.0 + (play.start - ago) * 2;
            ++running;
            const bool prefill = ago > play.prefill_end;
            line.kind = prefill ? 0 : 2;
            line.hit = static_cast<std::uint32_t>(play.hit);
            if (prefill) {
                const double share = kStepUs / 1e6 / (play.start - play.prefill_end);
                step.prefill_tokens += static_cast<std::uint32_t>((play.prompt - play.hit) * share);
                ++step.prefill_seqs;
                if (ago > play.start - kStepUs / 1e6) {
                    step.prefix_queries += static_cast<std::uint32_t>(play.prompt);
                    step.prefix_hits += static_cast<std::uint32_t>(play.hit);
                }
            } else {
                ++step.decode_rows;
                ++step.verify_seqs;
                step.draft_rows = static_cast<std::uint16_t>(step.draft_rows + 4);
                const int accepted = 2 + static_cast<int>((number * 7 + play.sequence * 3) % 10 < 7);
                step.accepted = static_cast<std::uint16_t>(step.accepted + accepted);
                step.emitted += static_cast<std::uint32_t>(1 + accepted);
                line.count = 5;
                line.accepted = static_cast<std::uint16_t>(accepted);
                for (std::size_t p = 0; p < static_cast<std::size_t>(accepted); ++p)
                    ++step.accepted_per_position[p];
            }
            lines.push_back(line);
            if (until > 0 && ago - kStepUs / 1e6 < until) {
                line.kind = 4;
                lines.push_back(line);
            }
        }
        if (running == 0)
            continue;
        step.step = ++number;
        step.schedule_us = 700;
        step.forward_us = static_cast<std::uint32_t>(70'000 + number * 37 % 600);
        step.sample_us = 400;
        step.commit_us = 500;
        step.blocks_active = static_cast<std::uint32_t>(active);
        step.blocks_cached = 60 + static_cast<std::uint32_t>(3 * (60 - ago));
        step.blocks_shared = ago < 20 ? 160 : 0;
        step.blocks_free = kNumBlocks - step.blocks_active - step.blocks_cached;
        step.blocks_taken = number % 4 == 0 ? 1 : 0;
        step.running = static_cast<std::uint16_t>(running);
        steps_.push_back(step);
        for (SequenceLine& line : lines) {
            line.step = number;
            lines_.push_back(line);
        }
    }
}

void StageEngine::place_model(const std::string& path) {
    auto model = std::make_shared<LoadedModel>(*model_);
    model->info.path = path;
    model_ = model;
    play_busy();
}

void StageEngine::play_busy() {
    Snapshot snapshot;
    snapshot.model = model_;
    fill_blocks(snapshot);
    count_blocks(snapshot);
    snapshot.running = 4;
    for (const Play& play : kPlays) {
        SequenceStatus status;
        status.request = RequestId{play.sequence};
        status.sequence = play.sequence;
        status.source = play.source;
        status.label = play.label;
        status.state = play.decode_end > 0 ? SequenceState::finished : SequenceState::decode;
        status.prompt_tokens = play.prompt;
        status.cached_tokens = play.hit;
        status.output_tokens = play.output;
        status.age = std::chrono::microseconds(static_cast<std::int64_t>(play.start * 1e6));
        snapshot.sequences.push_back(status);
    }
    std::rotate(snapshot.sequences.begin(), snapshot.sequences.begin() + 1, snapshot.sequences.end()); // finished last
    snapshot.counters.steps = steps_.back().step;
    snapshot.counters.drafts = 1000;
    snapshot.counters.draft_tokens = 4000;
    snapshot.counters.accepted_tokens = 2700;
    snapshot.counters.accepted_per_position = {910, 760, 600, 430};
    snapshot.rates.decode_tokens_per_s = 205;
    snapshot.rates.prefill_tokens_per_s = 1093;
    snapshot.rates.prefix_hit_rate_60s = 0.71;
    snapshot.rates.prefix_hit_rate = 0.84;
    snapshot.rates.accepted_per_step = 2.7;
    snapshot.rates.drafts_per_step = 4;
    snapshot.rates.mean_batch = 4;
    snapshot.rates.ttft_s = {0.42, 1.21, 2.45};
    snapshot.rates.itl_s = {0.0719, 0.0742, 0.0901};
    snapshot.slow_cause = SlowCause::missed_prefix;
    PrefixMiss miss;
    miss.reason = MissReason::diverged;
    miss.missed_tokens = 256;
    miss.prompt_tokens = 2'598;
    miss.position = 2'312;
    miss.expected = "\" Thursday\"";
    miss.got = "\" Friday\"";
    snapshot.slow_figures.miss = std::make_shared<const PrefixMiss>(miss);
    set(std::move(snapshot));
}

void StageEngine::play_idle() {
    play_busy();
    change([](Snapshot& snapshot) {
        snapshot.running = 0;
        snapshot.slow_cause = SlowCause::none;
        snapshot.slow_figures = {};
        for (SequenceStatus& status : snapshot.sequences)
            status.state = SequenceState::finished;
        for (BlockStatus& block : snapshot.block_map)
            if (block.state == BlockState::active)
                block = {BlockState::cached, 0, 0, 4000};
    });
}

void StageEngine::play_empty() {
    set(Snapshot{});
}

void StageEngine::add_step(const StepRecord& step) {
    const std::lock_guard lock(mutex_);
    steps_.push_back(step);
    steps_.back().step = steps_.size() > 1 ? steps_[steps_.size() - 2].step + 1 : 1;
}

void StageEngine::fail_inspect(const std::string& name, Error error) {
    failing_name_ = name;
    inspect_error_ = std::move(error);
}

void StageEngine::fail_load(Error error) {
    fail_load_ = true;
    load_error_ = std::move(error);
}

void StageEngine::add_lines(const std::vector<SequenceLine>& lines) {
    const std::lock_guard lock(mutex_);
    for (const SequenceLine& line : lines) {
        lines_.push_back(line);
        lines_.back().step = steps_.back().step;
    }
}

void StageEngine::forget_until(std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    while (steps_.size() > 1 && steps_.front().step < step)
        steps_.pop_front();
    for (; !lines_.empty() && lines_.front().step < step; ++lines_forgotten_)
        lines_.pop_front();
}

Result<ModelInfo> StageEngine::inspect(const std::string& path) {
    if (!failing_name_.empty() && path.find(failing_name_) != std::string::npos)
        return tl::unexpected(inspect_error_);
    return info_of(path);
}

Result<LoadPlan> StageEngine::plan(const std::string& path, const EngineConfig& config) {
    const ModelInfo info = info_of(path);
    LoadPlan plan;
    const double bits = config.quantize == "q8_0" ? 8.5
        : config.quantize == "q5_0"               ? 5.5
        : config.quantize == "q4_0"               ? 4.5
                                                  : 0;
    plan.weights =
        bits > 0 ? static_cast<std::int64_t>(static_cast<double>(info.parameters) * bits / 8) : info.weight_bytes;
    if (!config.draft.empty() && config.draft != "ngram")
        plan.weights += info_of(config.draft).weight_bytes;
    plan.kv_bytes_per_token = info.kv_bytes_per_token.at(config.kv_type == kernels::KvType::int8 ? "int8" : "f16");
    plan.num_blocks = config.num_blocks;
    plan.context = config.context;
    plan.kv = plan.kv_bytes_per_token * 16 * plan.num_blocks;
    plan.scratch = static_cast<std::int64_t>(0.35 * kGiB);
    plan.margin = (plan.weights + plan.kv + plan.scratch) / 10;
    plan.total = plan.weights + plan.kv + plan.scratch + plan.margin;
    plan.available = static_cast<std::int64_t>(15.2 * kGiB);
    plan.fits = plan.total <= plan.available;
    plan.max_parallel =
        static_cast<int>((plan.available - plan.weights) / (plan.kv_bytes_per_token * std::max(1, plan.context)));
    plan.device = "cuda:0";
    const auto part = [&](const char* device, int layers) {
        const auto share = [&](std::int64_t bytes) { return bytes * layers / info.num_layers; };
        return DevicePlan{device, layers, share(plan.weights), share(plan.kv), plan.scratch, share(plan.total),
            plan.available, 0, plan.fits};
    };
    plan.devices = {part("cuda:0", info.num_layers)};
    if (config.gpu_layers >= 0 && config.gpu_layers < info.num_layers) {
        plan.device = "cuda:0+cpu";
        plan.devices = {part("cuda:0", config.gpu_layers), part("cpu", info.num_layers - config.gpu_layers)};
    }
    return plan;
}

std::vector<Engine::DeviceChoice> StageEngine::devices() {
    DeviceChoice gpu, cpu;
    gpu.info = {"cuda:0", "RTX 4060 Ti", "sm_89", static_cast<std::int64_t>(15.7 * kGiB),
        static_cast<std::int64_t>(14.9 * kGiB), 0};
    cpu.info = {"cpu", "AMD EPYC 9354", "avx512", 24 * kGiB, 21 * kGiB, 2};
    return {gpu, cpu};
}

Result<void> StageEngine::load(const std::string& path, const EngineConfig& config, std::shared_ptr<LoadSink> sink) {
    LoadProgress progress;
    progress.bytes_total = info_of(path).weight_bytes;
    progress.bytes_done = progress.bytes_total * 37 / 100;
    progress.phase = LoadPhase::weights;
    if (!hold_load_) {
        progress.phase = fail_load_ ? LoadPhase::failed : LoadPhase::done;
        if (fail_load_) {
            progress.error = load_error_;
        } else {
            auto model = std::make_shared<LoadedModel>(*model_);
            model->info = info_of(path);
            model->config = config;
            model_ = model;
            progress.model = model;
            play_idle();
        }
    }
    sink->on_load_progress(progress);
    return {};
}

Result<RequestId> StageEngine::submit(Request, std::shared_ptr<EventSink>) {
    return fail(ErrorCode::busy, "The stage engine takes no request.", "Use the scripted engine.");
}

std::shared_ptr<const Snapshot> StageEngine::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

std::size_t StageEngine::read_steps(std::uint64_t from_step, std::span<StepRecord> out) const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const StepRecord& step : steps_)
        if (step.step >= from_step && count < out.size())
            out[count++] = step;
    return count;
}

std::size_t StageEngine::read_lines(
    std::uint64_t from_line, std::span<SequenceLine> out, std::uint64_t& next_line) const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    const std::uint64_t first = std::max(from_line, lines_forgotten_);
    for (std::size_t i = first - lines_forgotten_; i < lines_.size() && count < out.size(); ++i)
        out[count++] = lines_[i];
    next_line = first + count;
    return count;
}

std::string StageEngine::block_text(int) const {
    return "… tighten the flange bolts crosswise to 45 Nm, then …";
}

} // namespace vitrine::testing
