// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's snapshots as a signal, only while somebody looks and something happens.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// Thread: GUI.  Polls Engine::snapshot() at 10 Hz while the window is visible and the engine is busy, at 20 Hz while a
/// page asks for it; half a second of quiet stops the timer (the last values stand, idle).  wake() starts it again;
/// EngineClient's signals are wired to it by the application.  While the endpoint runs, requests come from outside: then an idle feed looks once a second.
class SnapshotFeed final : public QObject {
    Q_OBJECT
public:
    explicit SnapshotFeed(const engine::Engine& engine, QObject* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const Snapshot>& latest() const noexcept { return m_latest; } // never null
    [[nodiscard]] bool isIdle() const noexcept { return m_isIdle; }

    [[nodiscard]] int intervalMs() const { return m_timer.isActive() ? m_timer.interval() : 0; }

    void setWindowVisible(bool visible);
    void setServerRunning(bool running);
    void setFast(bool fast); // a page shows every moment

    static constexpr int kBusyIntervalMs = 100;
    static constexpr int kFastIntervalMs = 50;
    static constexpr int kServerIntervalMs = 1000;

public slots:
    void wake(); // something was asked of the engine
    void pollNow(); // one snapshot now, whatever the timer does

signals:
    void updated(const std::shared_ptr<const vitrine::ui::Snapshot>& snapshot);
    void idleChanged(bool idle);

private:
    void poll();
    void setIdle(bool idle);
    void arm();

    const engine::Engine& m_engine;
    std::shared_ptr<const Snapshot> m_latest;
    QTimer m_timer;
    int m_quietMs = 0;
    bool m_isFast = false;
    bool m_isIdle = true;
    bool m_isVisible = false;
    bool m_isServerRunning = false;
};

} // namespace vitrine::ui
