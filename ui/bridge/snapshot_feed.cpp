// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's snapshots as a signal, only while somebody looks and something happens.
#include "ui/bridge/snapshot_feed.h"

#include "engine/api/engine.h"

namespace vitrine::ui {

namespace {

// A submitted request may take a few polls to appear.
constexpr int kQuietMsUntilIdle = 500;

bool isBusy(const Snapshot& snapshot) {
    return snapshot.running + snapshot.waiting + snapshot.preparing > 0;
}

} // namespace

SnapshotFeed::SnapshotFeed(const engine::Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_latest(engine.snapshot()) {
    connect(&m_timer, &QTimer::timeout, this, &SnapshotFeed::poll);
}

void SnapshotFeed::setWindowVisible(bool visible) {
    if (visible == m_isVisible)
        return;
    m_isVisible = visible;
    if (visible) {
        m_quietMs = 0;
        setIdle(false);
        pollNow();
    }
    arm();
}

void SnapshotFeed::setServerRunning(bool running) {
    m_isServerRunning = running;
    arm();
}

void SnapshotFeed::setFast(bool fast) {
    m_isFast = fast;
    arm();
}

void SnapshotFeed::wake() {
    m_quietMs = 0;
    if (!m_isVisible || !m_isIdle)
        return;
    setIdle(false);
    arm();
}

void SnapshotFeed::pollNow() {
    m_latest = m_engine.snapshot();
    emit updated(m_latest);
}

void SnapshotFeed::poll() {
    const std::shared_ptr<const Snapshot> previous = m_latest;
    m_latest = m_engine.snapshot();
    const bool busy = isBusy(*m_latest);
    m_quietMs = busy ? 0 : m_quietMs + m_timer.interval();
    if (m_isIdle && !busy && m_latest->counters.steps == previous->counters.steps && m_latest->model == previous->model)
        return; // the once-a-second look found nothing new
    if (busy)
        setIdle(false);
    emit updated(m_latest);
    if (!busy && m_quietMs >= kQuietMsUntilIdle)
        setIdle(true);
    arm();
}

void SnapshotFeed::setIdle(bool idle) {
    if (idle == m_isIdle)
        return;
    m_isIdle = idle;
    emit idleChanged(idle);
}

void SnapshotFeed::arm() {
    const int busy = m_isFast ? kFastIntervalMs : kBusyIntervalMs;
    const int interval = !m_isVisible ? 0 : !m_isIdle ? busy : m_isServerRunning ? kServerIntervalMs : 0;
    m_timer.setTimerType(interval == kFastIntervalMs ? Qt::PreciseTimer : Qt::CoarseTimer);
    if (interval == 0)
        m_timer.stop();
    else if (!m_timer.isActive() || m_timer.interval() != interval)
        m_timer.start(interval);
}

} // namespace vitrine::ui
