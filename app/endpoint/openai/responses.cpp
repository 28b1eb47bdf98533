// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /v1/responses and /v1/responses/input_tokens.
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/count_tokens.h"
#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/openai/openai_handlers.h"
#include "app/endpoint/openai/responses_format.h"
#include "app/endpoint/openai/responses_request.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

tl::expected<CompletionPlan, ApiError> plan_responses(const Json& body, const engine::TextModel& text) {
    const auto chat = chat_from_responses(body);
    if (!chat)
        return tl::unexpected(chat.error());
    auto plan = plan_chat(*chat, text);
    if (!plan)
        return tl::unexpected(responses_error(std::move(plan.error())));
    return plan;
}

} // namespace

void handle_responses(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services,
        [](const Json& body, const engine::TextModel& text) -> tl::expected<PlannedGeneration, ApiError> {
            auto plan = plan_responses(body, text);
            if (!plan)
                return tl::unexpected(std::move(plan.error()));
            auto format = std::make_shared<ResponsesFormat>(body, plan->model);
            return PlannedGeneration{*std::move(plan), std::move(format)};
        });
}

void handle_responses_input_tokens(const std::shared_ptr<Exchange>& exchange, Services& services) {
    answer_with_model(exchange, services, ModelField::required,
        [](const Json& body, const ModelLease& lease) -> tl::expected<Json, ApiError> {
            const auto plan = plan_responses(body, *lease.text);
            if (!plan)
                return tl::unexpected(plan.error());
            const auto count = count_prompt_tokens(*plan, *lease.text);
            if (!count)
                return tl::unexpected(count.error());
            return Json{{"object", "response.input_tokens"}, {"input_tokens", *count}};
        });
}

} // namespace vitrine::app
