// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: tells once that another device computes than the one the model was loaded on.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/api/engine.h"

namespace vitrine::app {

/// Thread: one.
class DeviceWatch {
public:
    explicit DeviceWatch(const engine::Engine& engine) : engine_(engine) {
        if (const auto model = engine_.snapshot()->model)
            reason_ = reason_of(*model);
    }
    /// A sentence when a GPU failed and the CPU took over since the last call.
    [[nodiscard]] std::optional<std::string> news() {
        const auto model = engine_.snapshot()->model;
        if (!model || reason_of(*model) == reason_)
            return std::nullopt;
        reason_ = reason_of(*model);
        if (reason_.empty())
            return std::nullopt;
        return fmt::format("the CPU computes from now on: {}", reason_);
    }

private:
    static std::string reason_of(const engine::LoadedModel& model) {
        return model.device_reason ? model.device_reason->message : std::string();
    }

    const engine::Engine& engine_;
    std::string reason_;
};

} // namespace vitrine::app
