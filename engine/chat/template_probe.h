// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: finds out what a template takes by rendering probes, and adapts messages to it.
#pragma once

#include "engine/chat/chat_template.h"
#include "engine/chat/reasoning_splitter.h"
#include "engine/chat/tool_call_parser.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vitrine::engine {

enum class ArgumentShape : std::uint8_t { object, string };
enum class EmptyContent : std::uint8_t { empty_string, null, absent };

/// Measured once per template by rendering small conversations.
struct TemplateTraits {
    bool calls_shown = false; // a tool call of the history appears in the prompt; else calls are told as text
    ArgumentShape arguments = ArgumentShape::object;
    EmptyContent call_content = EmptyContent::empty_string;
    bool takes_system = false;
    bool takes_parts = false; // iterates content itself; else text parts are joined
    bool shows_tools = false; // tools of the request appear; else our own system text lists them
    bool takes_parallel_calls = false;
    bool takes_repeated_user = false; // two user turns in a row
    bool has_thinking_switch = false; // enable_thinking changes the text
    bool reasoning_open = false; // the generation prompt opened the reasoning tag
    std::string generation_prompt; // what add_generation_prompt adds; empty: no effect
    ReasoningTags reasoning;
    ToolFormat tools;
};

/// A prompt as the endpoint and the chat page send it.
struct AdaptedText {
    RenderedText prompt;
    bool reasoning_open = false; // the prompt ends inside reasoning
    ToolFormat tools; // generic_json when the template shows no tools and tools were given
};

/// One model's template with its probe results.  Immutable; const functions are safe from every thread.
class ChatFormat {
public:
    /// Compiles and probes (about 40 small renders).  Errors: as ChatTemplate::compile.
    [[nodiscard]] static Result<std::unique_ptr<const ChatFormat>> create(
        std::string source, std::string bos_token, std::string eos_token);

    [[nodiscard]] const ChatTemplate& chat_template() const noexcept { return *template_; }
    [[nodiscard]] const TemplateTraits& traits() const noexcept { return traits_; }

    /// Adapts, then renders: developer = system, parts joined, system folded into the first user turn, argument shape,
    /// a trailing assistant message continued, reasoning keys filled.  bos and eos of the input are replaced by ours.
    [[nodiscard]] Result<AdaptedText> render(const RenderInput& input) const;
    /// As given: ChatTemplate::render with our bos and eos.
    [[nodiscard]] Result<RenderedText> render_as_given(RenderInput input) const;

private:
    ChatFormat(std::unique_ptr<const ChatTemplate> compiled, std::string bos_token, std::string eos_token);
    std::unique_ptr<const ChatTemplate> template_;
    std::string bos_token_;
    std::string eos_token_;
    TemplateTraits traits_;
};

} // namespace vitrine::engine
