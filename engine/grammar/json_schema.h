// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: JSON schemas as grammars; what cannot be honoured is refused with its path.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/grammar/grammar_builder.h"
#include "engine/grammar/json_text.h"

namespace vitrine::engine {

/// Every text of the drawn rule is valid under the schema (JSON Schema 2020-12 and what earlier drafts spell otherwise),
/// with these exceptions: oneOf counts as anyOf for objects and arrays, annotations and unknown keywords mean nothing.
/// Properties come in the schema's order, further ones behind them.  A schema without `type` is read as the type its
/// keywords are about.  strict: objects with `properties` take no others unless the schema says so.
/// Throws GrammarError with the path below `path`.
[[nodiscard]] GrammarRule add_json_schema(
    GrammarBuilder& builder, JsonText& json, std::string_view schema_text, bool strict, const std::string& path = {});
[[nodiscard]] GrammarRule add_json_schema(GrammarBuilder& builder, JsonText& json, const nlohmann::ordered_json& schema,
    bool strict, const std::string& path = {});

/// Only the value of the property `name` of an object schema; references lead into the whole.
[[nodiscard]] GrammarRule add_schema_property(GrammarBuilder& builder, JsonText& json,
    const nlohmann::ordered_json& schema, const std::string& name, bool strict, const std::string& path);

/// The same property as text between tags: a string without quotes and without '<', its length and pattern honoured.
[[nodiscard]] GrammarRule add_bare_text(GrammarBuilder& builder, JsonText& json, const nlohmann::ordered_json& schema,
    const std::string& name, const std::string& path);

/// Parses JSON no deeper than `max_depth` levels, keys in their order, at most 4096 in an object; throws GrammarError.
[[nodiscard]] nlohmann::ordered_json parse_ordered_json(std::string_view text, const char* what);

} // namespace vitrine::engine
