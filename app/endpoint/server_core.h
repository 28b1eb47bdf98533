// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: what the acceptors, the connections and their exchanges share while the server runs.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <list>
#include <memory>
#include <utility>

#include "app/endpoint/request_gate.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

class HttpConnection;

/// Kept alive by every connection, so that a late engine event finds an IO context to post to.
struct ServerCore {
    explicit ServerCore(engine::Engine& engine, const EndpointConfig& endpoint_config)
        : config(endpoint_config), services{engine, config, access_log, {}, nullptr} {}

    const EndpointConfig config;
    GateConfig gate;
    AccessLog access_log;
    boost::asio::io_context io{1};
    boost::asio::thread_pool workers{2};
    Services services;
    std::list<std::weak_ptr<HttpConnection>> connections; // thread: IO
    std::int64_t body_bytes = 0; // of bodies in memory; thread: IO
    boost::asio::steady_timer model_timer{io}; // of ModelSwitch
};

/// Bytes of one body, counted in ServerCore::body_bytes until it goes.  Thread: IO.
class BodyBudget {
public:
    BodyBudget() = default;
    BodyBudget(BodyBudget&& other) noexcept : core_(std::move(other.core_)), bytes_(std::exchange(other.bytes_, 0)) {}
    BodyBudget& operator=(BodyBudget&& other) noexcept {
        std::swap(core_, other.core_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~BodyBudget() { reset(); }
    void start(std::shared_ptr<ServerCore> core) { core_ = std::move(core); }
    /// False: all bodies together would be too much.
    [[nodiscard]] bool grow_to(std::int64_t bytes) {
        if (core_->body_bytes + bytes - bytes_ > core_->config.max_bodies_bytes)
            return false;
        core_->body_bytes += bytes - bytes_;
        bytes_ = bytes;
        return true;
    }
    void reset() {
        if (core_)
            core_->body_bytes -= std::exchange(bytes_, 0);
        core_.reset();
    }

private:
    std::shared_ptr<ServerCore> core_;
    std::int64_t bytes_ = 0;
};

/// Takes an accepted socket over.  Thread: IO.
void serve_connection(boost::asio::ip::tcp::socket socket, const std::shared_ptr<ServerCore>& core);
/// Closes connections that wait for a request; the others close after their answer.  Thread: IO.
void close_idle_connections(ServerCore& core);
/// Asks running work to answer now: error frames in streams, 503 elsewhere.  Thread: IO.
void stop_work(ServerCore& core);
/// Closes every connection at once; running work is cancelled by its disconnect hook.  Thread: IO.
void close_all_connections(ServerCore& core);

} // namespace vitrine::app
