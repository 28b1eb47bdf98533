// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: what each sequence did and when, gathered from sequence lines and snapshots.
#pragma once

#include "ui/bridge/session_history.h"

#include <QString>

#include <map>
#include <vector>

namespace vitrine::ui {

/// A stretch of one activity; seconds of the engine's clock.
struct LaneSegment {
    enum class Kind : std::uint8_t { queued, prefill, decode, preempted };
    Kind kind = Kind::queued;
    double start = 0, end = 0;
};

struct Lane {
    std::uint32_t sequence = 0;
    quint64 request = 0;
    QString label, miss; // miss: why prompt tokens were not in the prefix cache; empty: not known, or all hit
    RequestSource source = RequestSource::chat;
    std::vector<LaneSegment> segments; // ascending, at most one open
    int hitTokens = 0; // taken from the prefix cache
    int promptTokens = 0;
    int outputTokens = 0;
    int preemptions = 0, blocks = 0;
    double arrival = 0, firstToken = 0; // engine's clock; seconds after arrival, 0: none yet
    bool hasRead = false; // a prefill line was seen
    bool ended = false;
    FinishReason finish = FinishReason::stop;
    double endTime = 0;

    [[nodiscard]] double firstTime() const { return segments.empty() ? endTime : segments.front().start; }
};

/// Keeps the last kMaxLanes lanes.  Thread: GUI.
class LaneHistory {
public:
    /// Takes the lines that came since the last call.
    void readLines(const StepHistory& history);
    /// Takes labels, counts and arrivals: of a live session after its lines, of a recording once.
    void readNotes(const std::map<quint32, RequestNote>& notes);
    /// Takes who waits, and since when.  `now`: seconds of the engine's clock.
    void readStatuses(const Snapshot& snapshot, double now);
    /// Lanes with activity in the window: running ones first, by their start, then ended ones, newest first.
    [[nodiscard]] std::vector<const Lane*> inWindow(double start, double end) const;
    [[nodiscard]] const Lane* find(quint32 sequence) const;

    static constexpr std::size_t kMaxLanes = 256;

private:
    static void apply(Lane& lane, const SequenceLine& line, double start, double end);
    void prune();

    std::map<std::uint32_t, Lane> m_lanes; // by sequence
    quint64 m_nextStep = 0; // lines of earlier steps are known
};

} // namespace vitrine::ui
