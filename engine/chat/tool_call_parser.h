// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: reads tool calls out of the model's text, every known syntax, streaming.
#pragma once

#include "engine/chat/message.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// How a model family writes a call (design: text.md section 5).
enum class ToolSyntax : std::uint8_t {
    none,
    json_tag, // <tool_call>{"name", "arguments"}</tool_call>: Hermes, Qwen 2.5/3, Granite 4
    json_list_tag, // [...] between tags: <TOOLCALL>, <|START_ACTION|>, <|tools_prefix|>, <tool_calls>
    function_tag, // <tool_call><function=f><parameter=k>: Qwen3-Coder, Nemotron 3, Seed-OSS
    arg_key_tag, // <tool_call>f<arg_key>: GLM, Ling, Laguna, Hy3
    llama3_json, // the whole message is {"name", "parameters"}
    functionary_31, // <function=f>{...}</function>
    functionary_32, // >>>f\n{...}
    function_param, // <function name="f"><param name="k">: MiniCPM5
    mistral_list, // [TOOL_CALLS][{...}]
    mistral_args, // [TOOL_CALLS]f[CALL_ID]id[ARGS]{...}
    deepseek_r1, // tool calls begin ... function, sep, f, fenced JSON
    deepseek_v31, // tool calls begin ... f, sep, {...}
    invoke_tag, // <invoke name="f"><parameter name="k">: DeepSeek V3.2/V4 (DSML), MiniMax M2/M3
    harmony, // gpt-oss
    gemma4, // <|tool_call>call:f{k:<|"|>v<|"|>}<tool_call|>
    kimi_k2,
    kimi_k3,
    pythonic, // <|tool_call_start|>[f(k='v')]<|tool_call_end|>: LFM2.5
    solar,
    function_call_tag, // <|function_call|>{...}: GigaChat
    generic_json, // {"tool_call": {...}} or {"response": "..."}: our own system text, when a template has no tools
};

/// One syntax with the literals of its model.
struct ToolFormat {
    ToolSyntax syntax = ToolSyntax::none;
    std::string begin; // first literal of a call: the lazy grammar's trigger; empty: the message's first '{'
    std::string end; // literal that closes the block; may be empty

    /// From the template's source.  ToolSyntax::none: the template has no known syntax.
    [[nodiscard]] static ToolFormat detect(std::string_view template_source);
};

[[nodiscard]] std::string_view tool_syntax_name(ToolSyntax syntax);

/// Streaming; one object an answer, used by one thread.  Unknown function names and calls that do not parse become
/// content.  Tag values are untyped: converted by the tool's schema.  A call's name and arguments are given as they
/// come, where its family's order allows (the name before the arguments); such a call stays one, whatever follows.  So is the text of
/// {"response": "..."}.
class ToolCallParser {
public:
    ToolCallParser(ToolFormat format, std::vector<ToolSchema> tools);
    ~ToolCallParser();
    ToolCallParser(ToolCallParser&&) noexcept;
    ToolCallParser& operator=(ToolCallParser&&) noexcept;

    /// Adds the next piece of content (whole UTF-8, special tokens shown by name; reasoning already taken out).
    void feed(std::string_view piece, std::vector<ChatEvent>& events);
    /// End of the answer.  A call cut short is completed if only its end tag is missing; else it has no tool_end, or
    /// becomes content if nothing of it was given.
    void finish(std::vector<ChatEvent>& events);
    [[nodiscard]] int num_calls() const noexcept; // complete ones

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The whole answer at once: reasoning is not looked for.
[[nodiscard]] AssistantMessage parse_tool_calls(
    const ToolFormat& format, const std::vector<ToolSchema>& tools, std::string_view text);
/// The functions of a request's tools array (OpenAI form, or bare functions).  Unreadable: empty.
[[nodiscard]] std::vector<ToolSchema> tool_schemas_from_json(std::string_view tools_json);

} // namespace vitrine::engine
