// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/weight_format.h"

#include <gtest/gtest.h>

#include "kernels/api/kv_pool.h"

namespace vitrine::kernels {

TEST(WeightFormat, TableIsIndexedByFormatAndFoundByNameAndNumber) {
    for (int i = 0; i < kNumWeightFormats; ++i) {
        const auto format = static_cast<WeightFormat>(i);
        const FormatInfo& info = format_info(format);
        EXPECT_EQ(info.format, format);
        EXPECT_EQ(format_from_name(info.name), format);
        EXPECT_EQ(format_from_name(info.gguf_name), format);
        EXPECT_EQ(format_from_ggml_type(info.ggml_type), format);
    }
    EXPECT_FALSE(format_from_name("q9_9").has_value());
    EXPECT_FALSE(format_from_ggml_type(4).has_value());
}

// 5.0 bits a weight for Q4_1, 4.5 for Q4_K, 6.5625 for Q6_K, 8.5 for Q8_0: published figures of the formats.
TEST(WeightFormat, RowBytesGiveThePublishedBitsPerWeight) {
    EXPECT_EQ(row_bytes(WeightFormat::q4_1, 2048) * 8, 2048 * 5);
    EXPECT_EQ(row_bytes(WeightFormat::q4_k, 2048) * 16, 2048 * 9);
    EXPECT_EQ(row_bytes(WeightFormat::q6_k, 2048) * 128, 2048 * 105);
    EXPECT_EQ(row_bytes(WeightFormat::q8_0, 2048) * 16, 2048 * 17);
}

// engine.md 3.5: SmolLM2-135M, 30 layers, 3 KV heads of 64.
TEST(KvPool, BytesPerTokenMatchTheDesignTable) {
    KvSpec spec;
    spec.layers.assign(30, KvLayer{3, 64});
    EXPECT_EQ(kv_bytes_per_token(spec), 23040);
    spec.type = KvType::int8;
    EXPECT_EQ(kv_bytes_per_token(spec), 12240);
    spec.type = KvType::int8_head;
    EXPECT_EQ(kv_bytes_per_token(spec), 11520);
    spec.type = KvType::fp8_e4m3;
    EXPECT_EQ(kv_bytes_per_token(spec), 11520);
}

} // namespace vitrine::kernels
