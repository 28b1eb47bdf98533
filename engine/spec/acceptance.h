// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: bookkeeping of drafted and accepted tokens.
#pragma once

#include <array>
#include <cstdint>

namespace vitrine::engine {

inline constexpr int kMaxDraftPositions = 16; // as in StepRecord and Counters

/// Invariants: accepted <= drafted; per_position does not rise.
struct AcceptanceCounts {
    std::uint64_t drafts = 0; // verify steps
    std::uint64_t draft_tokens = 0;
    std::uint64_t accepted = 0;
    std::array<std::uint64_t, kMaxDraftPositions> per_position{};

    void record(int num_drafted, int num_accepted) noexcept;
    AcceptanceCounts& operator+=(const AcceptanceCounts& other) noexcept;
    [[nodiscard]] double accepted_per_draft() const noexcept; // mean accepted of one verify step; 0 without drafts
};

} // namespace vitrine::engine
