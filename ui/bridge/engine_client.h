// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the window's one client of the engine: commands in, signals out, nothing waits.
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "ui/bridge/values.h"

namespace vitrine::ui {

class EventMailbox;
class LabBench;

/// How far a load is.  Bytes; phase as people read it is the page's matter.
enum class LoadStage { reading, weights, kvPool, warmUp, done, failed, cancelled };
struct LoadState {
    QString path;
    LoadStage stage = LoadStage::reading;
    qint64 bytesDone = 0;
    qint64 bytesTotal = 0;
    Error error; // with failed
};
/// A device the engine found.  `unusableReason` goes inside a sentence, as asCause() gives it, and is empty when the device
/// can be chosen; `nextStep` is a sentence, or nothing.
struct DeviceChoice {
    kernels::DeviceInfo info;
    QString unusableReason;
    QString nextStep;
};
/// Answers of the worker.  (Wrapped, since QMetaType would want == of what a Result holds.)
struct Inspection {
    quint64 ticket = 0;
    QString path;
    Result<ModelInfo> info;
};
struct Planning {
    quint64 ticket = 0;
    QString path;
    Result<LoadPlan> plan;
};
/// What the composer's meter shows; -1: no model, or the text could not be counted.
struct TokenCount {
    quint64 ticket = 0;
    int tokens = -1;
};

/// Thread: GUI.  Every function returns at once; what takes time runs on one worker and comes back as a signal that
/// carries the ticket the call returned.  The engine must outlive the client (application.cpp keeps that order).
/// Events of requests arrive by the event mailbox, at most once in 16 ms, deltas of a request merged.
class EngineClient final : public QObject {
    Q_OBJECT
public:
    /// `lab`: whom experiments measure, where `engine` may be one elsewhere; none: `engine`.
    explicit EngineClient(engine::Engine& engine, QObject* parent = nullptr, engine::Engine* lab = nullptr);
    ~EngineClient() override;

    /// How many levels the window's chat stands above the endpoint's requests.  The scheduler raises whoever waits by
    /// one level in SchedulerConfig::raise_after (5 s), so a request that has waited a minute goes before a new chat.
    static constexpr int kChatPriority = 12;
    /// Whether chats go before waiting requests of the endpoint.  Holds for requests submitted from now on.
    void setChatFirst(bool on) noexcept { m_chatFirst = on; }
    [[nodiscard]] bool chatFirst() const noexcept { return m_chatFirst; }

    /// Events of the request come as the signals below, with its id.  `busy` when the queue is full.
    [[nodiscard]] Result<RequestId> submit(Request request);
    void cancel(RequestId request);
    void resetPrefixCache();

    /// Progress comes as loadChanged().  The running model goes on answering until `done`.
    Result<void> load(const QString& path, const EngineConfig& config);
    void cancelLoad();
    void unload();
    [[nodiscard]] bool isLoading() const noexcept { return m_isLoading; }
    [[nodiscard]] const LoadState& loadState() const noexcept { return m_loadState; } // of the last or running load
    [[nodiscard]] std::shared_ptr<const LoadedModel> model() const noexcept { return m_model; } // null: none

    /// The model experiments measure: that of this computer, whoever answers chats; null: none.
    [[nodiscard]] std::shared_ptr<const LoadedModel> labModel() const;

    quint64 inspect(const QString& path); // -> inspected()
    quint64 plan(const QString& path, const EngineConfig& config); // -> planned()
    quint64 probeDevices(); // -> devicesProbed()
    quint64 countTokens(const QString& text); // -> tokensCounted(); a newer call replaces a waiting one
    /// Display bytes of tokens of the loaded model, control tokens by name; an empty list without its vocabulary.
    [[nodiscard]] QList<QByteArray> tokenBytes(const std::vector<TokenId>& ids) const;
    /// Text a KV block holds, for the block map's hover.  May wait for the engine for the length of one step.
    [[nodiscard]] QString blockText(int block) const;
    /// For an experiment on a worker thread; ends early when `cancelled` is set.  Must end before the client does.
    [[nodiscard]] std::unique_ptr<LabBench> makeBench(const std::atomic<bool>& cancelled);
    /// The loaded model's chat template source, or empty.
    [[nodiscard]] QString chatTemplate() const;

    /// Delivers what the mailbox holds now instead of in up to 16 ms: before shutdown, and in tests.
    void drainNow();

public slots:
    /// The engine behind the reference is another one now (app/remote/engine_switch.h).
    void noteEngine();
    /// Takes over a model change the engine made by itself (a device error ends the session).
    void noteSnapshot(const std::shared_ptr<const vitrine::ui::Snapshot>& snapshot);

signals:
    void requestSubmitted(vitrine::ui::RequestId request);
    void requestAdmitted(vitrine::ui::RequestId request, const vitrine::ui::Admitted& admitted);
    void requestProgressed(vitrine::ui::RequestId request, const vitrine::ui::Progress& progress);
    void requestDelta(vitrine::ui::RequestId request, const vitrine::ui::Delta& delta);
    void requestFinished(vitrine::ui::RequestId request, const vitrine::ui::Finished& finished);
    void requestRejected(vitrine::ui::RequestId request, const vitrine::ui::Rejected& rejected);

    void loadChanged(const vitrine::ui::LoadState& state);
    void modelChanged(); // another model answers now, or none

    void inspected(const vitrine::ui::Inspection& inspection);
    void planned(const vitrine::ui::Planning& planning);
    void devicesProbed(const QList<vitrine::ui::DeviceChoice>& devices);
    void tokensCounted(const vitrine::ui::TokenCount& count);

private:
    class Worker;
    class LoadRelay;
    void deliver(const engine::Event& event);
    void applyLoad(const engine::LoadProgress& progress);
    void setModel(std::shared_ptr<const LoadedModel> model);

    engine::Engine& m_engine;
    engine::Engine& m_labEngine;
    std::shared_ptr<EventMailbox> m_mailbox;
    std::unique_ptr<Worker> m_worker;
    std::shared_ptr<LoadRelay> m_relay; // of the running load
    std::shared_ptr<const LoadedModel> m_model;
    std::chrono::steady_clock::time_point m_modelSince; // older snapshots do not know the model
    LoadState m_loadState;
    bool m_isLoading = false;
    bool m_chatFirst = true;
    quint64 m_nextTicket = 1;
};

} // namespace vitrine::ui
