// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/endpoint.h"

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "app/endpoint/server_core.h"
#include "engine/api/sentence.h"

namespace vitrine::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kLastFrames{50}; // for error frames to reach the kernel

bool is_loopback(const asio::ip::address& address) {
    return address.is_loopback();
}

/// Opens one acceptor.  SO_REUSEADDR only: a second server on the same port must be an error.
Result<std::shared_ptr<tcp::acceptor>> listen(asio::io_context& io, const asio::ip::address& address, int port) {
    auto acceptor = std::make_shared<tcp::acceptor>(io);
    const tcp::endpoint endpoint(address, static_cast<unsigned short>(port));
    boost::system::error_code error;
    acceptor->open(endpoint.protocol(), error);
    if (!error)
        acceptor->set_option(asio::socket_base::reuse_address(true), error);
    if (!error && address.is_v6())
        acceptor->set_option(asio::ip::v6_only(true), error);
    if (!error)
        acceptor->bind(endpoint, error);
    if (!error)
        acceptor->listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use)
        return fail(ErrorCode::busy, say(Sentence::port_in_use, std::to_string(port), address.to_string()),
            say(Sentence::choose_next_port, std::to_string(port + 1)));
    if (error)
        return fail(ErrorCode::io,
            say(Sentence::cannot_listen, address.to_string(), std::to_string(port), error.message()),
            say(Sentence::choose_other_address));
    return acceptor;
}

void accept_next(const std::shared_ptr<tcp::acceptor>& acceptor, const std::shared_ptr<ServerCore>& core) {
    acceptor->async_accept([acceptor, core](boost::system::error_code error, tcp::socket socket) {
        if (error == asio::error::operation_aborted || !acceptor->is_open())
            return;
        if (!error) {
            serve_connection(std::move(socket), core);
            accept_next(acceptor, core);
            return;
        }
        // EMFILE would fail at once and for ever: a busy core without this pause.
        const auto pause = std::make_shared<asio::steady_timer>(core->io, std::chrono::milliseconds(100));
        pause->async_wait([acceptor, core, pause](boost::system::error_code) {
            if (acceptor->is_open())
                accept_next(acceptor, core);
        });
    });
}

/// Its hooks hold the core weakly: a load may end after the server.
void make_model_switch(const std::shared_ptr<ServerCore>& core) {
    const std::weak_ptr<ServerCore> weak = core;
    ModelSwitch::Hooks hooks;
    hooks.post = [weak](std::function<void()> task) {
        if (const auto alive = weak.lock())
            asio::post(alive->io, std::move(task));
    };
    hooks.after = [weak](std::chrono::milliseconds delay, std::function<void()> task) {
        const auto alive = weak.lock();
        if (!alive)
            return;
        alive->model_timer.expires_after(delay);
        alive->model_timer.async_wait([task = std::move(task)](boost::system::error_code error) {
            if (!error)
                task();
        });
    };
    core->services.models = std::make_unique<ModelSwitch>(core->services.engine, core->config, std::move(hooks));
}

void wait_for_end_of_work(const ServerCore& core, std::chrono::milliseconds most) {
    const auto deadline = std::chrono::steady_clock::now() + most;
    while (core.services.open_requests > 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void run_io(ServerCore& core) {
    for (;;) {
        try {
            core.io.run();
            return;
        } catch (const std::exception&) {
            // A handler threw (Beast on hostile trailers): its connection is gone with it, the server goes on.
            continue;
        }
    }
}

} // namespace

struct Endpoint::Server {
    std::shared_ptr<ServerCore> core;
    std::vector<std::shared_ptr<tcp::acceptor>> acceptors;
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work;
    std::jthread io_thread;
    mutable std::mutex mutex; // guards start, stop and the members above
    int port = 0;
    std::string host;
    std::shared_ptr<ServerCore> last_core; // its log stays readable after stop
};

Endpoint::Endpoint(engine::Engine& engine) : engine_(engine), server_(std::make_unique<Server>()) {}

Endpoint::~Endpoint() {
    stop();
}

Result<void> Endpoint::start(const EndpointConfig& config) {
    const std::lock_guard lock(server_->mutex);
    if (server_->core)
        return fail(ErrorCode::busy, say(Sentence::server_running, std::to_string(server_->port)),
            say(Sentence::stop_it_first));
    boost::system::error_code bad;
    const std::string host = config.host == "localhost" ? "127.0.0.1" : config.host;
    const auto address = asio::ip::make_address(host, bad);
    if (bad)
        return fail(
            ErrorCode::invalid_argument, say(Sentence::no_address, config.host), say(Sentence::use_own_address));
    if (!is_loopback(address) && config.keys.empty())
        return fail(ErrorCode::invalid_argument, say(Sentence::key_needed, config.host), say(Sentence::set_key));
    if (config.port < 0 || config.port > 65535)
        return fail(ErrorCode::invalid_argument, say(Sentence::no_port, std::to_string(config.port)),
            say(Sentence::use_valid_port));

    auto core = std::make_shared<ServerCore>(engine_, config);
    core->gate = {config.allowed_hosts, config.origins, config.keys};
    for (std::string& name : core->gate.hosts)
        name = lower_case(name);
    if (!is_loopback(address))
        core->gate.hosts.push_back(address.is_v6() ? "[" + host + "]" : host);
    core->services.run_on_worker = [pool = &core->workers](
                                       std::function<void()> task) { asio::post(*pool, std::move(task)); };
    make_model_switch(core);
    auto acceptor = listen(core->io, address, config.port);
    if (!acceptor)
        return tl::unexpected(acceptor.error());
    server_->port = (*acceptor)->local_endpoint().port();
    server_->acceptors = {*acceptor};
    if (host == "127.0.0.1") { // clients that resolve localhost to ::1 first; one of the two may fail
        if (auto second = listen(core->io, asio::ip::address_v6::loopback(), server_->port))
            server_->acceptors.push_back(*second);
    }
    for (const auto& each : server_->acceptors)
        accept_next(each, core);
    server_->host = host;
    server_->core = core;
    server_->last_core = core;
    server_->work.emplace(core->io.get_executor());
    server_->io_thread = std::jthread([core] { run_io(*core); });
    return {};
}

void Endpoint::stop() {
    const std::lock_guard lock(server_->mutex);
    if (!server_->core)
        return;
    const auto core = server_->core;
    asio::post(core->io, [core, acceptors = server_->acceptors] {
        core->services.stopping = true;
        for (const auto& acceptor : acceptors)
            acceptor->close();
        close_idle_connections(*core);
    });
    wait_for_end_of_work(*core, core->config.grace);
    if (core->services.open_requests > 0) {
        asio::post(core->io, [core] {
            core->services.models->stop();
            stop_work(*core);
        });
        wait_for_end_of_work(*core, std::chrono::seconds(1));
        std::this_thread::sleep_for(kLastFrames);
    }
    asio::post(core->io, [core] {
        core->model_timer.cancel();
        core->services.models->stop();
        close_all_connections(*core);
    });
    core->workers.join();
    server_->acceptors.clear();
    server_->work.reset();
    // Cancelled jobs end with the engine's last events; a hung engine must not hang the server.
    wait_for_end_of_work(*core, std::chrono::seconds(2));
    if (core->services.open_requests > 0)
        core->io.stop();
    server_->io_thread.join();
    server_->core.reset();
    server_->port = 0;
}

bool Endpoint::running() const {
    const std::lock_guard lock(server_->mutex);
    return server_->core != nullptr;
}

int Endpoint::port() const {
    const std::lock_guard lock(server_->mutex);
    return server_->port;
}

std::string Endpoint::url() const {
    const std::lock_guard lock(server_->mutex);
    return server_->core ? fmt::format("http://{}:{}/v1", server_->host, server_->port) : std::string{};
}

std::vector<AccessRow> Endpoint::log(std::uint64_t after) const {
    std::shared_ptr<ServerCore> core;
    {
        const std::lock_guard lock(server_->mutex);
        core = server_->last_core;
    }
    return core ? core->access_log.rows_after(after) : std::vector<AccessRow>{};
}

} // namespace vitrine::app
