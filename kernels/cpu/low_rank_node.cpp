// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA: two products with the row's adapter weights between them.  All adapters lie side by side in the hidden values, so rows
// of different adapters share one pass; what a row does not use is multiplied by 0, so its bits do not depend on the others.
#include <algorithm>

#include "kernels/cpu/step_node.h"

namespace vitrine::kernels::cpu {
namespace {

class LowRankNode final : public StepNode {
public:
    LowRankNode(const CompileEnvironment& environment, const LowRankOp& op)
        : op_(op), down_(make_linear_node(environment, MemberLinearOp{op.input, op.hidden, op.down, 0, {}, op.rows})),
          up_(make_linear_node(environment,
              LinearOp{op.hidden, NoPrologue{}, op.up, AddResidualEpilogue{op.output, {}, {}, {}, 1}, op.rows}, {})) {}

    void run(StepContext& context, int worker) override {
        if (context.step.adapter_weights.empty())
            return;
        down_->run(context, worker);
        weigh(context, worker);
        context.pool.barrier();
        up_->run(context, worker);
    }

private:
    void weigh(StepContext& context, int worker) const noexcept {
        const auto rows = context.rows_of(op_.rows);
        const IndexRange mine = context.share(std::ssize(rows), worker);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int32_t row = rows[static_cast<std::size_t>(i)];
            const float* weights = weights_of(context.step, row);
            float* hidden = context.row(op_.hidden, row);
            std::int32_t begin = 0;
            for (std::size_t adapter = 0; adapter < op_.rank_ends.size(); ++adapter) {
                const std::int32_t end = op_.rank_ends[adapter];
                std::transform(hidden + begin, hidden + end, hidden + begin,
                    [weight = weights[adapter]](float value) { return value * weight; });
                begin = end;
            }
        }
    }
    [[nodiscard]] const float* weights_of(const StepArgs& step, std::int32_t row) const noexcept {
        const auto next = std::upper_bound(step.query_starts.begin(), step.query_starts.end(), row);
        const std::int64_t seq = next - step.query_starts.begin() - 1;
        return step.adapter_weights.data() + seq * std::ssize(op_.rank_ends);
    }

    const LowRankOp op_;
    const std::unique_ptr<StepNode> down_;
    const std::unique_ptr<StepNode> up_;
};

} // namespace

std::unique_ptr<StepNode> make_low_rank_node(const CompileEnvironment& environment, const LowRankOp& op) {
    return std::make_unique<LowRankNode>(environment, op);
}

} // namespace vitrine::kernels::cpu
