// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: where in a block the arguments of the next call begin, and whose they are.
#pragma once

#include "engine/chat/tool_call_parser.h"

#include <string>
#include <string_view>

namespace vitrine::engine {

/// How arguments are written.
enum class ArgumentStyle : std::uint8_t { json, tags, literals };

struct CallHead {
    enum class Outcome : std::uint8_t {
        need_more,
        unreadable, // no further call that could be followed while it is written
        found,
        response, // generic_json: no call but an answer; its text begins at arguments_at
    };
    Outcome outcome = Outcome::need_more;
    std::string id; // the model's own, if it stands before the arguments
    std::string name;
    std::size_t arguments_at = 0; // json: at the '{'; else behind the name's end
};

[[nodiscard]] ArgumentStyle argument_style(ToolSyntax syntax) noexcept;

/// `block` starts at one of tool_block_begins; looks from `from` on.  The outcome for a text holds for all that begin
/// with it, need_more apart.  Names are not checked.
[[nodiscard]] CallHead find_call_head(const ToolFormat& format, std::string_view block, std::size_t from);

/// Texts around the parameters of families with ArgumentStyle::tags.
struct ParameterTags {
    std::string value_begin; // before the key
    std::string key_end; // between key and value
    std::string value_end;
    std::string call_end; // behind the last parameter
    bool key_is_attribute = false; // name="key" or key="key" within what stands there
    bool trims_lines = true; // one newline on either side of a value belongs to the tags
};
[[nodiscard]] ParameterTags parameter_tags(const ToolFormat& format);

/// name="f" of an opening tag's text.
[[nodiscard]] std::string_view tag_attribute(std::string_view tag, std::string_view name);

} // namespace vitrine::engine
