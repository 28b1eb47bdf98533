// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's step records, sequence lines and snapshots, copied for plots, lanes, map and tables.
#pragma once

#include <QObject>

#include "ui/bridge/session_history.h"

namespace vitrine::ui {

class SnapshotFeed;

/// Thread: GUI.  Reads the engine's rings once with every snapshot, so it moves and rests with SnapshotFeed.
class StepFeed final : public QObject {
    Q_OBJECT
public:
    StepFeed(const engine::Engine& engine, SnapshotFeed& snapshots, QObject* parent = nullptr);

    [[nodiscard]] const SessionHistory& history() const noexcept { return m_history; }
    [[nodiscard]] const HistoryRing<StepRecord>& steps() const noexcept { return m_history.steps().steps(); }
    [[nodiscard]] const HistoryRing<SequenceLine>& lines() const noexcept { return m_history.steps().lines(); }
    [[nodiscard]] const HistoryRing<StepBucket>& buckets() const noexcept { return m_history.steps().buckets(); }
    /// Steps the feed never saw because the engine's ring lapped it.
    [[nodiscard]] quint64 lostSteps() const noexcept { return m_lostSteps; }

    static constexpr std::size_t kStepCapacity = StepHistory::kStepCapacity;

public slots:
    void readNow();
    /// Another engine stands behind the feed from now on: forgets everything.  `server`: none for this computer.
    void restart(const std::optional<vitrine::ui::ServerFacts>& server);
    void addReading(const vitrine::ui::ServerReading& reading);
    void noteServer(const vitrine::ui::ServerFacts& facts);

signals:
    /// The last `numSteps` of steps() and `numLines` of lines() are new; one signal a drain.
    void appended(int numSteps, int numLines);
    void restarted();
    void readingAdded();

private:
    const engine::Engine& m_engine;
    SessionHistory m_history;
    quint64 m_nextStep = 0;
    quint64 m_nextLine = 0;
    quint64 m_lostSteps = 0;
};

} // namespace vitrine::ui
