// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: who guesses the next tokens, so that one step can verify several.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/strong_id.h"

namespace vitrine::engine {

struct Draft {
    std::vector<TokenId> tokens;
    std::vector<float> probs; // [tokens, vocab] the drafter's distribution; empty: one-hot
};

/// Thread: engine.
class Proposer {
public:
    virtual ~Proposer() = default;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// At most `max_drafts` guesses of what follows `tokens` (prompt + output, append-only between calls of one
    /// sequence); fewer or none if there is no good guess.
    [[nodiscard]] virtual Draft propose(SequenceId sequence, std::span<const TokenId> tokens, int max_drafts) = 0;
    /// The sequence has ended.
    virtual void forget(SequenceId sequence) = 0;
};

} // namespace vitrine::engine
