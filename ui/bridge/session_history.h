// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: everything the Engine page shows of one engine: steps, blocks, rates and requests over time.
#pragma once

#include <QString>
#include <map>
#include <memory>
#include <optional>

#include "ui/bridge/block_history.h"
#include "ui/bridge/server_reading.h"
#include "ui/bridge/step_history.h"

namespace vitrine::ui {

/// The engine's own figures at one moment, copied from a snapshot.
struct RatePoint {
    double time = 0; // seconds of the engine's clock
    Rates rates;
};

/// What snapshots tell about one sequence and step records do not.
struct RequestNote {
    quint32 sequence = 0;
    quint64 request = 0;
    QString label;
    RequestSource source = RequestSource::chat;
    int promptTokens = 0, cachedTokens = 0, outputTokens = 0, preemptions = 0, blocks = 0;
    double arrival = 0; // seconds of the engine's clock
    double firstToken = 0; // seconds after arrival; 0: none yet
    QString miss; // why prompt tokens were not in the prefix cache; may quote the prompt: never in a recording
};

/// A value: copying it is how a recording is taken, and cheap.  Thread: GUI, or any for a copy.
/// Of a server elsewhere it holds readings instead of steps, blocks and rates.
class SessionHistory {
public:
    void add(const StepRecord& step) { m_steps.add(step); }
    void add(const SequenceLine& line) { m_steps.add(line); }
    void add(const std::shared_ptr<const Snapshot>& snapshot);
    void add(const ServerReading& reading) { m_readings.push(reading); }
    void setServer(const ServerFacts& facts) { m_server = facts; }

    [[nodiscard]] const StepHistory& steps() const noexcept { return m_steps; }
    [[nodiscard]] const BlockHistory& blocks() const noexcept { return m_blocks; }
    [[nodiscard]] const HistoryRing<RatePoint>& rates() const noexcept { return m_rates; }
    [[nodiscard]] const std::map<quint32, RequestNote>& requests() const noexcept { return m_requests; }
    [[nodiscard]] const std::shared_ptr<const Snapshot>& last() const noexcept { return m_last; } // null: none yet

    [[nodiscard]] const QString& saved() const noexcept { return m_saved; } // when, of a recording; empty: live
    [[nodiscard]] const HistoryRing<ServerReading>& readings() const noexcept { return m_readings; }
    [[nodiscard]] const std::optional<ServerFacts>& server() const noexcept { return m_server; } // none: this computer

    static constexpr std::size_t kReadingCapacity = 7'200; // two hours
    static constexpr std::size_t kRateCapacity = 72'000; // an hour of snapshots
    static constexpr std::size_t kMaxRequests = 4'096;

private:
    friend class SessionReader;
    StepHistory m_steps;
    BlockHistory m_blocks;
    HistoryRing<RatePoint> m_rates{kRateCapacity};
    HistoryRing<ServerReading> m_readings{kReadingCapacity};
    std::optional<ServerFacts> m_server;
    std::map<quint32, RequestNote> m_requests; // by sequence
    QString m_saved;
    std::shared_ptr<const Snapshot> m_last;
};

/// A recording that was opened in place of the engine.
struct OpenRecording {
    std::shared_ptr<const SessionHistory> session; // null: none
    QString name; // of its file
};

/// Seconds of the engine's clock at which a snapshot was taken.
[[nodiscard]] double snapshotTime(const Snapshot& snapshot);

} // namespace vitrine::ui
