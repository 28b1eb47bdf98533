// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/request_head.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace vitrine::app {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kMaxFields = 100;
constexpr std::size_t kMaxTargetBytes = 8 << 10;

} // namespace

ApiError head_error(int status, const char* code, std::string message) {
    ApiError error;
    error.status = status;
    error.code = code;
    error.message = std::move(message);
    return error;
}

std::optional<ApiError> check_framing(const BeastRequest& message) {
    const auto num_fields = static_cast<std::size_t>(std::distance(message.begin(), message.end()));
    if (num_fields > kMaxFields)
        return head_error(431, "headers_too_large",
            fmt::format("The request has {} header fields, at most {}.", num_fields, kMaxFields));
    if (message.target().size() > kMaxTargetBytes)
        return head_error(414, "uri_too_long",
            fmt::format("The target has {} bytes, at most {}.", message.target().size(), kMaxTargetBytes));
    // Anything but exactly "chunked" would make the body the next request.
    if (message.count(http::field::transfer_encoding) > 0 &&
        lower_case(message[http::field::transfer_encoding]) != "chunked")
        return head_error(400, "invalid_http", "The only Transfer-Encoding taken is 'chunked'.");
    if (message.target().empty() || message.target().front() != '/')
        return head_error(400, "invalid_http", "The target must be a path that begins with '/'.");
    return std::nullopt;
}

HttpRequest take_head(const BeastRequest& message) {
    HttpRequest head;
    head.method = std::string(message.method_string());
    head.target = std::string(message.target());
    head.path = normalised_path(head.target);
    head.dialect = dialect_of(head.path);
    const std::size_t mark = head.target.find('?');
    head.query = mark == std::string::npos ? "" : head.target.substr(mark + 1);
    for (const auto& field : message)
        head.headers.emplace_back(lower_case(field.name_string()), std::string(field.value()));
    return head;
}

HeadVerdict judge_head(const HttpRequest& head, const GateConfig& gate, bool stopping) {
    HeadVerdict verdict;
    const bool preflight = head.method == "OPTIONS" && head.header("origin");
    const RouteMatch match = find_route(head.method, head.path);
    verdict.route = match.route;
    const bool needs_key = !preflight && (match.route == nullptr || match.route->needs_key);
    verdict.error = check_head(head, gate, needs_key);
    if (!verdict.error && head.path.empty())
        verdict.error = head_error(400, "invalid_http", "The target holds a bad escape.");
    if (!verdict.error && stopping)
        verdict.error = server_stopping();
    if (verdict.error)
        return verdict;
    if (preflight)
        verdict.answer = preflight_response(head);
    else if (head.method == "OPTIONS" && match.route == nullptr && !match.error.allow.empty())
        verdict.answer = HttpResponse{204, "", {{"Allow", match.error.allow}}, ""};
    else if (match.route == nullptr)
        verdict.error = match.error;
    else if (head.method == "POST")
        verdict.error = check_content_type(head);
    return verdict;
}

} // namespace vitrine::app
