// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: what every handler needs of the running server.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "app/endpoint/access_log.h"
#include "app/endpoint/api_error.h"
#include "app/endpoint/endpoint.h"

namespace vitrine::app {

struct Services {
    engine::Engine& engine;
    const EndpointConfig& config;
    AccessLog& access_log;
    std::function<void(std::function<void()>)> run_on_worker; // parsing of bodies; never the IO thread
    std::atomic<int> jobs_running{0};
    std::atomic<bool> stopping{false};
};

/// Ids the loaded model answers to, the first of them in /v1/models; empty: none is loaded.
[[nodiscard]] std::vector<std::string> model_ids(const Services& services);
/// Checks a request's model name (case does not matter, an extension .gguf neither); returns the id to echo.
[[nodiscard]] tl::expected<std::string, ApiError> resolve_model(const Services& services, const std::string& asked);

} // namespace vitrine::app
