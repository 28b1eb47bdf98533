// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: n-gram drafts against a plain search.
#include "engine/spec/ngram_proposer.h"

#include <gtest/gtest.h>
#include <random>

namespace vitrine::engine {
namespace {

const SequenceId kOne{1};

/// The rule of engine.md 4.1 by plain search.
std::vector<TokenId> naive(const std::vector<TokenId>& tokens, int most) {
    const int size = static_cast<int>(tokens.size());
    for (int length = std::min(4, size); length >= 2; --length) {
        for (int end = size - 1; end >= length; --end) { // most recent first
            if (!std::equal(tokens.end() - length, tokens.end(), tokens.begin() + end - length))
                continue;
            const int trusted = length == 2 ? 2 : length == 3 ? 4 : most;
            return {tokens.begin() + end, tokens.begin() + end + std::min({most, trusted, size - end})};
        }
    }
    return {};
}

TEST(NgramProposer, CopiesWhatFollowedTheLongestRecentMatch) {
    NgramProposer proposer;
    const std::vector<TokenId> tokens{1, 2, 3, 9, 5, 2, 3, 7, 1, 2, 3};
    EXPECT_EQ(proposer.look_up(kOne, tokens, 2).tokens, (std::vector<TokenId>{9, 5}));
    EXPECT_TRUE(proposer.look_up(kOne, tokens, 2).probs.empty());
}

TEST(NgramProposer, HasNoGuessWithoutAMatch) {
    NgramProposer proposer;
    EXPECT_TRUE(proposer.look_up(kOne, std::vector<TokenId>{1, 2, 3, 4}, 3).tokens.empty());
    EXPECT_TRUE(proposer.look_up(SequenceId{2}, std::vector<TokenId>{1}, 3).tokens.empty());
}

TEST(NgramProposer, EqualsAPlainSearchAsTheTextGrows) {
    NgramProposer proposer;
    std::mt19937 random(3);
    std::vector<TokenId> tokens;
    for (int i = 0; i < 600; ++i) {
        tokens.push_back(static_cast<TokenId>(random() % 4));
        if (random() % 3 == 0) {
            ASSERT_EQ(proposer.look_up(kOne, tokens, 6).tokens, naive(tokens, 6)) << i;
        }
    }
}

} // namespace
} // namespace vitrine::engine
