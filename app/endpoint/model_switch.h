// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: which model answers: loads by name on demand, unloads after idle time, one queue for all.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/endpoint/api_error.h"
#include "app/endpoint/endpoint.h"

namespace vitrine::app {

/// A model in use: it is not replaced or unloaded before the last lease has gone.  May go on any thread.
struct ModelLease {
    std::string id; // to echo: as the client wrote it
    std::shared_ptr<const engine::TextModel> text;
    std::shared_ptr<const engine::LoadedModel> model;
    std::chrono::microseconds load{0}; // waited for loading
    std::shared_ptr<void> hold; // its end is reported to the switch
};

/// A model the server can name: loaded, or in the catalog.
struct NamedModel {
    std::string id;
    std::string path;
    std::shared_ptr<const engine::LoadedModel> loaded; // null: not now
};

/// Requests are granted in the order they came.  One for another model waits until the leases before it have gone, and
/// those behind it wait for it: neither model starves.  Without a catalog only the loaded model is given.
/// Thread: IO, except where said.
class ModelSwitch {
public:
    using Done = std::function<void(tl::expected<std::shared_ptr<ModelLease>, ApiError>)>;
    struct Hooks {
        std::function<void(std::function<void()>)> post; // to the IO thread, from any
        std::function<void(std::chrono::milliseconds, std::function<void()>)> after; // one timer: the last call counts
    };

    ModelSwitch(engine::Engine& engine, const EndpointConfig& config, Hooks hooks);

    [[nodiscard]] std::uint64_t next_ticket() { return ++last_ticket_; }
    /// Empty name: the loaded model, else the first of the catalog.  `done` may be called before this returns.
    void acquire(std::uint64_t ticket, const std::string& name, Done done);
    /// Forgets a waiting request; a load that nobody waits for any more is given up.
    void cancel(std::uint64_t ticket);
    /// How long the model stays after its last request: negative: for ever.  Ignored without a catalog.
    void keep_alive(std::chrono::milliseconds time);
    /// No new loads; waiting requests are answered by their connections.
    void stop();

    /// Loaded first, then its aliases, then the catalog.  Thread: any.
    [[nodiscard]] std::vector<NamedModel> list() const;
    /// Case does not matter, an extension .gguf and a tag :latest neither.  Thread: any.
    [[nodiscard]] std::optional<NamedModel> find(const std::string& name) const;
    [[nodiscard]] ApiError not_found(const std::string& name) const;
    [[nodiscard]] bool loads_on_demand() const { return !config_.catalog.empty(); }
    /// When the idle model goes; nothing: it stays.
    [[nodiscard]] std::optional<std::chrono::system_clock::time_point> expiry() const;

private:
    struct Waiting {
        std::uint64_t ticket = 0;
        std::string name; // as asked
        std::string path;
        std::chrono::steady_clock::time_point since;
        Done done;
    };
    void pump();
    [[nodiscard]] bool grant_front();
    void start_load(const std::string& path);
    void on_loaded(std::optional<Error> error);
    void on_released();
    void unload();
    void watch_idle();
    [[nodiscard]] std::shared_ptr<ModelLease> make_lease(
        const std::string& name, std::shared_ptr<const engine::LoadedModel> model, std::chrono::microseconds load);

    engine::Engine& engine_;
    const EndpointConfig& config_;
    const Hooks hooks_;
    std::deque<Waiting> waiting_;
    std::uint64_t last_ticket_ = 0;
    int num_leases_ = 0;
    std::string loading_; // path, while a load runs
    bool unloading_ = false; // the snapshot may still show the model
    bool stopped_ = false;
    std::chrono::milliseconds idle_limit_; // negative: for ever
    std::chrono::steady_clock::time_point idle_since_;
};

} // namespace vitrine::app
