// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: parts reasoning from the answer while the text streams.
#include "engine/chat/reasoning_splitter.h"

#include "engine/chat/stream_text.h"

#include <algorithm>
#include <array>

namespace vitrine::engine {
namespace {

constexpr std::string_view kMessage = "<|message|>";
constexpr std::array<std::string_view, 4> kHarmonyEnds = {"<|end|>", "<|return|>", "<|call|>", "<|start|>"};

} // namespace

ReasoningTags ReasoningTags::detect(std::string_view source) {
    const auto has = [&](std::string_view part) { return source.find(part) != std::string_view::npos; };
    if (has("<|channel|>"))
        return {{}, {}, true};
    static constexpr std::array<std::array<std::string_view, 3>, 7> kTags = {{
        {"<|channel>thought", "<|channel>thought", "<channel|>"},
        {"[THINK]", "[THINK]", "[/THINK]"},
        {"<seed:think>", "<seed:think>", "</seed:think>"},
        {"<mm:think>", "<mm:think>", "</mm:think>"},
        {"<|START_THINKING|>", "<|START_THINKING|>", "<|END_THINKING|>"},
        {":opensource", "<think:opensource>", "</think:opensource>"},
        {"think>", "<think>", "</think>"},
    }};
    for (const auto& [mark, begin, end] : kTags) {
        if (has(mark))
            return {std::string(begin), std::string(end), false};
    }
    return {};
}

ReasoningSplitter::ReasoningSplitter(ReasoningTags tags, bool starts_inside)
    : tags_(std::move(tags)), starts_inside_(starts_inside) {
    if (!tags_.exists())
        state_ = State::content;
    else if (tags_.harmony)
        state_ = State::harmony_header;
}

void ReasoningSplitter::emit(ChatEventKind kind, std::size_t num_bytes, std::vector<ChatEvent>& events) {
    std::string text = pending_.substr(0, num_bytes);
    pending_.erase(0, num_bytes);
    if (drop_newline_ && !text.empty()) {
        if (text[0] == '\n')
            text.erase(0, 1);
        drop_newline_ = false;
    }
    if (text.empty())
        return;
    if (!events.empty() && events.back().kind == kind)
        events.back().text += text;
    else
        events.push_back({kind, std::move(text), -1, {}});
}

void ReasoningSplitter::feed(std::string_view piece, std::vector<ChatEvent>& events) {
    pending_ += piece;
    while (step(events, false)) {
    }
}

void ReasoningSplitter::finish(std::vector<ChatEvent>& events) {
    while (step(events, true)) {
    }
}

/// One move; false: more text is needed.
bool ReasoningSplitter::step(std::vector<ChatEvent>& events, bool at_end) {
    switch (state_) {
    case State::before:
        return step_before(events, at_end);
    case State::reasoning:
        return step_reasoning(events, at_end);
    case State::content:
        emit(ChatEventKind::content, pending_.size(), events);
        return false;
    case State::harmony_header:
    case State::harmony_body:
        return step_harmony(events, at_end);
    }
    return false;
}

bool ReasoningSplitter::step_before(std::vector<ChatEvent>& /*events*/, bool at_end) {
    const std::size_t start = std::min(pending_.find_first_not_of(" \t\r\n"), pending_.size());
    const std::string_view rest = std::string_view(pending_).substr(start);
    if (rest.starts_with(tags_.begin)) {
        pending_.erase(0, start + tags_.begin.size());
        drop_newline_ = true;
        state_ = State::reasoning;
        return true;
    }
    if (!at_end && std::string_view(tags_.begin).starts_with(rest))
        return false;
    drop_newline_ = starts_inside_;
    state_ = starts_inside_ ? State::reasoning : State::content;
    return true;
}

bool ReasoningSplitter::step_reasoning(std::vector<ChatEvent>& events, bool at_end) {
    const std::size_t end = pending_.find(tags_.end);
    if (end == std::string::npos) {
        // The newline before the end tag is part of the tag.
        const std::size_t held =
            at_end ? 0 : std::max(partial_suffix(pending_, tags_.end), partial_suffix(pending_, "\n" + tags_.end));
        emit(ChatEventKind::reasoning, pending_.size() - held, events);
        return false;
    }
    const bool has_newline = end > 0 && pending_[end - 1] == '\n';
    emit(ChatEventKind::reasoning, end - (has_newline ? 1 : 0), events);
    pending_.erase(0, tags_.end.size() + (has_newline ? 1 : 0));
    drop_newline_ = true;
    state_ = State::content;
    return true;
}

bool ReasoningSplitter::step_harmony(std::vector<ChatEvent>& events, bool at_end) {
    if (pending_.empty())
        return false;
    if (state_ == State::harmony_header) {
        const std::size_t end = pending_.find(kMessage);
        if (end == std::string::npos) {
            const bool is_header = pending_.find("<|") != std::string::npos || pending_.starts_with(" to=");
            if (at_end && !is_header)
                emit(ChatEventKind::content, pending_.size(), events);
            return false;
        }
        const std::string_view header = std::string_view(pending_).substr(0, end);
        harmony_raw_ = header.find("to=") != std::string_view::npos;
        const bool is_analysis = header.find("analysis") != std::string_view::npos && !harmony_raw_;
        harmony_kind_ = is_analysis ? ChatEventKind::reasoning : ChatEventKind::content;
        if (harmony_raw_)
            emit(ChatEventKind::content, end + kMessage.size(), events);
        else
            pending_.erase(0, end + kMessage.size());
        state_ = State::harmony_body;
        return true;
    }
    std::size_t end = std::string::npos;
    std::size_t end_size = 0;
    std::size_t held = 0;
    for (const std::string_view mark : kHarmonyEnds) {
        const std::size_t found = pending_.find(mark);
        if (found < end) {
            end = found;
            end_size = mark.size();
        }
        held = std::max(held, partial_suffix(pending_, mark));
    }
    if (end == std::string::npos) {
        emit(harmony_kind_, pending_.size() - (at_end ? 0 : held), events);
        return false;
    }
    emit(harmony_kind_, end, events);
    if (harmony_raw_)
        emit(harmony_kind_, end_size, events);
    else
        pending_.erase(0, end_size);
    state_ = State::harmony_header;
    return true;
}

} // namespace vitrine::engine
