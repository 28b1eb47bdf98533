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
    connect(&snapshots, &SnapshotFeed::updated, this, [this](const std::shared_ptr<const Snapshot>& snapshot) {
        readNow();
        m_history.add(snapshot);
    });
}

void StepFeed::restart(const std::optional<ServerFacts>& server) {
    m_history = SessionHistory();
    m_nextStep = 0;
    m_nextLine = 0;
    m_lostSteps = 0;
    if (server)
        m_history.setServer(*server);
    emit restarted();
}

void StepFeed::addReading(const ServerReading& reading) {
    if (!m_history.server())
        return; // the last word of a server that is no longer in use
    m_history.add(reading);
    emit readingAdded();
}

void StepFeed::noteServer(const ServerFacts& facts) {
    if (m_history.server())
        m_history.setServer(facts);
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
            m_history.add(record);
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
            m_history.add(lines[i]);
        m_nextLine = std::max<quint64>(m_nextLine, next);
        numLines += static_cast<int>(count);
        if (count < lines.size())
            break;
    }
    if (numSteps > 0 || numLines > 0)
        emit appended(numSteps, numLines);
}

} // namespace vitrine::ui
