// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: serve: the endpoint without a window, until SIGINT or SIGTERM.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/endpoint/endpoint.h"

namespace vitrine::app {
namespace {

constexpr std::chrono::milliseconds kSignalCheck{100};

} // namespace

int run_command(const ServeOptions& options, Console& console) {
    auto engine = open_engine(options.model);
    if (!engine)
        return console.fail(engine.error());
    EndpointConfig config;
    config.host = options.host;
    config.port = options.port;
    config.keys = options.api_keys;
    config.origins = options.cors;
    Endpoint endpoint(**engine);
    catch_interrupts();
    if (const auto started = endpoint.start(config); !started)
        return console.fail(started.error());
    console.note(fmt::format("serving {} at {}", (*engine)->snapshot()->model->info.name, endpoint.url()));
    while (!take_interrupt())
        std::this_thread::sleep_for(kSignalCheck);
    endpoint.stop();
    return kExitSuccess;
}

} // namespace vitrine::app
