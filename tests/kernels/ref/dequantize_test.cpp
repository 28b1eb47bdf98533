// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/dequantize.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/ref/half.h"

namespace vitrine::kernels {
namespace {

constexpr int kWeights = 512;

/// The bytes both this test and the Python script that made the table use: a linear congruential generator.
std::vector<std::byte> pattern(std::uint32_t seed, std::int64_t count) {
    std::vector<std::byte> bytes;
    for (std::int64_t i = 0; i < count; ++i) {
        seed = seed * 1664525U + 1013904223U;
        bytes.push_back(static_cast<std::byte>(seed >> 24));
    }
    return bytes;
}

/// FNV-1a over the bits of the values.
std::uint64_t fingerprint(const std::vector<float>& values) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (int shift = 0; shift < 32; shift += 8)
            hash = (hash ^ ((bits >> shift) & 0xFFU)) * 0x100000001b3ULL;
    }
    return hash;
}

struct Known {
    WeightFormat format;
    std::uint32_t seed; // the first one whose values are all finite
    std::uint64_t fingerprint;
    std::vector<float> samples; // values 0, 1, 255, 511
};

// gguf 0.19.0, quants.dequantize of the same bytes.
const std::vector<Known> kKnown{
    {WeightFormat::f32, 7, 0x675aae9dc4e3cac4ULL,
        {-6.070203664056937e+27F, 6.8056402127297544e-31F, 1.239343450362415e-37F, -9.059215545654297F}},
    {WeightFormat::bf16, 10, 0x28434cfd32e6c3f7ULL,
        {1.7189449863508344e-10F, 4.092601131822876e-33F, 1769472.0F, 2.0430846351487233e+26F}},
    {WeightFormat::q4_0, 4, 0x1b798017d3528387ULL,
        {-0.0992431640625F, 0.13232421875F, -0.032989501953125F, 0.021615982055664062F}},
    {WeightFormat::q4_1, 4, 0x6a67288458c5c164ULL,
        {-36.635986328125F, -36.635986328125F, 70.109375F, -0.312469482421875F}},
    {WeightFormat::q5_0, 2, 0x0c14e81a126f6f95ULL, {-257280.0F, -171520.0F, -0.274810791015625F, -168.890625F}},
    {WeightFormat::q5_1, 2, 0x076c38f6f24e56cbULL, {471678.6875F, 385918.6875F, 9216.0F, -24767.998046875F}},
    {WeightFormat::q8_0, 1, 0x35f4cb1177c9f9b4ULL, {-50673.0F, -30324.0F, 0.0032039880752563477F, -0.79376220703125F}},
    {WeightFormat::q2_k, 1, 0x9a4c9f735386d164ULL,
        {-0.0010135173797607422F, -0.04173159599304199F, -0.029950857162475586F, -0.008965611457824707F}},
    {WeightFormat::q3_k, 1, 0xbd75989f05a7800dULL, {-110.0859375F, -36.6953125F, -566.15625F, 4.8834228515625F}},
    {WeightFormat::q4_k, 1, 0x080de6bbe2d09d80ULL, {57457.125F, 14365.1259765625F, 154421.71875F, 6.876025199890137F}},
    {WeightFormat::q5_k, 1, 0x1d6f7d041a4a5978ULL, {33517.125F, 148429.125F, 85793.7265625F, 181.92433166503906F}},
    {WeightFormat::q6_k, 4, 0x561f61a026f13bd5ULL,
        {2.4789276123046875F, -12.394638061523438F, -8.538528442382812F, -8263.0625F}},
    {WeightFormat::iq4_nl, 4, 0x9c11fc1198649386ULL,
        {-1.47210693359375F, 2.10064697265625F, -0.43711090087890625F, 0.34894371032714844F}},
    {WeightFormat::iq4_xs, 1, 0x4f63b0ba60d88d35ULL, {78204.0F, 103740.0F, 121296.0F, -12409.453125F}},
    {WeightFormat::mxfp4, 5655, 0x29d7360ab086a568ULL, {1.1444091796875e-05F, 0.0F, 256.0F, 6.462348535570529e-27F}},
};

} // namespace

TEST(Dequantize, AgreesWithPythonGgufBitForBit) {
    for (const Known& known : kKnown) {
        const std::vector<std::byte> row = pattern(known.seed, row_bytes(known.format, kWeights));
        std::vector<float> values(kWeights);
        dequantize_row(known.format, row.data(), kWeights, values.data());
        const auto name = format_info(known.format).name;
        EXPECT_EQ(values[0], known.samples[0]) << name;
        EXPECT_EQ(values[1], known.samples[1]) << name;
        EXPECT_EQ(values[255], known.samples[2]) << name;
        EXPECT_EQ(values[511], known.samples[3]) << name;
        EXPECT_EQ(fingerprint(values), known.fingerprint) << name;
    }
}

// IEEE 754-2008 binary16 values.
TEST(Half, ConvertsTheLandmarksOfBinary16) {
    EXPECT_EQ(f16_to_f32(0x3C00), 1.0F);
    EXPECT_EQ(f16_to_f32(0xC000), -2.0F);
    EXPECT_EQ(f16_to_f32(0x7BFF), 65504.0F);
    EXPECT_EQ(f16_to_f32(0x0001), 0x1p-24F);
    EXPECT_EQ(f16_to_f32(0x0400), 0x1p-14F);
    EXPECT_EQ(f16_to_f32(0x7C00), std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(f16_to_f32(0x7E01)));
    EXPECT_EQ(f32_to_f16(65519.0F), 0x7BFF);
    EXPECT_EQ(f32_to_f16(65520.0F), 0x7C00);
    EXPECT_EQ(f32_to_f16(1 + 0x1p-11F), 0x3C00); // tie to even
    EXPECT_EQ(f32_to_f16(1 + 3 * 0x1p-11F), 0x3C02); // tie to even
    EXPECT_EQ(f32_to_f16(0x1p-25F), 0x0000); // tie to even
    EXPECT_EQ(f32_to_f16(0x1.8p-25F), 0x0001);
    EXPECT_EQ(f32_to_f16(-0.0F), 0x8000);
    EXPECT_TRUE(std::isnan(f16_to_f32(f32_to_f16(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Half, EveryNumberSurvivesTheRoundTrip) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = f16_to_f32(half);
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(f16_to_f32(f32_to_f16(value))));
        } else {
            ASSERT_EQ(f32_to_f16(value), half);
        }
        if (!std::isnan(bf16_to_f32(half))) {
            ASSERT_EQ(f32_to_bf16(bf16_to_f32(half)), half);
        }
    }
    for (std::uint32_t bits = 0; bits < 0x100; ++bits) {
        const auto byte = static_cast<std::uint8_t>(bits);
        if (!std::isnan(fp8_e4m3_to_f32(byte))) {
            ASSERT_EQ(f32_to_fp8_e4m3(fp8_e4m3_to_f32(byte)), byte);
        }
    }
}

// OCP 8-bit floating point specification: largest 448, smallest subnormal 2^-9, NaN 0x7F and 0xFF.
TEST(Half, Fp8SaturatesAndRoundsToEven) {
    EXPECT_EQ(fp8_e4m3_to_f32(0x7E), 448.0F);
    EXPECT_EQ(fp8_e4m3_to_f32(0x01), 0x1p-9F);
    EXPECT_TRUE(std::isnan(fp8_e4m3_to_f32(0x7F)));
    EXPECT_EQ(f32_to_fp8_e4m3(1e9F), 0x7E);
    EXPECT_EQ(f32_to_fp8_e4m3(-std::numeric_limits<float>::infinity()), 0xFE);
    EXPECT_EQ(f32_to_fp8_e4m3(1.0625F), 0x38); // between 1 and 1.125: even
    EXPECT_EQ(f32_to_fp8_e4m3(1.1875F), 0x3A); // between 1.125 and 1.25: even
    EXPECT_EQ(f32_to_fp8_e4m3(0x1p-10F), 0x00);
    EXPECT_EQ(f32_to_fp8_e4m3(0x1.8p-10F), 0x01);
}

TEST(Half, BrainFloatRoundsToEven) {
    EXPECT_EQ(f32_to_bf16(1.0F + 0x1p-8F), 0x3F80);
    EXPECT_EQ(f32_to_bf16(1.0F + 3 * 0x1p-8F), 0x3F82);
    EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(std::bit_cast<float>(0x7F800001U)))));
}

} // namespace vitrine::kernels
