// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /v1/chat/completions and /v1/completions.
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/openai/completion_format.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

using Planned = tl::expected<PlannedGeneration, ApiError>;

Planned with_format(tl::expected<CompletionPlan, ApiError> plan) {
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    const char* prefix = plan->chat ? "chatcmpl-" : "cmpl-";
    auto format =
        std::make_shared<CompletionFormat>(*plan, CompletionHead{random_id(prefix), std::time(nullptr), plan->model});
    return PlannedGeneration{*std::move(plan), std::move(format)};
}

} // namespace

void handle_chat_completions(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, [](const nlohmann::ordered_json& body, const engine::TextModel& text) {
        return with_format(plan_chat(body, text));
    });
}

void handle_completions(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, [](const nlohmann::ordered_json& body, const engine::TextModel& text) {
        return with_format(plan_completion(body, text));
    });
}

} // namespace vitrine::app
