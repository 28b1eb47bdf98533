// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: sums of verify steps.
#include "engine/spec/acceptance.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/check.h"

namespace vitrine::engine {

void AcceptanceCounts::record(int num_drafted, int num_accepted) noexcept {
    VT_CHECK(num_accepted >= 0 && num_accepted <= num_drafted);
    if (num_drafted == 0)
        return;
    ++drafts;
    draft_tokens += static_cast<std::uint64_t>(num_drafted);
    accepted += static_cast<std::uint64_t>(num_accepted);
    for (int i = 0; i < std::min(num_accepted, kMaxDraftPositions); ++i)
        ++per_position[static_cast<std::size_t>(i)];
}

AcceptanceCounts& AcceptanceCounts::operator+=(const AcceptanceCounts& other) noexcept {
    drafts += other.drafts;
    draft_tokens += other.draft_tokens;
    accepted += other.accepted;
    for (std::size_t i = 0; i < per_position.size(); ++i)
        per_position[i] += other.per_position[i];
    return *this;
}

double AcceptanceCounts::accepted_per_draft() const noexcept {
    return drafts == 0 ? 0 : static_cast<double>(accepted) / static_cast<double>(drafts);
}

} // namespace vitrine::engine
