// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: the pieces of JSON text that every schema shares.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {

/// White space is a space, or a newline and at most 20 of indent.  Numbers have at most 16 digits before and behind the
/// point and an exponent below 290, so that a double can hold them.  No half of a surrogate pair is ever escaped.
class JsonText {
public:
    explicit JsonText(GrammarBuilder& builder) : builder_(builder) {}

    [[nodiscard]] GrammarNode space(GrammarNode from);
    /// One character inside a string, every escape allowed.
    [[nodiscard]] GrammarRule character();
    /// One character of `set`, spelled in one way only: escaped where JSON demands it.
    [[nodiscard]] GrammarRule character_of(const CodePointSet& set);
    [[nodiscard]] GrammarRule string();
    [[nodiscard]] GrammarRule integer();
    [[nodiscard]] GrammarRule number();
    [[nodiscard]] GrammarRule value(); // any
    [[nodiscard]] GrammarRule object(); // any
    [[nodiscard]] GrammarRule array(); // of anything
    /// A string in quotes, spelled in one way only.
    [[nodiscard]] GrammarNode quoted(GrammarNode from, std::string_view text);
    /// A constant, with white space where it may stand.
    [[nodiscard]] GrammarNode literal(GrammarNode from, const nlohmann::ordered_json& value);

private:
    void draw_escapes(GrammarNode from, GrammarNode to);
    [[nodiscard]] GrammarNode hex_digits(GrammarNode from, int count);
    void list(GrammarRule rule, std::string_view brackets, GrammarRule item, bool keyed);

    GrammarBuilder& builder_;
    std::optional<GrammarRule> space_, character_, string_, integer_, number_, value_, object_, array_;
    std::map<CodePointSet, GrammarRule> characters_;
};

} // namespace vitrine::engine
