// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: one client connection: absolute deadlines, limits, one read and one write outstanding at most.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/endpoint/exchange.h"
#include "app/endpoint/route_table.h"
#include "app/endpoint/server_core.h"

namespace vitrine::app {

class ConnectionExchange;

/// Idle -> head -> body -> work (a watching read notices a peer that goes) -> answer -> idle.  Thread: IO.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    /// `surplus`: beyond the connection cap; it is told so and closed.
    HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<ServerCore> core, bool surplus);
    void start();
    void close();
    /// Running work is asked to answer now.
    void stop_work();
    [[nodiscard]] bool idle() const noexcept { return state_ == State::idle; }
    [[nodiscard]] std::chrono::steady_clock::time_point idle_since() const noexcept { return idle_since_; }

    // For ConnectionExchange:
    void send_response(const HttpResponse& response);
    void send_stream_head(const std::string& content_type);
    void send_chunk(const std::string& bytes);
    void send_stream_end();
    [[nodiscard]] bool writing() const noexcept { return !outgoing_.empty(); }
    [[nodiscard]] ServerCore& core() noexcept { return *core_; }
    [[nodiscard]] boost::asio::steady_timer& timer() noexcept { return timer_; }

private:
    enum class State { idle, head, body, work, closed };
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

    void read_idle();
    void read_head();
    void read_head_piece();
    void parse_head(std::size_t size);
    void on_head(boost::beast::error_code error);
    void take_head();
    void route();
    void refuse(const ApiError& error, bool close_after);
    void read_body();
    void read_body_piece();
    void on_body(boost::beast::error_code error);
    void send_refusal(); // refusal_, noted in the access log
    void refuse_body(const ApiError& error);
    void dispatch();
    void watch();
    void disconnected();
    [[nodiscard]] std::string head_text(
        int status, const std::string& content_type, const HeaderList& headers, bool chunked, std::size_t length) const;
    void write_more();
    void finished();
    void drain();
    void next_request();

    boost::beast::tcp_stream stream_;
    std::shared_ptr<ServerCore> core_;
    boost::beast::flat_buffer buffer_;
    std::optional<Parser> parser_;
    boost::asio::steady_timer timer_;
    State state_ = State::idle;
    std::size_t scanned_ = 0; // bytes of the buffer without the end of the head
    std::chrono::steady_clock::time_point idle_since_;
    HttpRequest request_;
    const Route* route_ = nullptr;
    const bool surplus_;
    bool unread_ = false; // a refused request has bytes that nobody read
    BodyBudget body_budget_;
    std::optional<HttpResponse> refusal_; // sent once the body has been discarded
    std::shared_ptr<ConnectionExchange> exchange_;
    std::string outgoing_;
    std::size_t written_ = 0;
    int num_requests_ = 0;
    bool keep_alive_ = true;
    bool chunked_ = true; // HTTP/1.0 streams end with the connection instead
    bool watching_ = false; // a read is pending while work is done
    bool answered_ = false; // the last byte of the answer is queued
    bool finishing_ = false;
};

} // namespace vitrine::app
