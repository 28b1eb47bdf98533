// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: a compiled program: one parallel region per step, ops as phases, about five barriers a layer.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/cpu/lazy_array.h"
#include "kernels/cpu/step_node.h"

namespace vitrine::kernels::cpu {

/// submit() computes on the caller and the pool and keeps the result for wait().  Thread: engine.
class CpuExecutable final : public Executable {
public:
    /// Requires: every group of the program is in `weights`, which outlives this, as do isa, workers and pool.
    CpuExecutable(const Program& program, const std::vector<PackedGroup>& weights, const IsaTable& isa,
        WorkerPool& workers, CpuKvPool& kv, const StepLimits& limits, Numerics mode, InputObserver* observer = nullptr);

    Result<Ticket> submit(const StepArgs& step) override;
    Result<StepResult> wait(Ticket ticket) override;
    [[nodiscard]] std::span<const KernelReport> kernels() const noexcept override { return reports_; }

private:
    void make_nodes(PanelKind panel_kind);
    void allocate(PanelKind panel_kind);
    [[nodiscard]] Result<void> validate(const StepArgs& step) const;
    void run_region(int worker) noexcept;
    void fill_ropes(int worker) noexcept;
    void take_hidden();

    const Program program_;
    WorkerPool& workers_;
    const StepLimits limits_;
    StepContext context_;
    std::vector<bool> panel_only_; // activations that never exist as floats
    LazyArray<float> activation_memory_;
    LazyArray<float> staging_memory_;
    LazyArray<std::uint8_t> panel_memory_;
    std::vector<std::unique_ptr<StepNode>> nodes_;
    std::vector<KernelReport> reports_;
    std::deque<std::pair<std::uint64_t, StepResult>> finished_;
    std::uint64_t num_steps_ = 0;
};

/// Bytes of activations, panels and scratch that a program needs.
[[nodiscard]] std::int64_t workspace_bytes(const Program& program, const StepLimits& limits, int num_workers) noexcept;

/// The kernel that runs an op, as named in reports.
[[nodiscard]] std::string kernel_name(const Program& program, const Op& op, const IsaTable& isa, Numerics mode);

} // namespace vitrine::kernels::cpu
