// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: lanes out of lines.
#include "ui/engine/lane_history.h"

#include "ui/bridge/qt_convert.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

enum LineKind : std::uint8_t { linePrefill, lineDecode, lineVerify, linePreempted, lineFinished };

/// The record of a step, or null when it has left the ring.  Step numbers ascend.
const StepRecord* findStep(const HistoryRing<StepRecord>& steps, quint64 number) {
    std::size_t low = 0, high = steps.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (steps[middle].step < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < steps.size() && steps[low].step == number ? &steps[low] : nullptr;
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

double stepStart(const StepRecord& step) {
    return static_cast<double>(step.start_us) / 1e6;
}

double stepEnd(const StepRecord& step) {
    const auto duration = static_cast<double>(step.schedule_us) + step.forward_us + step.sample_us + step.commit_us;
    return stepStart(step) + duration / 1e6;
}

void LaneHistory::readLines(const StepFeed& feed) {
    const auto& lines = feed.lines();
    std::size_t first = lines.size();
    while (first > 0 && lines[first - 1].step >= m_nextStep)
        --first;
    for (std::size_t i = first; i < lines.size(); ++i) {
        if (const StepRecord* step = findStep(feed.steps(), lines[i].step); step != nullptr)
            apply(lines[i], stepStart(*step), stepEnd(*step));
        // The step being written may have more lines at the next read; applying a line twice changes nothing.
        m_nextStep = std::max<quint64>(m_nextStep, lines[i].step);
    }
    prune();
}

void LaneHistory::apply(const SequenceLine& line, double start, double end) {
    Lane& lane = m_lanes[line.sequence];
    lane.sequence = line.sequence;
    lane.request = line.request;
    switch (line.kind) {
    case linePrefill:
        lane.hitTokens = std::max(lane.hitTokens, static_cast<int>(line.hit));
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
    for (const SequenceStatus& status : snapshot.sequences) {
        const bool isWaiting = status.state == SequenceState::waiting || status.state == SequenceState::preparing;
        const auto found = m_lanes.find(status.sequence);
        if (found == m_lanes.end() && !isWaiting)
            continue; // its lines come with the next read
        Lane& lane = m_lanes[status.sequence];
        lane.sequence = status.sequence;
        lane.request = static_cast<quint64>(status.request);
        lane.label = toQString(status.label);
        lane.source = status.source;
        lane.promptTokens = status.prompt_tokens;
        lane.outputTokens = status.output_tokens;
        lane.preemptions = status.preemptions;
        lane.hitTokens = std::max(lane.hitTokens, status.cached_tokens);
        if (isWaiting && lane.segments.empty())
            lane.segments.push_back({LaneSegment::Kind::queued, now - toSeconds(status.age), now});
        else if ((isWaiting || status.state == SequenceState::preempted) && !lane.segments.empty() &&
            lane.segments.back().kind != LaneSegment::Kind::prefill &&
            lane.segments.back().kind != LaneSegment::Kind::decode)
            lane.segments.back().end = now;
    }
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
