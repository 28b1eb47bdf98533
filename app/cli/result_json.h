// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: engine values as the JSON that several subcommands print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "engine/api/snapshot.h"
#include "kernels/api/backend.h"

namespace vitrine::app {

[[nodiscard]] nlohmann::ordered_json plan_json(const engine::LoadPlan& plan);
/// op -> kernel
[[nodiscard]] nlohmann::ordered_json kernels_json(std::span<const kernels::KernelReport> kernels);

} // namespace vitrine::app
