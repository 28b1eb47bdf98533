// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the sentences about misses.
#include "engine/stats/miss_reason.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

std::string text(TokenId token) {
    return "t" + std::to_string(token);
}

std::string describe_miss(
    const PrefixMatch& match, TimePoint now, const std::function<std::string(TokenId)>& token_text) {
    const auto miss = largest_miss(match, now, token_text);
    return miss ? miss_sentence(*miss) : std::string();
}

TEST(MissReasonText, ShowsWhereTheTextDiffers) {
    PrefixMatch match;
    match.num_tokens = 55;
    match.hit_tokens = 32;
    match.missed[static_cast<int>(MissReason::diverged)] = 16;
    match.missed[static_cast<int>(MissReason::partial)] = 7;
    match.divergence = Divergence{40, 3, 9};
    EXPECT_EQ(describe_miss(match, {}, text),
        "16 of 55 tokens were not in the cache: the text differs from the cached one at token 40: \"t3\" was expected, "
        "\"t9\" came");
}

TEST(MissReasonText, SaysWhenBlocksWereEvictedAndWhichContextDiffers) {
    PrefixMatch match;
    match.num_tokens = 20;
    match.missed[static_cast<int>(MissReason::evicted)] = 16;
    match.evicted_at = TimePoint(std::chrono::seconds(10));
    EXPECT_NE(describe_miss(match, TimePoint(std::chrono::seconds(22)), text).find("12.0 s ago"), std::string::npos);
    match.missed = {};
    match.missed[static_cast<int>(MissReason::context)] = 16;
    match.context_field = "salt";
    EXPECT_NE(describe_miss(match, {}, text).find("another salt"), std::string::npos);
}

TEST(MissReasonText, IsEmptyForAFullHit) {
    EXPECT_EQ(describe_miss({}, {}, text), "");
}

} // namespace
} // namespace vitrine::engine
