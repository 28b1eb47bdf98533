// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: from a path to a finished session, in the order metadata, plan, weights, pool, warm-up.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/engine.h"
#include "engine/core/adapter_setup.h"
#include "engine/core/draft_setup.h"
#include "engine/core/model_session.h"
#include "engine/device/backend_catalog.h"
#include "engine/device/split_backend.h"
#include "engine/gguf/file.h"
#include "engine/kv/kv_groups.h"
#include "engine/model/memory_plan.h"
#include "engine/model/model_config.h"
#include "kernels/api/resolve.h"

namespace vitrine::engine {

/// How a device request becomes a backend.  Tests put their own in its place.
using BackendMaker = std::function<Result<BackendCatalog::Made>(const DeviceRequest&)>;

/// What is known before a weight byte moves.
struct LoadSetup {
    std::shared_ptr<const gguf::File> file;
    ModelInfo info;
    ModelConfig model;
    EngineConfig config; // resolved, but num_blocks as asked
    BackendCatalog::Made made;
    const SplitBackend* split = nullptr; // made.backend, where two devices share the model
    kernels::ResolvedProgram resolved; // whole; of a split model as the architecture wrote it
    kernels::StepLimits limits;
    KvLayout kv;
    AdapterSetup adapters;
    std::optional<DraftSetup> draft; // a model that drafts
    LoadPlan plan; // with the blocks that will be made
    std::optional<Error> does_not_fit; // out_of_memory, both numbers

    /// Most blocks that one sequence of a whole context holds.
    [[nodiscard]] int blocks_per_sequence() const noexcept;
};

/// held: what the loaded model will give back.  Errors: file, unsupported, invalid_argument, device.
[[nodiscard]] Result<LoadSetup> set_up_load(
    const std::string& path, const EngineConfig& config, const BackendCatalog& catalog, const HeldBytes& held);

/// The same with backends from elsewhere (tests): one for each device of the model, one more for a draft model.
[[nodiscard]] Result<LoadSetup> set_up_load_on(
    const std::string& path, const EngineConfig& config, const BackendMaker& make_backend, const HeldBytes& held);

/// A plan without weights: `file` has shapes only (shapes_of_preset).  Its setup cannot be finished.
[[nodiscard]] Result<LoadSetup> set_up_shapes(
    std::shared_ptr<const gguf::File> file, const EngineConfig& config, const BackendCatalog& catalog);

struct LoadRun {
    std::function<void(const LoadProgress&)> progress; // phases reading to warm_up
    std::stop_token stop;
    std::uint64_t generation = 1;
};
/// Uploads, makes the pool, compiles, warms up.  Errors: out_of_memory, cancelled, device, what uploading says.
/// Thread: load.
[[nodiscard]] Result<std::unique_ptr<ModelSession>> finish_load(LoadSetup setup, const LoadRun& run);

} // namespace vitrine::engine
