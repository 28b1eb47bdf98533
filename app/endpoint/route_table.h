// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: method and path to handler; adding an endpoint is one row, one handler, one test.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "app/endpoint/exchange.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

/// Thread: IO.  Long work goes to Services::run_on_worker; the handler answers through the exchange, now or later.
using Handler = void (*)(const std::shared_ptr<Exchange>& exchange, Services& services);

struct Route {
    std::string_view method;
    std::string_view path; // normalised; a trailing "/*" takes the rest as an id
    Handler handler;
    bool needs_key = true;
};

[[nodiscard]] std::span<const Route> routes();

/// Where a request goes: a route, or the error (404, 405 with Allow).  HEAD is served as GET.
struct RouteMatch {
    const Route* route = nullptr;
    ApiError error; // when route is null
};
[[nodiscard]] RouteMatch find_route(std::string_view method, std::string_view path);

} // namespace vitrine::app
