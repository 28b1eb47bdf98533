// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/kernels/cuda: a program whose logits are the rows of a table, to see the sampler alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/api/backend.h"

namespace vitrine::testing {

class SamplingRig {
public:
    /// table: [num_rows, vocab] f32.
    [[nodiscard]] static Result<std::unique_ptr<SamplingRig>> make(
        std::unique_ptr<kernels::Backend> backend, std::vector<float> table, std::int64_t vocab, int max_logit_rows) {
        using namespace kernels;
        std::unique_ptr<SamplingRig> rig(new SamplingRig);
        rig->backend_ = std::move(backend);
        const auto num_rows = static_cast<std::int64_t>(table.size()) / vocab;
        Program program;
        program.activations.push_back({"logits", vocab});
        program.weights.push_back({WeightRole::embedding, {{"table", num_rows, vocab, WeightFormat::f32}}});
        program.ops.emplace_back(GatherOp{WeightGroupId{0}, ActivationId{0}, 1, {}});
        program.ops.emplace_back(SamplingOp{ActivationId{0}});
        program.vocab_size = num_rows;
        program.max_positions = 16;
        const auto bytes = std::as_bytes(std::span<const float>(table));
        const std::span<const std::byte> members[] = {bytes};
        VT_TRY(rig->backend_->upload(program, WeightGroupId{0}, members));
        auto pool = rig->backend_->make_kv_pool(KvSpec{KvType::f16, 16, {}}, 2);
        VT_TRY(pool);
        rig->pool_ = std::move(*pool);
        StepLimits limits{max_logit_rows, max_logit_rows, max_logit_rows, 16, true};
        auto executable = rig->backend_->compile(program, *rig->pool_, limits, Numerics::fast);
        VT_TRY(executable);
        rig->executable_ = std::move(*executable);
        return rig;
    }

    /// Row i of the step's logits is row rows[i] of the table, or of what the step before sampled (StepArgs::tokens).
    [[nodiscard]] Result<kernels::StepResult> run(
        const std::vector<std::int32_t>& rows, std::span<const kernels::SamplingSequence> sampling, bool want_logits) {
        auto ticket = submit(rows, sampling, want_logits);
        VT_TRY(ticket);
        return executable_->wait(*ticket);
    }
    [[nodiscard]] Result<kernels::Ticket> submit(
        const std::vector<std::int32_t>& rows, std::span<const kernels::SamplingSequence> sampling, bool want_logits) {
        const std::size_t count = rows.size();
        std::vector<std::int32_t> zeros(count, 0);
        std::vector<std::int32_t> order(count + 1);
        for (std::size_t i = 0; i <= count; ++i)
            order[i] = static_cast<std::int32_t>(i);
        const std::vector<std::int32_t> ones(count, 1);
        kernels::StepArgs args;
        args.tokens = rows;
        args.positions = zeros;
        args.slots = zeros;
        args.query_starts = order;
        args.context_lens = ones;
        args.block_tables = zeros;
        args.max_blocks = 1;
        args.logit_rows = std::span(order).first(count);
        args.sampling = sampling;
        args.want_logits = want_logits;
        return executable_->submit(args);
    }
    [[nodiscard]] kernels::Executable& executable() { return *executable_; }

private:
    SamplingRig() = default;
    std::unique_ptr<kernels::Backend> backend_;
    std::unique_ptr<kernels::KvPool> pool_;
    std::unique_ptr<kernels::Executable> executable_;
};

} // namespace vitrine::testing
