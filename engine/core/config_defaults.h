// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: every "0: default" of EngineConfig becomes a number, for one model on one device.
#pragma once

#include <string_view>

#include "engine/api/engine_config.h"
#include "engine/api/model_info.h"
#include "engine/base/result.h"
#include "engine/model/model_config.h"
#include "engine/sched/scheduler_config.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

/// Exact (16-bit activations) on a CPU for weights up to 512 MiB: measured on SmolLM2 Q4_1, 2 threads of a Zen 4 EPYC,
/// decode is equally fast and prefill at 65 %, while 8 bits turn close calls over (top-2 gap 0.08: another answer).  The same on
/// a CUDA GPU, where exact means f16 and the kernels of such models wait for latency, not for bytes.
[[nodiscard]] kernels::Numerics choose_numerics(const ModelInfo& info, std::string_view device);
/// Errors: invalid_argument names the knob, the value and the range.  num_blocks 0 stays: it needs the memory left.
[[nodiscard]] Result<EngineConfig> resolve_config(
    EngineConfig config, const ModelConfig& model, const kernels::DeviceInfo& device);

/// Most drafts of one sequence in one step; 0: no speculation.
[[nodiscard]] int max_gamma(const EngineConfig& config) noexcept;
/// Requires: a resolved config.
[[nodiscard]] SchedulerConfig make_scheduler_config(const EngineConfig& config);
/// Bounds of one step.  Logit rows are limited by memory, since a vocabulary row takes up to a megabyte: steps that need
/// more run in parts (engine/exec).
[[nodiscard]] kernels::StepLimits make_step_limits(const EngineConfig& config, std::int64_t vocab_size);

[[nodiscard]] inline bool is_gpu(const kernels::DeviceInfo& device) {
    return device.id.starts_with("cuda");
}

} // namespace vitrine::engine
