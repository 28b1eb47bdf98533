// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: incremental counts against a recount of the whole text.
#include "engine/sample/penalties.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace vitrine::engine {
namespace {

using Count = std::pair<int, bool>; // in the output, inside the window

std::map<TokenId, Count> recount(const std::vector<TokenId>& text, std::size_t num_prompt, int window) {
    std::map<TokenId, Count> counts;
    const std::size_t first = window < 0 || text.size() <= static_cast<std::size_t>(window)
        ? 0
        : text.size() - static_cast<std::size_t>(window);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i >= num_prompt)
            ++counts[text[i]].first;
        if (i >= first)
            counts[text[i]].second = true;
    }
    return counts;
}

std::map<TokenId, Count> as_map(std::span<const kernels::TokenCount> counts) {
    std::map<TokenId, Count> result;
    for (const kernels::TokenCount& count : counts)
        EXPECT_TRUE(result.emplace(count.token, Count{count.output_count, count.repeat}).second) << "listed twice";
    return result;
}

TEST(PenaltyCounts, EqualARecountForEveryWindow) {
    for (const int window : {-1, 0, 1, 3, 8}) {
        SCOPED_TRACE(window);
        std::mt19937 random(5);
        std::vector<TokenId> text;
        for (int i = 0; i < 10; ++i)
            text.push_back(static_cast<TokenId>(random() % 6));
        PenaltyCounts counts(true, window, text);
        for (int i = 0; i < 200; ++i) {
            ASSERT_EQ(as_map(counts.counts()), recount(text, 10, window));
            text.push_back(static_cast<TokenId>(random() % 6));
            counts.append(text.back());
        }
    }
}

TEST(PenaltyCounts, KeepsNothingWhenNoPenaltyIsOn) {
    const std::vector<TokenId> prompt{1, 2, 3};
    PenaltyCounts counts(false, -1, prompt);
    counts.append(4);
    EXPECT_TRUE(counts.counts().empty());
}

} // namespace
} // namespace vitrine::engine
