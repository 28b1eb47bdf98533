// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA.  Expected: y + sum over adapters of weight * B (A x), in double from the case's own factors; and the reference.
#include <cstring>

#include <gtest/gtest.h>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

constexpr std::int64_t kInputDim = 96;
constexpr std::int64_t kOutputDim = 80;
constexpr std::int64_t kNumTokens = 32;
constexpr std::int64_t kPaddedRank = 32; // no padding: that would be zeros
const std::vector<std::int32_t> kRankEnds{8, 13, 32}; // ranks 8, 5, 19

std::vector<float> floats_of(const std::vector<std::byte>& bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// gather -> product -> low rank; shown are the sums.
struct AdapterCase {
    WeightGroupId table, down, up;
    Case entry;

    AdapterCase() {
        CaseBuilder builder(11);
        const ActivationId x = builder.input(Inputs::int8_exact, kNumTokens, kInputDim);
        table = {0};
        const ActivationId y = builder.activation("y", kOutputDim);
        const ActivationId hidden = builder.activation("hidden", kPaddedRank);
        const WeightGroupId weights = builder.matrix(WeightRole::plain, q8_0, kOutputDim, kInputDim);
        builder.op(MemberLinearOp{x, y, weights, 0, {}, RowSet::all});
        down = builder.matrix(WeightRole::plain, f32, kPaddedRank, kInputDim);
        up = builder.matrix(WeightRole::plain, f32, kOutputDim, kPaddedRank);
        builder.op(LowRankOp{x, y, hidden, down, up, kRankEnds, RowSet::all});
        builder.observe(y);
        entry = builder.finish();
        entry.program.num_adapters = static_cast<int>(kRankEnds.size());
    }
    [[nodiscard]] std::vector<float> values(WeightGroupId id) const {
        return floats_of(entry.bytes[static_cast<std::size_t>(id.value)].front());
    }
    /// What the adapters add to row `token`.
    [[nodiscard]] std::vector<double> added(std::int64_t token, const std::vector<float>& adapter_weights) const {
        const std::vector<float> x = values(table);
        const std::vector<float> a = values(down);
        const std::vector<float> b = values(up);
        std::vector<double> sums(kOutputDim, 0);
        for (std::int64_t r = 0; r < kRankEnds.back(); ++r) {
            const auto adapter = std::upper_bound(kRankEnds.begin(), kRankEnds.end(), r) - kRankEnds.begin();
            double hidden = 0;
            for (std::int64_t k = 0; k < kInputDim; ++k)
                hidden += double{a[static_cast<std::size_t>(r * kInputDim + k)]} *
                    double{x[static_cast<std::size_t>(token * kInputDim + k)]};
            hidden *= double{adapter_weights[static_cast<std::size_t>(adapter)]};
            for (std::int64_t o = 0; o < kOutputDim; ++o)
                sums[static_cast<std::size_t>(o)] += hidden * double{b[static_cast<std::size_t>(o * kPaddedRank + r)]};
        }
        return sums;
    }
};

} // namespace

class Adapters : public ::testing::TestWithParam<Implementation> {};

TEST_P(Adapters, EachSequenceGetsItsOwnSum) {
    const AdapterCase adapted;
    if (!is_runnable(GetParam(), adapted.entry))
        GTEST_SKIP() << "declines adapters";
    const std::vector<std::vector<float>> weights{{1, 0, 0}, {0, -2, 0.5F}, {0, 0, 0}};
    CaseRunner runner(GetParam(), adapted.entry, {40, 3, 64});
    CaseRunner plain(GetParam(), adapted.entry, {40, 3, 64});
    std::vector<float> flat;
    for (const auto& entry : weights)
        flat.insert(flat.end(), entry.begin(), entry.end());
    runner.use_adapters(flat);
    const std::vector<Piece> pieces{
        {0, token_run(19, kNumTokens, 3)}, {1, token_run(1, kNumTokens, 9)}, {2, token_run(5, kNumTokens, 20)}};
    const std::vector<float> logits = runner.step(pieces, {}, 2).logits;
    const std::vector<float> base = plain.step(pieces, {}, 2).logits;
    std::vector<float> expected(base.begin(), base.end());
    std::size_t row = 0;
    for (const Piece& piece : pieces) {
        for (const std::int32_t token : piece.tokens) {
            const auto added = adapted.added(token, weights[static_cast<std::size_t>(piece.sequence)]);
            for (std::size_t o = 0; o < added.size(); ++o)
                expected[row * kOutputDim + o] += static_cast<float>(added[o]);
            ++row;
        }
    }
    const double bound = 3 * linear_bound(GetParam().dense).own + 1e-6;
    expect_close(logits, expected, bound, kOutputDim, "against the definition");
}

TEST_P(Adapters, RowsWithoutAnAdapterKeepTheirBits) {
    const AdapterCase adapted;
    if (!is_runnable(GetParam(), adapted.entry))
        GTEST_SKIP() << "declines adapters";
    CaseRunner mixed(GetParam(), adapted.entry, {40, 2, 64});
    CaseRunner alone(GetParam(), adapted.entry, {40, 2, 64});
    mixed.use_adapters({1, 1, 1, 0, 0, 0});
    const std::vector<Piece> pieces{{0, token_run(7, kNumTokens)}, {1, token_run(4, kNumTokens, 5)}};
    const std::vector<float> together = mixed.step(pieces).logits;
    const std::vector<float> without = alone.step(pieces).logits;
    ASSERT_EQ(together.size(), 11U * kOutputDim);
    EXPECT_EQ(std::vector(together.begin() + 7 * kOutputDim, together.end()),
        std::vector(without.begin() + 7 * kOutputDim, without.end()));
    EXPECT_NE(std::vector(together.begin(), together.begin() + kOutputDim),
        std::vector(without.begin(), without.begin() + kOutputDim));
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, Adapters, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
