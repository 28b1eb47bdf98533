// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the localhost API over the in-process engine; used by the window and by vitrine-cli alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/engine.h"

namespace vitrine::app {

/// A further name of a model.
struct ModelAlias {
    std::string name;
    std::string path; // empty: whichever model is loaded
};

struct EndpointConfig {
    std::string host = "127.0.0.1"; // any other address than loopback needs a key
    int port = 8080; // 0: the system chooses
    std::vector<std::string> keys;
    std::vector<std::string> origins; // CORS allow-list
    std::vector<std::string> allowed_hosts; // further names in the Host header
    std::vector<ModelAlias> aliases;
    std::vector<std::string> catalog; // paths of models to load by name; empty: only the loaded one answers
    engine::EngineConfig load; // for models of the catalog
    std::chrono::milliseconds idle_unload{-1}; // a model of the catalog goes after this; negative: it stays
    int max_connections = 512;
    int max_waiting = 64; // sequences beyond those that may run, before 429
    std::int64_t max_body_bytes = 32LL << 20;
    std::int64_t max_bodies_bytes = 256LL << 20; // of all requests that are being read or parsed
    std::chrono::milliseconds heartbeat{10'000}; // comment frame after this much silence of a stream
    std::chrono::milliseconds head_deadline{10'000};
    std::chrono::milliseconds body_deadline{60'000};
    std::chrono::milliseconds idle_deadline{15'000};
    std::chrono::milliseconds write_deadline{30'000};
    std::chrono::milliseconds grace{5'000}; // stop(): running requests may end
};

/// One request as the log shows it.  Times in seconds; negative: not there.
struct AccessRow {
    std::uint64_t number = 0;
    std::chrono::system_clock::time_point time;
    std::string id;
    std::string client;
    std::string method;
    std::string path;
    std::string model;
    int status = 0; // 0: running
    double queue_s = -1;
    double first_token_s = -1;
    double total_s = -1;
    int prompt_tokens = 0;
    int cached_tokens = 0;
    int output_tokens = 0;
    std::string finish;
    // Texts are kept in memory only, each cut at 64 KiB; of old rows they go when all together exceed 16 MiB.
    std::string request_body;
    std::string prompt_text; // rendered prompt
    std::string response_text; // generated text
};

/// Owns one IO thread and two worker threads between start() and stop().  Thread: every function from any thread.
class Endpoint {
public:
    explicit Endpoint(engine::Engine& engine); // outlives the endpoint
    ~Endpoint();
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    /// Listens before it returns.  Errors: port in use, address not loopback without a key, already running.
    Result<void> start(const EndpointConfig& config);
    /// Refuses new work, lets running requests end for the grace time, cancels the rest, joins.  Idempotent.  Blocks.
    void stop();
    [[nodiscard]] bool running() const;
    [[nodiscard]] int port() const; // 0: not running
    [[nodiscard]] std::string url() const; // "http://127.0.0.1:8080/v1"
    /// Rows with number > `after`, oldest first; the ring keeps the last 5,000.
    [[nodiscard]] std::vector<AccessRow> log(std::uint64_t after) const;

private:
    struct Server;
    engine::Engine& engine_;
    std::unique_ptr<Server> server_;
};

} // namespace vitrine::app
