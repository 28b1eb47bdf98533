// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/services.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vitrine::app {

std::vector<std::string> model_ids(const Services& services) {
    const auto model = services.engine.snapshot()->model;
    if (!model)
        return {};
    const std::filesystem::path path = model->info.path;
    std::vector<std::string> ids{path.extension() == ".gguf" ? path.stem().string() : path.filename().string()};
    ids.insert(ids.end(), services.config.aliases.begin(), services.config.aliases.end());
    return ids;
}

tl::expected<std::string, ApiError> resolve_model(const Services& services, const std::string& asked) {
    const std::vector<std::string> ids = model_ids(services);
    ApiError error;
    if (ids.empty()) {
        error.status = 503;
        error.type = "unavailable_error";
        error.code = "model_not_loaded";
        error.message = "No model is loaded; load one in the window or wait until loading ends.";
        error.retry_after_s = 1;
        return tl::unexpected(std::move(error));
    }
    std::string wanted = lower_case(asked);
    if (wanted.ends_with(".gguf"))
        wanted.resize(wanted.size() - 5);
    for (const std::string& id : ids) {
        if (lower_case(id) == wanted)
            return asked;
    }
    error.status = 404;
    error.code = "model_not_found";
    error.param = "model";
    error.message = fmt::format("The model '{}' is not loaded; loaded: {}.", asked, fmt::join(ids, ", "));
    return tl::unexpected(std::move(error));
}

} // namespace vitrine::app
