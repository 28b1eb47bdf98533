// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: what the scheduler and its bookkeeping cost of a step.
#pragma once

#include "app/cli/options.h"
#include "engine/base/result.h"

namespace vitrine::app {

/// Means over steps in which `batch` sequences decode and nothing else runs, in microseconds.
struct StepOverhead {
    int batch = 0;
    int steps = 0;
    double step_us = 0; // start to start
    double schedule_us = 0;
    double commit_us = 0; // stop checks, text, events, record
    double between_us = 0; // delivery of events, snapshots, commands
    [[nodiscard]] double share() const noexcept {
        return step_us > 0 ? (schedule_us + commit_us + between_us) / step_us : 0;
    }
};

/// Loads the model into an engine of its own and decodes `num_steps` tokens of `batch` sequences.  Blocks.
[[nodiscard]] Result<StepOverhead> measure_step_overhead(const ModelOptions& options, int batch, int num_steps);

} // namespace vitrine::app
