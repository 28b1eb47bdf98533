// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: tokens of one choice become text, reasoning and tool calls, once for every reader.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/event.h"
#include "engine/chat/reasoning_splitter.h"
#include "engine/chat/tool_call_parser.h"
#include "engine/text/stop_matcher.h"
#include "engine/text/stream_decoder.h"

namespace vitrine::engine {

struct OutputOptions {
    ReasoningTags reasoning; // used only if splits_reasoning
    bool splits_reasoning = false;
    bool reasoning_open = false;
    ToolFormat tools; // none: no calls are looked for
    std::vector<ToolSchema> tool_schemas;
    bool one_call = false; // the output ends behind its first call
    std::vector<std::string> stops;
    bool drop_leading_space = false;
    std::uint64_t call_id_seed = 0; // ids of tool calls that the model gave none
};

/// One sampled token on its way out.
struct OutputToken {
    TokenId id = 0;
    std::string bytes; // what it adds to the text; empty for hidden control tokens
    bool from_draft = false;
    std::optional<TokenLogprobs> logprobs;
};

/// Order: whole UTF-8, reasoning apart, stop strings in the answer, tool calls.  Invariants: what was given is never
/// withdrawn; the joined text does not depend on how tokens were spread over steps.  Thread: engine.
class OutputStream {
public:
    explicit OutputStream(OutputOptions options);

    /// Control tokens must be shown by name to the readers of tags and calls.
    [[nodiscard]] bool wants_control_tokens() const noexcept;
    /// Adds one token.  Returns whether a stop string or, with one_call, a call was completed; nothing may follow then.
    bool push(OutputToken token);
    /// Adds the end-of-generation token: it has no text.
    void push_end(OutputToken token);
    /// The end: everything held back comes out.
    void finish();

    /// What became ready since the last call; empty text and no tokens if nothing did.
    [[nodiscard]] Delta take_delta(int choice);
    /// Names and arguments of calls as they come, then the calls that are complete.
    [[nodiscard]] std::vector<ToolCallPart> take_call_parts(int choice);
    [[nodiscard]] std::vector<FoundToolCall> take_calls();
    [[nodiscard]] bool has_output() const noexcept;

    [[nodiscard]] const std::string& stop_text() const noexcept { return stop_text_; }
    [[nodiscard]] int num_calls() const noexcept { return num_calls_; }
    [[nodiscard]] int reasoning_tokens() const noexcept { return reasoning_tokens_; }

private:
    void read_text(const std::string& text);
    void read_events(const std::vector<ChatEvent>& events);
    void read_answer(const std::string& text);
    void after_stop_matcher(const StopMatcher::Output& output);
    void read_tool_events(const std::vector<ChatEvent>& events);
    void read_call_event(const ChatEvent& event);
    void release_tokens(std::size_t held_bytes);
    [[nodiscard]] std::string make_call_id();

    OutputOptions options_;
    StreamDecoder decoder_;
    std::optional<ReasoningSplitter> splitter_;
    StopMatcher stops_;
    std::optional<ToolCallParser> calls_;
    std::deque<OutputToken> pending_; // text not wholly given yet
    std::size_t bytes_in_ = 0;
    std::size_t bytes_decoded_ = 0;
    Delta delta_;
    std::vector<ToolCallPart> parts_;
    std::vector<FoundToolCall> found_;
    std::string call_id_; // of the call being written
    std::string stop_text_;
    bool stopped_ = false;
    int num_calls_ = 0;
    int reasoning_tokens_ = 0;
};

} // namespace vitrine::engine
