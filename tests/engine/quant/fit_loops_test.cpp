// SPDX-License-Identifier: GPL-3.0-or-later
// Every instruction set gives the bits of the narrowest, so a file does not depend on the machine that wrote it.
#include "engine/quant/fit_loops.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kBlock = 32;

/// Entries farther and farther apart.
constexpr FitTable table_of_squares() {
    FitTable table{};
    for (int i = 0; i < 16; ++i)
        table.entries[i] = static_cast<float>(i < 8 ? -(8 - i) * (8 - i) : (i - 8) * (i - 8));
    for (int i = 0; i < 15; ++i)
        table.borders[i] = (table.entries[i] + table.entries[i + 1]) / 2;
    return table;
}
constexpr FitTable kTable = table_of_squares();

std::vector<float> values(std::size_t count) {
    std::vector<float> x;
    std::uint32_t state = 77;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        const float uniform = static_cast<float>(state >> 8) * 0x1p-23F - 1;
        x.push_back(uniform * uniform * uniform * 3);
    }
    return x;
}

std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

void expect_same(const FitSums& a, const FitSums& b) {
    EXPECT_EQ(bits(a.count), bits(b.count));
    EXPECT_EQ(bits(a.x), bits(b.x));
    EXPECT_EQ(bits(a.code), bits(b.code));
    EXPECT_EQ(bits(a.code_code), bits(b.code_code));
    EXPECT_EQ(bits(a.x_code), bits(b.x_code));
}

void expect_same(Affine a, Affine b) {
    EXPECT_EQ(bits(a.scale), bits(b.scale));
    EXPECT_EQ(bits(a.offset), bits(b.offset));
}

TEST(FitLoops, GiveTheSameBitsOnEveryInstructionSet) {
    const FitLoops& plain = *usable_fit_loops().front();
    const std::vector<float> x = values(64 * kBlock), weights = values(64 * kBlock);
    std::vector<float> importance;
    for (const float weight : weights)
        importance.push_back(std::abs(weight));
    for (const FitLoops* loops : usable_fit_loops()) {
        SCOPED_TRACE(loops->name);
        for (std::size_t at = 0; at < x.size(); at += kBlock) {
            const float* block = x.data() + at;
            for (const float* weighted : std::array<const float*, 2>{nullptr, importance.data() + at}) {
                const Affine rule{0.11F, -0.3F};
                expect_same(loops->sums(block, weighted, kBlock, rule, {0, 15}),
                    plain.sums(block, weighted, kBlock, rule, {0, 15}));
                EXPECT_EQ(bits(loops->error(block, weighted, kBlock, rule, {0, 15})),
                    bits(plain.error(block, weighted, kBlock, rule, {0, 15})));
                expect_same(loops->symmetric(block, weighted, kBlock, {-8, 7}),
                    plain.symmetric(block, weighted, kBlock, {-8, 7}));
                expect_same(loops->affine(block, weighted, kBlock, 15, at % 64 == 0),
                    plain.affine(block, weighted, kBlock, 15, at % 64 == 0));
            }
            std::array<float, 16> scales{}, offsets{}, errors{}, plain_errors{};
            for (std::size_t i = 0; i < scales.size(); ++i) {
                scales[i] = 0.02F * static_cast<float>(i); // the first is 0
                offsets[i] = -0.05F * static_cast<float>(i);
            }
            loops->errors(block, nullptr, kBlock, scales.data(), offsets.data(), {0, 15}, errors.data());
            plain.errors(block, nullptr, kBlock, scales.data(), offsets.data(), {0, 15}, plain_errors.data());
            EXPECT_EQ(errors, plain_errors);
            EXPECT_NEAR(errors[3], plain.error(block, nullptr, kBlock, {scales[3], offsets[3]}, {0, 15}), 1e-3);
            std::array<std::int8_t, kBlock> codes{}, plain_codes{};
            loops->codes(block, kBlock, {0.02F, 0}, {-127, 127}, codes.data());
            plain.codes(block, kBlock, {0.02F, 0}, {-127, 127}, plain_codes.data());
            EXPECT_EQ(codes, plain_codes);
            const RowError error = loops->row_error(block, weights.data(), 31);
            const RowError expected = plain.row_error(block, weights.data(), 31);
            EXPECT_EQ(bits(error.difference), bits(expected.difference));
            EXPECT_EQ(bits(error.norm), bits(expected.norm));
            for (const float* weighted : std::array<const float*, 2>{nullptr, importance.data() + at}) {
                EXPECT_EQ(bits(loops->table_scale(block, weighted, kBlock, kTable)),
                    bits(plain.table_scale(block, weighted, kBlock, kTable)));
                const TableSums sums = loops->table_sums(block, weighted, kBlock, 0.02F, kTable);
                const TableSums plain_sums = plain.table_sums(block, weighted, kBlock, 0.02F, kTable);
                EXPECT_EQ(bits(sums.x_entry), bits(plain_sums.x_entry));
                EXPECT_EQ(bits(sums.entry_entry), bits(plain_sums.entry_entry));
                EXPECT_EQ(bits(sums.error), bits(plain_sums.error));
            }
            std::array<float, kBlock> sizes{}, plain_sizes{};
            loops->size_weights(block, kBlock, sizes.data());
            plain.size_weights(block, kBlock, plain_sizes.data());
            EXPECT_EQ(sizes, plain_sizes);
        }
    }
}

TEST(FitLoops, FindTheRuleOfValuesThatLieOnOne) {
    std::vector<float> x;
    for (std::size_t i = 0; i < kBlock; ++i)
        x.push_back(0.25F * static_cast<float>(i % 16) - 1);
    for (const FitLoops* loops : usable_fit_loops()) {
        const Affine rule = loops->affine(x.data(), nullptr, kBlock, 15, false);
        EXPECT_FLOAT_EQ(rule.scale, 0.25F) << loops->name;
        EXPECT_FLOAT_EQ(rule.offset, -1) << loops->name;
        EXPECT_EQ(loops->error(x.data(), nullptr, kBlock, {0.25F, -1}, {0, 15}), 0) << loops->name;
        EXPECT_EQ(loops->symmetric(std::vector<float>(kBlock, 0).data(), nullptr, kBlock, {-8, 7}).scale, 0);
        const Extremes ends = loops->extremes(x.data(), kBlock);
        EXPECT_EQ(ends.low, -1);
        EXPECT_EQ(ends.high, 2.75F);
    }
}

TEST(FitLoops, FindTheScaleOfValuesThatLieOnATable) {
    std::vector<float> x;
    for (std::size_t i = 0; i < kBlock; ++i)
        x.push_back(0.25F * kTable.entries[i % 16]);
    const std::vector<float> zeros(kBlock, 0.0F);
    for (const FitLoops* loops : usable_fit_loops()) {
        EXPECT_FLOAT_EQ(loops->table_scale(x.data(), nullptr, kBlock, kTable), 0.25F) << loops->name;
        EXPECT_EQ(loops->table_scale(zeros.data(), nullptr, kBlock, kTable), 0) << loops->name;
        EXPECT_EQ(loops->table_sums(x.data(), nullptr, kBlock, 0.25F, kTable).error, 0) << loops->name;
        x[5] += 0.125F; // half of the way to no other entry
        EXPECT_FLOAT_EQ(
            static_cast<float>(loops->table_sums(x.data(), nullptr, kBlock, 0.25F, kTable).error), 0.015625F);
        x[5] -= 0.125F;
    }
}

TEST(FitLoops, FollowTheChoiceOfTheKernels) {
    using kernels::CpuIsa;
    EXPECT_STREQ(fit_loops_of(CpuIsa::scalar).name, "sse2");
    EXPECT_STREQ(fit_loops_of(CpuIsa::avx2).name, "avx2");
    EXPECT_STREQ(fit_loops_of(CpuIsa::avxvnni).name, "avx2");
    EXPECT_STREQ(fit_loops_of(CpuIsa::avx512).name, "avx512");
    const auto chosen = kernels::choose_cpu_isa({});
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_STREQ(fit_loops().name, fit_loops_of(*chosen).name);
}

TEST(FitLoops, WeighByMagnitudeFromTheMiddleOn) {
    std::vector<float> x(kBlock, 1);
    x[3] = -5;
    x[7] = 0;
    const float middle = std::sqrt(55.0F / 32); // 30 ones and a 5
    for (const FitLoops* loops : usable_fit_loops()) {
        std::vector<float> weights(kBlock);
        loops->size_weights(x.data(), kBlock, weights.data());
        EXPECT_EQ(weights[3], 5) << loops->name;
        EXPECT_FLOAT_EQ(weights[7], middle) << loops->name;
    }
}

TEST(FitLoops, WidenEveryHalfExactly) {
    std::vector<std::uint16_t> halves(0x10000);
    for (std::size_t i = 0; i < halves.size(); ++i)
        halves[i] = static_cast<std::uint16_t>(i);
    for (const FitLoops* loops : usable_fit_loops()) {
        std::vector<float> floats(halves.size() - 3); // no multiple of any width
        loops->halves(reinterpret_cast<const std::byte*>(halves.data()), floats.size(), floats.data());
        for (std::size_t i = 0; i < floats.size(); ++i)
            ASSERT_EQ(bits(floats[i]), bits(kernels::f16_to_f32(halves[i]))) << loops->name << " " << i;
    }
}

TEST(FitLoops, SeeWhatIsNoNumberWhereverItStands) {
    for (const FitLoops* loops : usable_fit_loops())
        for (const float bad :
            {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -65505.0F})
            for (std::size_t place = 0; place < 37; ++place) {
                std::vector<float> x(37, 65504);
                EXPECT_TRUE(loops->are_within(x.data(), x.size(), 65504)) << loops->name;
                x[place] = bad;
                EXPECT_FALSE(loops->are_within(x.data(), x.size(), 65504)) << loops->name << " " << place;
            }
}

} // namespace
} // namespace vitrine::engine
