// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: what a model's answer is made of: content, reasoning and tool calls, whole or as a stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::engine {

/// A function call that the model wrote.
struct ToolCall {
    std::string id; // the model's own id ("functions.f:0"), mostly empty: the server makes one
    std::string name;
    std::string arguments_json; // a JSON object as text
};

/// One function that the request offers.  parameters_json: its JSON schema as text, may be empty.
struct ToolSchema {
    std::string name;
    std::string parameters_json;
};

/// A whole answer after its end.
struct AssistantMessage {
    std::string content;
    std::string reasoning;
    std::vector<ToolCall> tool_calls;
};

enum class ChatEventKind : std::uint8_t {
    content, // text
    reasoning, // text
    tool_begin, // tool_index, call.id, call.name
    tool_arguments, // tool_index, text: the next piece of arguments_json; the pieces of one call join to valid JSON
    tool_end, // tool_index, call is complete
};

/// One step of a streamed answer.
struct ChatEvent {
    ChatEventKind kind = ChatEventKind::content;
    std::string text;
    int tool_index = -1;
    ToolCall call;
};

} // namespace vitrine::engine
