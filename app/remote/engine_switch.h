// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: the one engine the window talks to: that of this computer, or one elsewhere.
#pragma once

#include <memory>
#include <mutex>

#include "ui/bridge/values.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

namespace vitrine::app {

/// Requests, snapshots and histories come from the engine in use; files, plans and loads are always this computer's.
/// Thread: any.  A cancel goes to every engine: ids are unique in the process.
class EngineSwitch final : public engine::Engine {
public:
    /// `local` must outlive the switch; stop() does not stop it twice.
    explicit EngineSwitch(engine::Engine& local) : m_local(local) {}

    /// Null: the engine of this computer.  The one before goes on with its requests until its owner stops it.
    void use(std::shared_ptr<engine::Engine> remote);
    [[nodiscard]] bool isRemote() const;
    [[nodiscard]] engine::Engine& local() const { return m_local; }

    [[nodiscard]] Result<engine::ModelInfo> inspect(const std::string& path) override { return m_local.inspect(path); }
    [[nodiscard]] Result<engine::LoadPlan> plan(const std::string& path, const engine::EngineConfig& config) override {
        return m_local.plan(path, config);
    }
    [[nodiscard]] std::vector<DeviceChoice> devices() override { return m_local.devices(); }
    Result<void> load(
        const std::string& path, const engine::EngineConfig& config, std::shared_ptr<engine::LoadSink> sink) override {
        return m_local.load(path, config, std::move(sink));
    }
    void cancel_load() override { m_local.cancel_load(); }
    void unload() override { m_local.unload(); }
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
    /// Keeps the engine alive for the length of a call, though another is chosen meanwhile.
    struct InUse {
        std::shared_ptr<engine::Engine> remote; // null: local
        engine::Engine& engine;
    };
    [[nodiscard]] InUse inUse() const;

    engine::Engine& m_local;
    mutable std::mutex m_mutex;
    std::shared_ptr<engine::Engine> m_remote; // guarded
};

} // namespace vitrine::app
