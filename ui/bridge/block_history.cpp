// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: block frames.
#include "ui/bridge/block_history.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr quint32 kUseTolerance = 60; // ms: ages are rounded and polled, so equal moments differ a little

/// `nowMs`: whole milliseconds, since ages are: a rounding a block would cost more than everything else here.
quint32 momentOf(quint32 nowMs, const BlockStatus& block) {
    return block.state == BlockState::free || block.last_used_ms >= nowMs ? 0 : nowMs - block.last_used_ms;
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
    const bool isKey = empty() || blocks.size() != m_last.size() || m_open.frames.size() >= kFramesPerKey;
    Frame frame{time, {}};
    m_last.resize(blocks.size());
    const auto nowMs = static_cast<quint32>(std::llround(time * 1000));
    const BlockStatus* now = blocks.data();
    BlockStatus* last = m_last.data();
    for (std::size_t i = 0; i < blocks.size(); ++i, ++now, ++last) {
        const quint32 moment = momentOf(nowMs, *now);
        const quint32 moved = moment - last->last_used_ms + kUseTolerance; // backwards too
        if (!isKey && isSameUse(*now, *last) && moved <= 2 * kUseTolerance)
            continue;
        *last = *now;
        last->last_used_ms = moment;
        if (!isKey)
            frame.changes.push_back({static_cast<quint32>(i), *last});
    }
    if (isKey) {
        if (!empty())
            m_complete.push_back(std::make_shared<const Group>(std::move(m_open)));
        m_open = {m_last, {}, m_last.size() * sizeof(BlockStatus)};
        m_bytes += m_open.bytes;
    }
    const std::size_t size = sizeof(Frame) + frame.changes.size() * sizeof(Change);
    m_open.frames.push_back(std::move(frame));
    m_open.bytes += size;
    m_bytes += size;
    while (m_bytes > kMaxBytes && !m_complete.empty()) {
        m_bytes -= m_complete.front()->bytes;
        m_complete.pop_front();
    }
}

std::optional<BlockFrame> BlockHistory::at(double time) const {
    std::size_t after = 0, end = numGroups(); // the first group that begins after `time`
    while (after < end) {
        const std::size_t middle = (after + end) / 2;
        if (groupAt(middle).frames.front().time <= time)
            after = middle + 1;
        else
            end = middle;
    }
    if (after == 0)
        return std::nullopt;
    const Group& group = groupAt(after - 1);
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
    for (std::size_t g = 0; g < numGroups(); ++g) {
        const Group& group = groupAt(g);
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
