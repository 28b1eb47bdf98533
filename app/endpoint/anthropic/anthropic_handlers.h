// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the Anthropic dialect.
#pragma once

#include "app/endpoint/exchange.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

void handle_messages(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_count_tokens(const std::shared_ptr<Exchange>& exchange, Services& services);

} // namespace vitrine::app
