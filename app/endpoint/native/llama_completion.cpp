// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: llama-server's /completion and /infill, Mistral's /fim/completions.
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/native/llama_format.h"
#include "app/endpoint/native/native_handlers.h"
#include "app/endpoint/openai/completion_format.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using Planned = tl::expected<PlannedGeneration, ApiError>;

constexpr std::int64_t kNoLimit = 1 << 30;

/// Ids of a prompt that mixes ids and texts; the first text gets what the file says a text begins with.
tl::expected<Json, ApiError> mixed_ids(const Json& prompt, const engine::TextModel& text, const std::string& param) {
    Json ids = Json::array();
    for (std::size_t i = 0; i < prompt.size(); ++i) {
        if (prompt[i].is_number_integer()) {
            ids.push_back(prompt[i]); // checked with the plan
            continue;
        }
        if (!prompt[i].is_string())
            return tl::unexpected(invalid_value(fmt::format("{}[{}]", param, i),
                fmt::format("'{}[{}]' must be a text or a token id.", param, i), "invalid_type"));
        const auto piece = text.tokenize(prompt[i].get_ref<const std::string&>(), i == 0, true);
        if (!piece)
            return tl::unexpected(from_engine_error(piece.error()));
        for (const engine::TokenId id : *piece)
            ids.push_back(id);
    }
    return ids;
}

/// A text, ids, both mixed, or an array of such.
tl::expected<Json, ApiError> llama_prompt(const Json& body, const engine::TextModel& text) {
    const auto prompt = body.find("prompt");
    if (prompt == body.end() || prompt->is_null())
        return tl::unexpected(invalid_value("prompt", "'prompt' is missing.", "missing_required_parameter"));
    if (!prompt->is_array())
        return *prompt;
    const auto has = [&](auto test) { return std::any_of(prompt->begin(), prompt->end(), test); };
    if (has([](const Json& one) { return one.is_number(); }))
        return mixed_ids(*prompt, text, "prompt");
    Json prompts = Json::array();
    for (std::size_t i = 0; i < prompt->size(); ++i) {
        auto one = (*prompt)[i].is_array() ? mixed_ids((*prompt)[i], text, fmt::format("prompt[{}]", i))
                                           : tl::expected<Json, ApiError>((*prompt)[i]);
        if (!one)
            return one;
        prompts.push_back(*std::move(one));
    }
    return prompts;
}

/// The body as one of /v1/completions; what has no other name stays as it is, with llama-server's defaults.
Json completion_body(const Json& body, Fields& fields) {
    Json out = {{"temperature", 0.8}, {"top_k", 40}, {"top_p", 0.95}, {"min_p", 0.05}};
    for (const char* name : {"model", "stream", "temperature", "top_k", "top_p", "min_p", "typical_p", "repeat_penalty",
             "repeat_last_n", "presence_penalty", "frequency_penalty", "stop", "logit_bias", "grammar", "json_schema",
             "ignore_eos", "cache_salt"})
        if (const auto it = body.find(name); it != body.end() && !it->is_null())
            out[name] = *it;
    if (const Json* seed = fields.find("seed"); seed != nullptr && *seed != -1) // -1: any
        out["seed"] = *seed;
    const std::int64_t limit =
        fields.integer("n_predict", fields.integer("max_tokens", -1, -2, kNoLimit), -2, kNoLimit);
    out["max_tokens"] = limit < 0 ? kNoLimit : limit;
    if (const std::int64_t count = fields.integer("n_probs", 0, 0, 20); count > 0)
        out["logprobs"] = count;
    return out;
}

Planned planned(tl::expected<CompletionPlan, ApiError> plan) {
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    auto format = std::make_shared<LlamaFormat>(plan->model, plan->logprobs);
    return PlannedGeneration{*std::move(plan), std::move(format)};
}

Planned plan_llama_completion(const Json& body, const engine::TextModel& text) {
    Fields fields(body);
    Json completion = completion_body(body, fields);
    auto prompt = llama_prompt(body, text);
    if (!prompt)
        return tl::unexpected(std::move(prompt.error()));
    completion["prompt"] = *std::move(prompt);
    if (fields.error())
        return tl::unexpected(*fields.error());
    return planned(plan_completion(completion, text));
}

/// Further files stand before the prefix, each under its name.
std::string extra_text(Fields& fields) {
    const Json* extra = fields.find("input_extra");
    std::string out;
    if (extra == nullptr)
        return out;
    for (const Json& one : extra->is_array() ? *extra : Json::array({*extra})) {
        if (!one.is_object() || !one.contains("text") || !one["text"].is_string()) {
            fields.refuse(invalid_value("input_extra", "'input_extra' must be an array of objects with a 'text'."));
            return {};
        }
        const Json name = one.value("filename", Json("snippet"));
        out += fmt::format("--- {} ---\n{}\n\n", name.is_string() ? name.get<std::string>() : "snippet",
            one["text"].get_ref<const std::string&>());
    }
    return out;
}

Planned plan_infill(const Json& body, const engine::TextModel& text) {
    Fields fields(body);
    Json completion = completion_body(body, fields);
    const std::string prefix = extra_text(fields) + fields.text("input_prefix");
    const std::string suffix = fields.text("input_suffix");
    const std::string begun = fields.text("prompt"); // what the middle begins with
    if (fields.error())
        return tl::unexpected(*fields.error());
    auto ids = text.fill_in_middle(prefix, suffix);
    if (!ids) {
        ApiError error = from_engine_error(ids.error());
        error.param = "input_suffix";
        return tl::unexpected(std::move(error));
    }
    const auto more = text.tokenize(begun, false, false);
    if (!more)
        return tl::unexpected(from_engine_error(more.error()));
    ids->insert(ids->end(), more->begin(), more->end());
    completion["prompt"] = *ids;
    return planned(plan_completion(completion, text));
}

/// Prompt and suffix in, a chat's shape out.
Planned plan_fim(const Json& body, const engine::TextModel& text) {
    auto plan = plan_completion(body, text);
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    plan->chat = true;
    auto format = std::make_shared<CompletionFormat>(
        *plan, CompletionHead{random_id("chatcmpl-"), std::time(nullptr), plan->model});
    return PlannedGeneration{*std::move(plan), std::move(format)};
}

} // namespace

void handle_llama_completion(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_llama_completion, ModelField::optional);
}

void handle_infill(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_infill, ModelField::optional);
}

void handle_fim(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_fim, ModelField::required);
}

} // namespace vitrine::app
