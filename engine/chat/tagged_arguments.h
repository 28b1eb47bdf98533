// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: grammars of arguments that stand between tags, strings raw, other values as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/chat/tool_call_parser.h"
#include "engine/grammar/grammar_builder.h"
#include "engine/grammar/json_text.h"

namespace vitrine::engine {

/// Texts around the parts of a call; a part in \x02...\x03 is a marker that may be one control token.
struct TagStyle {
    bool opens_block = true; // begin and end of the format stand around each call
    bool shares_block = false; // they stand around all calls together
    std::string behind_begin;
    std::string between_calls;
    std::string before_name;
    std::string behind_name;
    std::string before_key;
    std::string behind_key; // before the value
    std::string string_attribute; // in place of behind_key where the value is a string; empty: no difference
    std::string close_value; // the value ends where this begins
    std::string behind_value; // behind close_value
    std::string behind_arguments;
};

/// Requires: function_tag, arg_key_tag, function_param, invoke_tag or kimi_k3.
[[nodiscard]] TagStyle tag_style_of(const ToolFormat& format);

struct TaggedSchema {
    const nlohmann::ordered_json& parameters;
    bool strict = false;
    bool enforced = true; // false: a schema that cannot be honoured means any value
    const std::string& path;
};
/// Properties in the schema's order, those that are not required may be left out, no others.
[[nodiscard]] GrammarNode draw_tagged_arguments(
    GrammarBuilder& builder, JsonText& json, const TagStyle& style, const TaggedSchema& schema, GrammarNode from);
[[nodiscard]] GrammarNode draw_marked_text(GrammarBuilder& builder, GrammarNode from, const std::string& text);

} // namespace vitrine::engine
