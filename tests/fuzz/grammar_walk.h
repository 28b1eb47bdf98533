// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: a random text that a grammar allows, byte by byte.
#pragma once

#include <cstdlib>
#include <string>

#include "engine/grammar/grammar_automaton.h"

namespace vitrine::fuzz {

/// Ends where the grammar may end, or unfinished after `max_bytes`.  Aborts where nothing may follow and nothing may end.
inline bool random_text(const std::shared_ptr<const engine::Grammar>& grammar, std::uint32_t seed,
    std::size_t max_bytes, std::string& text) {
    engine::GrammarAutomaton automaton(grammar);
    engine::GrammarAutomaton::Config config = automaton.start();
    while (config >= 0 && text.size() < max_bytes) {
        if (automaton.may_end(config) && (seed = seed * 1664525 + 1013904223) % 4 == 0)
            return true;
        const auto first = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24U);
        bool moved = false;
        for (unsigned i = 0; i < 256 && !moved; ++i) {
            const auto byte = static_cast<std::uint8_t>(first + i);
            if (const auto next = automaton.next(config, byte); next >= 0) {
                config = next;
                text += static_cast<char>(byte);
                moved = true;
            }
        }
        if (!moved && automaton.may_end(config))
            return true;
        if (!moved && automaton.token_edges(config).empty())
            std::abort(); // a dead end
        if (!moved)
            return false;
    }
    if (config < 0)
        std::abort(); // next() said it was alive, or nothing may begin
    return false;
}

} // namespace vitrine::fuzz
