// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: where one sequence stands in its grammar.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/grammar/token_mask.h"

namespace vitrine::engine {

/// Copies are cheap and independent.  Only kept tokens move it, so that rejected drafts leave no trace.  Thread: engine.
class GrammarState {
public:
    GrammarState() = default; // no grammar: everything is allowed
    explicit GrammarState(std::shared_ptr<TokenMasks> masks);

    [[nodiscard]] bool active() const noexcept { return masks_ != nullptr; }
    /// One more token of the output.  A token that is not allowed leaves a state after which nothing is.
    void append(TokenId token);
    /// How many of `drafts` are allowed one after another.
    [[nodiscard]] std::size_t num_legal(std::span<const TokenId> drafts) const;
    /// Bits of the tokens allowed behind 0, 1 ... all of `drafts`: [drafts + 1, words].  Empty without a grammar.
    /// Rows behind an illegal draft are empty.
    void fill_allowed(std::span<const TokenId> drafts, std::vector<std::uint32_t>& bits) const;
    /// Bits of the tokens allowed behind all of `drafts`; empty without a grammar.  Good until the next call on any state
    /// that shares the masks.
    [[nodiscard]] std::span<const std::uint32_t> allowed_after(std::span<const TokenId> drafts) const;
    /// The text is complete and nothing but an end may follow.
    [[nodiscard]] bool must_end() const;
    [[nodiscard]] bool may_end() const;

private:
    std::shared_ptr<TokenMasks> masks_;
    TokenMasks::Config config_ = GrammarAutomaton::kDead;
};

} // namespace vitrine::engine
