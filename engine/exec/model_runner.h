// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/exec: runs a scheduler's plan on a compiled model.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/exec/input_batch.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

/// What a step gave, one entry a plan; empty for plans that do not sample.
struct RunResult {
    std::vector<kernels::SamplingOutcome> outcomes;
    std::vector<std::vector<float>> logits; // [plan.count, vocab] of plans with all_logits, else empty
    std::vector<std::vector<float>> hidden; // [plan.count, dim] of plans with all_hidden, else empty
    std::chrono::nanoseconds forward_time{0};
    std::chrono::nanoseconds sample_time{0};
    int graph_replays = 0; // parts that ran as recorded graphs
    int pad_rows = 0;
};

/// Owns the executable and its KV pool.  Thread: engine.
class ModelRunner {
public:
    ModelRunner(std::unique_ptr<kernels::KvPool> pool, std::unique_ptr<kernels::Executable> executable,
        kernels::StepLimits limits, std::int64_t vocab_size);

    /// Copies blocks, then hands every row to the device.  On a GPU it returns while the step runs; a step in several
    /// parts is waited for up to its last one.  Requires: no step is under way, or can_follow() and `plan` was made by
    /// schedule_ahead() of the running one.
    Result<void> start(const ScheduleOutput& plan);
    /// Whether another step may be started behind the running one and take its tokens from it.
    [[nodiscard]] bool can_follow() const noexcept;
    /// Blocks until the oldest started step has ended.  Requires: start() of the same plan succeeded, once.
    [[nodiscard]] Result<RunResult> finish(const ScheduleOutput& plan);
    /// Runs rows that no scheduler planned (warm-up, bench, logits).  Slots and tables: for every group of the pool.
    [[nodiscard]] Result<kernels::StepResult> run_raw(const kernels::StepArgs& args);

    [[nodiscard]] kernels::KvGeometry kv_geometry() const noexcept { return pool_->geometry(); }
    [[nodiscard]] const kernels::StepLimits& limits() const noexcept { return limits_; }
    [[nodiscard]] std::span<const kernels::KernelReport> kernels() const noexcept { return executable_->kernels(); }
    [[nodiscard]] std::int64_t vocab_size() const noexcept { return vocab_size_; }

private:
    /// A step from its start to its finish.
    struct Flight {
        explicit Flight(const kernels::KvGeometry& kv) : batch(kv.block_tokens, kv.num_groups) {}
        InputBatch batch;
        std::vector<BatchPart> parts; // what batch was built from
        std::optional<kernels::Ticket> ticket; // of the part that runs; none: no step is under way
        RunResult result; // of the parts that have ended
        int num_parts = 0;
    };
    Result<void> collect(const ScheduleOutput& plan, Flight& flight);

    std::unique_ptr<kernels::KvPool> pool_; // outlives the executable
    std::unique_ptr<kernels::Executable> executable_;
    kernels::StepLimits limits_;
    std::int64_t vocab_size_;
    std::array<Flight, 2> flights_;
    std::size_t oldest_ = 0; // index of the flight that ends next
};

} // namespace vitrine::engine
