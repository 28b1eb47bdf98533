// SPDX-License-Identifier: GPL-3.0-or-later
// One matrix for each head: workers share the heads and pass all rows over a head's matrix while it is in the cache.
#include <algorithm>

#include "kernels/cpu/step_node.h"

namespace vitrine::kernels::cpu {
namespace {

constexpr std::int64_t kUnitColumns = 32;

class HeadLinearNode final : public StepNode {
public:
    HeadLinearNode(const CompileEnvironment& environment, const HeadLinearOp& op)
        : op_(op), matrix_(environment.weights[static_cast<std::size_t>(op.weights.value)].members.front()),
          kind_(is_dense(matrix_.layout.format) ? PanelKind::dense : environment.panel_kind) {}

    void run(StepContext& context, int worker) override {
        const IndexRange mine = context.share(op_.num_heads, worker);
        for (std::int64_t head = mine.begin; head < mine.end; ++head)
            for (std::int64_t row = 0; row < context.num_rows(); ++row)
                multiply(context, worker, head, row);
        context.pool.barrier();
    }

private:
    void multiply(StepContext& context, int worker, std::int64_t head, std::int64_t row) const {
        WorkerScratch& scratch = context.scratch[static_cast<std::size_t>(worker)];
        const std::int64_t out_dim = matrix_.out_dim / op_.num_heads;
        const float* x =
            context.row(op_.source, row) + head * (context.dim(op_.source) / op_.num_heads) + op_.source_first;
        float* y = context.row(op_.target, row) + head * (context.dim(op_.target) / op_.num_heads) + op_.target_first;
        context.isa.panel_row[static_cast<int>(kind_)]({x, matrix_.in_dim, scratch.panel.data(), 1, 0, 0});
        const int lanes = context.isa.lanes;
        for (std::int64_t column = 0; column < out_dim; column += kUnitColumns) {
            const std::int64_t count = std::min(kUnitColumns, out_dim - column);
            LinearArgs args;
            args.weights = matrix_.data + (head * out_dim + column) / lanes * matrix_.band_bytes;
            args.band_bytes = matrix_.band_bytes;
            args.num_bands = static_cast<int>((count + lanes - 1) / lanes);
            args.in_dim = matrix_.in_dim;
            args.prefetch = context.isa.prefetch;
            args.panel = scratch.panel.data();
            args.num_tokens = 1;
            args.out = scratch.tile.data();
            args.out_stride = kUnitColumns;
            context.isa.linear[static_cast<int>(matrix_.layout.format)][kind_ == PanelKind::int8x2 ? 1 : 0](args);
            std::copy_n(scratch.tile.data(), count, y + column);
        }
    }

    const HeadLinearOp op_;
    const PackedMember matrix_;
    const PanelKind kind_;
};

} // namespace

std::unique_ptr<StepNode> make_head_linear_node(const CompileEnvironment& environment, const HeadLinearOp& op) {
    return std::make_unique<HeadLinearNode>(environment, op);
}

} // namespace vitrine::kernels::cpu
