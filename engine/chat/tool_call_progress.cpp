// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: calls while they are written.
#include "engine/chat/tool_call_progress.h"

#include "engine/chat/stream_text.h"
#include "engine/chat/tool_call_literals.h"
#include "engine/chat/tool_call_syntax.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Families whose blocks may hold several calls.
bool holds_many(ToolSyntax syntax) {
    switch (syntax) {
    case ToolSyntax::json_tag:
    case ToolSyntax::json_list_tag:
    case ToolSyntax::mistral_list:
    case ToolSyntax::deepseek_r1:
    case ToolSyntax::deepseek_v31:
    case ToolSyntax::kimi_k2:
    case ToolSyntax::function_tag:
    case ToolSyntax::invoke_tag:
    case ToolSyntax::pythonic:
        return true;
    default:
        return false;
    }
}

std::string json_of(const JinjaValue& value) {
    try {
        return jinja_to_json(value, {}).bytes;
    } catch (const JinjaError&) {
        return "null";
    }
}

/// The inside of a JSON string.
std::string escaped(std::string_view text) {
    const std::string quoted = json_of(JinjaValue::text(text));
    return quoted.substr(1, quoted.size() - 2);
}

} // namespace

CallProgress::CallProgress(const ToolFormat& format, const std::vector<ToolSchema>& tools)
    : format_(format), tools_(tools), style_(argument_style(format.syntax)), tags_(parameter_tags(format)) {}

void CallProgress::begin_block(std::string_view block) {
    // Qwen3-Coder leaves the outer tags out at times.
    const bool is_bare = format_.syntax == ToolSyntax::function_tag && !block.starts_with(format_.begin);
    end_ = is_bare ? tags_.call_end : format_.end;
    mode_ = Mode::head;
    at_ = 0;
    begun_in_block_ = 0;
    ended_in_block_ = 0;
    is_open_ = false;
}

CallProgress::State CallProgress::advance(std::string& block, std::vector<ChatEvent>& events) {
    while (true) {
        Go go = Go::waits;
        switch (mode_) {
        case Mode::head:
            go = read_head(block, events);
            break;
        case Mode::json:
            go = read_json(block, events);
            break;
        case Mode::between_tags:
            go = read_between_tags(block, events);
            break;
        case Mode::tag_value:
            go = read_tag_value(block, events);
            break;
        case Mode::literals:
            go = read_literal(block, events);
            break;
        case Mode::response:
            go = read_response(block, events);
            break;
        case Mode::whole:
            break;
        }
        if (go != Go::on)
            return go == Go::open ? State::open : go == Go::broken ? State::broken : State::waits;
    }
}

bool CallProgress::end_call(std::size_t index, std::vector<ChatEvent>& events) {
    if (index < ended_in_block_)
        return true;
    if (!is_open_)
        return false;
    close_members(events); // its closing tag is missing
    finish_call(events);
    return true;
}

int CallProgress::count_whole() noexcept {
    ++num_ended_;
    return num_begun_++;
}

CallProgress::Go CallProgress::read_head(const std::string& block, std::vector<ChatEvent>& events) {
    if (begun_in_block_ > 0 && !holds_many(format_.syntax)) {
        mode_ = Mode::whole;
        return Go::waits;
    }
    // Not beyond the block: what follows may begin another one.
    const std::size_t block_end = end_.empty() ? kNone : block.find(end_, at_);
    CallHead head = find_call_head(format_, std::string_view(block).substr(0, block_end), at_);
    if (head.outcome == CallHead::Outcome::need_more)
        return Go::waits;
    if (head.outcome == CallHead::Outcome::response) {
        std::string before;
        at_ = head.arguments_at;
        json_ = {};
        static_cast<void>(json_.feed("{\"response\":\"", before));
        ++begun_in_block_;
        mode_ = Mode::response;
        return Go::on;
    }
    call_ = {std::move(head.id), std::move(head.name), {}};
    if (head.outcome == CallHead::Outcome::unreadable || tool() == nullptr) {
        mode_ = Mode::whole;
        return Go::waits;
    }
    at_ = head.arguments_at;
    is_open_ = true;
    ++begun_in_block_;
    keys_.clear();
    json_ = {};
    mode_ = style_ == ArgumentStyle::json ? Mode::json
        : style_ == ArgumentStyle::tags   ? Mode::between_tags
                                          : Mode::literals;
    events.push_back({ChatEventKind::tool_begin, {}, num_begun_++, call_});
    return Go::on;
}

CallProgress::Go CallProgress::read_json(std::string& block, std::vector<ChatEvent>& events) {
    std::string piece;
    const JsonProgress::Step step = json_.feed(std::string_view(block).substr(at_), piece);
    block.erase(at_, step.size);
    emit_arguments(std::move(piece), events);
    if (step.status == JsonProgress::Status::more)
        return Go::open;
    if (step.status == JsonProgress::Status::broken) {
        block.erase(0, at_);
        is_open_ = false;
        return Go::broken;
    }
    block.insert(at_, "{}");
    at_ += 2;
    finish_call(events);
    return Go::on;
}

/// The text of {"response": "..."}, without its escapes.
CallProgress::Go CallProgress::read_response(std::string& block, std::vector<ChatEvent>& events) {
    std::string piece;
    std::size_t size = 0;
    JsonProgress::Step step;
    while (at_ + size < block.size() && json_.in_text() && step.status == JsonProgress::Status::more) {
        step = json_.feed(std::string_view(block).substr(at_ + size, 1), piece);
        size += step.size;
    }
    block.erase(at_, size);
    const bool ended = !json_.in_text();
    if (ended)
        piece.pop_back(); // the closing quote
    if (const auto text = jinja_from_json("\"" + piece + "\"", false, "response"); text && !piece.empty())
        events.push_back({ChatEventKind::content, text->as_text().bytes, -1, {}});
    if (step.status == JsonProgress::Status::broken) {
        block.erase(0, at_);
        return Go::broken;
    }
    if (!ended)
        return Go::open;
    block.insert(at_, "\"");
    mode_ = Mode::whole;
    return Go::waits;
}

CallProgress::Go CallProgress::read_between_tags(std::string& block, std::vector<ChatEvent>& events) {
    const std::size_t begin = block.find(tags_.value_begin, at_);
    const std::size_t end = block.find(tags_.call_end, at_);
    const std::size_t block_end = end_.empty() ? kNone : block.find(end_, at_);
    if (end != kNone && end < begin && end <= block_end) {
        at_ = end;
        close_members(events);
        finish_call(events);
        return Go::on;
    }
    if (begin == kNone || begin > block_end)
        return Go::waits;
    const std::size_t label = begin + tags_.value_begin.size();
    const std::size_t label_end = block.find(tags_.key_end, label);
    if (label_end == kNone || label_end > block_end)
        return Go::waits;
    label_ = block.substr(label, label_end - label);
    key_ = tags_.key_is_attribute ? tag_attribute(label_, format_.syntax == ToolSyntax::kimi_k3 ? "key" : "name")
                                  : std::string_view(label_).substr(0, label_.find('<'));
    const std::size_t first = std::min(key_.find_first_not_of(" \t\r\n"), key_.size());
    key_ = key_.substr(first, key_.find_last_not_of(" \t\r\n") + 1 - first);
    streams_value_ = std::ranges::find(keys_, key_) == keys_.end() &&
        (tag_attribute(label_, "string") == "true" || tag_attribute(label_, "type") == "string" ||
            takes_text_only(tool(), key_));
    first_line_ = true;
    block.erase(begin, label_end + tags_.key_end.size() - begin);
    at_ = begin;
    mode_ = Mode::tag_value;
    return Go::on;
}

/// The value runs from at_ to its closing tag; without one to the end of the call, and that to the end of the block.
CallProgress::Go CallProgress::read_tag_value(std::string& block, std::vector<ChatEvent>& events) {
    const std::size_t block_end = end_.empty() ? kNone : block.find(end_, at_);
    const std::size_t call_end = block.find(tags_.call_end, at_);
    const std::size_t close = block.find(tags_.value_end, at_);
    const bool closed = close != kNone && close <= block_end;
    if (!closed && block_end == kNone) {
        if (!streams_value_)
            return Go::open;
        const std::string_view rest = std::string_view(block).substr(at_);
        std::size_t sure = rest.size() -
            std::max({partial_suffix(rest, tags_.value_end), partial_suffix(rest, tags_.call_end),
                partial_suffix(rest, end_)});
        sure = std::min(sure, call_end == kNone ? sure : call_end - at_);
        if (tags_.trims_lines && sure > 0 && rest[sure - 1] == '\n')
            --sure; // belongs to the closing tag, if that follows
        give_text(rest.substr(0, sure), events);
        block.erase(at_, sure);
        return Go::open;
    }
    const std::size_t end = closed ? close : std::min(call_end, block_end);
    std::string_view value = std::string_view(block).substr(at_, end - at_);
    if (tags_.trims_lines && value.ends_with('\n') && (value.size() > 1 || !first_line_))
        value.remove_suffix(1);
    if (streams_value_) {
        give_text(value, events);
        if (first_line_) // an empty text
            emit_member(key_, "\"", events);
        emit_arguments("\"", events);
    } else {
        if (tags_.trims_lines && value.starts_with('\n'))
            value.remove_prefix(1);
        emit_member(key_, json_of(convert_tag_value(tool(), key_, value)), events);
    }
    block.erase(at_, end + (closed ? tags_.value_end.size() : 0) - at_);
    mode_ = Mode::between_tags;
    return Go::on;
}

CallProgress::Go CallProgress::read_literal(std::string& block, std::vector<ChatEvent>& events) {
    const bool is_gemma = format_.syntax == ToolSyntax::gemma4;
    const std::size_t end = literal_end(std::string_view(block).substr(at_), is_gemma);
    if (end == kNone)
        return Go::open;
    const std::string entry = block.substr(at_, end);
    const bool is_last = block[at_ + end] != ',';
    if (entry.find_first_not_of(" \t\r\n") != std::string::npos) {
        const std::optional<JinjaValue> read = read_literal_entry(entry, is_gemma);
        if (!read) {
            block.erase(0, at_);
            is_open_ = false;
            return Go::broken;
        }
        for (const auto& [key, value] : read->as_map()->entries)
            emit_member(jinja_str(key).bytes, json_of(value), events);
    }
    block.erase(at_, end + (is_last ? 0 : 1));
    if (!is_last)
        return Go::on;
    ++at_; // the closing bracket
    close_members(events);
    finish_call(events);
    return Go::on;
}

void CallProgress::emit_arguments(std::string text, std::vector<ChatEvent>& events) {
    if (text.empty())
        return;
    call_.arguments_json += text;
    events.push_back({ChatEventKind::tool_arguments, std::move(text), num_begun_ - 1, {}});
}

/// A key that comes again is passed over.
void CallProgress::emit_member(std::string_view key, const std::string& json, std::vector<ChatEvent>& events) {
    if (std::ranges::find(keys_, key) != keys_.end())
        return;
    const std::string before = keys_.empty() ? "{" : ", ";
    keys_.emplace_back(key);
    emit_arguments(before + json_of(JinjaValue::text(key)) + ": " + json, events);
}

void CallProgress::close_members(std::vector<ChatEvent>& events) {
    emit_arguments(keys_.empty() ? "{}" : "}", events);
}

void CallProgress::finish_call(std::vector<ChatEvent>& events) {
    events.push_back({ChatEventKind::tool_end, {}, num_begun_ - 1, std::move(call_)});
    call_ = {};
    is_open_ = false;
    ++ended_in_block_;
    ++num_ended_;
    mode_ = Mode::head;
}

/// The next piece of a text value.
void CallProgress::give_text(std::string_view text, std::vector<ChatEvent>& events) {
    if (text.empty())
        return;
    if (first_line_) {
        if (tags_.trims_lines && text.starts_with('\n'))
            text.remove_prefix(1);
        emit_member(key_, "\"" + escaped(text), events);
        first_line_ = false;
        return;
    }
    emit_arguments(escaped(text), events);
}

const ToolSchema* CallProgress::tool() const {
    const auto found = std::ranges::find(tools_, call_.name, &ToolSchema::name);
    return found == tools_.end() ? nullptr : &*found;
}

} // namespace vitrine::engine
