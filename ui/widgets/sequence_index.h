// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: which letter and colour a sequence has, for block map, lanes and Pulse strip alike.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace vitrine::ui {

/// A sequence keeps its index while it is among `alive` of every update; the lowest index that is free goes to the next
/// new one.  Thread: GUI.
class SequenceIndex {
public:
    void update(const std::vector<std::uint32_t>& alive);
    /// 0 = A.  A sequence never seen gets an index at once.
    [[nodiscard]] int indexOf(std::uint32_t sequence);

private:
    std::map<std::uint32_t, int> m_indices;
};

} // namespace vitrine::ui
