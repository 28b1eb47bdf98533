// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: from a path to a finished session, in the order metadata, plan, weights, pool, warm-up.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/engine.h"
#include "engine/core/model_session.h"
#include "engine/device/backend_catalog.h"
#include "engine/gguf/file.h"
#include "engine/model/model_config.h"
#include "kernels/api/resolve.h"

namespace vitrine::engine {

/// What is known before a weight byte moves.
struct LoadSetup {
    std::shared_ptr<const gguf::File> file;
    ModelInfo info;
    ModelConfig model;
    EngineConfig config; // resolved, but num_blocks as asked
    BackendCatalog::Made made;
    kernels::ResolvedProgram resolved;
    kernels::StepLimits limits;
    kernels::KvSpec kv;
    LoadPlan plan; // with the blocks that will be made
    std::optional<Error> does_not_fit; // out_of_memory, both numbers
};

/// held_bytes: what the loaded model will give back.  Errors: file, unsupported, invalid_argument, device.
[[nodiscard]] Result<LoadSetup> set_up_load(
    const std::string& path, const EngineConfig& config, const BackendCatalog& catalog, std::int64_t held_bytes);

/// The same with a backend at hand (tests).
[[nodiscard]] Result<LoadSetup> set_up_load_on(
    const std::string& path, const EngineConfig& config, BackendCatalog::Made made, std::int64_t held_bytes);

struct LoadRun {
    std::function<void(const LoadProgress&)> progress; // phases reading to warm_up
    std::stop_token stop;
    std::uint64_t generation = 1;
};
/// Uploads, makes the pool, compiles, warms up.  Errors: out_of_memory, cancelled, device, what uploading says.
/// Thread: load.
[[nodiscard]] Result<std::unique_ptr<ModelSession>> finish_load(LoadSetup setup, const LoadRun& run);

} // namespace vitrine::engine
