// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: quantize into a folder of safetensors, with the model run over a calibration text where the method asks.
#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "engine/model/checkpoint_job.h"

namespace vitrine::app {

/// Errors: of write_checkpoint; invalid_argument: a calibrated method without a text, an option of another type; cancelled.
[[nodiscard]] Result<engine::QuantizeReport> quantize_to_folder(
    const QuantizeOptions& options, const engine::CheckpointTarget& target, int num_threads, Console& console);

} // namespace vitrine::app
