// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/http_message.h"

#include <algorithm>
#include <charconv>

namespace vitrine::app {

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

int HttpRequest::count(std::string_view name) const {
    return static_cast<int>(
        std::count_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; }));
}

std::string normalised_path(std::string_view target) {
    const std::string_view raw = target.substr(0, target.find_first_of("?#"));
    if (raw.empty() || raw.front() != '/')
        return {};
    std::string path;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        char c = raw[i];
        if (c == '/' && !path.empty() && path.back() == '/')
            continue; // collapsed before decoding, so that an escaped slash in a model id survives
        if (c == '%') {
            unsigned value = 0;
            if (i + 2 >= raw.size())
                return {};
            const auto [end, error] = std::from_chars(raw.data() + i + 1, raw.data() + i + 3, value, 16);
            if (error != std::errc{} || end != raw.data() + i + 3 || value == 0)
                return {};
            c = static_cast<char>(value);
            i += 2;
        }
        path += c;
    }
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path;
}

Dialect dialect_of(std::string_view path) {
    if (path == "/v1/messages" || path.starts_with("/v1/messages/"))
        return Dialect::anthropic;
    return path == "/api" || path.starts_with("/api/") ? Dialect::ollama : Dialect::openai;
}

std::string_view reason_phrase(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 204:
        return "No Content";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    case 529:
        return "Overloaded";
    default:
        return "Status";
    }
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

} // namespace vitrine::app
