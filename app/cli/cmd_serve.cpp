// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: serve: the endpoint without a window, until SIGINT or SIGTERM.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/device_watch.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/endpoint/endpoint.h"
#include "app/endpoint/model_catalog.h"
#include "engine/base/data_dir.h"

namespace vitrine::app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kSignalCheck{100};

/// "name": the loaded model.  "name=MODEL": that one.
ModelAlias read_alias(const std::string& text) {
    const std::size_t mark = text.find('=');
    if (mark == std::string::npos)
        return {text, {}};
    return {text.substr(0, mark), fs::absolute(model_path(text.substr(mark + 1))).lexically_normal().string()};
}

EndpointConfig endpoint_config(const ServeOptions& options) {
    EndpointConfig config;
    config.host = options.host;
    config.port = options.port;
    config.keys = options.api_keys;
    config.origins = options.cors;
    config.allowed_hosts = options.allowed_hosts;
    config.max_waiting = options.max_queue;
    config.max_connections = options.max_connections;
    for (const std::string& alias : options.aliases)
        config.aliases.push_back(read_alias(alias));
    if (options.only || !options.model.config.adapters.empty()) // adapters belong to the one model
        return config;
    std::vector<fs::path> folders(options.models_dirs.begin(), options.models_dirs.end());
    config.catalog = scan_models(folders.empty() ? engine::model_folders() : folders);
    if (std::find(config.catalog.begin(), config.catalog.end(), options.model.model) == config.catalog.end())
        config.catalog.push_back(options.model.model);
    config.load = options.model.config;
    if (options.idle_unload_s >= 0)
        config.idle_unload = std::chrono::seconds(options.idle_unload_s);
    return config;
}

} // namespace

int run_command(const ServeOptions& given, Console& console) {
    ServeOptions options = given;
    options.model.model = fs::absolute(model_path(given.model.model)).lexically_normal().string(); // as in the catalog
    auto engine = open_engine(options.model);
    if (!engine)
        return console.fail(engine.error());
    Endpoint endpoint(**engine);
    catch_interrupts();
    if (const auto started = endpoint.start(endpoint_config(options)); !started)
        return console.fail(started.error());
    console.note(fmt::format("serving {} at {}", (*engine)->snapshot()->model->info.name, endpoint.url()));
    DeviceWatch device(**engine);
    while (!take_interrupt()) {
        std::this_thread::sleep_for(kSignalCheck);
        if (const auto news = device.news())
            console.note(*news);
    }
    endpoint.stop();
    return kExitSuccess;
}

} // namespace vitrine::app
