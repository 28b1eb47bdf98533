// SPDX-License-Identifier: GPL-3.0-or-later
// Packed matrices read back by checkpoint_weights, and words whose bits are laid out by hand.
#include "engine/quant/checkpoint_packing.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/model/checkpoint_weights.h"
#include "tests/engine/quant/sample_matrices.h"

namespace vitrine::engine {
namespace {

using safetensors::CheckpointFormat;
using safetensors::CheckpointMethod;
using testing::sample_matrix;

/// What the reader gets from the parts of a module "m", checked against the shapes announced.
DenseMatrix read_back(const CheckpointFormat& format, const PackedParts& parts, const PackedParts& announced) {
    EXPECT_EQ(parts.size(), announced.size());
    std::vector<safetensors::Tensor> tensors;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(parts[i].name, announced[i].name);
        EXPECT_EQ(parts[i].shape, announced[i].shape) << parts[i].name;
        std::int64_t bytes = parts[i].dtype == "F16" ? 2 : parts[i].dtype == "F32" || parts[i].dtype == "I32" ? 4 : 1;
        for (const std::int64_t dim : parts[i].shape)
            bytes *= dim;
        EXPECT_EQ(std::ssize(parts[i].bytes), bytes) << parts[i].name;
        tensors.push_back({"m." + parts[i].name, parts[i].dtype, parts[i].shape, parts[i].bytes});
    }
    TensorTable table;
    for (const auto& tensor : tensors)
        table.emplace(tensor.name, &tensor);
    const auto matrix = unpack_matrix(format, "m", table);
    EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().message);
    DenseMatrix result;
    if (matrix) {
        result = DenseMatrix(matrix->out_dim, matrix->in_dim);
        result.values = matrix->values;
    }
    return result;
}

std::uint32_t word_of(const PackedPart& part, std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, part.bytes.data() + word * 4, 4);
    return value;
}

TEST(CheckpointPacking, GroupsComeBackExactly) {
    const DenseMatrix weights = sample_matrix(64, 96, 1);
    for (const bool symmetric : {false, true})
        for (const int bits : {4, 8})
            for (const int group : {32, 64}) { // the last of 64 is shorter
                GroupCodes codes = round_to_groups(weights, {}, {bits, group, symmetric}, 1);
                if (group == 32) // as act order leaves them
                    std::swap(codes.group_of.front(), codes.group_of.back());
                const DenseMatrix back =
                    read_back({CheckpointMethod::gptq, bits, false}, pack_gptq(codes), gptq_parts(codes.rule, 64, 96));
                EXPECT_EQ(back.values, restore(codes).values) << bits << ' ' << group;
            }
    const GroupCodes codes = round_to_groups(weights, {}, {4, 32, false}, 1);
    const DenseMatrix back =
        read_back({CheckpointMethod::awq, 4, true}, pack_awq(codes), awq_parts(codes.rule, 64, 96));
    EXPECT_EQ(back.values, restore(codes).values);
}

// Inputs in the words of GPTQ from the lowest bits on, zero points less one; outputs in the words of AWQ as 0 2 4 6 1 3 5 7.
TEST(CheckpointPacking, WordsAreLaidOutAsTheirAuthorsDo) {
    GroupCodes codes({4, 8, false}, 8, 8);
    for (std::int64_t o = 0; o < 8; ++o)
        for (std::int64_t k = 0; k < 8; ++k)
            codes.codes[static_cast<std::size_t>(o * 8 + k)] = static_cast<std::uint8_t>(o == 1 ? k : 0);
    for (std::size_t o = 0; o < 8; ++o)
        codes.zeros[o] = static_cast<std::uint8_t>(o + 1);
    const PackedParts gptq = pack_gptq(codes);
    EXPECT_EQ(word_of(gptq[0], 1), 0x76543210U); // output 1
    EXPECT_EQ(word_of(gptq[1], 0), 0x76543210U); // 1 2 3 ... less one
    for (std::int64_t o = 0; o < 8; ++o)
        codes.codes[static_cast<std::size_t>(o * 8 + 3)] = static_cast<std::uint8_t>(o);
    EXPECT_EQ(word_of(pack_awq(codes)[0], 3), 0x75316420U); // input 3
}

TEST(CheckpointPacking, Int8KeepsEachRowWithinHalfAStep) {
    DenseMatrix weights = sample_matrix(5, 40, 2);
    std::fill(weights.row(3), weights.row(4), 0.0F);
    weights.row(2)[7] = 50;
    const DenseMatrix back =
        read_back({CheckpointMethod::bitsandbytes, 0, true}, pack_int8(weights), int8_parts(5, 40));
    for (std::int64_t o = 0; o < 5; ++o) {
        float largest = 0;
        for (const float value : weights.row_span(o))
            largest = std::max(largest, std::abs(value));
        for (std::int64_t k = 0; k < 40; ++k)
            EXPECT_NEAR(back.row(o)[k], weights.row(o)[k], largest / 254 * 1.001F);
    }
}

// Relative error of NF4 for bell-shaped weights: 0.0938 for Gaussian ones (QLoRA's data type, blocks of 64); the scales in eight
// bits cost little more.
TEST(CheckpointPacking, Nf4HasTheErrorOfItsValues) {
    const DenseMatrix weights = sample_matrix(64, 512, 3);
    const DenseMatrix back =
        read_back({CheckpointMethod::bitsandbytes, 0, true}, pack_nf4(weights), nf4_parts(64, 512));
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        error += std::pow(static_cast<double>(back.values[i] - weights.values[i]), 2);
        norm += std::pow(static_cast<double>(weights.values[i]), 2);
    }
    EXPECT_NEAR(std::sqrt(error / norm), 0.09, 0.01);
}

// Rounding to four bits of mantissa: at most a sixteenth of a weight, or half a step of the smallest numbers.
TEST(CheckpointPacking, Fp8KeepsFourBitsOfEveryWeight) {
    DenseMatrix weights = sample_matrix(200, 300, 4); // blocks that are not whole
    for (float& value : weights.row_span(150))
        value *= 1000;
    const DenseMatrix back = read_back({CheckpointMethod::fp8, 8, true}, pack_fp8(weights), fp8_parts(200, 300));
    for (std::int64_t o = 0; o < 200; ++o)
        for (std::int64_t k = 0; k < 300; ++k) {
            const float block_top = o >= 128 ? 2100 : 2.1F; // of sums of four uniform numbers
            ASSERT_NEAR(back.row(o)[k], weights.row(o)[k],
                std::abs(weights.row(o)[k]) / 16 * 1.001F + block_top / 448 * 0x1p-10F)
                << o << ' ' << k;
        }
}

} // namespace
} // namespace vitrine::engine
