// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the OpenAI dialect.
#pragma once

#include "app/endpoint/exchange.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

void handle_models(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_model(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_chat_completions(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_completions(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_embeddings(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_responses(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_responses_input_tokens(const std::shared_ptr<Exchange>& exchange, Services& services);

} // namespace vitrine::app
