// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: rings of steps.
#include "ui/bridge/step_history.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

/// First index of an ascending ring for which `isBefore` no longer holds.
template <class IsBefore>
std::size_t partition(const HistoryRing<StepRecord>& steps, IsBefore isBefore) {
    std::size_t low = 0, high = steps.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (isBefore(steps[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

double stepStart(const StepRecord& step) {
    return static_cast<double>(step.start_us) / 1e6;
}

double stepEnd(const StepRecord& step) {
    const auto duration =
        static_cast<double>(step.draft_us) + step.schedule_us + step.forward_us + step.sample_us + step.commit_us;
    return stepStart(step) + duration / 1e6;
}

const StepRecord* StepHistory::find(quint64 number) const {
    const std::size_t at = partition(m_steps, [number](const StepRecord& step) { return step.step < number; });
    return at < m_steps.size() && m_steps[at].step == number ? &m_steps[at] : nullptr;
}

std::size_t StepHistory::firstEndingAfter(double seconds) const {
    return partition(m_steps, [seconds](const StepRecord& step) { return stepEnd(step) <= seconds; });
}

void StepHistory::add(const StepRecord& step) {
    m_steps.push(step);
    const quint64 second = step.start_us / 1'000'000;
    if (second != m_openBucket.second && m_openBucket.steps > 0) {
        m_buckets.push(m_openBucket);
        m_openBucket = StepBucket{};
    }
    m_openBucket.second = second;
    m_openBucket.steps += 1;
    m_openBucket.prefillTokens += step.prefill_tokens;
    m_openBucket.emittedTokens += step.emitted;
    m_openBucket.prefixQueries += step.prefix_queries;
    m_openBucket.prefixHits += step.prefix_hits;
    m_openBucket.draftRows += step.draft_rows;
    m_openBucket.accepted += step.accepted;
    m_openBucket.evicted += step.blocks_evicted;
    m_openBucket.preempted += step.preempted;
    m_openBucket.blocksFree = step.blocks_free;
    m_openBucket.blocksCached = step.blocks_cached;
    m_openBucket.blocksActive = step.blocks_active;
    m_openBucket.maxRunning = std::max<quint16>(m_openBucket.maxRunning, step.running);
    m_openBucket.maxWaiting = std::max<quint16>(m_openBucket.maxWaiting, step.waiting);
}

} // namespace vitrine::ui
