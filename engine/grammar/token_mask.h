// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: which tokens of a vocabulary may follow, computed once a configuration.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/grammar/grammar_automaton.h"
#include "engine/grammar/token_trie.h"

namespace vitrine::engine {

/// One grammar over one vocabulary, shared by every sequence that uses both.  Thread: engine.
class TokenMasks {
public:
    using Config = GrammarAutomaton::Config;
    static constexpr Config kEnded = -3; // an end token was taken: only another end may follow

    TokenMasks(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTrie> trie, int vocab_size);

    [[nodiscard]] Config start() const noexcept { return automaton_.start(); }
    /// kDead: the token is not allowed.
    [[nodiscard]] Config after(Config config, TokenId token);
    /// A bit per token id, [num_words()].  Good until the next call.
    [[nodiscard]] std::span<const std::uint32_t> allowed(Config config);
    [[nodiscard]] bool may_end(Config config) const noexcept {
        return config == kEnded || (config >= 0 && automaton_.may_end(config));
    }
    [[nodiscard]] std::size_t num_words() const noexcept { return num_words_; }
    /// So many configurations that a new sequence should begin with a fresh object.
    [[nodiscard]] bool is_worn() const noexcept { return automaton_.num_configs() > GrammarAutomaton::kMaxConfigs / 8; }
    [[nodiscard]] const TokenTrie& trie() const noexcept { return *trie_; }

private:
    using Mask = std::vector<std::uint32_t>;
    [[nodiscard]] Mask make_mask(Config config);
    void walk_trie(Config config, Mask& mask);

    GrammarAutomaton automaton_;
    std::shared_ptr<const TokenTrie> trie_;
    std::size_t num_words_;
    std::unordered_map<Config, Mask> masks_;
    std::vector<Config> path_; // configuration by depth, of the walk
};

} // namespace vitrine::engine
