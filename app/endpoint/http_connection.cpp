// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/http_connection.h"

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>
#include <random>
#include <utility>

#include "app/endpoint/connection_exchange.h"
#include "app/endpoint/request_head.h"

namespace vitrine::app {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

// One less than 64 KiB: a trailer of 65,534 bytes made Beast's parser throw with a larger buffer (measured).
constexpr std::size_t kMaxBufferBytes = (64 << 10) - 1;
constexpr std::uint64_t kMaxDiscardBytes = 1 << 20;
constexpr std::size_t kMaxPipelinedBytes = 32 << 10;
constexpr std::size_t kWritePieceBytes = 256 << 10;
constexpr std::chrono::seconds kDrainTime{1};
constexpr int kMaxRequests = 1000;
constexpr std::size_t kMaxSurplus = 32; // connections that are only told that there are too many

std::string_view bytes_of(const boost::beast::flat_buffer& buffer) {
    return {static_cast<const char*>(buffer.data().data()), buffer.size()};
}

/// A method begins with a letter; anything else, such as TLS, is refused without waiting for an end.
bool may_begin_request(std::string_view bytes) {
    const std::string_view start = bytes.substr(0, 16);
    return std::all_of(start.begin(), start.end(), [](char c) { return c >= ' ' && c < 127; }) &&
        (start.empty() || (start.front() >= 'A' && start.front() <= 'Z'));
}

std::string new_request_id() {
    static thread_local std::random_device device;
    return fmt::format("req_{:08x}{:08x}{:08x}", device(), device(), device());
}

ApiError too_many_connections() {
    ApiError error =
        head_error(429, "rate_limit_exceeded", "Every connection of the server is at work; try again later.");
    error.type = "rate_limit_error";
    error.retry_after_s = 1;
    return error;
}

ApiError bodies_full(std::int64_t most) {
    ApiError error = head_error(503, "bodies_too_large",
        fmt::format("The bodies of all running requests exceed {} bytes; try again later.", most));
    error.type = "unavailable_error";
    error.retry_after_s = 1;
    return error;
}

} // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<ServerCore> core, bool surplus)
    : stream_(std::move(socket)), core_(std::move(core)), buffer_(kMaxBufferBytes), timer_(core_->io),
      surplus_(surplus) {
    error_code ignored;
    stream_.socket().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    // By default the kernel would hide megabytes of a stalled stream (3.9 MB measured).
    stream_.socket().set_option(boost::asio::socket_base::send_buffer_size(256 << 10), ignored);
}

void HttpConnection::start() {
    read_idle();
}

void HttpConnection::close() {
    if (state_ == State::closed)
        return;
    disconnected();
}

void HttpConnection::stop_work() {
    if (state_ != State::work || !exchange_)
        return;
    const auto exchange = exchange_;
    if (const auto hook = exchange->on_stop) // it may replace itself
        hook();
}

void HttpConnection::read_idle() {
    state_ = State::idle;
    idle_since_ = std::chrono::steady_clock::now();
    if (buffer_.size() > 0) {
        read_head();
        return;
    }
    stream_.expires_after(core_->config.idle_deadline);
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](error_code error, std::size_t size) {
        if (error || self->state_ == State::closed) {
            self->disconnected();
            return;
        }
        self->buffer_.commit(size);
        self->read_head();
    });
}

void HttpConnection::read_head() {
    state_ = State::head;
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(kMaxBufferBytes));
    parser_->body_limit(static_cast<std::uint64_t>(core_->config.max_body_bytes));
    stream_.expires_after(core_->config.head_deadline);
    scanned_ = 0;
    read_head_piece();
}

/// The head is gathered here and not by the parser, which would join folded lines unseen.
void HttpConnection::read_head_piece() {
    const std::string_view bytes = bytes_of(buffer_);
    const std::size_t end = bytes.find("\r\n\r\n", scanned_ > 3 ? scanned_ - 3 : 0);
    if (end != std::string_view::npos) {
        parse_head(end + 4);
        return;
    }
    scanned_ = bytes.size();
    if (!may_begin_request(bytes)) {
        on_head(http::error::bad_method);
        return;
    }
    const std::size_t room = kMaxBufferBytes - bytes.size();
    if (room == 0) {
        on_head(http::error::header_limit);
        return;
    }
    stream_.async_read_some(buffer_.prepare(std::min<std::size_t>(room, 4096)),
        [self = shared_from_this()](error_code error, std::size_t size) {
            self->buffer_.commit(size);
            if (error)
                self->disconnected();
            else if (self->state_ != State::closed)
                self->read_head_piece();
        });
}

void HttpConnection::parse_head(std::size_t size) {
    const std::string_view head = bytes_of(buffer_).substr(0, size);
    error_code error;
    if (head.find("\r\n ") != std::string_view::npos || head.find("\r\n\t") != std::string_view::npos)
        error = http::error::bad_obs_fold;
    else
        buffer_.consume(parser_->put(buffer_.data(), error));
    on_head(error);
}

void HttpConnection::on_head(error_code error) {
    if (state_ == State::closed)
        return;
    request_ = {};
    request_.id = new_request_id();
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
        refuse(head_error(431, "headers_too_large", "The request head is larger than 64 KiB."), true);
        return;
    }
    if (error == http::error::body_limit) { // by Content-Length; the head is whole, so who asks is checked first
        take_head();
        const auto stranger = check_head(request_, core_->gate, true);
        refuse(stranger ? *stranger
                        : head_error(413, "request_too_large",
                              fmt::format("The body is larger than {} bytes.", core_->config.max_body_bytes)),
            true);
        return;
    }
    if (error) {
        refuse(head_error(400, "invalid_http", "The request is not valid HTTP/1.1: " + error.message() + "."), true);
        return;
    }
    if (const auto framing = check_framing(parser_->get())) {
        refuse(*framing, true);
        return;
    }
    take_head();
    route();
}

void HttpConnection::take_head() {
    const auto& message = parser_->get();
    HttpRequest head = app::take_head(message);
    head.id = std::move(request_.id);
    request_ = std::move(head);
    error_code ignored;
    request_.client = stream_.socket().remote_endpoint(ignored).address().to_string();
    keep_alive_ = message.keep_alive() && ++num_requests_ < kMaxRequests && !core_->services.stopping;
    chunked_ = message.version() >= 11;
}

void HttpConnection::route() {
    refusal_.reset();
    HeadVerdict verdict = judge_head(request_, core_->gate, core_->services.stopping);
    route_ = verdict.route;
    if (!verdict.error && surplus_ && (route_ == nullptr || route_->needs_key)) {
        refuse(too_many_connections(), true);
        return;
    }
    if (verdict.error) {
        refuse(*verdict.error, false);
        return;
    }
    refusal_ = std::move(verdict.answer);
    const bool expects = lower_case(request_.header("expect").value_or("")) == "100-continue";
    if (!expects) {
        read_body();
        return;
    }
    stream_.expires_after(core_->config.write_deadline);
    auto continue_line = std::make_shared<std::string>("HTTP/1.1 100 Continue\r\n\r\n");
    boost::asio::async_write(stream_, boost::asio::buffer(*continue_line),
        [self = shared_from_this(), continue_line](error_code write_error, std::size_t) {
            if (write_error)
                self->disconnected();
            else
                self->read_body();
        });
}

void HttpConnection::refuse(const ApiError& error, bool close_after) {
    refusal_ = error_response(error, request_.dialect, request_.id);
    const bool has_rest = parser_ && parser_->is_header_done() && !parser_->is_done();
    const auto length = has_rest ? parser_->content_length() : boost::optional<std::uint64_t>(0);
    const bool small_rest = length && *length <= kMaxDiscardBytes && !request_.header("expect");
    if (close_after || !small_rest) {
        keep_alive_ = false;
        unread_ = true;
        state_ = State::work;
        send_refusal();
        return;
    }
    read_body();
}

void HttpConnection::read_body() {
    state_ = State::body;
    body_budget_.start(core_);
    stream_.expires_after(core_->config.body_deadline); // a point in time for all the pieces together
    read_body_piece();
}

void HttpConnection::read_body_piece() {
    if (parser_->is_done()) {
        on_body({});
        return;
    }
    http::async_read_some(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        if (self->state_ == State::closed)
            return;
        const auto received = static_cast<std::int64_t>(self->parser_->get().body().size());
        if (error)
            self->on_body(error);
        else if (!self->body_budget_.grow_to(received))
            self->refuse_body(bodies_full(self->core_->config.max_bodies_bytes));
        else
            self->read_body_piece();
    });
}

void HttpConnection::send_refusal() {
    const HttpResponse refusal = *std::exchange(refusal_, std::nullopt);
    core_->access_log.note_answer(request_, refusal);
    send_response(refusal);
}

void HttpConnection::refuse_body(const ApiError& error) {
    keep_alive_ = false;
    unread_ = true;
    state_ = State::work;
    body_budget_.reset();
    refusal_ = error_response(error, request_.dialect, request_.id);
    send_refusal();
}

void HttpConnection::on_body(error_code error) {
    if (state_ == State::closed)
        return;
    if (error == http::error::body_limit || error == http::error::buffer_overflow ||
        error == http::error::header_limit) {
        const bool body = error == http::error::body_limit;
        refuse_body(head_error(body ? 413 : 431, body ? "request_too_large" : "headers_too_large",
            body ? fmt::format("The body is larger than {} bytes.", core_->config.max_body_bytes)
                 : "The trailers are too large."));
        return;
    }
    const bool lost = error &&
        (error.category() == boost::asio::error::get_system_category() || error == boost::beast::error::timeout ||
            error == http::error::partial_message);
    if (lost) {
        disconnected();
        return;
    }
    if (error) {
        refuse_body(head_error(400, "invalid_http", "The body is not valid HTTP/1.1: " + error.message() + "."));
        return;
    }
    request_.body = std::move(parser_->get().body());
    parser_.reset();
    dispatch();
}

void HttpConnection::dispatch() {
    state_ = State::work;
    answered_ = false;
    if (refusal_) {
        body_budget_.reset();
        send_refusal();
        return;
    }
    HttpRequest request = request_; // the head stays here for the answer's head
    request.body = std::move(request_.body);
    request_.body.clear();
    exchange_ =
        std::make_shared<ConnectionExchange>(shared_from_this(), core_, std::move(request), std::move(body_budget_));
    body_budget_ = {};
    watch();
    route_->handler(exchange_, core_->services);
}

void HttpConnection::watch() {
    watching_ = true;
    stream_.expires_never();
    stream_.async_read_some(buffer_.prepare(1024), [self = shared_from_this()](error_code error, std::size_t size) {
        self->watching_ = false;
        if (self->state_ == State::closed)
            return;
        if (!error)
            self->buffer_.commit(size); // a pipelined request: kept for later
        if (self->finishing_) {
            if (error && error != boost::asio::error::operation_aborted)
                self->keep_alive_ = false;
            self->next_request();
        } else if (error) {
            self->disconnected();
        } else if (self->buffer_.size() < kMaxPipelinedBytes) {
            self->watch();
        }
    });
}

void HttpConnection::disconnected() {
    if (state_ == State::closed)
        return;
    const auto keep = shared_from_this();
    state_ = State::closed;
    timer_.cancel();
    if (const auto exchange = std::exchange(exchange_, nullptr)) {
        const auto hook = std::exchange(exchange->on_disconnect, nullptr);
        exchange->detach();
        if (hook)
            hook();
    }
    error_code ignored;
    stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
    stream_.close();
}

std::string HttpConnection::head_text(
    int status, const std::string& content_type, const HeaderList& headers, bool chunked, std::size_t length) const {
    std::string head = fmt::format(
        "HTTP/1.1 {} {}\r\nServer: Vitrine\r\nx-request-id: {}\r\n", status, reason_phrase(status), request_.id);
    if (request_.dialect == Dialect::anthropic)
        head += fmt::format("request-id: {}\r\n", request_.id);
    if (!content_type.empty())
        head += fmt::format("Content-Type: {}\r\n", content_type);
    if (chunked)
        head += "Cache-Control: no-store\r\nX-Accel-Buffering: no\r\n";
    if (chunked && chunked_)
        head += "Transfer-Encoding: chunked\r\n";
    else if (!chunked && status != 204)
        head += fmt::format("Content-Length: {}\r\n", length);
    for (const auto& [name, value] : headers)
        head += fmt::format("{}: {}\r\n", name, value);
    // A refused origin gets no permission to read the answer.
    if (const auto origin = request_.header("origin");
        origin && origin_allowed(*origin, request_.header("host").value_or(""), core_->gate)) {
        for (const auto& [name, value] : cors_headers(request_))
            head += fmt::format("{}: {}\r\n", name, value);
    }
    head += keep_alive_ && !(chunked && !chunked_) ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

void HttpConnection::send_response(const HttpResponse& response) {
    if (state_ == State::closed)
        return;
    if (core_->services.stopping)
        keep_alive_ = false;
    answered_ = true;
    outgoing_ = head_text(response.status, response.content_type, response.headers, false, response.body.size());
    if (request_.method != "HEAD" && response.status != 204)
        outgoing_ += response.body;
    write_more();
}

void HttpConnection::send_stream_head(const std::string& content_type) {
    if (state_ == State::closed)
        return;
    keep_alive_ = keep_alive_ && chunked_;
    outgoing_ = head_text(200, content_type, {}, true, 0);
    write_more();
}

void HttpConnection::send_chunk(const std::string& bytes) {
    if (state_ == State::closed || bytes.empty())
        return;
    outgoing_ = chunked_ ? fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes) : bytes;
    write_more();
}

void HttpConnection::send_stream_end() {
    if (state_ == State::closed)
        return;
    answered_ = true;
    if (!chunked_) {
        finished();
        return;
    }
    outgoing_ = "0\r\n\r\n";
    write_more();
}

void HttpConnection::write_more() {
    stream_.expires_after(core_->config.write_deadline);
    const std::size_t size = std::min(kWritePieceBytes, outgoing_.size() - written_);
    stream_.async_write_some(boost::asio::buffer(outgoing_.data() + written_, size),
        [self = shared_from_this()](error_code error, std::size_t sent) {
            if (error || self->state_ == State::closed) {
                self->disconnected();
                return;
            }
            self->written_ += sent;
            if (self->written_ < self->outgoing_.size()) {
                self->write_more();
                return;
            }
            self->outgoing_.clear();
            self->written_ = 0;
            if (self->answered_)
                self->finished();
            else if (self->exchange_ && self->exchange_->on_writable) {
                const auto hook = self->exchange_->on_writable; // it may replace itself
                hook();
            }
        });
}

void HttpConnection::finished() {
    timer_.cancel();
    if (const auto exchange = std::exchange(exchange_, nullptr))
        exchange->detach();
    if (!keep_alive_ && unread_) {
        error_code ignored;
        stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
        stream_.expires_after(kDrainTime);
        drain();
        return;
    }
    if (!keep_alive_) {
        disconnected();
        return;
    }
    finishing_ = true;
    if (watching_)
        stream_.cancel(); // the aborted handler goes on
    else
        next_request();
}

/// Closing over unread bytes would reset the connection, and the client might lose the answer.
void HttpConnection::drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(16 << 10), [self = shared_from_this()](error_code error, std::size_t) {
        if (error || self->state_ == State::closed)
            self->disconnected();
        else
            self->drain();
    });
}

void HttpConnection::next_request() {
    finishing_ = false;
    answered_ = false;
    if (!keep_alive_ || core_->services.stopping) {
        disconnected();
        return;
    }
    read_idle();
}

void serve_connection(boost::asio::ip::tcp::socket socket, const std::shared_ptr<ServerCore>& core) {
    core->connections.remove_if([](const auto& weak) { return weak.expired(); });
    const auto most = static_cast<std::size_t>(core->config.max_connections);
    bool surplus = false;
    if (core->connections.size() >= most) {
        std::shared_ptr<HttpConnection> oldest;
        for (const auto& weak : core->connections) {
            const auto connection = weak.lock();
            if (connection && connection->idle() && (!oldest || connection->idle_since() < oldest->idle_since()))
                oldest = connection;
        }
        surplus = oldest == nullptr; // every one of them is at work
        if (oldest)
            oldest->close();
        else if (core->connections.size() >= most + kMaxSurplus)
            return;
    }
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), core, surplus);
    core->connections.push_back(connection);
    connection->start();
}

void close_idle_connections(ServerCore& core) {
    for (const auto& weak : std::list(core.connections)) {
        if (const auto connection = weak.lock(); connection && connection->idle())
            connection->close();
    }
}

void stop_work(ServerCore& core) {
    for (const auto& weak : std::list(core.connections)) {
        if (const auto connection = weak.lock())
            connection->stop_work();
    }
}

void close_all_connections(ServerCore& core) {
    for (const auto& weak : std::list(core.connections)) {
        if (const auto connection = weak.lock())
            connection->close();
    }
}

} // namespace vitrine::app
