// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: one request and the way to answer it, as handlers see a connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/endpoint/http_message.h"

namespace vitrine::app {

/// Thread: IO, except post().  After respond() or end_stream() nothing more may be sent.
class Exchange : public std::enable_shared_from_this<Exchange> {
public:
    virtual ~Exchange() = default;

    [[nodiscard]] virtual const HttpRequest& request() const = 0;
    /// Runs `task` on the IO thread.  Thread: any.
    virtual void post(std::function<void()> task) = 0;
    /// Runs `task` on the IO thread after `delay`, unless the exchange has ended.  One timer an exchange.
    virtual void after(std::chrono::milliseconds delay, std::function<void()> task) = 0;

    /// The body has been read into something better: what the access log does not show of it may go.
    virtual void drop_body() = 0;
    virtual void respond(HttpResponse response) = 0;
    virtual void begin_stream(std::string content_type) = 0;
    /// Requires: writable().  Calls `on_writable` when the bytes are with the kernel.
    virtual void write(std::string bytes) = 0;
    virtual void end_stream() = 0; // after the last write has gone out
    /// The peer has gone or reads too slowly: drop the connection.
    virtual void abort() = 0;
    [[nodiscard]] virtual bool writable() const = 0; // no write outstanding, connection alive
    [[nodiscard]] virtual bool ended() const = 0; // answered, or the peer has gone: nothing will be sent

    std::function<void()> on_writable; // a write has gone out
    std::function<void()> on_disconnect; // the peer has gone; called once, nothing can be sent any more
    std::function<void()> on_stop; // the server stops and the grace time is over: answer now
};

} // namespace vitrine::app
