// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the sampling row, with the known answers of engine.md 5.2 and 5.3 run through the reference sampler.
#include "engine/sample/sampler_state.h"

#include <cmath>
#include <gtest/gtest.h>

#include "kernels/ref/ref_sampling.h"

namespace vitrine::engine {
namespace {

std::vector<float> distribution(const SamplerState& state, const std::vector<float>& logits) {
    kernels::SamplingScratch scratch;
    std::vector<float> probs(logits.size());
    kernels::filtered_probabilities(logits, state.row(0, {}, {}), 0, scratch, probs);
    return probs;
}

TEST(SamplerState, PenaltiesMatchTheKnownAnswer) {
    SamplerOptions options;
    options.params.repetition_penalty = 1.2F;
    options.params.presence_penalty = .4F;
    options.params.frequency_penalty = .3F;
    const std::vector<TokenId> prompt{0, 1};
    SamplerState state(options, prompt);
    for (const TokenId token : {0, 3, 3})
        state.append(token);
    const std::vector<float> probs = distribution(state, {3, 1.5F, 0, -1.5F});
    const std::vector<float> expected{.5707F, .3293F, .0943F, .0057F};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(probs[i], expected[i], 5e-5) << i;
}

TEST(SamplerState, DrawsTheKnownTokensPositionByPosition) {
    const std::vector<float> logits{2, 1, .5F, 0, -1};
    const std::vector<std::vector<TokenId>> expected{
        {4, 0, 1, 0, 2, 1, 1, 0, 2, 0, 1, 0, 2, 2, 0, 0}, {3, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1}};
    for (int choice = 0; choice < 2; ++choice) {
        SamplerOptions options;
        options.seed = 42;
        options.choice = choice;
        SamplerState state(options, std::vector<TokenId>{1});
        std::vector<TokenId> drawn;
        for (int i = 0; i < 16; ++i) {
            const auto outcome = kernels::sample_sequence(logits, 5, state.row(0, {}, {}));
            drawn.push_back(outcome.tokens.at(0).token);
            state.append(drawn.back());
        }
        EXPECT_EQ(drawn, expected[static_cast<std::size_t>(choice)]);
    }
}

TEST(SamplerState, MasksEndTokensBeforeMinTokens) {
    SamplerOptions options;
    options.params.temperature = 0;
    options.params.logit_bias = {{2, 1.0F}};
    options.min_tokens = 2;
    options.end_tokens = {2, 3};
    SamplerState state(options, std::vector<TokenId>{1});
    const std::vector<float> logits{0, 1, 5, 9};
    const auto next = [&] { return kernels::sample_sequence(logits, 4, state.row(0, {}, {})).tokens.at(0).token; };
    EXPECT_EQ(next(), 1);
    EXPECT_EQ(state.max_drafts(), 1) << "a run of two tokens ends where the mask ends";
    state.append(1);
    EXPECT_EQ(state.max_drafts(), 0);
    EXPECT_EQ(next(), 1);
    state.append(1);
    EXPECT_EQ(next(), 3);
    EXPECT_EQ(state.row(0, {}, {}).biases.size(), 1U);
    EXPECT_GT(state.max_drafts(), 1000);
}

TEST(SamplerState, RefusesParametersOutsideTheirRangeByName) {
    SamplingParams params;
    EXPECT_TRUE(check_sampling(params, 10).has_value());
    params.temperature = 2.5F;
    EXPECT_NE(check_sampling(params, 10).error().message.find("temperature is 2.5"), std::string::npos);
    params = {};
    params.top_p = std::nanf("");
    EXPECT_EQ(check_sampling(params, 10).error().code, ErrorCode::invalid_argument);
    params = {};
    params.repetition_penalty = 0;
    EXPECT_FALSE(check_sampling(params, 10).has_value());
    params = {};
    params.logit_bias = {{10, 1.0F}};
    EXPECT_NE(check_sampling(params, 10).error().message.find("token 10"), std::string::npos);
}

// Row i of a verify step must see exactly what plain decoding sees once the first i drafts are output.
TEST(SamplerState, DraftRowsEqualPlainDecodingForEveryWindow) {
    const std::vector<float> logits{2, 1, .5, -.5, 1.5, -1};
    for (const int window : {-1, 0, 1, 2, 3, 5, 8, 64}) {
        SCOPED_TRACE(window);
        SamplerOptions options;
        options.params.repetition_penalty = 1.3F;
        options.params.frequency_penalty = .2F;
        options.params.presence_penalty = -.1F;
        options.params.repeat_last_n = window;
        options.params.logit_bias = {{3, 1.F}};
        const std::vector<TokenId> prompt{0, 1, 1, 4};
        SamplerState state(options, prompt);
        state.append(5);
        state.append(2);
        const std::vector<TokenId> drafts{2, 3, 3, 0, 5, 1, 4};
        SamplerState plain = state;
        kernels::SamplingScratch scratch;
        std::vector<float> probs(logits.size());
        for (std::size_t row = 0; row < drafts.size(); ++row) {
            kernels::filtered_probabilities(
                logits, state.row(0, drafts, {}), static_cast<std::int32_t>(row), scratch, probs);
            EXPECT_EQ(probs, distribution(plain, logits)) << "row " << row;
            plain.append(drafts[row]);
        }
    }
}

} // namespace
} // namespace vitrine::engine
