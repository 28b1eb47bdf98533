// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts; expected values: the reference backend (double precision).  Router logits come from a table, so that
// every implementation chooses the same experts.
#include <gtest/gtest.h>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

constexpr std::int64_t kNumTokens = 96; // rows of the tables

struct Shape {
    const char* name;
    int num_experts = 8;
    int num_used = 2;
    std::int64_t dim = 256;
    std::int64_t ff_dim = 512;
    WeightFormat gate_up = q4_k;
    WeightFormat down = q6_k;
    GateKind kind = GateKind::silu;
    RouterKind router = RouterKind::softmax;
    bool normalize = true;
    bool biases = false;
    bool selection_bias = false;
    float scale = 1;
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> kShapes{
        {"mixtral"},
        {"qwen3moe", 64, 8, 128, 96, q4_0, q8_0},
        {"gpt_oss", 32, 4, 288, 288, mxfp4, mxfp4, GateKind::swiglu_clamped, RouterKind::softmax, true, true},
        {"deepseek", 40, 6, 160, 64, f16, bf16, GateKind::silu, RouterKind::sigmoid, true, false, true, 2.5F},
        {"granite", 16, 16, 96, 96, q8_0, q4_1, GateKind::gelu_tanh, RouterKind::softmax, false},
        {"one", 1, 1, 96, 32, q5_1, iq4_nl},
    };
    return kShapes;
}

Case make_case(const Shape& shape) {
    CaseBuilder builder(23);
    ExpertsOp op;
    op.input = builder.input(Inputs::int8_exact, kNumTokens, shape.dim);
    op.router = builder.input(Inputs::gaussian, kNumTokens, shape.num_experts);
    op.residual = builder.input(Inputs::gaussian, kNumTokens, shape.dim);
    const std::int64_t ff_rows = shape.num_experts * shape.ff_dim;
    const std::int64_t rows = shape.num_experts * shape.dim;
    op.gate_up = builder.matrices(WeightRole::experts, {shape.gate_up, shape.gate_up}, {ff_rows, ff_rows}, shape.dim);
    op.down = builder.matrix(WeightRole::experts, shape.down, rows, shape.ff_dim);
    if (shape.biases) {
        op.gate_bias = builder.vector(ff_rows, 0, 0.5F);
        op.up_bias = builder.vector(ff_rows, 0, 0.5F);
        op.down_bias = builder.vector(rows, 0, 0.5F);
    }
    if (shape.selection_bias)
        op.selection_bias = builder.vector(shape.num_experts, 0, 0.3F);
    op.num_experts = shape.num_experts;
    op.num_used = shape.num_used;
    op.router_kind = shape.router;
    op.normalize = shape.normalize;
    op.scale = shape.scale;
    op.kind = shape.kind;
    builder.op(op);
    builder.observe(op.residual);
    return builder.finish();
}

double bound_of(const Implementation& implementation, const Shape& shape) {
    // Gate and up on exact inputs, down on what they give, and the head that shows it.
    return 2 * linear_bound(implementation.path(shape.gate_up)).own +
        linear_bound(implementation.path(shape.down)).unrounded + linear_bound(implementation.dense).own + kNormBound;
}

} // namespace

class Experts : public ::testing::TestWithParam<Implementation> {};

TEST_P(Experts, EveryShapeAndBatchMeetsItsBound) {
    for (const Shape& shape : shapes()) {
        const Case entry = make_case(shape);
        ASSERT_TRUE(is_runnable(GetParam(), entry)) << shape.name;
        const RunLimits limits{90};
        CaseRunner tested(GetParam(), entry, limits);
        CaseRunner oracle(reference(), entry, limits);
        for (const int rows : {1, 2, 7, 33, 90, 1}) {
            const auto tokens = token_run(rows, kNumTokens, 5 * rows);
            expect_close(tested.logits(tokens), oracle.logits(tokens), bound_of(GetParam(), shape),
                static_cast<std::size_t>(shape.dim), std::string(shape.name) + ", M " + std::to_string(rows));
            tested.truncate(0, 0);
            oracle.truncate(0, 0);
        }
    }
}

TEST_P(Experts, RowsAreBitEqualInEveryBatch) {
    if (!GetParam().batch_invariant)
        GTEST_SKIP() << "fast mode may choose kernels by batch size";
    for (const Shape& shape : shapes()) {
        const Case entry = make_case(shape);
        const RunLimits limits{48};
        CaseRunner whole(GetParam(), entry, limits);
        const std::vector<float> at_once = whole.logits(token_run(40, kNumTokens));
        whole.truncate(0, 0);
        std::vector<float> in_parts;
        for (const auto& [first, count] : {std::pair{0, 7}, std::pair{7, 1}, std::pair{8, 25}, std::pair{33, 7}}) {
            const std::vector<float> logits = whole.logits(token_run(count, kNumTokens, first));
            in_parts.insert(in_parts.end(), logits.begin(), logits.end());
        }
        EXPECT_EQ(in_parts, at_once) << shape.name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, Experts, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
