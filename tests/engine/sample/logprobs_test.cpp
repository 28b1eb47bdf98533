// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: scores of given tokens; expected values from the softmax formula.
#include "engine/sample/logprobs.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace vitrine::engine {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(ScoreTokens, GivesLogSoftmaxAndTheTop) {
    const std::vector<float> logits{1, 2, 3, 0, 0, 0};
    const std::vector<TokenId> tokens{0, 1};
    const auto scored = score_tokens(logits, 3, tokens, 2);
    const double norm = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(3.0));
    EXPECT_NEAR(scored[0].logprob, 1 - norm, 1e-6);
    ASSERT_EQ(scored[0].top.size(), 2U);
    EXPECT_EQ(scored[0].top[0].token, 2);
    EXPECT_EQ(scored[0].top[1].token, 1);
    EXPECT_NEAR(scored[1].logprob, -std::log(3.0), 1e-6);
    EXPECT_EQ(scored[1].top[0].token, 0) << "ties go to the lower id";
}

TEST(ScoreTokens, SurvivesNanAndInfinity) {
    const std::vector<float> logits{std::nanf(""), 0, -kInf};
    const std::vector<TokenId> one{1};
    EXPECT_FLOAT_EQ(score_tokens(logits, 3, one, 0)[0].logprob, 0);
    const std::vector<TokenId> other{0};
    EXPECT_EQ(score_tokens(logits, 3, other, 0)[0].logprob, -kInf);
    const std::vector<float> nothing{-kInf, -kInf, -kInf};
    EXPECT_EQ(score_tokens(nothing, 3, one, 0)[0].logprob, -kInf);
}

TEST(MakeLogprobs, NamesBytesAndCutsTheTop) {
    kernels::SampledToken sampled;
    sampled.token = 7;
    sampled.logprob = -1;
    sampled.top = {{7, -1}, {3, -2}, {4, -3}};
    const TokenLogprobs logprobs =
        make_logprobs(sampled, 2, true, [](TokenId token) { return "t" + std::to_string(token); });
    EXPECT_EQ(logprobs.bytes, "t7");
    EXPECT_EQ(logprobs.top.size(), 2U);
    EXPECT_EQ(logprobs.top_bytes, (std::vector<std::string>{"t7", "t3"}));
    EXPECT_TRUE(logprobs.from_draft);
}

} // namespace
} // namespace vitrine::engine
