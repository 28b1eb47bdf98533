// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/row_quantizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/ref/dequantize.h"
#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;
using enum kernels::WeightFormat;

/// Bell-shaped values (sums of four uniforms), the same as the script's that made the figures below.
std::vector<float> sample_row(std::size_t count) {
    std::vector<float> row;
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t sum = 0;
        for (int part = 0; part < 4; ++part) {
            state = state * 1664525U + 1013904223U;
            sum += state >> 16;
        }
        row.push_back(static_cast<float>(static_cast<double>(sum - 131070) / 65536.0));
    }
    return row;
}

std::vector<float> round_trip(WeightFormat format, const std::vector<float>& row) {
    const auto size = static_cast<std::int64_t>(row.size());
    std::vector<std::byte> bytes(static_cast<std::size_t>(kernels::row_bytes(format, size)));
    const auto done = quantize_row(format, row, bytes.data());
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    std::vector<float> values(row.size());
    kernels::dequantize_row(format, bytes.data(), size, values.data());
    return values;
}

double relative_error(const std::vector<float>& row, const std::vector<float>& values) {
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        error += std::pow(static_cast<double>(values[i]) - row[i], 2);
        norm += std::pow(static_cast<double>(row[i]), 2);
    }
    return std::sqrt(error / norm);
}

struct Reference {
    WeightFormat format;
    double error;
};

// ggml's own quantizer on the same 2,048 values (gguf 0.19.0 gives the same for those it writes).
constexpr Reference kGgml[]{{q8_0, 0.0051546}, {q4_0, 0.0837417}, {q4_1, 0.0760926}, {q5_0, 0.0415169},
    {q5_1, 0.0372290}, {q4_k, 0.0693375}, {q5_k, 0.0348200}, {q6_k, 0.0174211}, {iq4_nl, 0.0741604},
    {mxfp4, 0.1116434}};
// No writer to compare with was at hand: about what ggml reports for bell-shaped weights.
constexpr Reference kOthers[]{{q2_k, 0.30}, {q3_k, 0.155}, {iq4_xs, 0.0790}};

} // namespace

TEST(RowQuantizer, ErrorIsNotAboveThatOfGgml) {
    const std::vector<float> row = sample_row(2048);
    std::vector<Reference> references(std::begin(kGgml), std::end(kGgml));
    references.insert(references.end(), std::begin(kOthers), std::end(kOthers));
    for (const Reference& reference : references) {
        const double error = relative_error(row, round_trip(reference.format, row));
        const auto name = kernels::format_info(reference.format).name;
        EXPECT_LE(error, reference.error * 1.0001) << name;
        EXPECT_GE(error, reference.error * 0.8) << name << ": better than the format allows";
    }
}

TEST(RowQuantizer, SixteenBitFormatsRoundToNearest) {
    const std::vector<float> row = sample_row(64);
    const std::vector<float> half = round_trip(f16, row);
    const std::vector<float> brain = round_trip(bf16, row);
    const std::vector<float> full = round_trip(f32, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
        EXPECT_LE(std::abs(half[i] - row[i]), std::abs(row[i]) * 0x1p-11F);
        EXPECT_LE(std::abs(brain[i] - row[i]), std::abs(row[i]) * 0x1p-8F);
        EXPECT_EQ(full[i], row[i]);
    }
}

TEST(RowQuantizer, ConstantAndZeroBlocksComeBack) {
    for (const Reference& reference : kGgml) {
        const std::vector<float> zeros(256, 0.0F);
        EXPECT_EQ(round_trip(reference.format, zeros), zeros);
        for (const float value : {0.5F, -0.5F}) {
            const std::vector<float> row(256, value);
            for (const float back : round_trip(reference.format, row))
                ASSERT_NEAR(back, value, 0.001) << kernels::format_info(reference.format).name;
        }
    }
}

// A channel 50 times larger than the rest must not ruin other blocks, nor itself.
TEST(RowQuantizer, OutlierStaysInItsBlock) {
    std::vector<float> row = sample_row(512);
    const std::vector<float> clean = round_trip(q4_0, row);
    row[40] = 50;
    const std::vector<float> values = round_trip(q4_0, row);
    EXPECT_NEAR(values[40], 50, 1);
    for (std::size_t i = 64; i < row.size(); ++i)
        ASSERT_EQ(values[i], clean[i]);
}

TEST(RowQuantizer, EveryCodeOfTheExtremesIsReachable) {
    std::vector<float> row(32);
    for (std::size_t i = 0; i < 32; ++i)
        row[i] = static_cast<float>(i) / 2 - 8; // -8 to 7.5: a Q5_0 block with scale 1/2
    EXPECT_EQ(round_trip(q5_0, row), row);
    EXPECT_EQ(round_trip(q5_1, row), row);
}

/// As ggml leaves Q4_K: scales and minima in 63 parts of the largest, codes that stop `unused` short of the last.
std::vector<float> row_of_q4_k(int unused) {
    std::vector<float> row;
    for (int sub = 0; sub < 8; ++sub)
        for (int i = 0; i < 32; ++i) {
            const int code = (i * 11 + sub) % (16 - unused);
            row.push_back(static_cast<float>((63 - 5 * sub) * code) / 4096 - static_cast<float>(63 - 3 * sub) / 512);
        }
    return row;
}

// What was quantized before comes back as it is, though its last codes stood empty.
TEST(RowQuantizer, FindsTheGridOfAFormerQuantization) {
    for (int unused = 0; unused <= 2; ++unused) {
        const std::vector<float> row = row_of_q4_k(unused);
        EXPECT_LT(relative_error(row, round_trip(q4_k, row)), 1e-6) << unused;
        EXPECT_LT(relative_error(row, round_trip(q4_1, row)), 1e-3) << unused << ": scales are rounded to 16 bits";
    }
    for (const WeightFormat symmetric : {q4_0, q5_0}) {
        const std::vector<float> steps = round_trip(symmetric, sample_row(2048));
        EXPECT_LT(relative_error(steps, round_trip(q8_0, steps)), 5e-4) << kernels::format_info(symmetric).name;
    }
    const std::vector<float> four_bits = round_trip(q4_1, sample_row(2048));
    EXPECT_LT(relative_error(four_bits, round_trip(q5_1, four_bits)), 0.01) << "most blocks: every second step";
}

// The least sum of squares cuts the largest weights off, 2.7 % of each on these.
TEST(RowQuantizer, TheLargestWeightsOfSymmetricBlocksAreKept) {
    const std::vector<float> row = sample_row(2048);
    const std::vector<float> values = round_trip(q4_0, row);
    double lost = 0;
    for (std::size_t start = 0; start < row.size(); start += 32) {
        std::size_t largest = start;
        for (std::size_t i = start; i < start + 32; ++i)
            if (std::abs(row[i]) > std::abs(row[largest]))
                largest = i;
        lost += 1 - static_cast<double>(values[largest]) / row[largest];
    }
    EXPECT_LT(lost / 64, 0.02);
}

TEST(RowQuantizer, FallsBackToAFormatThatDividesTheRow) {
    EXPECT_EQ(fallback_format(q4_k, 576), q5_0);
    EXPECT_EQ(fallback_format(q5_k, 576), q5_1);
    EXPECT_EQ(fallback_format(q6_k, 576), q8_0);
    EXPECT_EQ(fallback_format(q6_k, 1536), q6_k);
    EXPECT_EQ(fallback_format(iq4_xs, 640), iq4_nl);
    EXPECT_EQ(fallback_format(q4_0, 100), f16);
    EXPECT_EQ(fallback_format(q4_k, 100), f16);
    EXPECT_EQ(fallback_format(bf16, 7), bf16);
}

TEST(RowQuantizer, RefusesWhatItCannotWrite) {
    std::vector<std::byte> out(1024);
    std::vector<float> row = sample_row(256);
    for (int format = 0; format < kernels::kNumWeightFormats; ++format)
        EXPECT_TRUE(can_quantize_to(static_cast<WeightFormat>(format)));
    const auto uneven = quantize_row(q4_0, std::span(row).first(40), out.data());
    EXPECT_EQ(uneven.error().code, ErrorCode::invalid_argument);
    row[3] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(quantize_row(q4_0, row, out.data()).error().code, ErrorCode::invalid_argument);
    row[3] = 1e6F;
    EXPECT_EQ(quantize_row(q4_0, row, out.data()).error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(quantize_row(bf16, row, out.data()).has_value());
}

} // namespace vitrine::engine
