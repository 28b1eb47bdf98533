// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: Aho-Corasick automaton over bytes (Aho and Corasick 1975), for special tokens and stop strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::engine {

/// Built once, then read-only.  States are numbers; 0 is the root.
class ByteTrie {
public:
    static constexpr std::int32_t kRoot = 0;

    ByteTrie();
    /// Requires: build() not called yet, `word` not empty.  Of equal words the first keeps its place.
    void add(std::string_view word, std::int32_t value);
    void build();

    [[nodiscard]] std::int32_t next(std::int32_t state, std::uint8_t byte) const noexcept;
    /// Length in bytes of the longest word prefix that ends here: what must be held back.
    [[nodiscard]] std::int32_t depth(std::int32_t state) const noexcept { return nodes_[index(state)].depth; }
    /// Some word goes on from here.
    [[nodiscard]] bool can_grow(std::int32_t state) const noexcept { return nodes_[index(state)].num_children > 0; }
    /// Longest word that ends here: its state, or kRoot.  Then next_match(that) gives the next shorter one.
    [[nodiscard]] std::int32_t first_match(std::int32_t state) const noexcept;
    [[nodiscard]] std::int32_t next_match(std::int32_t match) const noexcept { return nodes_[index(match)].output; }
    [[nodiscard]] std::int32_t value(std::int32_t match) const noexcept { return nodes_[index(match)].value; }
    /// A byte with which some word begins; the others can be skipped at the root.
    [[nodiscard]] bool starts_word(std::uint8_t byte) const noexcept { return root_next_[byte] != kRoot; }
    [[nodiscard]] bool empty() const noexcept { return nodes_.size() == 1; }

private:
    struct Node {
        std::int32_t first_child = 0; // in children_ after build(): [first_child, first_child + num_children)
        std::int32_t num_children = 0;
        std::int32_t fail = kRoot;
        std::int32_t output = kRoot; // nearest state on the fail chain that ends a word
        std::int32_t depth = 0;
        std::int32_t value = -1; // -1: no word ends here
    };
    struct Edge {
        std::uint8_t byte = 0;
        std::int32_t target = 0;
    };
    [[nodiscard]] static std::size_t index(std::int32_t state) noexcept { return static_cast<std::size_t>(state); }
    void link(); // fail and output states
    [[nodiscard]] std::int32_t child(std::int32_t state, std::uint8_t byte) const noexcept; // -1: none

    std::vector<Node> nodes_;
    std::vector<Edge> edges_; // sorted by byte within a node
    std::vector<std::int32_t> root_next_; // [256]
    std::vector<std::pair<std::string, std::int32_t>> words_; // until build()
};

} // namespace vitrine::engine
