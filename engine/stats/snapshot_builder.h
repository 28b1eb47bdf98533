// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: makes the published snapshot from the scheduler's and the cache's state.
#pragma once

#include <deque>
#include <memory>

#include "engine/api/snapshot.h"
#include "engine/sched/scheduler.h"
#include "engine/stats/engine_stats.h"

namespace vitrine::engine {

/// Keeps the last 16 finished sequences and decides when the next snapshot is due.  Thread: engine.
class SnapshotBuilder {
public:
    explicit SnapshotBuilder(std::chrono::milliseconds interval = std::chrono::milliseconds(50));

    [[nodiscard]] bool due(TimePoint now) const noexcept;
    void on_finished(const Sequence& sequence, TimePoint now);
    struct Parts {
        std::shared_ptr<const LoadedModel> model;
        const Scheduler& scheduler;
        const KvCacheManager& kv;
        const EngineStats& stats;
        int preparing = 0;
        TimePoint engine_start{}; // zero of the step records' clock
        std::uint64_t last_step = 0;
    };
    /// Numbers rise by one.
    [[nodiscard]] std::shared_ptr<const Snapshot> build(const Parts& parts, TimePoint now);
    /// Without a session: no blocks, no sequences.
    [[nodiscard]] std::shared_ptr<const Snapshot> build_empty(int preparing, TimePoint now);

private:
    const std::chrono::milliseconds interval_;
    std::uint64_t number_ = 0;
    TimePoint last_{};
    std::deque<SequenceStatus> finished_;
};

} // namespace vitrine::engine
