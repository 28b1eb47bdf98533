// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/connection_exchange.h"

#include <boost/asio/post.hpp>

namespace vitrine::app {

void ConnectionExchange::post(std::function<void()> task) {
    boost::asio::post(core_->io, std::move(task));
}

void ConnectionExchange::after(std::chrono::milliseconds delay, std::function<void()> task) {
    if (!connection_)
        return;
    connection_->timer().expires_after(delay);
    connection_->timer().async_wait([task = std::move(task)](boost::system::error_code error) {
        if (!error)
            task();
    });
}

void ConnectionExchange::drop_body() {
    if (request_.body.size() <= AccessLog::kMaxTextBytes)
        return;
    request_.body = AccessLog::beginning(request_.body); // the log shows it
    body_budget_.reset();
}

void ConnectionExchange::respond(HttpResponse response) {
    if (!connection_ || std::exchange(ending_, true))
        return;
    core_->access_log.note_answer(request_, response);
    connection_->send_response(response);
}

void ConnectionExchange::begin_stream(std::string content_type) {
    if (connection_)
        connection_->send_stream_head(content_type);
}

void ConnectionExchange::write(std::string bytes) {
    if (connection_)
        connection_->send_chunk(bytes);
}

void ConnectionExchange::end_stream() {
    if (connection_ && !std::exchange(ending_, true))
        connection_->send_stream_end();
}

void ConnectionExchange::abort() {
    if (const auto connection = connection_)
        connection->close();
}

bool ConnectionExchange::writable() const {
    return connection_ && !connection_->writing();
}

void ConnectionExchange::detach() {
    const auto keep = shared_from_this();
    connection_.reset();
    on_writable = nullptr;
    on_disconnect = nullptr;
    on_stop = nullptr;
    body_budget_.reset(); // here, since the last owner may be a worker
}

} // namespace vitrine::app
