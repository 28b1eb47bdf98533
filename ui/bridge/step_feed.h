// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's step records and sequence lines, copied for plots, lanes and tables.
#pragma once

#include <QObject>

#include "ui/bridge/history_ring.h"
#include "ui/bridge/values.h"

namespace vitrine::ui {

class SnapshotFeed;

/// One second of steps, kept when the full-rate ring has moved on.
struct StepBucket {
    quint64 second = 0; // of the engine's clock
    quint32 steps = 0;
    quint64 prefillTokens = 0;
    quint64 emittedTokens = 0;
    quint64 prefixQueries = 0;
    quint64 prefixHits = 0;
    quint64 draftRows = 0;
    quint64 accepted = 0;
    quint32 evicted = 0;
    quint32 preempted = 0;
    quint32 blocksFree = 0; // after its last step
    quint32 blocksCached = 0;
    quint32 blocksActive = 0;
    quint16 maxRunning = 0;
    quint16 maxWaiting = 0;
};

/// Thread: GUI.  Reads the engine's rings once with every snapshot, so it moves and rests with SnapshotFeed.
class StepFeed final : public QObject {
    Q_OBJECT
public:
    StepFeed(const engine::Engine& engine, SnapshotFeed& snapshots, QObject* parent = nullptr);

    [[nodiscard]] const HistoryRing<StepRecord>& steps() const noexcept { return m_steps; } // oldest first
    [[nodiscard]] const HistoryRing<SequenceLine>& lines() const noexcept { return m_lines; } // oldest first
    [[nodiscard]] const HistoryRing<StepBucket>& buckets() const noexcept {
        return m_buckets;
    } // one a second with steps
    /// Steps the feed never saw because the engine's ring lapped it.
    [[nodiscard]] quint64 lostSteps() const noexcept { return m_lostSteps; }

    static constexpr std::size_t kStepCapacity = 65'536;
    static constexpr std::size_t kLineCapacity = 131'072;
    static constexpr std::size_t kBucketCapacity = 86'400;

public slots:
    void readNow();

signals:
    /// The last `numSteps` of steps() and `numLines` of lines() are new; one signal a drain.
    void appended(int numSteps, int numLines);

private:
    void addToBucket(const StepRecord& step);

    const engine::Engine& m_engine;
    HistoryRing<StepRecord> m_steps{kStepCapacity};
    HistoryRing<SequenceLine> m_lines{kLineCapacity};
    HistoryRing<StepBucket> m_buckets{kBucketCapacity};
    StepBucket m_openBucket;
    quint64 m_nextStep = 0;
    quint64 m_nextLine = 0;
    quint64 m_lostSteps = 0;
};

} // namespace vitrine::ui
