// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: the engine as its clients see it: commands in, events, snapshots and step records out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/api/event.h"
#include "engine/api/model_info.h"
#include "engine/api/request.h"
#include "engine/api/snapshot.h"
#include "engine/api/step_record.h"

namespace vitrine::engine {

enum class LoadPhase : std::uint8_t { reading, weights, kv_pool, warm_up, done, failed, cancelled };
struct LoadProgress {
    LoadPhase phase = LoadPhase::reading;
    std::int64_t bytes_done = 0;
    std::int64_t bytes_total = 0;
    std::optional<Error> error; // with failed
    std::shared_ptr<const LoadedModel> model; // with done
};
/// Thread: load thread or engine; must not block.  The last call carries done, failed or cancelled.
class LoadSink {
public:
    virtual ~LoadSink() = default;
    virtual void on_load_progress(const LoadProgress& progress) = 0;
};

/// What the loaded model's text side can do; immutable, safe from every thread, outlives an unload while held.
class TextModel {
public:
    virtual ~TextModel() = default;
    [[nodiscard]] virtual int vocab_size() const noexcept = 0;
    /// parse_special: text such as <|im_end|> becomes its control token.  add_special: BOS and EOS as the file says.
    [[nodiscard]] virtual Result<std::vector<TokenId>> tokenize(
        std::string_view text, bool add_special, bool parse_special) const = 0;
    [[nodiscard]] virtual std::string token_bytes(TokenId token) const = 0; // display bytes; control tokens by name
    /// Bytes of a text made of `ids`; control tokens hidden unless asked.
    [[nodiscard]] virtual std::string detokenize(std::span<const TokenId> ids, bool show_special) const = 0;
    struct Rendered {
        std::string text;
        std::vector<TokenId> ids; // user text never becomes a control token
        bool reasoning_open = false;
    };
    [[nodiscard]] virtual Result<Rendered> render(const ChatPrompt& prompt) const = 0;
    [[nodiscard]] virtual std::string chat_template() const = 0; // source, or empty
    /// Ids that ask for the text between `prefix` and `suffix`.  Error `unsupported`: no fill-in-the-middle tokens.
    [[nodiscard]] virtual Result<std::vector<TokenId>> fill_in_middle(
        std::string_view prefix, std::string_view suffix) const = 0;
};

/// One process has one.  Every function is thread-safe and returns at once, unless it says otherwise.
class Engine {
public:
    virtual ~Engine() = default; // stop()

    /// Reads metadata only.  Blocks for disk; not for the GUI thread.
    [[nodiscard]] virtual Result<ModelInfo> inspect(const std::string& path) = 0;
    /// Will it fit now?  The loaded model counts as freed.  Blocks for disk; not for the GUI thread.
    [[nodiscard]] virtual Result<LoadPlan> plan(const std::string& path, const EngineConfig& config) = 0;
    /// Devices that exist, usable or not; a reason stands where one is not.
    struct DeviceChoice {
        kernels::DeviceInfo info;
        std::optional<Error> unusable_reason; // nothing: usable
    };
    [[nodiscard]] virtual std::vector<DeviceChoice> devices() = 0;

    /// Loads beside the running model, then replaces it by command; requests of the old one end as cancelled.  On
    /// failure the old one keeps answering.  `busy` while another load runs.
    virtual Result<void> load(const std::string& path, const EngineConfig& config, std::shared_ptr<LoadSink> sink) = 0;
    virtual void cancel_load() = 0;
    virtual void unload() = 0;

    /// Returns at once; `busy` when the command queue is full.  Everything else comes as events.
    virtual Result<RequestId> submit(Request request, std::shared_ptr<EventSink> sink) = 0;
    virtual void cancel(RequestId request) = 0;
    /// Forgets cached blocks no sequence uses.
    virtual void reset_prefix_cache() = 0;

    [[nodiscard]] virtual std::shared_ptr<const Snapshot> snapshot() const = 0; // never null
    /// The running model's text side; null: none loaded.
    [[nodiscard]] virtual std::shared_ptr<const TextModel> text_model() const = 0;
    /// Copies step records with number >= `from_step` (oldest first, at most out.size()) and returns how many; a slow
    /// reader sees a gap, never a torn record.  Lines likewise, by their own running index.
    virtual std::size_t read_steps(std::uint64_t from_step, std::span<StepRecord> out) const = 0;
    virtual std::size_t read_lines(
        std::uint64_t from_line, std::span<SequenceLine> out, std::uint64_t& next_line) const = 0;
    /// The text a block holds, for the block map's hover; empty if free.  Blocks for at most one step.
    [[nodiscard]] virtual std::string block_text(int block) const = 0;

    /// Ends every request as cancelled, joins every thread.  Idempotent.  Blocks.
    virtual void stop() = 0;
};

/// Implemented in engine/core.
[[nodiscard]] std::unique_ptr<Engine> make_engine();

} // namespace vitrine::engine
