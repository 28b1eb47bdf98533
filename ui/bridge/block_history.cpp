// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: block frames.
#include "ui/bridge/block_history.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace vitrine::ui {
namespace {

constexpr std::size_t kBatch = 8; // blocks compared between two branches
using Words = std::array<quint64, 2>;
static_assert(sizeof(BlockStatus) == sizeof(Words) && offsetof(BlockStatus, last_used_ms) == 8);

/// All bits of the named fields, none of the age and of the bytes between fields.
constexpr Words useMask() {
    struct Bytes {
        unsigned char state, gap, references[2], owner[4], age[4], group, freed, tail[2];
    };
    return std::bit_cast<Words>(
        Bytes{0xFF, 0, {0xFF, 0xFF}, {0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 0}, 0xFF, 0xFF, {0, 0}});
}

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

/// Not zero if the block is another one than `last`, in its use or in the moment of it.
quint64 difference(const BlockStatus& now, const BlockStatus& last, quint32 nowMs) {
    const quint32 moved = momentOf(nowMs, now) - last.last_used_ms + kUseTolerance; // backwards too
    return useDifference(now, last) | static_cast<quint64>(moved > 2 * kUseTolerance);
}

std::size_t firstDifference(
    const BlockStatus* now, const BlockStatus* last, std::size_t from, std::size_t count, quint32 nowMs) {
    std::size_t i = from;
    for (quint64 any = 0; i + kBatch <= count; i += kBatch) {
        for (std::size_t k = 0; k < kBatch; ++k)
            any |= difference(now[i + k], last[i + k], nowMs);
        if (any != 0)
            break;
    }
    while (i < count && difference(now[i], last[i], nowMs) == 0)
        ++i;
    return i;
}

} // namespace

quint64 useDifference(const BlockStatus& a, const BlockStatus& b) noexcept {
    static constexpr Words kMask = useMask();
    Words left, right;
    std::memcpy(&left, &a, sizeof left);
    std::memcpy(&right, &b, sizeof right);
    return ((left[0] ^ right[0]) & kMask[0]) | ((left[1] ^ right[1]) & kMask[1]);
}

std::size_t firstOtherUse(const BlockStatus* a, const BlockStatus* b, std::size_t from, std::size_t count) noexcept {
    std::size_t i = from;
    for (quint64 any = 0; i + kBatch <= count; i += kBatch) {
        for (std::size_t k = 0; k < kBatch; ++k)
            any |= useDifference(a[i + k], b[i + k]);
        if (any != 0)
            break;
    }
    while (i < count && useDifference(a[i], b[i]) == 0)
        ++i;
    return i;
}

void BlockHistory::add(double time, const std::vector<BlockStatus>& blocks) {
    if (blocks.empty() || (!empty() && time <= lastTime()))
        return;
    const bool isKey = empty() || blocks.size() != m_last.size() || m_open.frames.size() >= kFramesPerKey;
    Frame frame{time, {}};
    m_last.resize(blocks.size());
    const auto nowMs = static_cast<quint32>(std::llround(time * 1000));
    const std::size_t count = blocks.size();
    const auto next = [&](std::size_t from) {
        return isKey ? from : firstDifference(blocks.data(), m_last.data(), from, count, nowMs);
    };
    for (std::size_t i = next(0); i < count; i = next(i + 1)) {
        m_last[i] = blocks[i];
        m_last[i].last_used_ms = momentOf(nowMs, blocks[i]);
        if (!isKey)
            frame.changes.push_back({static_cast<quint32>(i), m_last[i]});
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
