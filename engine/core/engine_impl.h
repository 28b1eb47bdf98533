// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the Engine of this process: threads and mailboxes around one EngineLoop.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/api/engine.h"
#include "engine/core/engine_loop.h"
#include "engine/core/load_job.h"
#include "engine/device/backend_catalog.h"

namespace vitrine::engine {

/// Thread: see Engine.
class EngineImpl final : public Engine {
public:
    EngineImpl();
    explicit EngineImpl(BackendMaker make_backend);
    ~EngineImpl() override;

    [[nodiscard]] Result<ModelInfo> inspect(const std::string& path) override;
    [[nodiscard]] Result<LoadPlan> plan(const std::string& path, const EngineConfig& config) override;
    [[nodiscard]] std::vector<DeviceChoice> devices() override;
    Result<void> load(const std::string& path, const EngineConfig& config, std::shared_ptr<LoadSink> sink) override;
    void cancel_load() override;
    void unload() override;
    Result<RequestId> submit(Request request, std::shared_ptr<EventSink> sink) override;
    void cancel(RequestId request) override;
    void reset_prefix_cache() override;
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const override;
    [[nodiscard]] std::shared_ptr<const TextModel> text_model() const override;
    std::size_t read_steps(std::uint64_t from_step, std::span<StepRecord> out) const override;
    std::size_t read_lines(
        std::uint64_t from_line, std::span<SequenceLine> out, std::uint64_t& next_line) const override;
    [[nodiscard]] std::string block_text(int block) const override;
    void stop() override;

private:
    struct LoadOrder {
        std::string path;
        EngineConfig config;
        std::shared_ptr<LoadSink> sink;
        std::uint64_t generation = 0;
    };
    void run_load(const LoadOrder& order, std::stop_token stop);
    void on_device_lost(const Error& error); // thread: engine
    void recover(const Error& error, std::stop_token stop);
    Result<std::unique_ptr<ModelSession>> load_again(LoadOrder& order, const Error& error, std::stop_token stop);
    /// device_reason: replaces what the catalog says, if there is one.
    Result<std::unique_ptr<ModelSession>> load_session(
        const LoadOrder& order, std::stop_token stop, const std::optional<Error>& device_reason = std::nullopt);
    [[nodiscard]] Result<LoadSetup> set_up(const std::string& path, const EngineConfig& config, const HeldBytes& held);
    [[nodiscard]] HeldBytes held_bytes() const;

    BackendCatalog catalog_;
    BackendMaker make_backend_;
    mutable EngineMailboxes mail_; // each member is safe from every thread
    TaskPool prepare_pool_;
    EngineLoop loop_;
    std::atomic<std::uint64_t> last_request_{0};
    std::mutex load_mutex_; // guards what follows
    bool loading_ = false;
    bool stopped_ = false;
    std::uint64_t generation_ = 0;
    std::optional<LoadOrder> installed_; // what answers now
    std::optional<Error> lost_; // the device failed while another model was being loaded
    TimePoint last_recovery_{};
    std::jthread load_thread_;
    std::jthread engine_thread_; // last: it uses everything above
};

} // namespace vitrine::engine
