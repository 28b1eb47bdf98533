// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/nearest_name.h"

#include <array>

#include <gtest/gtest.h>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::array<std::string_view, 5> kKnown{"llama", "qwen2", "qwen2moe", "gemma3", "phi3"};

TEST(NearestName, TakesTheFewestEdits) {
    EXPECT_EQ(nearest_name("qwen2-moe", kKnown), "qwen2moe");
    EXPECT_EQ(nearest_name("Qwen2", kKnown), "qwen2");
    EXPECT_EQ(nearest_name("lama", kKnown), "llama");
    EXPECT_EQ(nearest_name("gemma4", kKnown), "gemma3");
}

TEST(NearestName, GivesNothingWhereNoneWasMeant) {
    EXPECT_EQ(nearest_name("mamba", kKnown), "");
    EXPECT_EQ(nearest_name("", kKnown), "");
    EXPECT_EQ(nearest_name(std::string(1000, 'q'), kKnown), "");
    EXPECT_EQ(nearest_name("llama", {}), "");
}

TEST(NearestName, SentenceListsAll) {
    EXPECT_EQ(
        english(known_names("lama", kKnown)), "The nearest is \"llama\". Known: llama, qwen2, qwen2moe, gemma3, phi3.");
    EXPECT_EQ(english(known_names("wkv", kKnown)), "Known: llama, qwen2, qwen2moe, gemma3, phi3.");
}

} // namespace
} // namespace vitrine::engine
