// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: block hashes against digests made with Python's xxhash (engine.md 3.1).
#include "engine/kv/block_hash.h"

#include <gtest/gtest.h>
#include <numeric>

namespace vitrine::engine {
namespace {

HashContext known_context() {
    return {.model = "model", .kv_type = "f16", .block_tokens = 16, .rope = "", .seed = {}};
}

std::vector<TokenId> from_to(int first, int last) {
    std::vector<TokenId> tokens(static_cast<std::size_t>(last - first + 1));
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

TEST(BlockHash, RootMatchesTheKnownAnswer) {
    EXPECT_EQ(to_hex(root_hash(known_context())), "1b937f91fd6f916bfc3b0702c22db9e0");
}

TEST(BlockHash, ChainMatchesTheKnownAnswers) {
    const BlockHash first = block_hash(root_hash(known_context()), from_to(0, 15), {});
    EXPECT_EQ(to_hex(first), "bb08fccf89cdccb81487a9d80596c44c");
    EXPECT_EQ(to_hex(block_hash(first, from_to(16, 31), {})), "72f59284265e67723408ac1101232b15");
}

TEST(BlockHash, ExtrasMatchTheKnownAnswers) {
    const BlockHash root = root_hash(known_context());
    const BlockExtras lora{.lora_generation = 7, .salt = {}, .kernel_family = 0};
    const BlockExtras salt{.lora_generation = 0, .salt = "x", .kernel_family = 0};
    EXPECT_EQ(to_hex(block_hash(root, from_to(0, 15), encode_extras(lora, true))), "f045502ba138171faef136104fc56c93");
    EXPECT_EQ(to_hex(block_hash(root, from_to(0, 15), encode_extras(salt, true))), "d1625b3c0d58dac34485dce36e456142");
}

TEST(BlockHash, SaltStandsInTheFirstBlockOnly) {
    const BlockExtras salt{.lora_generation = 0, .salt = "x", .kernel_family = 0};
    EXPECT_FALSE(encode_extras(salt, true).empty());
    EXPECT_TRUE(encode_extras(salt, false).empty());
}

TEST(BlockHash, EveryContextFieldChangesTheRoot) {
    const BlockHash root = root_hash(known_context());
    HashContext other = known_context();
    other.kv_type = "int8";
    EXPECT_NE(root_hash(other), root);
    other = known_context();
    other.block_tokens = 32;
    EXPECT_NE(root_hash(other), root);
    other = known_context();
    other.rope = "yarn 4";
    EXPECT_NE(root_hash(other), root);
    EXPECT_NE(root_hash(random_seeded(known_context())), root);
}

} // namespace
} // namespace vitrine::engine
