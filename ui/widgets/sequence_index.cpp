// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: letters of sequences.
#include "ui/widgets/sequence_index.h"

#include <algorithm>

namespace vitrine::ui {

void SequenceIndex::update(const std::vector<std::uint32_t>& alive) {
    std::vector<std::uint32_t> sorted(alive);
    std::sort(sorted.begin(), sorted.end());
    std::erase_if(
        m_indices, [&](const auto& entry) { return !std::binary_search(sorted.begin(), sorted.end(), entry.first); });
    for (const std::uint32_t sequence : alive)
        (void)indexOf(sequence);
}

int SequenceIndex::indexOf(std::uint32_t sequence) {
    if (const auto found = m_indices.find(sequence); found != m_indices.end())
        return found->second;
    std::vector<int> taken;
    taken.reserve(m_indices.size());
    for (const auto& [id, index] : m_indices)
        taken.push_back(index);
    std::sort(taken.begin(), taken.end());
    int index = 0;
    while (index < static_cast<int>(taken.size()) && taken[static_cast<std::size_t>(index)] == index)
        ++index;
    m_indices.emplace(sequence, index);
    return index;
}

} // namespace vitrine::ui
