// SPDX-License-Identifier: GPL-3.0-or-later
// Bands hold exactly what the file holds.
#include <gtest/gtest.h>

#include "kernels/cpu/repack/band_layout.h"
#include "tests/kernels/cpu/random_model.h"

namespace vitrine::kernels::cpu {
namespace {

class Repack : public ::testing::TestWithParam<int> {};

TEST_P(Repack, ReturnsEveryRowBitForBit) {
    const auto format = static_cast<WeightFormat>(GetParam());
    constexpr std::int64_t kOutDim = 21; // no multiple of a band
    constexpr std::int64_t kInDim = 512;
    const auto rows = testing::random_matrix(format, kOutDim, kInDim, 7);
    const std::int64_t stride = row_bytes(format, kInDim);
    for (const int lanes : {8, 16}) {
        const BandLayout layout{format, lanes, lanes == 8};
        std::vector<std::uint8_t> band(static_cast<std::size_t>(layout.band_bytes(kInDim)), 0xAB);
        for (std::int64_t row = 0; row < kOutDim; ++row) {
            pack_band(layout, rows, kOutDim, kInDim, row / lanes * lanes, band.data());
            std::vector<std::byte> back(static_cast<std::size_t>(stride));
            unpack_row(layout, band.data(), static_cast<int>(row % lanes), kInDim, back.data());
            const std::vector<std::byte> expected(rows.begin() + row * stride, rows.begin() + (row + 1) * stride);
            ASSERT_EQ(back, expected) << format_info(format).name << ", " << lanes << " lanes, row " << row;
        }
    }
}

TEST_P(Repack, TakesAtMostAnEighthMoreThanTheFile) {
    const auto format = static_cast<WeightFormat>(GetParam());
    const BandLayout layout{format, 16, false};
    EXPECT_LE(layout.band_bytes(4096), row_bytes(format, 4096) * 18) << format_info(format).name;
    EXPECT_GE(layout.band_bytes(4096), row_bytes(format, 4096) * 16);
}

INSTANTIATE_TEST_SUITE_P(Formats, Repack, ::testing::Range(0, kNumWeightFormats),
    [](const auto& param) { return std::string(format_info(static_cast<WeightFormat>(param.param)).name); });

} // namespace
} // namespace vitrine::kernels::cpu
