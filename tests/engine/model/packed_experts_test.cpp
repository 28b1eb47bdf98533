// SPDX-License-Identifier: GPL-3.0-or-later
// Expected: the value of each code by the format's table, read from the checkpoint's own layout.
#include "engine/model/packed_experts.h"

#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "kernels/ref/dequantize.h"

namespace vitrine::engine {
namespace {

using safetensors::Tensor;

constexpr std::int64_t kExperts = 3, kRows = 8, kBlocks = 2; // rows of gate and up together
constexpr float kValues[]{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};

std::vector<std::byte> random_bytes(std::int64_t count, unsigned low, unsigned high, std::mt19937& random) {
    std::uniform_int_distribution<unsigned> value(low, high);
    std::vector<std::byte> bytes;
    for (std::int64_t i = 0; i < count; ++i)
        bytes.push_back(static_cast<std::byte>(value(random)));
    return bytes;
}

class PackedExperts : public ::testing::Test {
protected:
    void SetUp() override {
        std::mt19937 random(8);
        blocks_ = random_bytes(kExperts * kRows * kBlocks * 16, 0, 255, random);
        scales_ = random_bytes(kExperts * kRows * kBlocks, 120, 134, random);
        for (int i = 0; i < kExperts * kRows; ++i)
            bias_.push_back(static_cast<float>(i));
        tensors_[0] = {kStem + "_blocks", "U8", {kExperts, kRows, kBlocks, 16}, blocks_};
        tensors_[1] = {kStem + "_scales", "U8", {kExperts, kRows, kBlocks}, scales_};
        tensors_[2] = {kStem + "_bias", "F32", {kExperts, kRows}, std::as_bytes(std::span(bias_))};
    }
    [[nodiscard]] TensorTable table() const {
        TensorTable table;
        for (const Tensor& tensor : tensors_)
            table.emplace(tensor.name, &tensor);
        return table;
    }
    [[nodiscard]] float value(std::int64_t expert, std::int64_t row, std::int64_t column) const {
        const auto block = static_cast<std::size_t>((expert * kRows + row) * kBlocks + column / 32);
        const auto pair = std::to_integer<unsigned>(blocks_[block * 16 + static_cast<std::size_t>(column % 32 / 2)]);
        const unsigned code = column % 2 == 0 ? pair & 15U : pair >> 4U;
        const float magnitude = std::ldexp(kValues[code & 7U], std::to_integer<int>(scales_[block]) - 127);
        return code >= 8 ? -magnitude : magnitude;
    }

    static inline const std::string kStem = "model.layers.12.mlp.experts.gate_up_proj";
    std::vector<std::byte> blocks_, scales_;
    std::vector<float> bias_;
    Tensor tensors_[3];
};

TEST_F(PackedExperts, GateAndUpComeApartWithTheirValues) {
    const auto unpacked = unpack_experts(table());
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    ASSERT_EQ(unpacked->size(), 4U);
    for (const int part : {0, 1}) {
        const OwnedTensor& weights = (*unpacked)[static_cast<std::size_t>(2 * part)];
        EXPECT_EQ(weights.tensor.name, part == 0 ? "blk.12.ffn_gate_exps.weight" : "blk.12.ffn_up_exps.weight");
        EXPECT_EQ(weights.tensor.dims, (std::vector<std::int64_t>{kBlocks * 32, kRows / 2, kExperts}));
        std::vector<float> row(kBlocks * 32);
        for (std::int64_t i = 0; i < kExperts * kRows / 2; ++i) {
            kernels::dequantize_row(kernels::WeightFormat::mxfp4,
                weights.bytes.data() + i * kernels::row_bytes(kernels::WeightFormat::mxfp4, kBlocks * 32), kBlocks * 32,
                row.data());
            for (std::int64_t k = 0; k < kBlocks * 32; ++k)
                ASSERT_EQ(row[static_cast<std::size_t>(k)], value(i / (kRows / 2), i % (kRows / 2) * 2 + part, k));
        }
        const OwnedTensor& bias = (*unpacked)[static_cast<std::size_t>(2 * part + 1)];
        std::vector<float> values(bias.bytes.size() / 4);
        std::memcpy(values.data(), bias.bytes.data(), bias.bytes.size());
        ASSERT_EQ(values.size(), static_cast<std::size_t>(kExperts * kRows / 2));
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(values[i], static_cast<float>(2 * i + static_cast<std::size_t>(part)));
    }
}

TEST_F(PackedExperts, WhatDoesNotFitIsRefused) {
    TensorTable without = table();
    without.erase(kStem + "_scales");
    EXPECT_FALSE(unpack_experts(without));
    tensors_[1].shape[2] = 1;
    EXPECT_FALSE(unpack_experts(table()));
    tensors_[1].shape[2] = kBlocks;
    tensors_[2].dtype = "I32";
    EXPECT_FALSE(unpack_experts(table()));
    EXPECT_TRUE(is_packed_expert(kStem + "_bias"));
    EXPECT_FALSE(is_packed_expert("model.layers.1.mlp.experts.gate_up_proj"));
    EXPECT_FALSE(is_packed_expert("model.layers.x.mlp.experts.down_proj_blocks"));
}

} // namespace
} // namespace vitrine::engine
