// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: errors as the OpenAI clients read them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/endpoint/http_message.h"
#include "engine/api/event.h"

namespace vitrine::app {

/// {"error":{"message","type","param","code"}} with its status; `param` is a JSON path such as messages[1].content.
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
};

[[nodiscard]] ApiError invalid_value(std::string param, std::string message, std::string code = "invalid_value");
/// An error of the engine as a client should see it: what will not change is a 4xx.
[[nodiscard]] ApiError from_engine_error(const Error& error);
[[nodiscard]] ApiError from_rejected(const engine::Rejected& rejected);

[[nodiscard]] nlohmann::json error_json(const ApiError& error);
[[nodiscard]] HttpResponse error_response(const ApiError& error);

} // namespace vitrine::app
