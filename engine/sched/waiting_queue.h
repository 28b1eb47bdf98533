// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: sequences without a place, in order of effective priority, then arrival.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/clock.h"
#include "engine/sched/sequence.h"

namespace vitrine::engine {

/// Priority that rises by one level for each `raise_after` since arrival, so that a low one cannot starve.
/// raise_after 0: never.
[[nodiscard]] std::int64_t effective_priority(
    const Sequence& sequence, TimePoint now, std::chrono::seconds raise_after) noexcept;

/// True if `a` goes before `b`: higher effective priority, then earlier id (ids rise in order of arrival).
[[nodiscard]] bool goes_before(
    const Sequence& a, const Sequence& b, TimePoint now, std::chrono::seconds raise_after) noexcept;

/// Thread: engine.
class WaitingQueue {
public:
    void push(std::unique_ptr<Sequence> sequence);
    /// Takes one out; nullptr: not here.
    [[nodiscard]] std::unique_ptr<Sequence> take(SequenceId id);
    [[nodiscard]] std::size_t size() const noexcept { return sequences_.size(); }
    [[nodiscard]] bool empty() const noexcept { return sequences_.empty(); }
    /// The head first.  Good until the next push or take.
    [[nodiscard]] std::vector<Sequence*> ordered(TimePoint now, std::chrono::seconds raise_after) const;

private:
    std::vector<std::unique_ptr<Sequence>> sequences_; // by id
};

} // namespace vitrine::engine
