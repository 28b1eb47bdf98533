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
    if (!rejected.param.empty())
        error.param = rejected.param;
    if (error.code == "invalid_schema")
        for (const char* field : {"grammar", "regex", "choice"})
            if (error.param.ends_with(field))
                error.code = "invalid_grammar";
    return error;
}

ApiError server_stopping() {
    ApiError error;
    error.status = 503;
    error.type = "unavailable_error";
    error.code = "server_stopping";
    error.message = "The server is stopping.";
    return error;
}

ApiError request_cancelled() {
    ApiError error;
    error.status = 503;
    error.type = "unavailable_error";
    error.code = "cancelled";
    error.message = "The request was ended by the server: its model was replaced or unloaded.";
    error.retry_after_s = 1;
    return error;
}

ApiError unsupported(std::string param, std::string message) {
    return invalid_value(std::move(param), std::move(message), "unsupported_parameter");
}

namespace {

const char* anthropic_type(int status) {
    switch (status) {
    case 401:
        return "authentication_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 413:
        return "request_too_large";
    case 429:
        return "rate_limit_error";
    case 503:
        return "overloaded_error";
    default:
        return status >= 500 ? "api_error" : "invalid_request_error";
    }
}

} // namespace

nlohmann::ordered_json error_json(const ApiError& error, Dialect dialect, const std::string& request_id) {
    if (dialect == Dialect::ollama)
        return {{"error", error.message}};
    if (dialect == Dialect::anthropic)
        return {{"type", "error"}, {"error", {{"type", anthropic_type(error.status)}, {"message", error.message}}},
            {"request_id", request_id}};
    nlohmann::ordered_json body = {{"message", error.message}, {"type", error.type},
        {"param", error.param.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(error.param)},
        {"code", error.code.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(error.code)}};
    if (error.prompt_tokens >= 0) {
        body["n_prompt_tokens"] = error.prompt_tokens;
        body["n_ctx"] = error.context_length;
    }
    return {{"error", std::move(body)}};
}

HttpResponse error_response(const ApiError& error, Dialect dialect, const std::string& request_id) {
    HttpResponse response;
    response.status = dialect == Dialect::anthropic && error.status == 503 ? 529 : error.status;
    response.body = dump_json(error_json(error, dialect, request_id));
    if (error.no_retry)
        response.headers.emplace_back("x-should-retry", "false");
    if (error.retry_after_s > 0)
        response.headers.emplace_back("Retry-After", std::to_string(error.retry_after_s));
    if (error.status == 401)
        response.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (!error.allow.empty())
        response.headers.emplace_back("Allow", error.allow);
    return response;
}

} // namespace vitrine::app
