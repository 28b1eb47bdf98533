// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: errors as the clients of each dialect read them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/endpoint/http_message.h"
#include "engine/api/event.h"

namespace vitrine::app {

/// As OpenAI shows it: {"error":{"message","type","param","code"}} with its status; `param` is a JSON path such as
/// messages[1].content.  Anthropic's and Ollama's clients get the same in their own shapes.
struct ApiError {
    int status = 400;
    std::string type = "invalid_request_error";
    std::string code;
    std::string message;
    std::string param; // empty: null
    int retry_after_s = 0; // > 0: Retry-After
    int prompt_tokens = -1; // >= 0: n_prompt_tokens and n_ctx are added
    int context_length = 0;
    std::string allow; // 405: the Allow header
    bool no_retry = false; // a 5xx that will not change: the clients would send it three times
};

[[nodiscard]] ApiError invalid_value(std::string param, std::string message, std::string code = "invalid_value");
/// An error of the engine as a client should see it: what will not change is a 4xx.
[[nodiscard]] ApiError from_engine_error(const Error& error);
[[nodiscard]] ApiError from_rejected(const engine::Rejected& rejected);

[[nodiscard]] ApiError server_stopping();
/// The engine ended the request: its model was replaced or unloaded.
[[nodiscard]] ApiError request_cancelled();
[[nodiscard]] ApiError unsupported(std::string param, std::string message);

[[nodiscard]] nlohmann::ordered_json error_json(const ApiError& error, Dialect dialect, const std::string& request_id);
[[nodiscard]] HttpResponse error_response(const ApiError& error, Dialect dialect, const std::string& request_id);

} // namespace vitrine::app
