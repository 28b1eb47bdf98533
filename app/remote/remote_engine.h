// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: an engine that runs elsewhere, behind the interface of ours.
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "app/remote/remote_answer.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

namespace vitrine::app {

/// Chat through the server's OpenAI API; snapshots out of its metrics and of what its answers show from here.  It has
/// no steps, no block map and no tokenizer: those functions give nothing.  The lines are those of this program's own
/// requests: submitted, decode at every chunk, finished.
/// Thread: any, as Engine says; the network lives on one thread of its own.  The metrics are read once a second while
/// somebody asks for snapshots, and never otherwise.
class RemoteEngine final : public QObject, public engine::Engine {
    Q_OBJECT
public:
    explicit RemoteEngine(RemoteTarget target);
    ~RemoteEngine() override; // stop()

    [[nodiscard]] Result<engine::ModelInfo> inspect(const std::string& path) override;
    [[nodiscard]] Result<engine::LoadPlan> plan(const std::string& path, const engine::EngineConfig& config) override;
    [[nodiscard]] std::vector<DeviceChoice> devices() override { return {}; }
    Result<void> load(
        const std::string& path, const engine::EngineConfig& config, std::shared_ptr<engine::LoadSink> sink) override;
    void cancel_load() override {}
    void unload() override {}
    Result<engine::RequestId> submit(engine::Request request, std::shared_ptr<engine::EventSink> sink) override;
    void cancel(engine::RequestId request) override;
    void reset_prefix_cache() override {} // the server's own matter
    [[nodiscard]] std::shared_ptr<const engine::Snapshot> snapshot() const override;
    [[nodiscard]] std::shared_ptr<const engine::TextModel> text_model() const override { return nullptr; }
    std::size_t read_steps(std::uint64_t, std::span<engine::StepRecord>) const override { return 0; }
    std::size_t read_lines(
        std::uint64_t from_line, std::span<engine::SequenceLine> out, std::uint64_t& next_line) const override;
    [[nodiscard]] std::string block_text(int) const override { return {}; }
    void stop() override;

    static constexpr int kMaxRunning = 64; // requests of this program
    static constexpr int kReadIntervalMs = 1'000;

signals:
    /// From the network's thread.
    void readingTaken(const vitrine::ui::ServerReading& reading);
    void factsChanged(const vitrine::ui::ServerFacts& facts);

private:
    class Link;
    friend class Link;
    void publish(std::shared_ptr<const engine::Snapshot> snapshot);
    void addLine(engine::SequenceLine line);

    static constexpr std::size_t kMaxLines = 65'536;

    RemoteTarget m_target;
    const std::chrono::steady_clock::time_point m_origin = std::chrono::steady_clock::now();
    mutable std::atomic<std::int64_t> m_lastAskedMs{0}; // since m_origin
    std::atomic<int> m_numRunning{0};
    mutable std::mutex m_mutex;
    std::shared_ptr<const engine::Snapshot> m_snapshot; // guarded
    std::deque<engine::SequenceLine> m_lines; // guarded
    std::uint64_t m_firstLine = 0; // guarded: index of m_lines.front()
    QThread m_thread;
    std::unique_ptr<Link> m_link; // lives on m_thread
};

} // namespace vitrine::app
