// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: an engine that stands still in a given state, so that pages can be looked at.
#pragma once

#include "ui/bridge/values.h"

#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vitrine::testing {

/// The scene of the design's pictures: a 14B model with a draft on a 16 GiB card, 1,024 blocks, four running requests,
/// one ended; the last step ended just now.  Thread-safe like any engine.
class StageEngine final : public engine::Engine {
public:
    StageEngine();

    void play_busy();
    void play_idle(); // the same model, nothing running, the steps of before
    void play_empty(); // no model
    /// Replaces the snapshot by a changed copy of the present one.
    void change(const std::function<void(engine::Snapshot&)>& edit);
    void place_model(const std::string& path); // where the loaded file lies
    void add_step(const engine::StepRecord& step);
    void add_lines(const std::vector<engine::SequenceLine>& lines); // of the last step
    void forget_until(std::uint64_t step); // what a feed has read: a long run stays small
    void fail_inspect(const std::string& name, Error error); // of a file whose path contains `name`
    void fail_load(Error error);
    void hold_load(bool hold) { hold_load_ = hold; } // a load stays at a third

    [[nodiscard]] Result<engine::ModelInfo> inspect(const std::string& path) override;
    [[nodiscard]] Result<engine::LoadPlan> plan(const std::string& path, const engine::EngineConfig& config) override;
    [[nodiscard]] std::vector<DeviceChoice> devices() override;
    Result<void> load(
        const std::string& path, const engine::EngineConfig& config, std::shared_ptr<engine::LoadSink> sink) override;
    void cancel_load() override {}
    void unload() override { play_empty(); }
    Result<engine::RequestId> submit(engine::Request request, std::shared_ptr<engine::EventSink> sink) override;
    void cancel(engine::RequestId) override {}
    void reset_prefix_cache() override {}
    [[nodiscard]] std::shared_ptr<const engine::Snapshot> snapshot() const override;
    [[nodiscard]] std::shared_ptr<const engine::TextModel> text_model() const override { return nullptr; }
    std::size_t read_steps(std::uint64_t from_step, std::span<engine::StepRecord> out) const override;
    std::size_t read_lines(
        std::uint64_t from_line, std::span<engine::SequenceLine> out, std::uint64_t& next_line) const override;
    [[nodiscard]] std::string block_text(int block) const override;
    void stop() override {}

    static constexpr int kNumBlocks = 1024;

private:
    void make_history();
    void set(engine::Snapshot snapshot);

    mutable std::mutex mutex_;
    std::shared_ptr<const engine::Snapshot> snapshot_;
    std::shared_ptr<const engine::LoadedModel> model_;
    std::deque<engine::StepRecord> steps_;
    std::deque<engine::SequenceLine> lines_;
    std::uint64_t lines_forgotten_ = 0;
    std::string failing_name_;
    Error inspect_error_, load_error_;
    bool fail_load_ = false;
    std::atomic<bool> hold_load_{false};
    std::atomic<std::uint64_t> number_{0};
};

} // namespace vitrine::testing
