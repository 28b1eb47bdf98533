// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: strings that match patterns and have a length: the intersection of both.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "engine/grammar/json_text.h"
#include "engine/grammar/regex_parser.h"

namespace vitrine::engine {

/// A pattern as an automaton over code points.
class PatternAutomaton {
public:
    /// search: as JSON Schema's `pattern`, found anywhere unless anchored; else the whole string must match.
    PatternAutomaton(std::string_view pattern, bool search);
    [[nodiscard]] bool matches(std::string_view text) const;

private:
    friend class StringLanguage;
    struct State {
        std::vector<std::pair<CodePointSet, int>> moves;
        std::vector<int> free_moves;
    };
    int add_state();
    int draw(const Expression& expression, int from);
    int draw_repetition(const Expression& expression, int from);
    [[nodiscard]] std::vector<int> closure(std::vector<int> states) const;

    std::vector<State> states_;
    int start_ = 0;
    int accept_ = 0;
};

/// How characters are written: any at all, and one of a set.
struct CharacterSpelling {
    std::function<GrammarRule()> any;
    std::function<GrammarRule(const CodePointSet&)> of;
};
[[nodiscard]] CharacterSpelling json_spelling(JsonText& json); // inside quotes
[[nodiscard]] CharacterSpelling tag_spelling(GrammarBuilder& builder); // as they are; no '<', which begins a tag

/// Draws the characters of a string without its quotes: all patterns match and min <= code points <= max (-1: no limit).
/// Throws GrammarError when the product of the automata is too large.
[[nodiscard]] GrammarNode draw_string_language(GrammarBuilder& builder, const CharacterSpelling& spelling,
    const std::vector<PatternAutomaton>& patterns, int min, int max, GrammarNode from);

/// The expression behind a `format`, or nullptr: unknown.
[[nodiscard]] const char* format_pattern(std::string_view format);

} // namespace vitrine::engine
