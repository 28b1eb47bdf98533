// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/request_gate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace vitrine::app {
namespace {

constexpr std::size_t kMaxKeyBytes = 512;

struct Authority {
    std::string host; // lower case, IPv6 with its brackets
    std::string port;
    bool valid = false;
};

Authority parse_authority(std::string_view text) {
    Authority out;
    std::size_t end = std::string_view::npos;
    if (text.starts_with('[')) {
        end = text.find(']');
        if (end == std::string_view::npos)
            return out;
        ++end;
    } else {
        end = std::min(text.find(':'), text.size());
    }
    out.host = lower_case(text.substr(0, end));
    if (out.host.size() > 1 && out.host.ends_with('.')) // the root's own dot: the same name
        out.host.pop_back();
    const std::string_view rest = text.substr(end);
    if (!rest.empty()) {
        if (rest.front() != ':' || rest.size() > 6 ||
            !std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return out;
        out.port = rest.substr(1);
    }
    out.valid = !out.host.empty() &&
        std::none_of(out.host.begin(), out.host.end(), [](char c) { return c == '@' || c == '/' || c == ' '; });
    return out;
}

bool loopback_name(std::string_view host) {
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]" ||
        (host.size() > 10 && host.ends_with(".localhost"));
}

struct Origin {
    std::string scheme;
    Authority authority;
    bool valid = false;
};

Origin parse_origin(std::string_view text) {
    Origin out;
    const std::size_t mark = text.find("://");
    if (mark == std::string_view::npos)
        return out;
    out.scheme = lower_case(text.substr(0, mark));
    const std::string_view rest = text.substr(mark + 3);
    if (rest.empty()) { // file://
        out.valid = true;
        return out;
    }
    out.authority = parse_authority(rest);
    out.valid = out.authority.valid;
    return out;
}

/// A pattern is an origin whose host or port may be "*": http://localhost:*, vscode-webview://*, file://.
bool matches(const Origin& origin, std::string_view pattern) {
    const std::size_t mark = pattern.find("://");
    if (mark == std::string_view::npos || lower_case(pattern.substr(0, mark)) != origin.scheme)
        return false;
    const std::string_view rest = pattern.substr(mark + 3);
    if (rest == "*")
        return true;
    if (rest.ends_with(":*"))
        return lower_case(rest.substr(0, rest.size() - 2)) == origin.authority.host;
    const Authority wanted = parse_authority(rest);
    return wanted.host == origin.authority.host && wanted.port == origin.authority.port;
}

std::string_view presented_key(const HttpRequest& head) {
    if (const auto authorization = head.header("authorization")) {
        const std::size_t space = authorization->find(' ');
        if (space != std::string_view::npos && lower_case(authorization->substr(0, space)) == "bearer") {
            std::string_view key = authorization->substr(space + 1);
            while (key.starts_with(' '))
                key.remove_prefix(1);
            return key;
        }
    }
    for (const char* name : {"x-api-key", "api-key"}) {
        if (const auto key = head.header(name))
            return *key;
    }
    return {};
}

using KeyBytes = std::array<unsigned char, kMaxKeyBytes + 2>;

KeyBytes padded(std::string_view key) {
    KeyBytes out{};
    const std::size_t size = std::min(key.size(), kMaxKeyBytes);
    std::copy_n(key.begin(), size, out.begin());
    out[kMaxKeyBytes] = static_cast<unsigned char>(key.size() & 0xff);
    out[kMaxKeyBytes + 1] = static_cast<unsigned char>((key.size() >> 8) & 0xff);
    return out;
}

ApiError forbidden(std::string code, std::string message) {
    ApiError error;
    error.status = 403;
    error.type = "permission_error";
    error.code = std::move(code);
    error.message = std::move(message);
    return error;
}

} // namespace

bool host_allowed(std::string_view host, const GateConfig& gate) {
    const Authority authority = parse_authority(host);
    if (!authority.valid)
        return false;
    return loopback_name(authority.host) ||
        std::find(gate.hosts.begin(), gate.hosts.end(), authority.host) != gate.hosts.end();
}

bool origin_allowed(std::string_view origin_text, std::string_view own_host, const GateConfig& gate) {
    const Origin origin = parse_origin(origin_text);
    if (!origin.valid)
        return false; // "null" too
    const Authority own = parse_authority(own_host);
    if (origin.scheme == "http" && own.valid && origin.authority.host == own.host && origin.authority.port == own.port)
        return true;
    return std::any_of(
        gate.origins.begin(), gate.origins.end(), [&](const std::string& pattern) { return matches(origin, pattern); });
}

std::size_t key_number(const HttpRequest& head, const std::vector<std::string>& keys) {
    const KeyBytes presented = padded(presented_key(head));
    std::size_t number = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const KeyBytes expected = padded(keys[k]);
        unsigned difference = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            difference |= static_cast<unsigned>(presented[i] ^ expected[i]);
        number |= (k + 1) * static_cast<std::size_t>(difference == 0);
    }
    return number;
}

bool key_allowed(const HttpRequest& head, const GateConfig& gate) {
    return gate.keys.empty() || key_number(head, gate.keys) != 0;
}

std::optional<ApiError> check_head(const HttpRequest& head, const GateConfig& gate, bool needs_key) {
    if (head.count("host") != 1)
        return invalid_value("",
            fmt::format("The request has {} Host headers; exactly one is needed.", head.count("host")), "invalid_host");
    const std::string_view host = *head.header("host");
    if (!host_allowed(host, gate))
        return forbidden("host_not_allowed",
            fmt::format("The host '{}' is not one this server answers for; use 127.0.0.1 or localhost.", host));
    if (head.count("origin") > 1)
        return forbidden("origin_not_allowed", "The request has more than one Origin header.");
    if (const auto origin = head.header("origin"); origin && !origin_allowed(*origin, host, gate))
        return forbidden("origin_not_allowed",
            fmt::format("The origin '{}' may not use this server; add it to the allowed origins.", *origin));
    if (!head.header("origin") && head.header("sec-fetch-site").value_or("") == "cross-site")
        return forbidden("origin_not_allowed", "A page of another site may not use this server.");
    if (needs_key && !key_allowed(head, gate)) {
        ApiError error;
        error.status = 401;
        error.type = "authentication_error";
        error.code = "invalid_api_key";
        error.message = "The API key is missing or wrong; send it as 'Authorization: Bearer KEY'.";
        return error;
    }
    return std::nullopt;
}

std::optional<ApiError> check_content_type(const HttpRequest& head) {
    const std::string type = lower_case(head.header("content-type").value_or(""));
    std::string_view essence = std::string_view(type).substr(0, type.find(';'));
    while (essence.ends_with(' '))
        essence.remove_suffix(1);
    if (essence == "application/json" && !head.header("content-encoding"))
        return std::nullopt;
    ApiError error;
    error.status = 415;
    error.code = "unsupported_media_type";
    error.message = head.header("content-encoding")
        ? "Content-Encoding is not supported; send the body as it is."
        : fmt::format("The content type is '{}'; it must be application/json.", type);
    return error;
}

HttpResponse preflight_response(const HttpRequest& head) {
    HttpResponse response;
    response.status = 204;
    response.content_type.clear();
    response.headers = {{"Access-Control-Allow-Methods", "GET, POST, OPTIONS"}, {"Access-Control-Max-Age", "600"}};
    if (const auto asked = head.header("access-control-request-headers"))
        response.headers.emplace_back("Access-Control-Allow-Headers", std::string(*asked));
    if (head.header("access-control-request-private-network"))
        response.headers.emplace_back("Access-Control-Allow-Private-Network", "true");
    return response;
}

HeaderList cors_headers(const HttpRequest& head) {
    const auto origin = head.header("origin");
    if (!origin)
        return {};
    return {{"Access-Control-Allow-Origin", std::string(*origin)}, {"Vary", "Origin"},
        {"Access-Control-Expose-Headers", "x-request-id"}};
}

} // namespace vitrine::app
