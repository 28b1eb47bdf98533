// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: an engine that follows a script, for tests of the window and the endpoint.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/engine.h"

namespace vitrine::testing {

/// What one request is answered with.  Without pieces: echo of the last words of the prompt.
struct ScriptedAnswer {
    std::vector<std::string> pieces; // one token each; any bytes that are whole UTF-8
    std::vector<std::string> reasoning; // tokens before the answer, sent as reasoning
    std::vector<engine::FoundToolCall> tool_calls; // found after the text; finish reason tool_calls
    engine::FinishReason finish = engine::FinishReason::stop;
    std::optional<Error> rejection; // the request never runs
    std::optional<Error> failure; // after fail_after_tokens tokens
    int fail_after_tokens = 0;
    int hang_after_tokens = -1; // no further token until cancelled; 0: hangs in prefill
    int prefill_steps = 1; // steps with Progress before the first token
    int cached_tokens = 0; // of the prompt
    int tokens_per_step = 1; // above 1: as if drafts had been accepted
};

struct ScriptedEngineOptions {
    bool manual = false; // no thread: step() does the work on the caller's thread
    std::chrono::microseconds step_time{2'000}; // between two steps of the thread; may be 0
    int max_running = 256; // further requests wait
    bool model_loaded = true; // from the start
    int context = 8192;
    int num_blocks = 512;
    std::chrono::microseconds load_step_time{0}; // between progress calls of a load
};

/// Text side of the scripted model: words with their leading space are tokens, numbered as they first appear; a
/// rendered prompt is "<|role|>content\n" for each message, then "<|assistant|>".
class ScriptedTextModel final : public engine::TextModel {
public:
    [[nodiscard]] int vocab_size() const noexcept override { return 32'000; }
    [[nodiscard]] Result<std::vector<engine::TokenId>> tokenize(
        std::string_view text, bool add_special, bool parse_special) const override;
    [[nodiscard]] std::string token_bytes(engine::TokenId token) const override;
    [[nodiscard]] std::string detokenize(std::span<const engine::TokenId> ids, bool show_special) const override;
    [[nodiscard]] Result<Rendered> render(const engine::ChatPrompt& prompt) const override;
    [[nodiscard]] std::string chat_template() const override { return "{# scripted #}"; }
    [[nodiscard]] Result<std::vector<engine::TokenId>> fill_in_middle(
        std::string_view prefix, std::string_view suffix) const override;
    [[nodiscard]] engine::TokenId token_of(const std::string& piece) const;

private:
    mutable std::mutex mutex_;
    mutable std::map<std::string, engine::TokenId> ids_;
    mutable std::vector<std::string> pieces_;
};

/// Thread: every function from any thread, as the interface says.  Sinks are called without a lock held.
/// Honours max_tokens, stop strings, num_choices, num_logprobs, cancel, max_running.
class ScriptedEngine final : public engine::Engine {
public:
    using Script = std::function<ScriptedAnswer(const engine::Request&)>;
    explicit ScriptedEngine(ScriptedEngineOptions options = {});
    ~ScriptedEngine() override;

    // The script's side.
    void set_script(Script script); // asked once a request, at submit
    void set_answer(ScriptedAnswer answer);
    void fail_next_load(Error error);
    void refuse_submit(std::optional<Error> error); // submit() returns it until reset
    void hold_load(bool hold); // a load stops half-way until released or cancelled
    /// Manual mode: one step of every running request; returns false when nothing was left to do.
    bool step();
    void run_to_end();
    [[nodiscard]] std::vector<engine::Request> requests() const; // every request ever submitted
    [[nodiscard]] std::vector<engine::RequestId> cancelled() const;
    [[nodiscard]] int snapshots_taken() const { return snapshots_taken_.load(); }

    // engine::Engine
    [[nodiscard]] Result<engine::ModelInfo> inspect(const std::string& path) override;
    [[nodiscard]] Result<engine::LoadPlan> plan(const std::string& path, const engine::EngineConfig& config) override;
    [[nodiscard]] std::vector<DeviceChoice> devices() override;
    Result<void> load(
        const std::string& path, const engine::EngineConfig& config, std::shared_ptr<engine::LoadSink> sink) override;
    void cancel_load() override;
    void unload() override;
    Result<engine::RequestId> submit(engine::Request request, std::shared_ptr<engine::EventSink> sink) override;
    void cancel(engine::RequestId request) override;
    void reset_prefix_cache() override;
    [[nodiscard]] std::shared_ptr<const engine::Snapshot> snapshot() const override;
    [[nodiscard]] std::shared_ptr<const engine::TextModel> text_model() const override;
    std::size_t read_steps(std::uint64_t from_step, std::span<engine::StepRecord> out) const override;
    std::size_t read_lines(
        std::uint64_t from_line, std::span<engine::SequenceLine> out, std::uint64_t& next_line) const override;
    [[nodiscard]] std::string block_text(int block) const override;
    void stop() override;

private:
    struct Running {
        engine::RequestId id{};
        engine::Request request;
        std::shared_ptr<engine::EventSink> sink;
        ScriptedAnswer answer;
        std::vector<engine::TokenId> prompt_ids;
        std::string prompt_text;
        std::vector<std::string> pieces; // after max_tokens and stop strings
        engine::FinishReason finish = engine::FinishReason::stop;
        std::string stop_text;
        bool admitted = false;
        bool cancelled = false;
        bool done = false;
        int prefill_steps_done = 0;
        int emitted = 0; // tokens, reasoning included
        std::chrono::microseconds submitted{0}, first_step{0}, first_token{0};
        int decode_steps = 0;
        int accepted = 0;
    };

    struct Load {
        std::string path;
        engine::EngineConfig config;
        std::shared_ptr<engine::LoadSink> sink;
        std::optional<Error> error;
        std::atomic<bool> cancelled{false};
        std::atomic<bool> finished{false};
    };
    struct Outgoing {
        std::shared_ptr<engine::EventSink> sink;
        std::vector<engine::Event> events;
    };

    void run();
    [[nodiscard]] bool step_locked(std::vector<Outgoing>& out);
    void step_request(Running& item, Outgoing& out, engine::StepRecord& record);
    void emit_tokens(Running& item, Outgoing& out, engine::StepRecord& record);
    void finish_request(Running& item, Outgoing& out, engine::FinishReason reason, std::optional<Error> error);
    void cancel_all_locked(std::vector<Outgoing>& out);
    void run_load(const std::shared_ptr<Load>& load);
    void count_blocks(engine::Snapshot& snapshot) const;
    [[nodiscard]] std::shared_ptr<const engine::LoadedModel> make_model(
        const std::string& path, const engine::EngineConfig& config);
    [[nodiscard]] std::chrono::microseconds now() const;
    static void deliver(std::vector<Outgoing>& out);

    ScriptedEngineOptions options_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::shared_ptr<ScriptedTextModel> text_ = std::make_shared<ScriptedTextModel>();
    mutable std::mutex mutex_;
    std::mutex delivery_mutex_; // keeps the order of events; taken before mutex_
    std::condition_variable wake_;
    Script script_;
    std::optional<Error> next_load_error_;
    std::optional<Error> submit_error_;
    bool load_held_ = false;
    bool stopping_ = false;
    std::uint64_t next_request_ = 1;
    std::uint64_t generation_ = 0;
    std::deque<std::unique_ptr<Running>> running_; // first max_running run, the rest wait
    std::vector<engine::SequenceStatus> finished_;
    std::vector<engine::Request> requests_;
    std::vector<engine::RequestId> cancelled_;
    std::vector<engine::StepRecord> steps_;
    std::vector<engine::SequenceLine> lines_;
    engine::Counters counters_;
    std::shared_ptr<const engine::LoadedModel> model_;
    std::shared_ptr<Load> load_;
    mutable std::atomic<int> snapshots_taken_{0};
    std::thread thread_;
    std::thread load_thread_;
};

} // namespace vitrine::testing
