// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: output text.
#include "engine/core/output_stream.h"

#include <utility>

namespace vitrine::engine {
namespace {

constexpr int kCallIdLength = 24;
constexpr std::string_view kAlphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// splitmix64 (Steele, Lea, Flood 2014): ids need to differ, not to be secret.
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace

OutputStream::OutputStream(OutputOptions options)
    : options_(std::move(options)), decoder_(options_.drop_leading_space), stops_(options_.stops) {
    if (options_.splits_reasoning)
        splitter_.emplace(options_.reasoning, options_.reasoning_open);
    if (options_.tools.syntax != ToolSyntax::none)
        calls_.emplace(options_.tools, options_.tool_schemas);
}

bool OutputStream::wants_control_tokens() const noexcept {
    return splitter_.has_value() || calls_.has_value();
}

bool OutputStream::push(OutputToken token) {
    const bool inside = splitter_ && splitter_->inside_reasoning();
    bytes_in_ += token.bytes.size();
    const std::string text = decoder_.push(token.bytes);
    pending_.push_back(std::move(token));
    bytes_decoded_ += text.size();
    read_text(text);
    if (inside || (splitter_ && splitter_->inside_reasoning()))
        ++reasoning_tokens_;
    const std::size_t undecoded = bytes_in_ > bytes_decoded_ ? bytes_in_ - bytes_decoded_ : 0;
    if (!stopped_)
        release_tokens(undecoded + stops_.held_bytes());
    else if (stop_text_.empty()) // stopped by a call, whose tokens count
        release_tokens(0);
    return stopped_;
}

void OutputStream::push_end(OutputToken token) {
    token.bytes.clear();
    pending_.push_back(std::move(token));
}

void OutputStream::finish() {
    if (!stopped_) {
        read_text(decoder_.finish());
        if (splitter_) {
            std::vector<ChatEvent> events;
            splitter_->finish(events);
            read_events(events);
        }
        if (!stopped_)
            after_stop_matcher(stops_.finish());
    }
    if (calls_) {
        std::vector<ChatEvent> events;
        calls_->finish(events);
        read_tool_events(events);
    }
    if (!stopped_)
        release_tokens(0);
    pending_.clear(); // a stop string's own tokens go with its text
}

Delta OutputStream::take_delta(int choice) {
    Delta taken = std::exchange(delta_, Delta{});
    taken.choice = choice;
    return taken;
}

std::vector<ToolCallPart> OutputStream::take_call_parts(int choice) {
    std::vector<ToolCallPart> taken = std::exchange(parts_, {});
    for (ToolCallPart& part : taken)
        part.choice = choice;
    return taken;
}

std::vector<FoundToolCall> OutputStream::take_calls() {
    return std::exchange(found_, {});
}

bool OutputStream::has_output() const noexcept {
    return !delta_.text.empty() || !delta_.reasoning.empty() || !delta_.ids.empty();
}

void OutputStream::read_text(const std::string& text) {
    if (text.empty() || stopped_)
        return;
    if (!splitter_)
        return read_answer(text);
    std::vector<ChatEvent> events;
    splitter_->feed(text, events);
    read_events(events);
}

void OutputStream::read_events(const std::vector<ChatEvent>& events) {
    for (const ChatEvent& event : events) {
        if (event.kind == ChatEventKind::reasoning)
            delta_.reasoning += event.text;
        else if (event.kind == ChatEventKind::content && !stopped_)
            read_answer(event.text);
    }
}

void OutputStream::read_answer(const std::string& text) {
    after_stop_matcher(stops_.push(text));
}

void OutputStream::after_stop_matcher(const StopMatcher::Output& output) {
    if (calls_) {
        std::vector<ChatEvent> events;
        if (!output.text.empty())
            calls_->feed(output.text, events);
        read_tool_events(events);
    } else {
        delta_.text += output.text;
    }
    if (!output.stop_index)
        return;
    stopped_ = true;
    stop_text_ = options_.stops[static_cast<std::size_t>(*output.stop_index)];
    // Tokens that begin before the stop string gave text that stays; how much of it came out now tells which.
    std::size_t before = 0;
    for (const OutputToken& token : pending_)
        before += token.bytes.size();
    const std::size_t kept = std::min(before, output.text.size());
    release_tokens(before - kept);
}

void OutputStream::read_tool_events(const std::vector<ChatEvent>& events) {
    for (const ChatEvent& event : events) {
        if (options_.one_call && num_calls_ > 0)
            return;
        if (event.kind == ChatEventKind::content)
            delta_.text += event.text;
        else if (event.kind != ChatEventKind::reasoning)
            read_call_event(event);
    }
}

void OutputStream::read_call_event(const ChatEvent& event) {
    if (event.kind == ChatEventKind::tool_begin) {
        call_id_ = event.call.id.empty() ? make_call_id() : event.call.id;
        parts_.push_back({0, event.tool_index, call_id_, event.call.name, {}});
    } else if (event.kind == ChatEventKind::tool_arguments) {
        if (parts_.empty() || parts_.back().index != event.tool_index)
            parts_.push_back({0, event.tool_index, {}, {}, {}});
        parts_.back().arguments += event.text;
    } else if (event.kind == ChatEventKind::tool_end) {
        ++num_calls_;
        found_.push_back({event.tool_index, call_id_, event.call.name, event.call.arguments_json});
        stopped_ = stopped_ || options_.one_call;
    }
}

/// Gives every pending token whose bytes are not wholly among the last `held_bytes`.
void OutputStream::release_tokens(std::size_t held_bytes) {
    std::size_t total = 0;
    for (const OutputToken& token : pending_)
        total += token.bytes.size();
    const std::size_t given = total > held_bytes ? total - held_bytes : 0;
    std::size_t start = 0;
    while (
        !pending_.empty() && (start < given || held_bytes == 0 || (start == given && pending_.front().bytes.empty()))) {
        OutputToken& token = pending_.front();
        start += token.bytes.size();
        delta_.ids.push_back(token.id);
        delta_.num_draft_tokens += token.from_draft ? 1 : 0;
        if (token.logprobs)
            delta_.logprobs.push_back(*std::move(token.logprobs));
        pending_.pop_front();
    }
}

std::string OutputStream::make_call_id() {
    std::string id = "call_";
    for (int i = 0; i < kCallIdLength; ++i)
        id += kAlphanumeric[next_random(options_.call_id_seed) % kAlphanumeric.size()];
    return id;
}

} // namespace vitrine::engine
