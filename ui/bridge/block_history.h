// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the block map over time: keyframes and what changed between them.
#pragma once

#include <QtGlobal>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// Not zero if two states of a block differ in more than the age.  65,536 blocks are compared 20 times a second, so they
/// are read as two words each, the bytes between their fields masked out.
[[nodiscard]] quint64 useDifference(const BlockStatus& a, const BlockStatus& b) noexcept;
[[nodiscard]] inline bool isSameUse(const BlockStatus& a, const BlockStatus& b) {
    return useDifference(a, b) == 0;
}
/// The first of the blocks from `from` on whose use differs between `a` and `b`, arrays of `count`; `count`: none.
[[nodiscard]] std::size_t firstOtherUse(
    const BlockStatus* a, const BlockStatus* b, std::size_t from, std::size_t count) noexcept;

/// Blocks at one moment; last_used_ms counts back from `time`.
struct BlockFrame {
    double time = 0; // seconds of the engine's clock
    std::vector<BlockStatus> blocks;
};

/// At most kMaxBytes: the oldest keyframe leaves with its changes.  Costs of add(): one comparison a block.
/// A value; groups that are complete never change and are shared between copies.
class BlockHistory {
public:
    void add(double time, const std::vector<BlockStatus>& blocks);
    /// The blocks as they were at `time`: the last frame at or before it; nothing when that is not known any more.
    [[nodiscard]] std::optional<BlockFrame> at(double time) const;
    /// The blocks that differ, in use or in the moment of it, between the frame at exactly `before` and the one after it,
    /// at exactly `now`, the last; nothing where that is not known.
    [[nodiscard]] std::optional<std::vector<quint32>> changesBetween(double before, double now) const;
    [[nodiscard]] bool empty() const noexcept { return m_open.frames.empty(); }
    [[nodiscard]] double firstTime() const { return empty() ? 0 : groupAt(0).frames.front().time; }
    [[nodiscard]] double lastTime() const { return empty() ? 0 : m_open.frames.back().time; }
    [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
    /// Every frame, ascending.
    void forEachFrame(const std::function<void(const BlockFrame&)>& visit) const;

    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
    static constexpr std::size_t kFramesPerKey = 256;

private:
    struct Change {
        quint32 index = 0;
        BlockStatus status; // last_used_ms: moment of the last use, not its age
    };
    struct Frame {
        double time = 0;
        std::vector<Change> changes; // against the frame before; none in the first of a group
    };
    struct Group {
        std::vector<BlockStatus> key; // of its first frame; last_used_ms as in Change
        std::vector<Frame> frames;
        std::size_t bytes = 0;
    };
    [[nodiscard]] const Group& groupAt(std::size_t index) const {
        return index < m_complete.size() ? *m_complete[index] : m_open;
    }
    [[nodiscard]] std::size_t numGroups() const { return m_complete.size() + (m_open.frames.empty() ? 0 : 1); }

    std::deque<std::shared_ptr<const Group>> m_complete;
    Group m_open; // takes the next frames; without frames only while nothing was added
    std::vector<BlockStatus> m_last; // as in Change
    std::size_t m_bytes = 0;
};

} // namespace vitrine::ui
