// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: who guesses the next tokens, so that one step can verify several.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/result.h"
#include "engine/base/strong_id.h"
#include "engine/kv/block_hash.h"
#include "engine/sample/sampler_state.h"

namespace vitrine::engine {

struct Draft {
    std::vector<TokenId> tokens;
    std::vector<float> probs; // [tokens, vocab] the distribution each was drawn from; empty: one-hot
    int num_followed = 0; // tokens of the text the proposer had to read first, the last one aside
};

/// Which tokens may stand behind some drafts (grammar).
class DraftMask {
public:
    virtual ~DraftMask() = default;
    /// A bit per token id, [ceil(vocab/32)]; empty: all.  Good until the next call.
    [[nodiscard]] virtual std::span<const std::uint32_t> after(std::span<const TokenId> drafts) = 0;
};

/// What one decoding sequence asks for.  Pointers and spans are good during propose() only.
struct DraftRequest {
    SequenceId sequence{};
    std::span<const TokenId> tokens{}; // prompt + output, append-only between calls of one sequence
    int max_drafts = 0; // at least 1
    const SamplerState* sampler = nullptr; // settings, penalties, noise and draw position of the next token
    const BlockExtras* extras = nullptr; // what keeps equal tokens apart in a cache of the proposer's own
    DraftMask* mask = nullptr; // null: every token is allowed
};

/// Thread: engine.
class Proposer {
public:
    virtual ~Proposer() = default;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// One draft a request, in order: at most max_drafts guesses of what follows its tokens; fewer or none where there
    /// is no good guess.  Errors: what the proposer's device says.
    [[nodiscard]] virtual Result<std::vector<Draft>> propose(std::span<const DraftRequest> requests) = 0;
    /// The sequence has ended or was preempted.
    virtual void forget(SequenceId sequence) = 0;
};

} // namespace vitrine::engine
