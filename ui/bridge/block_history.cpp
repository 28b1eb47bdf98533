// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: block frames.
#include "ui/bridge/block_history.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr quint32 kUseTolerance = 60; // ms: ages are rounded and polled, so equal moments differ a little

quint32 momentOf(double time, const BlockStatus& block) {
    const double moment = time * 1000 - block.last_used_ms;
    return block.state == BlockState::free || moment <= 0 ? 0 : static_cast<quint32>(std::llround(moment));
}

bool differs(const BlockStatus& a, const BlockStatus& b) {
    return a.state != b.state || a.references != b.references || a.owner != b.owner ||
        std::max(a.last_used_ms, b.last_used_ms) - std::min(a.last_used_ms, b.last_used_ms) > kUseTolerance;
}

void momentsToAges(BlockFrame& frame) {
    const auto now = static_cast<quint32>(std::llround(frame.time * 1000));
    for (BlockStatus& block : frame.blocks)
        block.last_used_ms = block.last_used_ms == 0 || block.last_used_ms > now ? 0 : now - block.last_used_ms;
}

} // namespace

void BlockHistory::add(double time, const std::vector<BlockStatus>& blocks) {
    if (blocks.empty() || (!empty() && time <= lastTime()))
        return;
    const bool isKey =
        m_groups.empty() || blocks.size() != m_last.size() || m_groups.back().frames.size() >= kFramesPerKey;
    Frame frame{time, {}};
    m_last.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        BlockStatus now = blocks[i];
        now.last_used_ms = momentOf(time, now);
        if (!isKey && !differs(now, m_last[i]))
            continue;
        if (!isKey)
            frame.changes.push_back({static_cast<quint32>(i), now});
        m_last[i] = now;
    }
    if (isKey) {
        m_groups.push_back({m_last, {}, m_last.size() * sizeof(BlockStatus)});
        m_bytes += m_groups.back().bytes;
    }
    const std::size_t size = sizeof(Frame) + frame.changes.size() * sizeof(Change);
    m_groups.back().frames.push_back(std::move(frame));
    m_groups.back().bytes += size;
    m_bytes += size;
    while (m_bytes > kMaxBytes && m_groups.size() > 1) {
        m_bytes -= m_groups.front().bytes;
        m_groups.pop_front();
    }
}

std::optional<BlockFrame> BlockHistory::at(double time) const {
    const auto after = std::upper_bound(m_groups.begin(), m_groups.end(), time,
        [](double moment, const Group& group) { return moment < group.frames.front().time; });
    if (after == m_groups.begin())
        return std::nullopt;
    const Group& group = *std::prev(after);
    BlockFrame result{group.frames.front().time, group.key};
    for (std::size_t i = 1; i < group.frames.size() && group.frames[i].time <= time; ++i) {
        for (const Change& change : group.frames[i].changes)
            result.blocks[change.index] = change.status;
        result.time = group.frames[i].time;
    }
    momentsToAges(result);
    return result;
}

void BlockHistory::forEachFrame(const std::function<void(const BlockFrame&)>& visit) const {
    for (const Group& group : m_groups) {
        std::vector<BlockStatus> moments = group.key;
        for (const Frame& frame : group.frames) {
            for (const Change& change : frame.changes)
                moments[change.index] = change.status;
            BlockFrame result{frame.time, moments};
            momentsToAges(result);
            visit(result);
        }
    }
}

} // namespace vitrine::ui
