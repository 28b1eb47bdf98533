// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: grammars compiled and asked about whole texts.
#pragma once

#include <string>
#include <string_view>

#include "engine/grammar/grammar_automaton.h"
#include "engine/grammar/grammar_compiler.h"

namespace vitrine::engine {

inline GrammarResult compiled(ConstraintKind kind, std::string source, bool strict = false) {
    return compile_grammar({}, [&](GrammarBuilder& builder) {
        JsonText json(builder);
        return add_constraint(builder, json, {kind, source, strict, {}});
    });
}

/// Does the whole text belong to the grammar?
inline bool accepts(const std::shared_ptr<const Grammar>& grammar, std::string_view text) {
    GrammarAutomaton automaton(grammar);
    GrammarAutomaton::Config config = automaton.start();
    for (const char byte : text) {
        if (config < 0)
            return false;
        config = automaton.next(config, static_cast<std::uint8_t>(byte));
    }
    return config >= 0 && automaton.may_end(config);
}

/// "yes", "no", or why there is no grammar.
inline std::string verdict(ConstraintKind kind, const std::string& source, std::string_view text, bool strict = false) {
    const GrammarResult grammar = compiled(kind, source, strict);
    if (!grammar)
        return grammar.error().path + ": " + grammar.error().error.message;
    return accepts(*grammar, text) ? "yes" : "no";
}

} // namespace vitrine::engine
