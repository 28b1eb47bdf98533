// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: HTTP requests and responses as plain values, free of any HTTP library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::app {

/// Names are lower case.  A request keeps the fields of its head only; trailers are never merged in.
using HeaderList = std::vector<std::pair<std::string, std::string>>;

/// Whose shapes an answer has.
enum class Dialect : std::uint8_t { openai, anthropic, ollama };

struct HttpRequest {
    std::string method; // "GET"
    std::string target; // as sent: path and query
    std::string path; // percent-decoded once, doubled slashes collapsed, no trailing slash
    std::string query;
    HeaderList headers;
    std::string body;
    std::string client; // peer address, for the access log
    std::string id; // x-request-id of the answer
    Dialect dialect = Dialect::openai; // by the path, also where there is no route

    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
    [[nodiscard]] int count(std::string_view name) const;
};

struct HttpResponse {
    int status = 200;
    std::string content_type = "application/json";
    HeaderList headers;
    std::string body;
};

/// The path of a target such as "//v1/models/a%2Fb?x=1": decoded once, normalised.  Empty: malformed (bad escape, NUL).
[[nodiscard]] std::string normalised_path(std::string_view target);
[[nodiscard]] Dialect dialect_of(std::string_view path);
[[nodiscard]] std::string_view reason_phrase(int status);
[[nodiscard]] std::string lower_case(std::string_view text);

} // namespace vitrine::app
