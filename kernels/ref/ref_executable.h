// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: walks a program op by op on doubles.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/ref/ref_kv_pool.h"
#include "kernels/ref/ref_sampling.h"
#include "kernels/ref/ref_weights.h"

namespace vitrine::kernels {

/// submit() computes, wait() hands over.  Activations start every step as NaN, so that reading what no op wrote shows.
/// Invariant: finished_ holds the steps submitted and not waited for, oldest first.
class RefExecutable final : public Executable {
public:
    /// `weights` and `pool` outlive it.
    RefExecutable(
        const Program& program, const RefWeights& weights, RefKvPool& pool, const StepLimits& limits, int num_threads);

    Result<Ticket> submit(const StepArgs& step) override;
    Result<StepResult> wait(Ticket ticket) override;
    [[nodiscard]] std::span<const KernelReport> kernels() const noexcept override { return kernels_; }

private:
    [[nodiscard]] Result<void> validate(const StepArgs& step) const;
    void prepare(const StepArgs& step);
    void take_hidden();
    void take_output();
    /// Of the sequence that a row belongs to; empty: it uses no adapter.
    [[nodiscard]] std::span<const float> adapter_weights_of(std::int32_t row) const;

    void run(const GatherOp& op);
    void run(const LinearOp& op);
    void run(const AttentionOp& op);
    void run(const SamplingOp& op);
    void run(const NormOp& op);
    void run(const RopeOp& op);
    void run(const KvWriteOp& op);
    void run(const AddOp& op);
    void run(const GateOp& op);
    void run(const MemberLinearOp& op);
    void run(const ExpertsOp& op);
    void run(const HeadCopyOp& op);
    void run(const HeadLinearOp& op);
    void run(const LowRankOp& op);

    using Values = std::vector<double>;
    void finish(const LinearOp& op, const Values& x, const StoreEpilogue& epilogue);
    void finish(const LinearOp& op, const Values& x, const AddResidualEpilogue& epilogue);
    void finish(const LinearOp& op, const Values& x, const RopeKvEpilogue& epilogue);
    void finish(const LinearOp& op, const Values& x, const GatedEpilogue& epilogue);
    void finish(const LinearOp& op, const Values& x, const LogitsEpilogue& epilogue);

    [[nodiscard]] Values product(const LinearOp& op, int member, const Values& x, WeightGroupId bias) const;
    [[nodiscard]] Values input_rows(ActivationId id, RowSet rows) const;
    /// Rows go to the places of the set, or one after the other where the activation holds the logits.
    void store(ActivationId id, RowSet rows, const Values& y);
    [[nodiscard]] std::span<const std::int32_t> rows_of(RowSet rows) const noexcept;
    [[nodiscard]] std::span<const float> vector_of(WeightGroupId id) const;
    [[nodiscard]] std::span<double> values(ActivationId id);
    [[nodiscard]] std::size_t dim(ActivationId id) const noexcept;

    Program program_;
    const RefWeights& weights_;
    RefKvPool& pool_;
    StepLimits limits_;
    int num_threads_;
    ActivationId logits_; // what the sampling op reads: one row for each logit row
    std::vector<KernelReport> kernels_;
    std::vector<std::vector<double>> activations_;
    std::vector<std::int32_t> all_rows_;
    std::vector<float> output_; // of the step that ran last
    SamplingScratch scratch_;
    StepArgs step_; // of the running step
    StepResult result_;
    std::deque<std::pair<std::uint64_t, StepResult>> finished_;
    std::uint64_t num_steps_ = 0;
};

} // namespace vitrine::kernels
