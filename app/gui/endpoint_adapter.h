// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the endpoint as ui/bridge/endpoint_control.h wants it.
#pragma once

#include <QTimer>
#include <functional>
#include <map>
#include <memory>

#include <thread>

#include "ui/bridge/endpoint_control.h"

namespace vitrine::engine {
class Engine;
}

namespace vitrine::app {

class Endpoint;

/// Thread: GUI.  Binding and stopping run on a thread of their own, since stop() lets running requests end.
class EndpointAdapter final : public ui::EndpointControl {
    Q_OBJECT
public:
    explicit EndpointAdapter(engine::Engine& engine, QObject* parent = nullptr);
    ~EndpointAdapter() override; // shutdown()

    void start(const ui::EndpointSettings& settings) override;
    void stop() override;
    [[nodiscard]] State state() const override { return m_state; }
    [[nodiscard]] QUrl url() const override { return m_url; }
    [[nodiscard]] quint16 port() const override { return m_port; }
    [[nodiscard]] Error error() const override { return m_error; }
    [[nodiscard]] const ui::HistoryRing<ui::EndpointLogRow>& rows() const override { return m_rows; }
    void clearRows() override;
    [[nodiscard]] bool isAvailable() const override { return true; }
    /// Step 1 of the shutdown: refuses new work, ends the rest, joins.  Blocks for half a second at most.
    void shutdown();

private:
    void setState(State state);
    void onStarted(const Result<void>& result);
    void readLog();
    void run(std::function<void()> work); // after the work before it

    std::unique_ptr<Endpoint> m_endpoint;
    std::thread m_thread; // of the running start or stop
    State m_state = State::off;
    QUrl m_url;
    quint16 m_port = 0;
    Error m_error;
    ui::HistoryRing<ui::EndpointLogRow> m_rows{kRowCapacity};
    QTimer m_logTimer;
    quint64 m_readUntil = 0; // rows up to here are final
    quint64 m_cleared = 0; // rows up to here are no longer shown
    std::map<quint64, int> m_open; // running rows: number -> tokens shown
};

} // namespace vitrine::app
