// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/anthropic/messages_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

std::string event(const char* type, Json data) {
    data["type"] = type;
    return fmt::format("event: {}\ndata: {}\n\n", type, dump_json(data));
}

std::string delta(int index, Json what) {
    return event("content_block_delta", {{"index", index}, {"delta", std::move(what)}});
}

const char* stop_reason(engine::FinishReason reason, const std::string& stop_text) {
    if (reason == engine::FinishReason::length)
        return "max_tokens";
    if (reason == engine::FinishReason::tool_calls)
        return "tool_use";
    return stop_text.empty() ? "end_turn" : "stop_sequence";
}

Json stop_sequence(const std::string& stop_text) {
    return stop_text.empty() ? Json(nullptr) : Json(stop_text);
}

/// Cached tokens are not input tokens here.
Json usage_json(const engine::Usage& usage) {
    return {{"input_tokens", usage.prompt_tokens - usage.cached_tokens}, {"output_tokens", usage.output_tokens},
        {"cache_read_input_tokens", usage.cached_tokens}, {"cache_creation_input_tokens", 0}};
}

Json tool_use(const std::string& id, const std::string& name, Json input) {
    return {{"type", "tool_use"}, {"id", "toolu_" + id.substr(id.find('_') + 1)}, {"name", name},
        {"input", std::move(input)}};
}

Json tool_use(const engine::FoundToolCall& call) {
    Json input = Json::parse(call.arguments_json, nullptr, false);
    return tool_use(call.id, call.name, input.is_object() ? std::move(input) : Json::object());
}

} // namespace

MessagesFormat::MessagesFormat(std::string model) : id_(random_id("msg_")), model_(std::move(model)) {}

Json MessagesFormat::message() const {
    return {{"id", id_}, {"type", "message"}, {"role", "assistant"}, {"model", model_}, {"content", Json::array()},
        {"stop_reason", nullptr}, {"stop_sequence", nullptr}};
}

std::string MessagesFormat::begin(int prompt_tokens) {
    Json start = message();
    engine::Usage usage;
    usage.prompt_tokens = prompt_tokens; // what of it is cached comes at the end
    start["usage"] = usage_json(usage);
    return event("message_start", {{"message", std::move(start)}});
}

std::string MessagesFormat::open_block(Open kind) {
    if (open_ == kind)
        return {};
    std::string out = close_block();
    open_ = kind;
    const Json block = kind == Open::thinking ? Json{{"type", "thinking"}, {"thinking", ""}, {"signature", ""}}
                                              : Json{{"type", "text"}, {"text", ""}};
    return out + event("content_block_start", {{"index", num_blocks_++}, {"content_block", block}});
}

std::string MessagesFormat::close_block() {
    if (open_ == Open::none)
        return {};
    std::string out;
    if (open_ == Open::thinking)
        out = delta(num_blocks_ - 1, {{"type", "signature_delta"}, {"signature", ""}});
    open_ = Open::none;
    return out + event("content_block_stop", {{"index", num_blocks_ - 1}});
}

std::string MessagesFormat::frames(int, ChoiceOutput& fresh, bool) {
    std::string out;
    if (!fresh.reasoning.empty()) {
        out += open_block(Open::thinking);
        out += delta(num_blocks_ - 1, {{"type", "thinking_delta"}, {"thinking", fresh.reasoning}});
    }
    if (!fresh.text.empty()) {
        out += open_block(Open::text);
        out += delta(num_blocks_ - 1, {{"type", "text_delta"}, {"text", fresh.text}});
    }
    for (const engine::ToolCallPart& part : fresh.tool_parts) {
        if (!part.name.empty()) {
            out += close_block();
            open_ = Open::tool_use;
            out += event("content_block_start",
                {{"index", num_blocks_++}, {"content_block", tool_use(part.id, part.name, Json::object())}});
        }
        if (!part.arguments.empty())
            out += delta(num_blocks_ - 1, {{"type", "input_json_delta"}, {"partial_json", part.arguments}});
    }
    if (fresh.finished) {
        if (num_blocks_ == 0)
            out += open_block(Open::text); // an answer without text is a text block all the same
        out += close_block();
        reason_ = fresh.reason;
        stop_text_ = fresh.stop_text;
    }
    fresh = {};
    return out;
}

std::string MessagesFormat::end(const AnswerSummary& summary) {
    return event("message_delta",
               {{"delta",
                    {{"stop_reason", stop_reason(reason_, stop_text_)}, {"stop_sequence", stop_sequence(stop_text_)}}},
                   {"usage", usage_json(summary.usage)}}) +
        event("message_stop", Json::object());
}

std::string MessagesFormat::error_frame(const ApiError& error) {
    return fmt::format("event: error\ndata: {}\n\n", dump_json(error_json(error, Dialect::anthropic, {})));
}

Json MessagesFormat::body(const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) {
    const ChoiceOutput& choice = choices.front();
    Json out = message();
    Json& content = out["content"];
    if (!choice.reasoning.empty())
        content.push_back({{"type", "thinking"}, {"thinking", choice.reasoning}, {"signature", ""}});
    if (!choice.text.empty() || (choice.tool_calls.empty() && content.empty()))
        content.push_back({{"type", "text"}, {"text", choice.text}});
    for (const engine::FoundToolCall& call : choice.tool_calls)
        content.push_back(tool_use(call));
    out["stop_reason"] = stop_reason(choice.reason, choice.stop_text);
    out["stop_sequence"] = stop_sequence(choice.stop_text);
    out["usage"] = usage_json(summary.usage);
    return out;
}

} // namespace vitrine::app
