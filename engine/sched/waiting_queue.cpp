// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: order of the waiting.
#include "engine/sched/waiting_queue.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {

std::int64_t effective_priority(const Sequence& sequence, TimePoint now, std::chrono::seconds raise_after) noexcept {
    const std::int64_t priority = sequence.spec().priority;
    if (raise_after <= std::chrono::seconds(0) || now <= sequence.spec().arrival)
        return priority;
    return priority + (now - sequence.spec().arrival) / raise_after;
}

bool goes_before(const Sequence& a, const Sequence& b, TimePoint now, std::chrono::seconds raise_after) noexcept {
    const std::int64_t first = effective_priority(a, now, raise_after);
    const std::int64_t second = effective_priority(b, now, raise_after);
    if (first != second)
        return first > second;
    // Requests are prepared side by side, so ids need not rise in order of arrival.
    const TimePoint arrived = a.spec().arrival;
    return arrived != b.spec().arrival ? arrived < b.spec().arrival : a.id() < b.id();
}

void WaitingQueue::push(std::unique_ptr<Sequence> sequence) {
    const auto place = std::ranges::lower_bound(sequences_, sequence->id(), {}, [](const auto& s) { return s->id(); });
    VT_CHECK(place == sequences_.end() || (*place)->id() != sequence->id());
    sequences_.insert(place, std::move(sequence));
}

std::unique_ptr<Sequence> WaitingQueue::take(SequenceId id) {
    const auto found = std::ranges::lower_bound(sequences_, id, {}, [](const auto& s) { return s->id(); });
    if (found == sequences_.end() || (*found)->id() != id)
        return nullptr;
    std::unique_ptr<Sequence> taken = std::move(*found);
    sequences_.erase(found);
    return taken;
}

std::vector<Sequence*> WaitingQueue::ordered(TimePoint now, std::chrono::seconds raise_after) const {
    std::vector<Sequence*> order;
    order.reserve(sequences_.size());
    for (const auto& sequence : sequences_)
        order.push_back(sequence.get());
    std::ranges::sort(
        order, [&](const Sequence* a, const Sequence* b) { return goes_before(*a, *b, now, raise_after); });
    return order;
}

} // namespace vitrine::engine
