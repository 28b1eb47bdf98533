// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: finds control, unknown and user-defined tokens in raw text, before any other rule.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/text/byte_trie.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// Leftmost, then longest; matches do not overlap.  Immutable; safe from every thread.
class SpecialTokens {
public:
    /// Spaces swallowed at the sides of the token are part of [begin, end).
    struct Match {
        std::size_t begin = 0; // bytes
        std::size_t end = 0;
        TokenId id = 0;
    };

    explicit SpecialTokens(const Vocab& vocab);

    /// user_bytes: empty, or [text.size()]: a control or unknown token that touches a 1 is no match.  Without
    /// `parse_special` only user-defined tokens match.
    [[nodiscard]] std::vector<Match> find(
        std::string_view text, std::span<const std::uint8_t> user_bytes, bool parse_special) const;

private:
    struct Rule {
        bool user_defined = false;
        bool swallow_after = false; // spaces that follow
        bool swallow_before = false; // spaces that precede
    };
    void add_space_rules(const Vocab& vocab);

    ByteTrie trie_;
    std::vector<Rule> rules_; // by token id
};

} // namespace vitrine::engine
