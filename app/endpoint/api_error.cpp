// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/api_error.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {

ApiError invalid_value(std::string param, std::string message, std::string code) {
    ApiError error;
    error.code = std::move(code);
    error.param = std::move(param);
    error.message = std::move(message);
    return error;
}

ApiError from_engine_error(const Error& error) {
    ApiError out;
    out.message = error.message;
    if (!out.message.empty() && out.message.back() != '.')
        out.message += '.';
    if (!error.remedy.empty())
        out.message += " " + error.remedy;
    switch (error.code) {
    case ErrorCode::invalid_argument:
        out.code = "invalid_value";
        break;
    case ErrorCode::context_length:
        out.code = "context_length_exceeded";
        break;
    case ErrorCode::out_of_blocks:
        out.code = "context_length_exceeded";
        break;
    case ErrorCode::template_error:
        out.code = "template_error";
        break;
    case ErrorCode::invalid_schema:
        out.code = "invalid_schema";
        break;
    case ErrorCode::unsupported:
        out.code = "unsupported_parameter";
        break;
    case ErrorCode::not_found:
        out.status = 404;
        out.code = "model_not_found";
        break;
    case ErrorCode::busy:
        out.status = 429;
        out.type = "rate_limit_error";
        out.code = "rate_limit_exceeded";
        out.retry_after_s = 1;
        break;
    case ErrorCode::cancelled:
        out.status = 503;
        out.type = "unavailable_error";
        out.code = "cancelled";
        break;
    default:
        out.status = 500;
        out.type = "server_error";
        out.code = "server_error";
        break;
    }
    return out;
}

ApiError from_rejected(const engine::Rejected& rejected) {
    ApiError error = from_engine_error(rejected.error);
    if (rejected.error.code == ErrorCode::context_length) {
        error.prompt_tokens = rejected.prompt_tokens;
        error.context_length = rejected.context_length;
        error.param = "messages";
    }
    return error;
}

nlohmann::json error_json(const ApiError& error) {
    nlohmann::json body = {{"message", error.message}, {"type", error.type},
        {"param", error.param.empty() ? nlohmann::json(nullptr) : nlohmann::json(error.param)},
        {"code", error.code.empty() ? nlohmann::json(nullptr) : nlohmann::json(error.code)}};
    if (error.prompt_tokens >= 0) {
        body["n_prompt_tokens"] = error.prompt_tokens;
        body["n_ctx"] = error.context_length;
    }
    return {{"error", std::move(body)}};
}

HttpResponse error_response(const ApiError& error) {
    HttpResponse response;
    response.status = error.status;
    response.body = dump_json(error_json(error));
    if (error.retry_after_s > 0)
        response.headers.emplace_back("Retry-After", std::to_string(error.retry_after_s));
    if (error.status == 401)
        response.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (!error.allow.empty())
        response.headers.emplace_back("Allow", error.allow);
    return response;
}

} // namespace vitrine::app
