// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the exchange a connection hands to a handler.
#pragma once

#include <memory>
#include <utility>

#include "app/endpoint/http_connection.h"

namespace vitrine::app {

/// After detach() everything is ignored: late answers of work whose client has gone.
class ConnectionExchange final : public Exchange {
public:
    ConnectionExchange(std::shared_ptr<HttpConnection> connection, std::shared_ptr<ServerCore> core,
        HttpRequest request, BodyBudget budget)
        : connection_(std::move(connection)), core_(std::move(core)), request_(std::move(request)),
          body_budget_(std::move(budget)) {}

    [[nodiscard]] const HttpRequest& request() const override { return request_; }
    void post(std::function<void()> task) override;
    void after(std::chrono::milliseconds delay, std::function<void()> task) override;
    void drop_body() override;
    void respond(HttpResponse response) override;
    void begin_stream(std::string content_type) override;
    void write(std::string bytes) override;
    void end_stream() override;
    void abort() override;
    [[nodiscard]] bool writable() const override;
    [[nodiscard]] bool ended() const override { return connection_ == nullptr || ending_; }

    /// The connection is done with this exchange; hooks are dropped, which may end the handler's job.
    void detach();

private:
    std::shared_ptr<HttpConnection> connection_; // null once detached
    std::shared_ptr<ServerCore> core_;
    HttpRequest request_;
    BodyBudget body_budget_;
    bool ending_ = false;
};

} // namespace vitrine::app
