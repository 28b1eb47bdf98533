// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/responses_format.h"

#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/completion_format.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

struct Echo {
    const char* name;
    Json fallback;
};

/// The settings a response repeats.
Json echoed(const Json& request) {
    const Echo fields[] = {{"instructions", nullptr}, {"max_output_tokens", nullptr}, {"metadata", Json::object()},
        {"parallel_tool_calls", true}, {"temperature", 1.0}, {"top_p", 1.0}, {"tool_choice", "auto"},
        {"tools", Json::array()}, {"text", {{"format", {{"type", "text"}}}}}, {"truncation", "disabled"},
        {"reasoning", {{"effort", nullptr}, {"summary", nullptr}}}, {"user", nullptr}};
    Json out = Json::object();
    for (const Echo& field : fields) {
        const auto it = request.find(field.name);
        out[field.name] = it == request.end() || it->is_null() ? field.fallback : *it;
    }
    return out;
}

Json token_logprobs(const std::vector<engine::TokenLogprobs>& tokens) {
    return chat_logprobs_json(tokens)["content"];
}

} // namespace

ResponsesFormat::ResponsesFormat(const Json& request, std::string model) : head_(echoed(request)) {
    head_["id"] = random_id("resp_");
    head_["object"] = "response";
    head_["created_at"] = std::time(nullptr);
    head_["model"] = std::move(model);
    head_["previous_response_id"] = nullptr;
    head_["store"] = false;
    head_["background"] = false;
    head_["service_tier"] = "default";
}

Json ResponsesFormat::response(const char* status) const {
    Json out = head_;
    out["status"] = status;
    out["error"] = nullptr;
    out["incomplete_details"] = nullptr;
    out["output"] = output_;
    out["usage"] = nullptr;
    return out;
}

void ResponsesFormat::finish_response(Json& out, const AnswerSummary& summary) const {
    if (reason_ == engine::FinishReason::length)
        out["incomplete_details"] = {{"reason", "max_output_tokens"}};
    const engine::Usage& usage = summary.usage;
    out["completed_at"] = std::time(nullptr);
    out["usage"] = {{"input_tokens", usage.prompt_tokens},
        {"input_tokens_details", {{"cached_tokens", usage.cached_tokens}, {"cache_write_tokens", 0}}},
        {"output_tokens", usage.output_tokens},
        {"output_tokens_details", {{"reasoning_tokens", usage.reasoning_tokens}}},
        {"total_tokens", usage.prompt_tokens + usage.output_tokens}};
}

std::string ResponsesFormat::event(const char* type, Json data) {
    data["type"] = type;
    data["sequence_number"] = sequence_++;
    return fmt::format("event: {}\ndata: {}\n\n", type, dump_json(data));
}

std::string ResponsesFormat::begin(int prompt_tokens) {
    static_cast<void>(prompt_tokens);
    std::string out = event("response.created", {{"response", response("in_progress")}});
    return out + event("response.in_progress", {{"response", response("in_progress")}});
}

Json ResponsesFormat::part() const {
    if (open_ == Open::reasoning)
        return {{"type", "reasoning_text"}, {"text", text_}};
    return {{"type", "output_text"}, {"text", text_}, {"annotations", Json::array()}, {"logprobs", logprobs_}};
}

std::string ResponsesFormat::open_item(Open kind) {
    if (open_ == kind)
        return {};
    std::string out = close_item();
    open_ = kind;
    if (kind == Open::reasoning)
        item_ = {{"id", random_id("rs_")}, {"type", "reasoning"}, {"summary", Json::array()},
            {"content", Json::array()}, {"status", "in_progress"}};
    else
        item_ = {{"id", random_id("msg_")}, {"type", "message"}, {"role", "assistant"}, {"content", Json::array()},
            {"status", "in_progress"}};
    out += event("response.output_item.added", {{"output_index", output_.size()}, {"item", item_}});
    return out +
        event("response.content_part.added",
            {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"content_index", 0}, {"part", part()}});
}

std::string ResponsesFormat::close_item() {
    if (open_ == Open::none)
        return {};
    if (open_ == Open::call)
        return close_call();
    const Json place = {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"content_index", 0}};
    const bool reasoning = open_ == Open::reasoning;
    Json done = place;
    done["text"] = text_;
    if (!reasoning)
        done["logprobs"] = logprobs_;
    std::string out = event(reasoning ? "response.reasoning_text.done" : "response.output_text.done", std::move(done));
    Json closed = place;
    closed["part"] = part();
    out += event("response.content_part.done", std::move(closed));
    item_["content"].push_back(part());
    // Cut short: the last item is as incomplete as the response.
    item_["status"] = reason_ == engine::FinishReason::length ? "incomplete" : "completed";
    out += event("response.output_item.done", {{"output_index", output_.size()}, {"item", item_}});
    output_.push_back(std::exchange(item_, nullptr));
    open_ = Open::none;
    text_.clear();
    logprobs_ = Json::array();
    return out;
}

std::string ResponsesFormat::text_delta(const ChoiceOutput& fresh) {
    std::string out = open_item(Open::message);
    Json entries = token_logprobs(fresh.logprobs);
    text_ += fresh.text;
    logprobs_.insert(logprobs_.end(), entries.begin(), entries.end());
    return out +
        event("response.output_text.delta",
            {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"content_index", 0}, {"delta", fresh.text},
                {"logprobs", std::move(entries)}});
}

std::string ResponsesFormat::open_call(const engine::ToolCallPart& call) {
    std::string out = close_item();
    open_ = Open::call;
    item_ = {{"id", random_id("fc_")}, {"type", "function_call"}, {"status", "in_progress"}, {"call_id", call.id},
        {"name", call.name}, {"arguments", ""}};
    return out + event("response.output_item.added", {{"output_index", output_.size()}, {"item", item_}});
}

std::string ResponsesFormat::call_delta(const engine::ToolCallPart& call) {
    text_ += call.arguments;
    return event("response.function_call_arguments.delta",
        {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"delta", call.arguments}});
}

std::string ResponsesFormat::close_call() {
    item_["arguments"] = std::exchange(text_, {});
    // A call that is complete stays so when the answer is cut behind it.
    item_["status"] = num_calls_done_ > num_calls_closed_++ ? "completed" : "incomplete";
    std::string out = event("response.function_call_arguments.done",
        {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"name", item_["name"]},
            {"arguments", item_["arguments"]}});
    out += event("response.output_item.done", {{"output_index", output_.size()}, {"item", item_}});
    output_.push_back(std::exchange(item_, nullptr));
    open_ = Open::none;
    return out;
}

std::string ResponsesFormat::frames(int, ChoiceOutput& fresh, bool) {
    std::string out;
    if (!fresh.reasoning.empty()) {
        out += open_item(Open::reasoning);
        text_ += fresh.reasoning;
        out += event("response.reasoning_text.delta",
            {{"item_id", item_["id"]}, {"output_index", output_.size()}, {"content_index", 0},
                {"delta", fresh.reasoning}});
    }
    if (!fresh.text.empty())
        out += text_delta(fresh);
    num_calls_done_ += fresh.tool_calls.size();
    for (const engine::ToolCallPart& part : fresh.tool_parts) {
        if (!part.name.empty())
            out += open_call(part);
        if (!part.arguments.empty())
            out += call_delta(part);
    }
    if (fresh.finished) {
        reason_ = fresh.reason;
        if (output_.empty() && open_ == Open::none)
            out += open_item(Open::message); // an answer without text is a message all the same
        out += close_item();
    }
    fresh = {};
    return out;
}

std::string ResponsesFormat::end(const AnswerSummary& summary) {
    const bool cut = reason_ == engine::FinishReason::length;
    Json out = response(cut ? "incomplete" : "completed");
    finish_response(out, summary);
    return event(cut ? "response.incomplete" : "response.completed", {{"response", std::move(out)}});
}

std::string ResponsesFormat::error_frame(const ApiError& error) {
    Json out = response("failed");
    out["error"] = {{"code", error.code.empty() ? "server_error" : error.code}, {"message", error.message}};
    return event("response.failed", {{"response", std::move(out)}});
}

Json ResponsesFormat::body(const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) {
    // The events of a stream that came all at once build the same items.
    ChoiceOutput all = choices.front();
    static_cast<void>(frames(0, all, true));
    Json out = response(reason_ == engine::FinishReason::length ? "incomplete" : "completed");
    finish_response(out, summary);
    return out;
}

} // namespace vitrine::app
