// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: which device runs which layers of a model, and what that takes of their memory.
#pragma once

#include <optional>

#include "engine/core/load_job.h"

namespace vitrine::engine {

struct PlacementRequest {
    const EngineConfig& config; // as asked for
    const BackendMaker& make_backend;
    const HeldBytes& held;
};

struct Placement {
    bool on_cpu = false; // the device asked for is a GPU, and the CPU has to run everything
    std::optional<Error> cpu_reason; // why, where the user did not ask for it
};

/// Sets `resolved`, and `split` with its backend where layers stay on the CPU.  Layers that do not fit the GPU go to the CPU; so
/// does the whole model if device is "auto" and the GPU cannot run it.  Requires: everything before them in LoadSetup.
/// Errors: invalid_argument (layers for a GPU that is not there), unsupported (an op that no asked device runs),
/// out_of_memory (a GPU asked for by name that has no room for one layer).
[[nodiscard]] Result<Placement> place_layers(
    LoadSetup& setup, kernels::Program program, const PlacementRequest& request);

/// Blocks and plan; does_not_fit where there is too little memory.  Requires: place_layers() was done.
void plan_memory(LoadSetup& setup, const HeldBytes& held);

} // namespace vitrine::engine
