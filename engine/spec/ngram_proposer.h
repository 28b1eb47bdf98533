// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: drafts copied from what followed the same words earlier in the text (prompt look-up).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/spec/proposer.h"

namespace vitrine::engine {

/// The longest suffix of max_length..min_length tokens that stands earlier in prompt + output; the most recent match
/// wins; what followed it is the draft, one-hot: 2 tokens after a match of 2, 4 after 3, else all, up to the first token
/// the request's mask forbids (engine.md 4.1).  The index grows token by token.
class NgramProposer final : public Proposer {
public:
    explicit NgramProposer(int min_length = 2, int max_length = 4);

    [[nodiscard]] std::string_view name() const noexcept override { return "ngram"; }
    [[nodiscard]] Result<std::vector<Draft>> propose(std::span<const DraftRequest> requests) override;
    void forget(SequenceId sequence) override { indices_.erase(sequence); }

    /// The guess for one text.
    [[nodiscard]] Draft look_up(SequenceId sequence, std::span<const TokenId> tokens, int max_drafts);

private:
    struct Index {
        std::unordered_map<std::uint64_t, int> next_position; // hash of an n-gram -> position after its last occurrence
        int num_indexed = 0; // n-grams that end below this position are in
    };
    void update(Index& index, std::span<const TokenId> tokens) const;

    const int min_length_;
    const int max_length_;
    std::unordered_map<SequenceId, Index> indices_;
};

} // namespace vitrine::engine
