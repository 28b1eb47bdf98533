// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /v1/messages and /v1/messages/count_tokens.
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/anthropic/anthropic_handlers.h"
#include "app/endpoint/anthropic/messages_format.h"
#include "app/endpoint/anthropic/messages_request.h"
#include "app/endpoint/generation/count_tokens.h"
#include "app/endpoint/generation/generation_handler.h"

namespace vitrine::app {
using Json = nlohmann::ordered_json;

void handle_messages(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services,
        [](const Json& body, const engine::TextModel& text) -> tl::expected<PlannedGeneration, ApiError> {
            const auto chat = chat_from_messages(body, true);
            if (!chat)
                return tl::unexpected(chat.error());
            auto plan = plan_chat(*chat, text);
            if (!plan)
                return tl::unexpected(std::move(plan.error()));
            auto format = std::make_shared<MessagesFormat>(plan->model);
            return PlannedGeneration{*std::move(plan), std::move(format)};
        });
}

void handle_count_tokens(const std::shared_ptr<Exchange>& exchange, Services& services) {
    answer_with_model(exchange, services, ModelField::required,
        [](const Json& body, const ModelLease& lease) -> tl::expected<Json, ApiError> {
            const auto chat = chat_from_messages(body, false);
            if (!chat)
                return tl::unexpected(chat.error());
            const auto plan = plan_chat(*chat, *lease.text);
            if (!plan)
                return tl::unexpected(plan.error());
            const auto count = count_prompt_tokens(*plan, *lease.text);
            if (!count)
                return tl::unexpected(count.error());
            return Json{{"input_tokens", *count}};
        });
}

} // namespace vitrine::app
