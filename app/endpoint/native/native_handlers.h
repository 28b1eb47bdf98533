// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the routes that are not of another vendor's dialect.
#pragma once

#include "app/endpoint/exchange.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

void handle_health(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_stats(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_metrics(const std::shared_ptr<Exchange>& exchange, Services& services); // metrics.cpp
/// [{id, path, scale}] of the loaded model, as llama.cpp's server lists them; name and rank besides.
void handle_lora_adapters(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_props(const std::shared_ptr<Exchange>& exchange, Services& services);
/// {content, add_special=false, parse_special=true, with_pieces=false} or {prompt, add_special_tokens=true}
void handle_tokenize(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_detokenize(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_apply_template(const std::shared_ptr<Exchange>& exchange, Services& services);
/// llama-server's {prompt, n_predict, stream, ...} and {input_prefix, input_suffix, input_extra, prompt}.
void handle_llama_completion(const std::shared_ptr<Exchange>& exchange, Services& services); // llama_completion.cpp
void handle_infill(const std::shared_ptr<Exchange>& exchange, Services& services);
void handle_fim(const std::shared_ptr<Exchange>& exchange, Services& services); // Mistral's {prompt, suffix}

/// The engine's counters as /stats shows them; vitrine-cli prints the same.
[[nodiscard]] nlohmann::ordered_json stats_json(const engine::Snapshot& snapshot);

} // namespace vitrine::app
