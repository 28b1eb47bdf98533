// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: follows the calls of one block while the model writes them.
#pragma once

#include "engine/chat/json_progress.h"
#include "engine/chat/tool_call_head.h"

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// Takes arguments out of a block as they come, so that what is left of the block stays small and the reader of whole
/// blocks (tool_call_syntax) sees calls with empty arguments.  What it has begun is not withdrawn.
class CallProgress {
public:
    enum class State : std::uint8_t {
        waits, // nothing is open: the block may be complete
        open, // inside arguments: the block cannot end here
        broken, // the arguments are none; what is left of the block is text
    };

    CallProgress(const ToolFormat& format, const std::vector<ToolSchema>& tools);

    /// `block`: at least the literal that it begins with.
    void begin_block(std::string_view block);
    /// Reads on.  Takes what it gives as events out of `block`.
    State advance(std::string& block, std::vector<ChatEvent>& events);
    /// The block is complete and holds this call, number `index` of it.  False: it was not begun here.
    bool end_call(std::size_t index, std::vector<ChatEvent>& events);

    [[nodiscard]] int num_ended() const noexcept { return num_ended_; }
    [[nodiscard]] bool has_begun_in_block() const noexcept { return begun_in_block_ > 0; }
    /// A call that was read whole takes the next index.
    int count_whole() noexcept;

private:
    enum class Mode : std::uint8_t { head, json, between_tags, tag_value, literals, response, whole };
    enum class Go : std::uint8_t { on, waits, open, broken };

    Go read_head(const std::string& block, std::vector<ChatEvent>& events);
    Go read_json(std::string& block, std::vector<ChatEvent>& events);
    Go read_between_tags(std::string& block, std::vector<ChatEvent>& events);
    Go read_tag_value(std::string& block, std::vector<ChatEvent>& events);
    Go read_response(std::string& block, std::vector<ChatEvent>& events);
    Go read_literal(std::string& block, std::vector<ChatEvent>& events);
    void emit_arguments(std::string text, std::vector<ChatEvent>& events);
    void emit_member(std::string_view key, const std::string& json, std::vector<ChatEvent>& events);
    void close_members(std::vector<ChatEvent>& events);
    void finish_call(std::vector<ChatEvent>& events);
    void give_text(std::string_view text, std::vector<ChatEvent>& events);
    [[nodiscard]] const ToolSchema* tool() const;

    const ToolFormat format_;
    const std::vector<ToolSchema>& tools_;
    const ArgumentStyle style_;
    const ParameterTags tags_;
    std::string end_; // literal that closes the block; may be empty
    Mode mode_ = Mode::head;
    std::size_t at_ = 0; // read up to here
    ToolCall call_; // the one being written
    bool is_open_ = false; // call_ has begun and not ended
    int begun_in_block_ = 0;
    std::size_t ended_in_block_ = 0;
    int num_begun_ = 0;
    int num_ended_ = 0;
    JsonProgress json_;
    std::vector<std::string> keys_; // of call_, given
    std::string key_; // of the value being read
    std::string label_; // what stood between the value's tags
    bool streams_value_ = false; // a text: goes out as it comes
    bool first_line_ = false; // nothing of the value was given
};

} // namespace vitrine::engine
