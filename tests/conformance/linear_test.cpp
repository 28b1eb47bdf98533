// SPDX-License-Identifier: GPL-3.0-or-later
// Products, their prologues and epilogues, and gathers; expected values: the reference backend (double precision).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

constexpr std::int64_t kVocab = 203; // odd: no row tile divides it

std::vector<WeightFormat> all_formats() {
    std::vector<WeightFormat> formats;
    for (int i = 0; i < kNumWeightFormats; ++i)
        formats.push_back(static_cast<WeightFormat>(i));
    return formats;
}

/// A row that the format's block divides, and preferably nothing larger: 576 = 18 * 32, 512 = 2 * 256.
std::int64_t row_of(WeightFormat format) {
    return format_info(format).block_weights == 256 ? 512 : 576;
}

std::string name_of(WeightFormat format) {
    return std::string(format_info(format).name);
}

/// The bound of one product plus that of the head that shows it.
double shown(const Implementation& implementation, double bound) {
    return bound + linear_bound(implementation.dense).own + kNormBound;
}

} // namespace

class Linear : public ::testing::TestWithParam<Implementation> {
protected:
    /// Runs batches of the given sizes on the implementation and on the reference.
    void compare(const Case& entry, const std::vector<int>& batches, double bound, const std::string& what) {
        const std::int64_t vocab = entry.program.vocab_size;
        const RunLimits limits{*std::max_element(batches.begin(), batches.end())};
        CaseRunner tested(GetParam(), entry, limits);
        CaseRunner oracle(reference(), entry, limits);
        for (const int rows : batches) {
            const auto tokens = token_run(rows, vocab, rows);
            expect_close(tested.logits(tokens), oracle.logits(tokens), bound, static_cast<std::size_t>(vocab),
                what + ", M " + std::to_string(rows));
            tested.truncate(0, 0);
            oracle.truncate(0, 0);
        }
    }
};

TEST_P(Linear, EveryFormatMeetsItsBoundOnEveryKindOfInput) {
    for (const WeightFormat format : all_formats()) {
        const Bound bound = linear_bound(GetParam().path(format));
        for (const Inputs inputs : {Inputs::int8_exact, Inputs::gaussian, Inputs::outlier, Inputs::all_equal}) {
            CaseBuilder builder(static_cast<unsigned>(format) + 1);
            const ActivationId x = builder.input(inputs, kVocab, row_of(format));
            builder.head(x, format, kVocab, false, 1, 0);
            const double limit = inputs == Inputs::int8_exact ? bound.own
                : inputs == Inputs::outlier                   ? bound.outlier
                                                              : bound.unrounded;
            compare(builder.finish(), {1, 5, 17, 65}, limit,
                name_of(format) + ", inputs " + std::to_string(static_cast<int>(inputs)));
        }
    }
}

TEST_P(Linear, EveryBatchSizeIsRight) {
    std::vector<int> batches;
    for (int rows = 1; rows <= 17; ++rows)
        batches.push_back(rows);
    batches.insert(batches.end(), {33, 64, 65, 257});
    for (const WeightFormat format : {q4_0, q4_1, q8_0, q4_k, q6_k, f16}) {
        for (const std::int64_t dim : {576L, 640L, 1536L}) {
            if (dim % format_info(format).block_weights != 0)
                continue;
            CaseBuilder builder(7);
            const ActivationId x = builder.input(Inputs::int8_exact, 64, dim);
            builder.head(x, format, 64, false, 1, 0);
            compare(builder.finish(), batches, linear_bound(GetParam().path(format)).own,
                name_of(format) + ", K " + std::to_string(dim));
        }
    }
}

TEST_P(Linear, StoreAddsItsBias) {
    for (const WeightFormat format : {q4_1, q8_0, q6_k, bf16}) {
        CaseBuilder builder(11);
        const ActivationId x = builder.input(Inputs::int8_exact, 136, row_of(format));
        const ActivationId y = builder.activation("y", 136);
        const WeightGroupId weights = builder.matrix(WeightRole::plain, format, 136, row_of(format));
        builder.op(LinearOp{x, NoPrologue{}, weights, StoreEpilogue{y, builder.vector(136, 1, 2)}, RowSet::all});
        builder.observe(y);
        compare(builder.finish(), {1, 4, 9, 33}, shown(GetParam(), linear_bound(GetParam().path(format)).own),
            name_of(format));
    }
}

TEST_P(Linear, NormPrologueFoldsIntoTheProduct) {
    for (const WeightFormat format : {q4_0, q4_1, q8_0, q4_k, q6_k, f16}) {
        CaseBuilder builder(13);
        const std::int64_t dim = row_of(format);
        const ActivationId x = builder.input(Inputs::outlier, kVocab, dim);
        builder.head(x, format, kVocab, true, 1, 0);
        compare(builder.finish(), {1, 3, 8, 64}, linear_bound(GetParam().path(format)).outlier + kNormBound,
            name_of(format));
    }
}

TEST_P(Linear, ResidualTakesBiasPostNormAndScale) {
    for (const bool post_norm : {false, true}) {
        for (const WeightFormat format : {q4_1, q6_k, q5_0}) {
            CaseBuilder builder(17);
            const std::int64_t dim = row_of(format);
            const ActivationId x = builder.input(Inputs::int8_exact, 160, dim);
            const ActivationId residual = builder.input(Inputs::gaussian, 160, 160);
            AddResidualEpilogue target{residual, builder.vector(160, 0, 1), {}, {}, 0.5F};
            if (post_norm)
                target.post_norm = builder.norm(160);
            target.next_norm = builder.norm(160);
            const WeightGroupId weights = builder.matrix(WeightRole::plain, format, 160, dim);
            builder.op(LinearOp{x, NoPrologue{}, weights, target, RowSet::all});
            builder.observe(residual);
            compare(builder.finish(), {1, 2, 6, 40}, shown(GetParam(), 2 * linear_bound(GetParam().path(format)).own),
                name_of(format) + (post_norm ? ", post norm" : ""));
        }
    }
}

TEST_P(Linear, GatedPairsAreCombined) {
    for (const GateKind kind : {GateKind::silu, GateKind::gelu_tanh}) {
        for (const WeightFormat format : {q4_0, q4_1, q8_0, q4_k, f16}) {
            CaseBuilder builder(19);
            const std::int64_t dim = row_of(format);
            const ActivationId x = builder.input(Inputs::gaussian, 200, dim);
            const ActivationId y = builder.activation("y", 200);
            const WeightGroupId weights = builder.matrices(WeightRole::gate_up, {format, format}, {200, 200}, dim);
            builder.op(LinearOp{x, builder.norm(dim), weights, GatedEpilogue{y, kind}, RowSet::all});
            builder.observe(y);
            compare(builder.finish(), {1, 4, 17, 65},
                shown(GetParam(), 2 * linear_bound(GetParam().path(format)).unrounded), name_of(format));
        }
    }
}

TEST_P(Linear, GateAndUpMayDifferInFormat) {
    CaseBuilder builder(23);
    const ActivationId x = builder.input(Inputs::int8_exact, 96, 512);
    const ActivationId y = builder.activation("y", 96);
    const WeightGroupId weights = builder.matrices(WeightRole::gate_up, {q4_k, q6_k}, {96, 96}, 512);
    builder.op(LinearOp{x, NoPrologue{}, weights, GatedEpilogue{y, GateKind::silu}, RowSet::all});
    builder.observe(y);
    compare(builder.finish(), {1, 7, 33}, shown(GetParam(), 4 * linear_bound(GetParam().quantized).own), "q4_k+q6_k");
}

TEST_P(Linear, LogitsAreScaledThenCapped) {
    CaseBuilder builder(29);
    const ActivationId x = builder.input(Inputs::int8_exact, kVocab, 576);
    builder.head(x, q8_0, kVocab, false, 0.25F, 5);
    const Case entry = builder.finish();
    compare(entry, {1, 5, 16}, 2 * linear_bound(GetParam().quantized).own + kNormBound, "softcap");
    CaseRunner tested(GetParam(), entry, {4});
    for (const float logit : tested.logits({0, 1, 2}))
        ASSERT_LE(std::abs(logit), 5.0001F);
}

TEST_P(Linear, GatherGivesTheDequantizedRow) {
    for (const WeightFormat format : all_formats()) {
        CaseBuilder builder(31);
        const std::int64_t dim = format_info(format).block_weights == 256 ? 256 : 96;
        const WeightGroupId table = builder.matrix(WeightRole::embedding, format, dim, dim);
        const ActivationId y = builder.activation("y", dim);
        builder.op(GatherOp{table, y, 3.5F, {}});
        builder.observe(y);
        compare(builder.finish(), {1, 9}, shown(GetParam(), 0), name_of(format));
    }
}

TEST_P(Linear, TiedWeightsServeAsTableAndHead) {
    for (const WeightFormat format : {q4_0, q4_1, q8_0, q6_k, f16}) {
        CaseBuilder builder(37);
        const std::int64_t dim = row_of(format);
        const WeightGroupId table = builder.matrix(WeightRole::tied_head, format, kVocab, dim);
        const ActivationId x = builder.activation("x", dim);
        const ActivationId logits = builder.activation("logits", kVocab);
        builder.op(GatherOp{table, x, 8, {}});
        builder.op(LinearOp{x, NoPrologue{}, table, LogitsEpilogue{logits, 1, 0}, RowSet::needs_logits});
        builder.op(SamplingOp{logits});
        Case entry = builder.finish();
        entry.program.vocab_size = kVocab;
        entry.program.max_positions = 64;
        compare(entry, {1, 8, 20}, linear_bound(GetParam().path(format)).unrounded, name_of(format));
    }
}

TEST_P(Linear, RowsAreBitEqualInEveryBatch) {
    const int most = GetParam().batch_invariant ? 65 : GetParam().invariant_rows;
    for (const WeightFormat format : {q4_1, q8_0, q4_k, q6_k, bf16}) {
        CaseBuilder builder(41);
        const ActivationId x = builder.input(Inputs::gaussian, kVocab, row_of(format));
        builder.head(x, format, kVocab, true, 1, 0);
        CaseRunner tested(GetParam(), builder.finish(), {65});
        const std::vector<float> alone = tested.logits({0});
        for (const int rows : {2, 3, 4, 5, 8, 9, 16, 17, 33, 64, 65}) {
            if (rows > most)
                continue;
            tested.truncate(0, 0);
            std::vector<float> batch = tested.logits(token_run(rows, kVocab));
            batch.resize(alone.size());
            ASSERT_EQ(batch, alone) << name_of(format) << ", M " << rows;
        }
    }
}

// The same where an op hands rows on to the next.
TEST_P(Linear, RowsThatAreHandedOnAreBitEqualInEveryBatch) {
    constexpr std::int64_t kDim = 256, kFeedForward = 1024;
    for (const auto& [first, second] : {std::pair{q4_k, q4_k}, std::pair{q4_k, q6_k}, std::pair{q6_k, q4_k}}) {
        CaseBuilder builder(59);
        const ActivationId x = builder.input(Inputs::gaussian, kVocab, kDim);
        const ActivationId gated = builder.activation("gated", kFeedForward);
        const WeightGroupId up =
            builder.matrices(WeightRole::gate_up, {first, first}, {kFeedForward, kFeedForward}, kDim);
        builder.op(LinearOp{x, builder.norm(kDim), up, GatedEpilogue{gated, GateKind::silu}, RowSet::all});
        builder.op(LinearOp{gated, NoPrologue{}, builder.matrix(WeightRole::plain, second, kDim, kFeedForward),
            AddResidualEpilogue{x, {}, {}, {}, 1}, RowSet::all});
        builder.head(x, first, kVocab, true, 1, 0);
        CaseRunner tested(GetParam(), builder.finish(), {8});
        const std::vector<float> alone = tested.logits({0});
        for (const int rows : {2, 3, 5, 8}) {
            if (rows > (GetParam().batch_invariant ? 8 : GetParam().invariant_rows))
                continue;
            tested.truncate(0, 0);
            std::vector<float> batch = tested.logits(token_run(rows, kVocab));
            batch.resize(alone.size());
            ASSERT_EQ(batch, alone) << name_of(first) << ", " << name_of(second) << ", M " << rows;
        }
    }
}

// A row of NaN must stay alone, and must leave nothing behind in the workspace.
class LinearWithNan : public Linear {
protected:
    void expect_alone(WeightFormat first, WeightFormat second);
};
void LinearWithNan::expect_alone(WeightFormat first, WeightFormat second) {
    CaseBuilder builder(43);
    const std::int64_t dim = row_of(first);
    const ActivationId x = builder.input(Inputs::gaussian, kVocab, dim);
    const ActivationId y = builder.activation("y", 256);
    builder.op(LinearOp{x, builder.norm(dim), builder.matrices(WeightRole::gate_up, {first, first}, {256, 256}, dim),
        GatedEpilogue{y, GateKind::silu}, RowSet::all});
    builder.head(y, second, kVocab, true, 1, 0);
    Case entry = builder.finish();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < static_cast<std::size_t>(dim); ++i) // row 0 of the input table, the first group
        std::memcpy(entry.bytes[0][0].data() + i * sizeof nan, &nan, sizeof nan);
    CaseRunner tested(GetParam(), entry, {8});
    const std::vector<float> clean = tested.logits({1, 2, 3});
    tested.truncate(0, 0);
    const std::vector<float> mixed = tested.logits({1, 0, 2, 0, 3});
    tested.truncate(0, 0);
    const std::vector<float> after = tested.logits({1, 2, 3});
    ASSERT_EQ(mixed.size(), 5U * kVocab);
    for (std::size_t i = 0; i < kVocab; ++i) {
        ASSERT_TRUE(std::isfinite(clean[i]));
        ASSERT_EQ(after[i], clean[i]);
        ASSERT_NEAR(mixed[i], clean[i], 1e-3F * (1 + std::abs(clean[i])));
        ASSERT_NEAR(mixed[4 * kVocab + i], clean[2 * kVocab + i], 1e-3F * (1 + std::abs(clean[i])));
    }
}

TEST_P(LinearWithNan, ItsRowsDoNotTouchOthers) {
    expect_alone(q4_1, q8_0);
    expect_alone(q4_k, q6_k);
}

// What 16-bit floats cannot hold, or only with few bits, must still be right.
TEST_P(Linear, ActivationsOfAnyMagnitudeKeepTheirBound) {
    for (const WeightFormat format : {q4_1, q8_0, q4_k, q6_k, bf16}) {
        for (const float scale : {1e-9F, 1e-4F, 3e4F, 1e8F}) {
            CaseBuilder builder(47);
            const ActivationId x = builder.activation("x", row_of(format));
            builder.op(GatherOp{builder.matrix(WeightRole::embedding, f32, kVocab, row_of(format)), x, scale, {}});
            builder.head(x, format, kVocab, false, 1, 0);
            compare(builder.finish(), {1, 3, 9, 40}, linear_bound(GetParam().path(format)).unrounded,
                name_of(format) + ", scale " + std::to_string(scale));
        }
    }
}

// What an op hands on to the next one is not rounded away either: gated values grow with the square, and a residual takes them up.
TEST_P(Linear, ActivationsBetweenOpsOfAnyMagnitudeKeepTheirBound) {
    constexpr std::int64_t kDim = 256, kFeedForward = 512;
    for (const auto& [first, second] : {std::pair{q4_1, q8_0}, std::pair{q4_k, q6_k}, std::pair{q6_k, q4_k}}) {
        for (const float scale : {1e-6F, 1e-3F, 1.0F, 300.0F, 3e4F, 1e6F}) {
            CaseBuilder builder(53);
            const ActivationId x = builder.activation("x", kDim);
            builder.op(GatherOp{builder.matrix(WeightRole::embedding, f32, kVocab, kDim), x, scale, {}});
            for (int layer = 0; layer < 2; ++layer) {
                const ActivationId gated = builder.activation("gated", kFeedForward);
                const WeightGroupId up =
                    builder.matrices(WeightRole::gate_up, {first, first}, {kFeedForward, kFeedForward}, kDim);
                const std::variant<NoPrologue, RmsNormPrologue> prologue =
                    layer == 0 ? std::variant<NoPrologue, RmsNormPrologue>(NoPrologue{}) : builder.norm(kDim);
                builder.op(LinearOp{x, prologue, up, GatedEpilogue{gated, GateKind::silu}, RowSet::all});
                builder.op(LinearOp{gated, NoPrologue{}, builder.matrix(WeightRole::plain, second, kDim, kFeedForward),
                    AddResidualEpilogue{x, {}, {}, {}, 1}, RowSet::all});
            }
            builder.head(x, second, kVocab, true, 1, 0);
            compare(builder.finish(), {1, 5, 8, 12, 40}, 4 * linear_bound(GetParam().path(first)).unrounded,
                name_of(first) + ", scale " + std::to_string(scale));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Conformance, LinearWithNan, ::testing::ValuesIn(implementations()),
    [](const auto& param) { return param.param.name; });
INSTANTIATE_TEST_SUITE_P(
    Conformance, Linear, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
