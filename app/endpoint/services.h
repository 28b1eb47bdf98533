// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: what every handler needs of the running server.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/endpoint/access_log.h"
#include "app/endpoint/api_error.h"
#include "app/endpoint/endpoint.h"
#include "app/endpoint/model_switch.h"

namespace vitrine::app {

struct Services {
    engine::Engine& engine;
    const EndpointConfig& config;
    AccessLog& access_log;
    std::function<void(std::function<void()>)> run_on_worker; // parsing of bodies; never the IO thread
    std::unique_ptr<ModelSwitch> models;
    std::atomic<int> open_requests{0};
    std::atomic<int> open_sequences{0}; // of them: running, waiting or being prepared
    std::atomic<bool> stopping{false};
};

/// One request from its arrival to its last event; the queue's cap counts these.  May go on any thread.
class OpenSlot {
public:
    /// 429 when as many sequences are open as may run and wait.
    [[nodiscard]] static tl::expected<std::shared_ptr<OpenSlot>, ApiError> take(Services& services);
    ~OpenSlot();
    OpenSlot(const OpenSlot&) = delete;
    OpenSlot& operator=(const OpenSlot&) = delete;
    /// The request turned out to be `num_sequences`.  429 when they do not fit beside the others.
    [[nodiscard]] std::optional<ApiError> widen(int num_sequences);

private:
    explicit OpenSlot(Services& services);
    Services& services_;
    int num_sequences_ = 1;
};

} // namespace vitrine::app
