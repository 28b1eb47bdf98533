// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: model output through the reader of tool calls, whole and in pieces.  First byte: syntax; second: where it is cut.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/base/utf8.h"
#include "engine/chat/tool_call_parser.h"

namespace {

using namespace vitrine::engine;

// What each family's template holds, so that detect() finds it.
constexpr std::string_view kTemplates[] = {"<tool_call>", "<TOOLCALL>", "<function=<parameter=", "<arg_key",
    "<|python_tag|>", "<function=", ">>>all", "<function name=", "[TOOL_CALLS]", "[TOOL_CALLS][ARGS]",
    "<｜tool▁calls▁begin｜>```json", "<｜tool▁calls▁begin｜>", "minimax:tool_call", "｜DSML｜", "<|channel|>functions",
    "<|tool_call><tool_call|>", "<|tool_calls_section_begin|>", "<|open|><|sep|>", "<|tool_call_start|>",
    "<|tool_call:begin|>", "<|function_call|>"};

struct Answer {
    std::string content;
    std::vector<std::string> calls;
};

Answer read(const ToolFormat& format, const std::vector<ToolSchema>& tools, std::string_view text, std::size_t piece) {
    ToolCallParser parser(format, tools);
    std::vector<ChatEvent> events;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(at + piece, text.size());
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
            ++end; // whole characters, as the stream decoder gives them
        parser.feed(text.substr(at, end - at), events);
        at = end;
    }
    parser.finish(events);
    Answer answer;
    std::string parts;
    for (const ChatEvent& event : events) {
        if (event.kind == ChatEventKind::content)
            answer.content += event.text;
        if (event.kind == ChatEventKind::tool_begin)
            parts.clear();
        if (event.kind == ChatEventKind::tool_arguments)
            parts += event.text;
        if (event.kind != ChatEventKind::tool_end)
            continue;
        if (parts != event.call.arguments_json)
            std::abort(); // what was given while it came is what it is
        if (!nlohmann::json::parse(event.call.arguments_json, nullptr, false).is_object())
            std::abort(); // arguments are always one JSON object
        answer.calls.push_back(event.call.name + event.call.arguments_json);
    }
    return answer;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3)
        return 0;
    static const std::vector<ToolSchema> tools = tool_schemas_from_json(
        R"([{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"integer"}}}}}])");
    const ToolFormat format = ToolFormat::detect(kTemplates[data[0] % std::size(kTemplates)]);
    const std::string text = replace_invalid_utf8({reinterpret_cast<const char*>(data) + 2, size - 2});
    const Answer whole = read(format, tools, text, text.size());
    const Answer pieces = read(format, tools, text, 1 + data[1] % 16U);
    if (whole.calls != pieces.calls)
        std::abort(); // how the text is cut changes nothing
    return 0;
}
