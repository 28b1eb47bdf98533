// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: step records and sequence lines of one engine, of this process or from a file.
#pragma once

#include <QtGlobal>

#include "ui/bridge/history_ring.h"
#include "ui/bridge/values.h"

namespace vitrine::ui {

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

/// The last 65,536 steps, their lines, and older steps by the second.  A value; numbers ascend.
class StepHistory {
public:
    void add(const StepRecord& step);
    void add(const SequenceLine& line) { m_lines.push(line); }

    [[nodiscard]] const HistoryRing<StepRecord>& steps() const noexcept { return m_steps; } // oldest first
    [[nodiscard]] const HistoryRing<SequenceLine>& lines() const noexcept { return m_lines; } // oldest first
    [[nodiscard]] const HistoryRing<StepBucket>& buckets() const noexcept {
        return m_buckets;
    } // one a second with steps
    /// The record of a step, or null when it has left the ring.
    [[nodiscard]] const StepRecord* find(quint64 step) const;
    /// Index in steps() of the first step that ends after `seconds`; steps().size() if none does.
    [[nodiscard]] std::size_t firstEndingAfter(double seconds) const;

    static constexpr std::size_t kStepCapacity = 65'536;
    static constexpr std::size_t kLineCapacity = 131'072;
    static constexpr std::size_t kBucketCapacity = 86'400;

private:
    HistoryRing<StepRecord> m_steps{kStepCapacity};
    HistoryRing<SequenceLine> m_lines{kLineCapacity};
    HistoryRing<StepBucket> m_buckets{kBucketCapacity};
    StepBucket m_openBucket;
};

/// Start and end of a step in seconds of the engine's clock.
[[nodiscard]] double stepStart(const StepRecord& step);
[[nodiscard]] double stepEnd(const StepRecord& step);

} // namespace vitrine::ui
