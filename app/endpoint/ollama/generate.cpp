// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /api/chat and /api/generate.
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/ollama/ollama_format.h"
#include "app/endpoint/ollama/ollama_handlers.h"
#include "app/endpoint/ollama/ollama_request.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using Planned = tl::expected<PlannedGeneration, ApiError>;

Planned with_format(tl::expected<CompletionPlan, ApiError> plan, OllamaFormat::Kind kind, const Json& body) {
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    auto keep = read_keep_alive(body);
    if (!keep)
        return tl::unexpected(std::move(keep.error()));
    auto format = std::make_shared<OllamaFormat>(kind, plan->model);
    PlannedGeneration planned{*std::move(plan), std::move(format), *keep};
    // No messages or prompt: the client wants the model loaded, or with keep_alive 0 unloaded.
    const bool empty = kind == OllamaFormat::Kind::chat ? body.value("messages", Json::array()).empty()
                                                        : body.value("prompt", Json("")) == "";
    if (empty && body.value("suffix", Json("")) == "")
        planned.answer_at_once = *keep && (*keep)->count() == 0 ? "unload" : "load";
    return planned;
}

tl::expected<CompletionPlan, ApiError> planned_with(
    const tl::expected<Json, ApiError>& translated, bool chat, const engine::TextModel& text) {
    if (!translated)
        return tl::unexpected(translated.error());
    return chat ? plan_chat(*translated, text) : plan_completion(*translated, text);
}

Planned plan_ollama_chat(const Json& body, const engine::TextModel& text) {
    auto chat = chat_from_ollama_chat(body);
    if (chat && (*chat)["messages"].empty())
        (*chat)["messages"].push_back({{"role", "user"}, {"content", ""}}); // never run
    return with_format(planned_with(chat, true, text), OllamaFormat::Kind::chat, body);
}

Planned plan_ollama_generate(const Json& body, const engine::TextModel& text) {
    const bool raw = body.value("raw", Json(false)) == true || body.value("suffix", Json("")) != "";
    const bool chat = !raw && !text.chat_template().empty();
    const auto translated = chat ? chat_from_ollama_generate(body) : completion_from_ollama_generate(body);
    return with_format(planned_with(translated, chat, text), OllamaFormat::Kind::generate, body);
}

} // namespace

void handle_ollama_chat(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_ollama_chat);
}

void handle_ollama_generate(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_ollama_generate);
}

} // namespace vitrine::app
