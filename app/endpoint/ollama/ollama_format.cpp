// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/ollama/ollama_format.h"

#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t nanoseconds(std::chrono::microseconds time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

Json calls_json(const std::vector<engine::FoundToolCall>& calls) {
    Json out = Json::array();
    for (const engine::FoundToolCall& call : calls) {
        Json arguments = Json::parse(call.arguments_json, nullptr, false);
        if (!arguments.is_object())
            arguments = Json::object();
        out.push_back({{"function", {{"name", call.name}, {"arguments", std::move(arguments)}}}});
    }
    return out;
}

} // namespace

std::string rfc3339(std::chrono::system_clock::time_point time) {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
    const auto whole = static_cast<std::time_t>(since / 1'000'000);
    std::tm parts{};
    gmtime_r(&whole, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900, parts.tm_mon + 1,
        parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, since % 1'000'000);
}

Json OllamaFormat::line(const ChoiceOutput& fresh, bool done) const {
    Json out = {{"model", model_}, {"created_at", rfc3339(std::chrono::system_clock::now())}, {"done", done}};
    if (kind_ == Kind::generate) {
        out["response"] = fresh.text;
        if (!fresh.reasoning.empty())
            out["thinking"] = fresh.reasoning;
        return out;
    }
    Json message = {{"role", "assistant"}, {"content", fresh.text}};
    if (!fresh.reasoning.empty())
        message["thinking"] = fresh.reasoning;
    if (!fresh.tool_calls.empty())
        message["tool_calls"] = calls_json(fresh.tool_calls);
    out["message"] = std::move(message);
    return out;
}

void OllamaFormat::add_end(Json& out, const AnswerSummary& summary) const {
    const engine::RequestTimings& timings = summary.timings;
    out["done_reason"] = reason_ == engine::FinishReason::length ? "length" : "stop";
    out["total_duration"] = nanoseconds(timings.total + summary.load);
    out["load_duration"] = nanoseconds(summary.load);
    out["prompt_eval_count"] = summary.usage.prompt_tokens;
    out["prompt_eval_duration"] = nanoseconds(timings.prefill);
    out["eval_count"] = summary.usage.output_tokens;
    out["eval_duration"] = nanoseconds(timings.decode);
}

std::string OllamaFormat::frames(int, ChoiceOutput& fresh, bool) {
    if (fresh.finished)
        reason_ = fresh.reason;
    const bool empty = fresh.text.empty() && fresh.reasoning.empty() && fresh.tool_calls.empty();
    std::string out = empty ? std::string{} : dump_json(line(fresh, false)) + "\n";
    fresh = {};
    return out;
}

std::string OllamaFormat::end(const AnswerSummary& summary) {
    Json out = line({}, true);
    add_end(out, summary);
    return dump_json(out) + "\n";
}

std::string OllamaFormat::error_frame(const ApiError& error) {
    return dump_json(error_json(error, Dialect::ollama, {})) + "\n";
}

Json OllamaFormat::body(const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) {
    reason_ = choices.front().reason;
    Json out = line(choices.front(), true);
    add_end(out, summary);
    return out;
}

} // namespace vitrine::app
