// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: how often each token stands in the text so far, kept up token by token.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/api/request.h"
#include "kernels/api/sampling.h"

namespace vitrine::engine {

/// Distinct ids with their count in the output and whether they stand in the repetition window (the last
/// `repeat_last_n` tokens of prompt + output; < 0: all).  Invariant: an id is listed <=> one of the two is not zero.
class PenaltyCounts {
public:
    /// `enabled` false: keeps nothing, counts() stays empty.
    PenaltyCounts(bool enabled, int repeat_last_n, std::span<const TokenId> prompt);

    void append(TokenId token); // of the output
    [[nodiscard]] bool active() const noexcept { return enabled_; }
    [[nodiscard]] std::span<const kernels::TokenCount> counts() const noexcept { return counts_; } // until append()
    [[nodiscard]] std::span<const TokenId> recent() const noexcept { return recent_; } // likewise; the bounded window

private:
    kernels::TokenCount& entry(TokenId token);
    void enter_window(TokenId token);
    void drop_if_unused(TokenId token);

    bool enabled_;
    int window_;
    std::vector<kernels::TokenCount> counts_;
    std::unordered_map<TokenId, std::size_t> index_; // into counts_
    std::vector<TokenId> recent_; // the window, only if it is bounded
    std::unordered_map<TokenId, int> in_window_; // occurrences, only if it is bounded
};

} // namespace vitrine::engine
