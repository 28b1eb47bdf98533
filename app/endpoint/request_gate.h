// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: who may ask at all: Host (DNS rebinding), Origin (web pages), content type, key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/endpoint/api_error.h"
#include "app/endpoint/http_message.h"

namespace vitrine::app {

struct GateConfig {
    std::vector<std::string> hosts; // further allowed host names, exact, lower case
    std::vector<std::string> origins; // allowed origins: exact, or with * as port or as the whole host part
    std::vector<std::string> keys; // empty: none is asked for
};

/// Checks of a head before any body byte is used, in this order: Host, Origin, key.  Empty: may pass.
[[nodiscard]] std::optional<ApiError> check_head(const HttpRequest& head, const GateConfig& gate, bool needs_key);
/// POST bodies are JSON: a page may send text/plain without a preflight.
[[nodiscard]] std::optional<ApiError> check_content_type(const HttpRequest& head);

[[nodiscard]] bool host_allowed(std::string_view host, const GateConfig& gate);
/// `own_host`: the request's Host; a page of this very server is same-origin.
[[nodiscard]] bool origin_allowed(std::string_view origin, std::string_view own_host, const GateConfig& gate);
/// Which of `keys` the request presents, from 1 on; 0: none.  Takes the same time for every candidate of the same
/// length; reads every key.
[[nodiscard]] std::size_t key_number(const HttpRequest& head, const std::vector<std::string>& keys);
[[nodiscard]] bool key_allowed(const HttpRequest& head, const GateConfig& gate);

/// The answer to a preflight of an allowed origin: 204 with that origin, never "*".
[[nodiscard]] HttpResponse preflight_response(const HttpRequest& head);
/// Headers an answer carries for its origin, if it has one.
[[nodiscard]] HeaderList cors_headers(const HttpRequest& head);

} // namespace vitrine::app
