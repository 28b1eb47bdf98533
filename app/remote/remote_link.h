// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: the network's side of a RemoteEngine; private to it.
#pragma once

#include <QNetworkAccessManager>
#include <QTimer>
#include <deque>
#include <map>

#include "app/remote/metrics_reader.h"
#include "app/remote/remote_engine.h"

namespace vitrine::app {

/// Thread: RemoteEngine::m_thread, but for the constructor and the first makeSnapshot().
class RemoteEngine::Link final : public QObject {
    Q_OBJECT
public:
    explicit Link(RemoteEngine& owner);

    void begin(); // makes what belongs to the thread
    void close(); // every request ends as cancelled; takes apart what begin() made
    void start(RemoteAnswer::Order order);
    void cancel(ui::RequestId request);
    [[nodiscard]] std::shared_ptr<const engine::Snapshot> makeSnapshot();

private:
    void tick();
    void takeMetrics(const Result<std::vector<MetricSample>>& samples);
    void addReading(ui::ServerReading reading);
    void setProblem(const QString& problem);
    void onEnded(RemoteAnswer* answer);
    void line(ui::RequestId request, std::uint32_t sequence, std::uint8_t kind, int count);
    [[nodiscard]] ui::ServerReading ownReading() const;
    void publishSoon();
    [[nodiscard]] double now() const; // seconds of the engine's clock

    RemoteEngine& m_owner;
    ui::ServerFacts m_facts;
    std::shared_ptr<const engine::LoadedModel> m_model;
    std::unique_ptr<QNetworkAccessManager> m_network;
    std::unique_ptr<MetricsReader> m_metrics;
    std::unique_ptr<QTimer> m_timer, m_publishTimer;
    std::map<std::uint64_t, RemoteAnswer*> m_running; // by request; children
    std::deque<ui::SequenceStatus> m_ended; // the last ones, newest last
    std::deque<ui::ServerReading> m_readings; // of the last minute
    std::uint64_t m_number = 0;
    std::uint32_t m_nextSequence = 1;
    int m_ticksToWait = 0; // until a page that is not there is asked for again
    double m_ownPromptTokens = 0, m_ownTokens = 0;
};

} // namespace vitrine::app
