// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on the hash backend: beam search, best_of, and rows without a legal token.
#include <algorithm>
#include <cmath>

#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;

/// Sum of the logprobs of `text` after `prompt`, from the model itself.
double sum_logprob(const std::vector<engine::TokenId>& prompt, const std::vector<engine::TokenId>& text) {
    std::vector<engine::TokenId> tokens = prompt;
    std::vector<std::uint64_t> states;
    std::vector<float> row(kVocab);
    double sum = 0;
    for (const engine::TokenId token : text) {
        while (states.size() < tokens.size())
            states.push_back(HashModel::state(states, tokens[states.size()], static_cast<std::int32_t>(states.size())));
        HashModel(kVocab, {}).logits(states.back(), tokens.back(), row);
        double total = 0;
        for (const float logit : row)
            total += std::exp(static_cast<double>(logit));
        sum += static_cast<double>(row[static_cast<std::size_t>(token)]) - std::log(total);
        tokens.push_back(token);
    }
    return sum;
}

TEST(EngineBeams, WidthOneIsGreedyAndWiderIsNotWorse) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    double before = -1e9;
    for (const int width : {1, 2, 6}) {
        auto request = request_of(prompt_of(5, 40), 20);
        request.beam_width = width;
        const Submitted run = submit(*engine, request);
        run.log->wait();
        const auto ids = run.log->ids();
        ASSERT_EQ(ids.size(), 20U);
        if (width == 1) {
            EXPECT_EQ(ids, solo(prompt_of(5, 40), 20));
        }
        const double sum = sum_logprob(prompt_of(5, 40), ids);
        EXPECT_GE(sum, before - 1e-6);
        before = sum;
        EXPECT_EQ(run.log->finished().reason, FinishReason::length);
        EXPECT_EQ(run.log->finished().usage.output_tokens, 20);
    }
    engine->stop();
    EXPECT_EQ(engine->snapshot()->blocks.active, 0);
}

TEST(EngineBeams, GiveTheBestChoicesInOrderBesideOtherRequests) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    auto request = request_of(prompt_of(7, 33), 12);
    request.beam_width = 4;
    request.num_choices = request.best_of = 3;
    request.num_logprobs = 0;
    const Submitted beams = submit(*engine, request);
    const Submitted mate = submit(*engine, request_of(prompt_of(8, 33), 50));
    beams.log->wait();
    mate.log->wait();
    EXPECT_EQ(mate.log->ids(), solo(prompt_of(8, 33), 50));
    double before = 0;
    for (int choice = 0; choice < 3; ++choice) {
        const double sum = sum_logprob(prompt_of(7, 33), beams.log->ids(choice));
        EXPECT_LE(sum, before);
        before = sum;
    }
    EXPECT_NE(beams.log->ids(0), beams.log->ids(1));
}

TEST(EngineBeams, CanBeCancelledAndRefuseWhatReshapesProbabilities) {
    HashBackendOptions slow;
    slow.step_time = std::chrono::milliseconds(5);
    const auto engine = make_hash_engine(slow);
    load(*engine, small_config());
    auto request = request_of(prompt_of(7, 33), 400);
    request.beam_width = 4;
    const Submitted run = submit(*engine, request);
    const Submitted mate = submit(*engine, request_of(prompt_of(8, 33), 4));
    mate.log->wait();
    engine->cancel(run.id);
    run.log->wait();
    EXPECT_EQ(run.log->finished().reason, FinishReason::cancelled);
    request.sampling.frequency_penalty = 1;
    const Submitted refused = submit(*engine, request);
    refused.log->wait();
    ASSERT_TRUE(refused.log->rejected());
    request.sampling.frequency_penalty = 0;
    request.beam_width = 1000;
    const Submitted wide = submit(*engine, request);
    wide.log->wait();
    ASSERT_TRUE(wide.log->rejected());
    EXPECT_NE(wide.log->rejected()->error.message.find("1000"), std::string::npos);
    engine->stop();
    EXPECT_EQ(engine->snapshot()->blocks.active, 0);
}

TEST(EngineBestOf, ReturnsTheBestByMeanLogprob) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    auto request = request_of(prompt_of(3, 20), 10);
    request.sampling.temperature = 1.5F;
    request.sampling.seed = 11;
    request.num_choices = request.best_of = 6;
    const Submitted all = submit(*engine, request);
    all.log->wait();
    std::vector<std::pair<double, std::vector<engine::TokenId>>> ranked;
    for (int choice = 0; choice < 6; ++choice)
        ranked.emplace_back(-sum_logprob(prompt_of(3, 20), all.log->ids(choice)), all.log->ids(choice));
    std::ranges::sort(ranked);
    request.num_choices = 2;
    const Submitted best = submit(*engine, request);
    best.log->wait();
    EXPECT_EQ(best.log->ids(0), ranked[0].second);
    EXPECT_EQ(best.log->ids(1), ranked[1].second);
}

TEST(EngineRows, WithoutALegalTokenTheRowEndsWithAnErrorAndItsMatesGoOn) {
    const auto engine = make_hash_engine();
    auto config = small_config();
    config.draft = "ngram";
    config.gamma = 4;
    load(*engine, config);
    auto forbidden = request_of(prompt_of(1, 20), 20);
    for (int token = 0; token < kVocab; ++token)
        forbidden.sampling.logit_bias.emplace_back(token, -100.F);
    const Submitted mate = submit(*engine, request_of(prompt_of(2, 20), 60));
    const Submitted run = submit(*engine, forbidden);
    run.log->wait();
    mate.log->wait();
    EXPECT_EQ(run.log->finished().reason, FinishReason::error);
    EXPECT_TRUE(run.log->finished().error);
    EXPECT_TRUE(run.log->ids().empty());
    EXPECT_EQ(mate.log->ids(), solo(prompt_of(2, 20), 60));
    auto forced = request_of(prompt_of(1, 20), 5);
    forced.sampling.logit_bias = {{9, 100.F}};
    forced.sampling.temperature = 1.5F;
    const Submitted nine = submit(*engine, forced);
    nine.log->wait();
    EXPECT_EQ(nine.log->ids(), std::vector<engine::TokenId>(5, 9));
}

} // namespace
} // namespace vitrine::testing
