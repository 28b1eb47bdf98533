// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's step records and sequence lines, copied for plots, lanes and tables.
#include "ui/bridge/step_feed.h"

#include <algorithm>
#include <array>

#include "engine/api/engine.h"
#include "ui/bridge/snapshot_feed.h"

namespace vitrine::ui {

namespace {

constexpr std::size_t kChunk = 512; // records a read: keeps the copy on the stack small

} // namespace

StepFeed::StepFeed(const engine::Engine& engine, SnapshotFeed& snapshots, QObject* parent)
    : QObject(parent), m_engine(engine) {
    connect(&snapshots, &SnapshotFeed::updated, this, &StepFeed::readNow);
}

void StepFeed::readNow() {
    int numSteps = 0;
    std::array<StepRecord, kChunk> records;
    while (true) {
        const std::size_t count = m_engine.read_steps(m_nextStep, records);
        for (std::size_t i = 0; i < count; ++i) {
            const StepRecord& record = records[i];
            if (record.step > m_nextStep && m_nextStep > 0)
                m_lostSteps += record.step - m_nextStep;
            m_nextStep = record.step + 1;
            m_steps.push(record);
            addToBucket(record);
        }
        numSteps += static_cast<int>(count);
        if (count < records.size())
            break;
    }
    int numLines = 0;
    std::array<SequenceLine, kChunk> lines;
    while (true) {
        std::uint64_t next = m_nextLine;
        const std::size_t count = m_engine.read_lines(m_nextLine, lines, next);
        for (std::size_t i = 0; i < count; ++i)
            m_lines.push(lines[i]);
        m_nextLine = std::max<quint64>(m_nextLine, next);
        numLines += static_cast<int>(count);
        if (count < lines.size())
            break;
    }
    if (numSteps > 0 || numLines > 0)
        emit appended(numSteps, numLines);
}

void StepFeed::addToBucket(const StepRecord& step) {
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
