// SPDX-License-Identifier: GPL-3.0-or-later
// Ops of the floor that few models have: layer norm, activations of every kind, parts of heads and products of heads.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

constexpr std::int64_t kTokens = 40; // rows of the input table
constexpr int kHeads = 3;
const std::vector<int> kBatches{1, 7, 33};

} // namespace

class Floor : public ::testing::TestWithParam<Implementation> {
protected:
    /// Inputs are gathered by token, so every batch sees rows of its own.
    void compare(const Case& entry, double bound, const std::string& what) {
        if (!is_runnable(GetParam(), entry))
            GTEST_SKIP() << "declines " << what;
        CaseRunner tested(GetParam(), entry, {64});
        CaseRunner oracle(reference(), entry, {64});
        const double shown = bound + linear_bound(GetParam().dense).own;
        for (const int rows : kBatches) {
            const auto tokens = token_run(rows, kTokens, rows);
            expect_close(tested.logits(tokens), oracle.logits(tokens), shown,
                static_cast<std::size_t>(entry.program.vocab_size), what + ", M " + std::to_string(rows));
            tested.truncate(0, 0);
            oracle.truncate(0, 0);
        }
    }
};

TEST_P(Floor, LayerNormTakesTheMeanOff) {
    for (const bool in_place : {false, true}) {
        for (const bool biased : {false, true}) {
            CaseBuilder builder(3);
            const ActivationId x = builder.input(Inputs::gaussian, kTokens, 96);
            const ActivationId y = in_place ? x : builder.activation("y", 96);
            NormOp norm{x, y, {builder.vector(96, 1, 0.2F), 1e-5F}, 0, true, {}};
            if (biased)
                norm.bias = builder.vector(96, 3, 0.5F);
            builder.op(norm);
            builder.observe(y);
            compare(builder.finish(), kNormBound, biased ? "layer norm with bias" : "layer norm");
        }
    }
}

TEST_P(Floor, EveryActivationWithAndWithoutAGate) {
    for (const GateKind kind : {GateKind::silu, GateKind::gelu_tanh, GateKind::gelu, GateKind::swiglu_clamped}) {
        for (const bool gated : {false, true}) {
            CaseBuilder builder(7);
            const ActivationId x = builder.input(Inputs::outlier, kTokens, 128);
            const ActivationId up = gated ? builder.input(Inputs::gaussian, kTokens, 128) : ActivationId{};
            const ActivationId y = builder.activation("y", 128);
            builder.op(GateOp{x, up, y, kind});
            builder.observe(y);
            compare(builder.finish(), kNormBound,
                "activation " + std::to_string(static_cast<int>(kind)) + (gated ? " gated" : ""));
        }
    }
}

TEST_P(Floor, PartsOfHeadsAreCopied) {
    for (const bool clear : {false, true}) {
        for (const int source_heads : {1, kHeads}) {
            CaseBuilder builder(11);
            const ActivationId source = builder.input(Inputs::gaussian, kTokens, 24 * source_heads);
            const ActivationId target = builder.input(Inputs::gaussian, kTokens, 32 * kHeads);
            builder.op(HeadCopyOp{source, target, kHeads, source_heads, 5, 9, 17, clear});
            builder.observe(target);
            compare(builder.finish(), 0, "copies of heads");
        }
    }
}

TEST_P(Floor, EachHeadHasItsOwnMatrix) {
    for (const WeightFormat format : {f32, f16, bf16, q8_0, q4_0, q4_k, q6_k}) {
        const std::int64_t in_dim = format_info(format).block_weights == 256 ? 256 : 64;
        CaseBuilder builder(13);
        const ActivationId source = builder.input(Inputs::int8_exact, kTokens, (in_dim + 32) * kHeads);
        const ActivationId target = builder.input(Inputs::gaussian, kTokens, 56 * kHeads);
        const WeightGroupId weights = builder.matrix(WeightRole::experts, format, 48 * kHeads, in_dim);
        builder.op(HeadLinearOp{source, target, weights, kHeads, 32, 8});
        builder.observe(target);
        compare(builder.finish(), linear_bound(GetParam().path(format)).unrounded,
            "products of heads in " + std::string(format_info(format).name));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, Floor, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
