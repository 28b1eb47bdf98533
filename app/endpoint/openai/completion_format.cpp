// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/completion_format.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFingerprint = "vitrine-1";

Json number(float logprob) {
    return std::isfinite(logprob) ? Json(logprob) : Json(-9999.0);
}

Json bytes_json(const std::string& bytes) {
    Json array = Json::array();
    for (const char c : bytes)
        array.push_back(static_cast<unsigned char>(c));
    return array;
}

std::size_t code_points(const std::string& text) {
    std::size_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return count;
}

/// The legacy shape.  `offset` moves on by the code points of the tokens.
void append_legacy(
    Json& out, const std::vector<engine::TokenLogprobs>& tokens, std::size_t& offset, bool first_is_null) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const engine::TokenLogprobs& token = tokens[i];
        const bool unknown = first_is_null && i == 0;
        Json top = Json::object();
        for (std::size_t k = 0; k < token.top.size(); ++k)
            top[token.top_bytes[k]] = number(token.top[k].second);
        out["tokens"].push_back(token.bytes);
        out["token_logprobs"].push_back(unknown ? Json(nullptr) : number(token.logprob));
        out["top_logprobs"].push_back(unknown ? Json(nullptr) : std::move(top));
        out["text_offset"].push_back(offset);
        offset += code_points(token.bytes);
    }
}

Json empty_legacy() {
    return {{"tokens", Json::array()}, {"token_logprobs", Json::array()}, {"top_logprobs", Json::array()},
        {"text_offset", Json::array()}};
}

Json call_json(const engine::ToolCallPart& call) {
    return {{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
}

} // namespace

Json chat_logprobs_json(const std::vector<engine::TokenLogprobs>& tokens) {
    Json content = Json::array();
    for (const engine::TokenLogprobs& token : tokens) {
        Json top = Json::array();
        for (std::size_t i = 0; i < token.top.size(); ++i)
            top.push_back({{"token", token.top_bytes[i]}, {"bytes", bytes_json(token.top_bytes[i])},
                {"logprob", number(token.top[i].second)}});
        content.push_back({{"token", token.bytes}, {"bytes", bytes_json(token.bytes)},
            {"logprob", number(token.logprob)}, {"top_logprobs", std::move(top)}});
    }
    return {{"content", std::move(content)}, {"refusal", nullptr}};
}

Json usage_json(const engine::Usage& usage) {
    return {{"prompt_tokens", usage.prompt_tokens}, {"completion_tokens", usage.output_tokens},
        {"total_tokens", usage.prompt_tokens + usage.output_tokens},
        {"prompt_tokens_details", {{"cached_tokens", usage.cached_tokens}}},
        {"completion_tokens_details", {{"reasoning_tokens", usage.reasoning_tokens}}}};
}

CompletionFormat::CompletionFormat(const CompletionPlan& plan, CompletionHead head)
    : plan_{plan.chat, plan.num_choices, plan.include_usage, plan.logprobs, plan.echo, plan.echo_texts},
      head_(std::move(head)) {
    const Json fields = {{"id", head_.id}, {"object", plan_.chat ? "chat.completion.chunk" : "text_completion"},
        {"created", head_.created}, {"model", head_.model}, {"system_fingerprint", kFingerprint}};
    frame_head_ = dump_json(fields);
    frame_head_.pop_back(); // the closing brace: choices and usage follow
    text_offsets_.resize(plan.requests.size() * static_cast<std::size_t>(plan_.num_choices));
}

std::string CompletionFormat::frame(int index, const Json& delta, const Json& logprobs, const char* finish) const {
    Json choice = {
        {"index", index}, {"logprobs", logprobs}, {"finish_reason", finish == nullptr ? Json(nullptr) : Json(finish)}};
    if (plan_.chat)
        choice["delta"] = delta;
    else
        choice["text"] = delta;
    std::string out = "data: " + frame_head_ + ",\"choices\":[" + dump_json(choice) + "]";
    out += plan_.include_usage ? ",\"usage\":null}\n\n" : "}\n\n";
    return out;
}

std::string CompletionFormat::frames(int index, ChoiceOutput& fresh, bool first) {
    std::string out;
    const auto slot = static_cast<std::size_t>(index);
    if (first && plan_.chat)
        out += frame(index, {{"role", "assistant"}, {"content", ""}}, nullptr, nullptr);
    if (first && plan_.echo) {
        const std::string& prompt = plan_.echo_texts[slot / static_cast<std::size_t>(plan_.num_choices)];
        Json logprobs = nullptr;
        if (plan_.logprobs) {
            logprobs = empty_legacy();
            append_legacy(logprobs, fresh.prompt_logprobs, text_offsets_[slot], true);
        }
        out += frame(index, prompt, logprobs, nullptr);
    } else if (first && !plan_.chat) {
        text_offsets_[slot] = code_points(plan_.echo_texts[slot / static_cast<std::size_t>(plan_.num_choices)]);
    }
    if (!fresh.reasoning.empty())
        out += frame(index, {{"reasoning_content", fresh.reasoning}}, nullptr, nullptr);
    if (!fresh.text.empty() || !fresh.logprobs.empty()) {
        Json logprobs = nullptr;
        if (plan_.logprobs && plan_.chat)
            logprobs = chat_logprobs_json(fresh.logprobs);
        if (plan_.logprobs && !plan_.chat) {
            logprobs = empty_legacy();
            append_legacy(logprobs, fresh.logprobs, text_offsets_[slot], false);
        }
        out += frame(index, plan_.chat ? Json{{"content", fresh.text}} : Json(fresh.text), logprobs, nullptr);
    }
    for (const engine::ToolCallPart& part : fresh.tool_parts)
        out += call_frames(index, part);
    if (fresh.finished)
        out += frame(index, plan_.chat ? Json::object() : Json(""), nullptr, engine::finish_reason_name(fresh.reason));
    fresh = {};
    return out;
}

/// The name first, then arguments: clients put a second name behind the first.
std::string CompletionFormat::call_frames(int index, const engine::ToolCallPart& part) const {
    std::string out;
    const auto call_frame = [&](Json call) {
        call["index"] = part.index;
        out += frame(index, {{"tool_calls", Json::array({std::move(call)})}}, nullptr, nullptr);
    };
    if (!part.name.empty())
        call_frame(call_json({part.choice, part.index, part.id, part.name, {}}));
    if (!part.arguments.empty())
        call_frame({{"function", {{"arguments", part.arguments}}}});
    return out;
}

std::string CompletionFormat::end(const AnswerSummary& summary) {
    std::string out;
    if (plan_.include_usage)
        out = "data: " + frame_head_ + ",\"choices\":[],\"usage\":" + dump_json(usage_json(summary.usage)) + "}\n\n";
    return out + "data: [DONE]\n\n";
}

std::string CompletionFormat::error_frame(const ApiError& error) {
    return "data: " + dump_json(error_json(error, Dialect::openai, {})) + "\n\n"; // and no [DONE]
}

Json CompletionFormat::chat_choice(int index, const ChoiceOutput& choice) const {
    Json message = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
    if (!choice.reasoning.empty())
        message["reasoning_content"] = choice.reasoning;
    if (!choice.tool_parts.empty()) {
        for (const engine::ToolCallPart& call : choice.tool_parts)
            message["tool_calls"].push_back(call_json(call));
        if (choice.text.empty())
            message["content"] = nullptr;
    }
    return {{"index", index}, {"message", std::move(message)},
        {"logprobs", plan_.logprobs ? chat_logprobs_json(choice.logprobs) : Json(nullptr)},
        {"finish_reason", engine::finish_reason_name(choice.reason)}};
}

Json CompletionFormat::text_choice(int index, const ChoiceOutput& choice) const {
    const std::string& prompt = plan_.echo_texts[static_cast<std::size_t>(index / plan_.num_choices)];
    Json logprobs = nullptr;
    if (plan_.logprobs) {
        logprobs = empty_legacy();
        std::size_t offset = plan_.echo ? 0 : code_points(prompt);
        if (plan_.echo)
            append_legacy(logprobs, choice.prompt_logprobs, offset, true);
        append_legacy(logprobs, choice.logprobs, offset, false);
    }
    return {{"index", index}, {"text", plan_.echo ? prompt + choice.text : choice.text},
        {"logprobs", std::move(logprobs)}, {"finish_reason", engine::finish_reason_name(choice.reason)}};
}

namespace {

Json timings_json(const AnswerSummary& summary) {
    const engine::RequestTimings& timings = summary.timings;
    const double decode_s = seconds(timings.decode);
    const int output = summary.usage.output_tokens;
    return {{"queue_s", seconds(timings.queued)}, {"first_token_s", seconds(timings.first_token)},
        {"total_s", seconds(timings.total)},
        {"tokens_per_s", decode_s > 0 && output > 1 ? (output - 1) / decode_s : 0.0}};
}

} // namespace

Json CompletionFormat::body(const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) {
    Json array = Json::array();
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const int index = static_cast<int>(i);
        array.push_back(plan_.chat ? chat_choice(index, choices[i]) : text_choice(index, choices[i]));
    }
    return {{"id", head_.id}, {"object", plan_.chat ? "chat.completion" : "text_completion"},
        {"created", head_.created}, {"model", head_.model}, {"system_fingerprint", kFingerprint},
        {"choices", std::move(array)}, {"usage", usage_json(summary.usage)}, {"timings", timings_json(summary)}};
}

} // namespace vitrine::app
