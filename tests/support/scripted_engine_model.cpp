// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: the scripted engine's model: loading, text side, snapshots, step records.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/api/sentence.h"
#include "tests/support/scripted_engine.h"

namespace vitrine::testing {

using namespace engine;

namespace {

constexpr int kBlockTokens = 16;
constexpr std::int64_t kWeightBytes = 98'000'000;

ModelInfo scripted_info(const std::string& path) {
    ModelInfo info;
    info.path = path;
    const std::size_t slash = path.find_last_of('/');
    info.name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    if (info.name.ends_with(".gguf"))
        info.name.resize(info.name.size() - 5);
    info.quantization = "Q4_1";
    if (info.name.ends_with(".Q4_1"))
        info.name.resize(info.name.size() - 5);
    info.architecture = "llama";
    info.parameters = 134'515'008;
    info.weight_bytes = kWeightBytes;
    info.bytes_by_type = {{"Q4_1", 80'000'000}, {"Q8_0", 17'000'000}, {"F32", 1'000'000}};
    info.context_length = 8192;
    info.num_layers = 30;
    info.num_heads = 9;
    info.num_kv_heads = 3;
    info.head_dim = 64;
    info.embedding_dim = 576;
    info.feed_forward_dim = 1536;
    info.kv_bytes_per_token = {{"f16", 23'040}, {"bf16", 23'040}, {"int8", 12'240}};
    info.tokenizer_model = "gpt2";
    info.tokenizer_pre = "smollm";
    info.vocab_size = 32'000;
    info.has_chat_template = true;
    info.license = "apache-2.0";
    info.file_bytes = kWeightBytes + 2'000'000;
    return info;
}

Error no_driver() {
    return make_error(ErrorCode::device, say(Sentence::no_driver, "libcuda.so.1"), say(Sentence::install_driver));
}

} // namespace

Result<ModelInfo> ScriptedEngine::inspect(const std::string& path) {
    if (path.find("missing") != std::string::npos)
        return fail(ErrorCode::not_found, path + ": no such file", "Choose a file that exists.");
    if (path.find("broken") != std::string::npos)
        return fail(ErrorCode::bad_file,
            path + ": tensor blk.31.ffn_down.weight ends at byte 4,372,811,776, the file at 4,371,763,200",
            "Download the file again: its end is missing.");
    return scripted_info(path);
}

Result<LoadPlan> ScriptedEngine::plan(const std::string& path, const EngineConfig& config) {
    VT_TRY(inspect(path));
    LoadPlan plan;
    plan.context = config.context > 0 ? config.context : options_.context;
    plan.block_tokens = kBlockTokens;
    plan.num_blocks = options_.num_blocks;
    plan.kv_bytes_per_token = 23'040;
    plan.weights = kWeightBytes;
    plan.kv = plan.kv_bytes_per_token * kBlockTokens * plan.num_blocks;
    plan.scratch = 20'000'000;
    plan.margin = (plan.weights + plan.kv + plan.scratch) / 10;
    plan.total = plan.weights + plan.kv + plan.scratch + plan.margin;
    plan.available = 15'200'000'000;
    plan.fits = plan.total <= plan.available;
    plan.max_parallel = plan.num_blocks * kBlockTokens / std::max(plan.context, 1);
    plan.device = "cpu";
    plan.devices = {engine::DevicePlan{plan.device, 30, plan.weights, plan.kv, plan.scratch, plan.total, plan.available,
        plan.kv_bytes_per_token * kBlockTokens, plan.fits}};
    return plan;
}

std::vector<Engine::DeviceChoice> ScriptedEngine::devices() {
    kernels::DeviceInfo cpu;
    cpu.id = "cpu";
    cpu.name = "Scripted CPU";
    cpu.isa = "avx512";
    cpu.memory_total_bytes = 33'400'000'000;
    cpu.memory_free_bytes = 15'200'000'000;
    cpu.num_threads = 8;
    kernels::DeviceInfo gpu;
    gpu.id = "cuda:0";
    gpu.name = "NVIDIA GPU";
    return {{cpu, {}}, {gpu, no_driver()}};
}

std::shared_ptr<const LoadedModel> ScriptedEngine::make_model(const std::string& path, const EngineConfig& config) {
    auto model = std::make_shared<LoadedModel>();
    model->generation = ++generation_;
    model->info = scripted_info(path);
    model->config = config;
    model->plan = plan(path, config).value_or(LoadPlan{});
    model->measured_weight_bytes = kWeightBytes + 120'000;
    model->measured_kv_bytes = model->plan.kv;
    model->context = model->plan.context;
    model->device = devices().front().info;
    model->device_reason = no_driver();
    model->kernels = {{"linear qkv blk.0", "gemv_q4_1_avx512", true, ""},
        {"attention blk.0", "decode_f16_avx512", true, ""},
        {"logits", "gemv_q8_0_avx512", false, "no fused epilogue for Q8_0"}};
    model->is_chat_model = true;
    model->load_time = std::chrono::microseconds(84'000);
    return model;
}

Result<void> ScriptedEngine::load(const std::string& path, const EngineConfig& config, std::shared_ptr<LoadSink> sink) {
    auto load = std::make_shared<Load>();
    {
        const std::lock_guard lock(mutex_);
        if (load_ && !load_->finished.load())
            return fail(ErrorCode::busy, "another model is being loaded", "Wait for it, or cancel it.");
        load->path = path;
        load->config = config;
        load->sink = std::move(sink);
        load->error = std::exchange(next_load_error_, std::nullopt);
        load_ = load;
    }
    if (!load->error) {
        auto info = inspect(path);
        if (!info)
            load->error = info.error();
    }
    if (load_thread_.joinable())
        load_thread_.join();
    load_thread_ = std::thread([this, load] { run_load(load); });
    return {};
}

void ScriptedEngine::run_load(const std::shared_ptr<Load>& load) {
    const auto report = [&](LoadPhase phase, std::int64_t done) {
        load->sink->on_load_progress({phase, done, kWeightBytes, std::nullopt, nullptr});
        std::this_thread::sleep_for(options_.load_step_time);
    };
    report(LoadPhase::reading, 0);
    constexpr int kParts = 4;
    for (int part = 1; part <= kParts && !load->error && !load->cancelled.load(); ++part) {
        report(LoadPhase::weights, kWeightBytes * part / kParts);
        if (part == kParts / 2) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return !load_held_ || load->cancelled.load() || stopping_; });
        }
    }
    LoadProgress last{LoadPhase::done, kWeightBytes, kWeightBytes, std::nullopt, nullptr};
    if (load->cancelled.load()) {
        last.phase = LoadPhase::cancelled;
    } else if (load->error) {
        last.phase = LoadPhase::failed;
        last.error = load->error;
    } else {
        report(LoadPhase::kv_pool, kWeightBytes);
        report(LoadPhase::warm_up, kWeightBytes);
        const std::lock_guard delivery(delivery_mutex_);
        std::vector<Outgoing> out;
        {
            const std::lock_guard lock(mutex_);
            cancel_all_locked(out);
            model_ = make_model(load->path, load->config);
            last.model = model_;
        }
        deliver(out);
    }
    load->finished.store(true);
    load->sink->on_load_progress(last);
}

void ScriptedEngine::cancel_load() {
    const std::lock_guard lock(mutex_);
    if (load_)
        load_->cancelled.store(true);
    wake_.notify_all();
}

void ScriptedEngine::unload() {
    const std::lock_guard delivery(delivery_mutex_);
    std::vector<Outgoing> out;
    {
        const std::lock_guard lock(mutex_);
        cancel_all_locked(out);
        model_ = nullptr;
    }
    deliver(out);
}

void ScriptedEngine::reset_prefix_cache() {}

std::shared_ptr<const TextModel> ScriptedEngine::text_model() const {
    const std::lock_guard lock(mutex_);
    return model_ ? text_ : nullptr;
}

/// Every running request owns ceil((prompt + output) / 16) blocks, in order from block 1.
void ScriptedEngine::count_blocks(Snapshot& snapshot) const {
    BlockCounts& counts = snapshot.blocks;
    counts.total = options_.num_blocks;
    snapshot.block_map.assign(static_cast<std::size_t>(options_.num_blocks), BlockStatus{});
    std::size_t next = 0;
    for (const auto& item : running_) {
        if (!item->admitted)
            continue;
        const int tokens = static_cast<int>(item->prompt_ids.size()) + item->emitted;
        for (int i = 0; i < (tokens + kBlockTokens - 1) / kBlockTokens && next < snapshot.block_map.size(); ++i, ++next)
            snapshot.block_map[next] = {BlockState::active, 1, static_cast<std::uint32_t>(item->id), 0};
    }
    counts.active = static_cast<int>(next);
    counts.free = counts.total - counts.active;
}

std::shared_ptr<const Snapshot> ScriptedEngine::snapshot() const {
    snapshots_taken_.fetch_add(1);
    const std::lock_guard lock(mutex_);
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->number = static_cast<std::uint64_t>(snapshots_taken_.load());
    snapshot->time = std::chrono::steady_clock::now();
    snapshot->engine_us = static_cast<std::uint64_t>(now().count());
    snapshot->model = model_;
    count_blocks(*snapshot);
    int place = 0;
    for (const auto& item : running_) {
        SequenceStatus status;
        status.request = item->id;
        status.sequence = static_cast<std::uint32_t>(item->id);
        status.source = item->request.source;
        status.label = item->request.label;
        const bool waits = place++ >= options_.max_running;
        const bool prefills = item->prefill_steps_done < item->answer.prefill_steps;
        status.state = waits ? SequenceState::waiting : prefills ? SequenceState::prefill : SequenceState::decode;
        status.prompt_tokens = static_cast<int>(item->prompt_ids.size());
        status.cached_tokens = item->answer.cached_tokens;
        status.computed_tokens = status.prompt_tokens + item->emitted;
        status.output_tokens = item->emitted;
        status.num_blocks = (status.computed_tokens + kBlockTokens - 1) / kBlockTokens;
        status.age = now() - item->submitted;
        (waits ? snapshot->waiting : snapshot->running) += 1;
        snapshot->sequences.push_back(std::move(status));
    }
    snapshot->sequences.insert(snapshot->sequences.end(), finished_.begin(), finished_.end());
    snapshot->counters = counters_;
    const double per_second = 1e6 / static_cast<double>(std::max<std::int64_t>(options_.step_time.count(), 1));
    snapshot->rates.decode_tokens_per_s = snapshot->running * per_second;
    snapshot->rates.mean_batch = snapshot->running;
    if (counters_.prefix_queries > 0)
        snapshot->rates.prefix_hit_rate =
            static_cast<double>(counters_.prefix_hits) / static_cast<double>(counters_.prefix_queries);
    snapshot->rates.prefix_hit_rate_60s = snapshot->rates.prefix_hit_rate;
    return snapshot;
}

std::size_t ScriptedEngine::read_steps(std::uint64_t from_step, std::span<StepRecord> out) const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (std::size_t i = static_cast<std::size_t>(from_step); i < steps_.size() && count < out.size(); ++i)
        out[count++] = steps_[i];
    return count;
}

std::size_t ScriptedEngine::read_lines(
    std::uint64_t from_line, std::span<SequenceLine> out, std::uint64_t& next_line) const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (std::size_t i = static_cast<std::size_t>(from_line); i < lines_.size() && count < out.size(); ++i)
        out[count++] = lines_[i];
    next_line = from_line + count;
    return count;
}

std::string ScriptedEngine::block_text(int block) const {
    return block > 0 ? "text of block " + std::to_string(block) : std::string();
}

TokenId ScriptedTextModel::token_of(const std::string& piece) const {
    const std::lock_guard lock(mutex_);
    const auto [it, is_new] = ids_.try_emplace(piece, static_cast<TokenId>(pieces_.size()));
    if (is_new)
        pieces_.push_back(piece);
    return it->second;
}

Result<std::vector<TokenId>> ScriptedTextModel::tokenize(std::string_view text, bool, bool) const {
    std::vector<TokenId> ids;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = text.find_first_of(" \n", begin + 1);
        end = end == std::string_view::npos ? text.size() : end;
        ids.push_back(token_of(std::string(text.substr(begin, end - begin))));
        begin = end;
    }
    return ids;
}

std::string ScriptedTextModel::token_bytes(TokenId token) const {
    const std::lock_guard lock(mutex_);
    return token >= 0 && static_cast<std::size_t>(token) < pieces_.size() ? pieces_[static_cast<std::size_t>(token)]
                                                                          : std::string();
}

std::string ScriptedTextModel::detokenize(std::span<const TokenId> ids, bool) const {
    std::string text;
    for (const TokenId id : ids)
        text += token_bytes(id);
    return text;
}

Result<std::vector<TokenId>> ScriptedTextModel::fill_in_middle(std::string_view prefix, std::string_view suffix) const {
    return tokenize("<PRE> " + std::string(prefix) + " <SUF> " + std::string(suffix) + " <MID>", false, true);
}

Result<TextModel::Rendered> ScriptedTextModel::render(const ChatPrompt& prompt) const {
    const nlohmann::json messages = nlohmann::json::parse(prompt.messages_json, nullptr, false);
    if (!messages.is_array() || messages.empty())
        return fail(ErrorCode::template_error, "messages is not an array with at least one message", "Send a message.");
    Rendered rendered;
    for (const nlohmann::json& message : messages) {
        const auto content = message.find("content");
        std::string text;
        if (content != message.end())
            text = content->is_string() ? content->get<std::string>() : content->dump();
        rendered.text += "<|" + message.value("role", "user") + "|>" + text + "\n";
    }
    const bool continues = messages.back().value("role", "") == "assistant" && !prompt.add_generation_prompt;
    if (continues)
        rendered.text.pop_back();
    else
        rendered.text += "<|assistant|>";
    rendered.ids = *tokenize(rendered.text, false, true);
    return rendered;
}

} // namespace vitrine::testing
