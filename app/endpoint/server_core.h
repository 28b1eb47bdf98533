// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: what the acceptors, the connections and their exchanges share while the server runs.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <list>
#include <memory>

#include "app/endpoint/request_gate.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

class HttpConnection;

/// Kept alive by every connection, so that a late engine event finds an IO context to post to.
struct ServerCore {
    explicit ServerCore(engine::Engine& engine, const EndpointConfig& endpoint_config)
        : config(endpoint_config), services{engine, config, access_log, {}} {}

    const EndpointConfig config;
    GateConfig gate;
    AccessLog access_log;
    boost::asio::io_context io{1};
    boost::asio::thread_pool workers{2};
    Services services;
    std::list<std::weak_ptr<HttpConnection>> connections; // thread: IO
};

/// Takes an accepted socket over.  Thread: IO.
void serve_connection(boost::asio::ip::tcp::socket socket, const std::shared_ptr<ServerCore>& core);
/// Closes connections that wait for a request; the others close after their answer.  Thread: IO.
void close_idle_connections(ServerCore& core);
/// Closes every connection at once; running work is cancelled by its disconnect hook.  Thread: IO.
void close_all_connections(ServerCore& core);

} // namespace vitrine::app
