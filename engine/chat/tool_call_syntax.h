// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: reads one block of calls in one syntax.
#pragma once

#include "engine/chat/jinja_value.h"
#include "engine/chat/tool_call_parser.h"

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// What a block turned out to be.
struct ToolBlock {
    enum class Outcome : std::uint8_t { need_more, not_calls, calls };
    Outcome outcome = Outcome::need_more;
    std::size_t size = 0; // bytes of the text that the block took
    std::vector<ToolCall> calls;
    std::string content; // plain text that the block carried (generic_json's response, functionary's "all")
};

/// Literals at which a block may begin, the most usual first.  Empty text in it: the start of the message.
[[nodiscard]] std::vector<std::string> tool_block_begins(const ToolFormat& format);

/// `text` starts at one of tool_block_begins.  at_end: nothing follows; missing end tags are forgiven.
[[nodiscard]] ToolBlock read_tool_block(
    const ToolFormat& format, const std::vector<ToolSchema>& tools, std::string_view text, bool at_end);

/// A tag's untyped text as a JSON value, by the schema of that parameter.
[[nodiscard]] JinjaValue convert_tag_value(const ToolSchema* tool, std::string_view key, std::string_view text);
/// Whether convert_tag_value() makes a string of every text.
[[nodiscard]] bool takes_text_only(const ToolSchema* tool, std::string_view key);

} // namespace vitrine::engine
