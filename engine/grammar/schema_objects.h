// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: objects and arrays of a schema.
#pragma once

#include <utility>

#include "engine/grammar/grammar_builder.h"
#include "engine/grammar/json_text.h"
#include "engine/grammar/schema_alternatives.h"

namespace vitrine::engine {

/// Draws schemas that stand inside others.
class SchemaDrawer {
public:
    virtual ~SchemaDrawer() = default;
    [[nodiscard]] virtual GrammarNode draw(const SchemaPart& part, GrammarNode from) = 0;
    [[nodiscard]] virtual GrammarBuilder& builder() = 0;
    [[nodiscard]] virtual JsonText& json() = 0;
};

[[nodiscard]] GrammarNode draw_object(SchemaDrawer& drawer, const SchemaPart& part, bool strict, GrammarNode from);
[[nodiscard]] GrammarNode draw_array(SchemaDrawer& drawer, const SchemaPart& part, GrammarNode from);
/// Two counts; max -1: none.  Refuses what is no count, is above `most` or contradicts itself.
[[nodiscard]] std::pair<int, int> limits_of(
    const SchemaPart& part, const char* min_keyword, const char* max_keyword, int most);

} // namespace vitrine::engine
