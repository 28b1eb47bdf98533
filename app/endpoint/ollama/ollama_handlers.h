// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the Ollama dialect.
#pragma once

#include "app/endpoint/exchange.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

void handle_root(const std::shared_ptr<Exchange>& exchange, Services& services); // "Ollama is running"
void handle_ollama_version(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_tags(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_ps(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_show(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_chat(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_generate(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_embed(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_ollama_embeddings(const std::shared_ptr<Exchange>& exchange, Services& services);

} // namespace vitrine::app
