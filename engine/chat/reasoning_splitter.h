// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: parts reasoning from the answer while the text streams.
#pragma once

#include "engine/chat/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// How a model marks its reasoning.  Empty begin: it has none.
struct ReasoningTags {
    std::string begin; // "<think>"
    std::string end; // "</think>"
    bool harmony = false; // gpt-oss channels: analysis is reasoning, final is content, commentary goes through raw

    [[nodiscard]] bool exists() const noexcept { return harmony || !begin.empty(); }
    /// From the template's text: <think>, [THINK], <seed:think>, <mm:think>, <|START_THINKING|>, harmony, Gemma 4.
    [[nodiscard]] static ReasoningTags detect(std::string_view template_source);
};

/// Streaming; one object an answer, used by one thread.  A tag may be cut anywhere between two pieces.
/// No end tag: all is reasoning.  One newline after either tag goes.  Tags count at the start of the answer only
/// (spaces before it allowed), so that an answer may talk about <think>.
class ReasoningSplitter {
public:
    /// starts_inside: the generation prompt opened the tag (TemplateTraits::reasoning_open or Rendered::reasoning_open).
    ReasoningSplitter(ReasoningTags tags, bool starts_inside);

    /// Adds the next piece of text (whole UTF-8, special tokens shown by name).  Appends content and reasoning events.
    void feed(std::string_view piece, std::vector<ChatEvent>& events);
    /// End of the answer: what was held back comes out.
    void finish(std::vector<ChatEvent>& events);
    [[nodiscard]] bool inside_reasoning() const noexcept { return state_ == State::reasoning; }

private:
    enum class State : std::uint8_t { before, reasoning, content, harmony_header, harmony_body };
    bool step(std::vector<ChatEvent>& events, bool at_end);
    bool step_harmony(std::vector<ChatEvent>& events, bool at_end);
    bool step_before(std::vector<ChatEvent>& events, bool at_end);
    bool step_reasoning(std::vector<ChatEvent>& events, bool at_end);
    void emit(ChatEventKind kind, std::size_t num_bytes, std::vector<ChatEvent>& events);

    ReasoningTags tags_;
    bool starts_inside_ = false;
    bool harmony_raw_ = false;
    State state_ = State::before;
    ChatEventKind harmony_kind_ = ChatEventKind::content;
    bool drop_newline_ = false;
    std::string pending_;
};

} // namespace vitrine::engine
