// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: lanes out of lines.
#include "ui/engine/lane_history.h"

#include "ui/bridge/qt_convert.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr double kShortestWait = 0.001; // seconds; less is the way into the queue

enum LineKind : std::uint8_t { linePrefill, lineDecode, lineVerify, linePreempted, lineFinished };

/// Of sequences that come in the order of the map, as those of a step do, each is next to the one before.
template <class Map>
auto near(Map& map, decltype(map.begin()) guess, std::uint32_t sequence) {
    return guess != map.end() && guess->first == sequence ? guess : map.find(sequence);
}

void extend(Lane& lane, LaneSegment::Kind kind, double start, double end) {
    if (!lane.segments.empty()) {
        LaneSegment& last = lane.segments.back();
        if (last.kind == kind) {
            last.end = std::max(last.end, end);
            return;
        }
        if (last.kind == LaneSegment::Kind::queued || last.kind == LaneSegment::Kind::preempted)
            last.end = start; // waiting ends where work begins
    }
    lane.segments.push_back({kind, start, end});
}

} // namespace

void LaneHistory::readLines(const StepHistory& feed) {
    const auto& lines = feed.lines();
    std::size_t first = lines.size();
    while (first > 0 && lines[first - 1].step >= m_nextStep)
        --first;
    const StepRecord* step = nullptr; // lines of one step follow each other
    auto next = m_lanes.begin();
    for (std::size_t i = first; i < lines.size(); ++i) {
        if (step == nullptr || step->step != lines[i].step)
            step = feed.find(lines[i].step);
        double start = static_cast<double>(lines[i].time_us) / 1e6, end = start;
        const bool isBetween = lines[i].kind == lineFinished && lines[i].time_us > 0; // perhaps of two steps
        if (!isBetween && step != nullptr) {
            start = stepStart(*step);
            end = stepEnd(*step);
        }
        if (step != nullptr ||
            lines[i].time_us > 0) { // a server's steps are not told; its chunks of text have a moment
            next = near(m_lanes, next, lines[i].sequence);
            if (next == m_lanes.end())
                next = m_lanes.try_emplace(lines[i].sequence).first;
            apply(next->second, lines[i], start, end);
            ++next;
        }
        // The step being written may have more lines at the next read; applying a line twice changes nothing.
        m_nextStep = std::max<quint64>(m_nextStep, lines[i].step);
    }
    prune();
}

void LaneHistory::apply(Lane& lane, const SequenceLine& line, double start, double end) {
    lane.sequence = line.sequence;
    lane.request = line.request;
    switch (line.kind) {
    case linePrefill:
        if (!lane.hasRead) // a preempted sequence finds its own blocks later: that is no reuse
            lane.hitTokens = static_cast<int>(line.hit);
        lane.hasRead = true;
        extend(lane, LaneSegment::Kind::prefill, start, end);
        break;
    case lineDecode:
    case lineVerify:
        extend(lane, LaneSegment::Kind::decode, start, end);
        break;
    case linePreempted:
        extend(lane, LaneSegment::Kind::preempted, start, end);
        break;
    case lineFinished:
        lane.ended = true;
        lane.finish = static_cast<FinishReason>(line.finish);
        lane.endTime = end;
        break;
    default:
        break;
    }
}

void LaneHistory::readStatuses(const Snapshot& snapshot, double now) {
    auto next = m_lanes.begin();
    for (const SequenceStatus& status : snapshot.sequences) {
        const bool isWaiting = status.state == SequenceState::waiting || status.state == SequenceState::preparing;
        auto found = near(m_lanes, next, status.sequence);
        if (found == m_lanes.end() && !isWaiting)
            continue; // its lines come with the next read
        if (found == m_lanes.end())
            found = m_lanes.try_emplace(status.sequence).first;
        next = std::next(found);
        Lane& lane = found->second;
        lane.sequence = status.sequence;
        lane.request = static_cast<quint64>(status.request);
        if (isWaiting && lane.segments.empty())
            lane.segments.push_back({LaneSegment::Kind::queued, now - toSeconds(status.age), now});
        else if ((isWaiting || status.state == SequenceState::preempted) && !lane.segments.empty() &&
            lane.segments.back().kind != LaneSegment::Kind::prefill &&
            lane.segments.back().kind != LaneSegment::Kind::decode)
            lane.segments.back().end = now;
    }
}

void LaneHistory::readNotes(const std::map<quint32, RequestNote>& notes) {
    auto next = notes.begin();
    for (auto& [sequence, lane] : m_lanes) {
        const auto found = near(notes, next, sequence);
        if (found == notes.end())
            continue;
        next = std::next(found);
        const RequestNote& note = found->second;
        if (lane.label.isEmpty())
            lane.label = note.label;
        lane.source = note.source;
        lane.miss = note.miss;
        lane.promptTokens = note.promptTokens;
        lane.outputTokens = note.outputTokens;
        lane.preemptions = note.preemptions;
        lane.blocks = note.blocks;
        lane.hitTokens = note.cachedTokens;
        lane.arrival = note.arrival;
        lane.firstToken = note.firstToken;
        const bool isKnown = lane.segments.empty() || lane.segments.front().kind == LaneSegment::Kind::queued;
        if (!isKnown && lane.segments.front().start - note.arrival > kShortestWait)
            lane.segments.insert(
                lane.segments.begin(), {LaneSegment::Kind::queued, note.arrival, lane.segments.front().start});
    }
}

const Lane* LaneHistory::find(quint32 sequence) const {
    const auto found = m_lanes.find(sequence);
    return found == m_lanes.end() ? nullptr : &found->second;
}

void LaneHistory::prune() {
    while (m_lanes.size() > kMaxLanes) // sequence numbers rise, so the first is the oldest
        m_lanes.erase(m_lanes.begin());
}

std::vector<const Lane*> LaneHistory::inWindow(double start, double end) const {
    std::vector<const Lane*> lanes;
    for (const auto& [sequence, lane] : m_lanes)
        if (!lane.segments.empty() && lane.firstTime() <= end && (!lane.ended || lane.endTime >= start))
            lanes.push_back(&lane);
    std::stable_sort(lanes.begin(), lanes.end(), [](const Lane* a, const Lane* b) {
        if (a->ended != b->ended)
            return !a->ended;
        return a->ended ? a->endTime > b->endTime : a->firstTime() < b->firstTime();
    });
    return lanes;
}

} // namespace vitrine::ui
