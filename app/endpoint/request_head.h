// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: a parsed HTTP head, judged and taken as a value.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

#include "app/endpoint/api_error.h"
#include "app/endpoint/http_message.h"
#include "app/endpoint/request_gate.h"
#include "app/endpoint/route_table.h"

namespace vitrine::app {

using BeastRequest = boost::beast::http::request<boost::beast::http::string_body>;

/// What the parser lets pass and we do not: too many fields, long targets, codings that hide the next request.
[[nodiscard]] std::optional<ApiError> check_framing(const BeastRequest& message);
/// Method, target, path, fields, dialect; the body and what the connection knows stay empty.
[[nodiscard]] HttpRequest take_head(const BeastRequest& message);

/// What becomes of a head that is well framed: a route, or an answer at once.
struct HeadVerdict {
    const Route* route = nullptr;
    std::optional<HttpResponse> answer; // preflight or OPTIONS
    std::optional<ApiError> error;
};
[[nodiscard]] HeadVerdict judge_head(const HttpRequest& head, const GateConfig& gate, bool stopping);

[[nodiscard]] ApiError head_error(int status, const char* code, std::string message);

} // namespace vitrine::app
