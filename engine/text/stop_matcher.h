// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: stop strings found in streamed text; what might become one is held back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/byte_trie.h"

namespace vitrine::engine {

/// Earliest start wins, then the longest, at every cutting of the text.  Holds at most the longest stop's bytes - 1
/// beyond a match under decision.  Empty stop strings are ignored.  Thread: one.
class StopMatcher {
public:
    struct Output {
        std::string text; // safe to show now; never a byte of a stop string
        std::optional<int> stop_index; // into the list given; set once, nothing comes out afterwards
    };

    explicit StopMatcher(std::span<const std::string> stops);

    [[nodiscard]] Output push(std::string_view text);
    /// The end of the text: decides a match still open, else gives what was held.
    [[nodiscard]] Output finish();
    /// Bytes now held back.
    [[nodiscard]] std::size_t held_bytes() const noexcept { return held_.size(); }

private:
    struct Match {
        std::size_t start = 0; // in held_
        std::size_t length = 0; // bytes
        int index = 0;
    };
    [[nodiscard]] Output stop_at(const Match& match);
    void consider(std::size_t end);

    ByteTrie trie_;
    std::vector<std::size_t> lengths_; // bytes, by stop
    std::int32_t state_ = 0;
    std::string held_;
    std::size_t scanned_ = 0; // bytes of held_ the automaton has seen
    std::optional<Match> best_;
    bool stopped_ = false;
};

} // namespace vitrine::engine
