// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace vitrine::engine {
namespace {

TEST(JsonDepth, CountsWhatIsOpenAtOnce) {
    EXPECT_TRUE(json_depth_is_bounded(""));
    EXPECT_TRUE(json_depth_is_bounded(std::string(kMaxFileJsonDepth, '[')));
    EXPECT_FALSE(json_depth_is_bounded(std::string(kMaxFileJsonDepth + 1, '{')));
    std::string flat = "[";
    for (int i = 0; i < 1000; ++i)
        flat += "{},[],";
    EXPECT_TRUE(json_depth_is_bounded(flat));
}

TEST(JsonDepth, BracketsInsideTextsDoNotCount) {
    const std::string brackets(1000, '[');
    EXPECT_TRUE(json_depth_is_bounded("{\"a\":\"" + brackets + "\"}"));
    EXPECT_TRUE(json_depth_is_bounded(R"({"a":"\"{)" + brackets + "\"}"));
    EXPECT_FALSE(json_depth_is_bounded(R"({"a":"\\",)" + brackets));
}

} // namespace
} // namespace vitrine::engine
