// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: which layers share block tables, and how many blocks a sequence holds.
#include "engine/kv/kv_groups.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

TEST(KvLayout, PartsLayersByWindowIntoGroupsOfEqualSize) {
    const auto layout_of = [](std::vector<int> windows, bool by_window = true) {
        kernels::Program program;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            program.kv_layers.push_back({1, 64});
            kernels::AttentionOp attention;
            attention.layer = {static_cast<std::int32_t>(i)};
            if (windows[i] > 0)
                attention.window_tokens = windows[i];
            program.ops.emplace_back(attention);
        }
        return kv_layout(program, kernels::KvType::f16, 16, by_window);
    };
    const auto sizes = [](const KvLayout& layout) {
        std::vector<std::pair<int, int>> groups;
        for (const BlockGroup& group : layout.groups)
            groups.emplace_back(group.window_tokens, group.num_layers);
        return groups;
    };
    using Groups = std::vector<std::pair<int, int>>;
    std::vector<int> gemma(18, 512); // Gemma 3 270M: layers 5, 11 and 17 see everything
    gemma[5] = gemma[11] = gemma[17] = 0;
    const KvLayout layout = layout_of(gemma);
    EXPECT_EQ(sizes(layout), (Groups{{0, 3}, {512, 3}, {512, 3}, {512, 3}, {512, 3}, {512, 3}}));
    EXPECT_EQ(kernels::kv_bytes_per_block(layout.spec) * 6, kernels::kv_bytes_per_token(layout.spec) * 16);
    EXPECT_EQ(kv_bytes_per_far_token(layout) * 6, kernels::kv_bytes_per_token(layout.spec));
    EXPECT_TRUE(kernels::why_planes_differ(layout.spec).empty());
    EXPECT_EQ(sizes(layout_of(gemma, false)), (Groups{{0, 18}}));
    EXPECT_EQ(sizes(layout_of({0, 0, 0})), (Groups{{0, 3}}));
    EXPECT_EQ(sizes(layout_of({64, 64})), (Groups{{64, 2}})); // no layer sees everything
    EXPECT_EQ(sizes(layout_of({64, 0, 64, 0})), (Groups{{0, 2}, {64, 2}})); // gpt-oss, Gemma 2
    EXPECT_EQ(sizes(layout_of({64, 0, 64, 0, 64, 0, 64, 0, 64})), (Groups{{0, 4}, {64, 5}})); // nearly equal: one each
    EXPECT_EQ(sizes(layout_of({0, 0, 64, 0, 0, 64})), (Groups{{0, 2}, {0, 2}, {64, 2}}));
    // A sequence of 2,048 tokens in steps of 256: 128 blocks, and 5 times ceil((511 + 256 - 1) / 16) + 1.
    EXPECT_EQ(blocks_of_sequence(layout.groups, 16, 2048, 256), 128 + 5 * 49);
    EXPECT_EQ(tokens_that_fit(layout.groups, 16, 128 + 5 * 49, 256, 8192), 2048);
    EXPECT_EQ(tokens_that_fit(layout.groups, 16, 1, 256, 8192), 0);
}

} // namespace
} // namespace vitrine::engine
