// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that are handed over while the one before still runs: the same text, the same counts, and ends at any time.
#include <numeric>

#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;

struct AheadEngine {
    explicit AheadEngine(HashBackendOptions options = {}) {
        options.device = "cuda:0";
        options.num_behind = num_behind;
        engine = make_hash_engine(options);
    }
    std::shared_ptr<std::atomic<int>> num_behind = std::make_shared<std::atomic<int>>(0);
    std::unique_ptr<engine::EngineImpl> engine;
};

TEST(StepAhead, ALonelyAnswerIsComputedAheadAndTheSame) {
    const AheadEngine ahead;
    load(*ahead.engine, small_config());
    const Submitted run = submit(*ahead.engine, request_of(prompt_of(1, 50), 60));
    run.log->wait();
    EXPECT_EQ(run.log->ids(), solo(prompt_of(1, 50), 60));
    EXPECT_EQ(run.log->finished().usage.output_tokens, 60);
    EXPECT_GT(ahead.num_behind->load(), 50); // all but the first and the last
    ahead.engine->stop();
    const auto snapshot = ahead.engine->snapshot();
    EXPECT_EQ(snapshot->blocks.active, 0);
    EXPECT_EQ(snapshot->counters.generation_tokens, 60U);
}

TEST(StepAhead, IsSwitchedOff) {
    const AheadEngine ahead;
    auto config = small_config();
    config.step_ahead = false;
    load(*ahead.engine, config);
    const Submitted run = submit(*ahead.engine, request_of(prompt_of(1, 50), 60));
    run.log->wait();
    EXPECT_EQ(run.log->ids(), solo(prompt_of(1, 50), 60));
    EXPECT_EQ(ahead.num_behind->load(), 0);
}

TEST(StepAhead, AnEndThatShowsAStepLateLeavesNothingBehind) {
    const AheadEngine ahead({.end_token = 7, .end_every = 9});
    load(*ahead.engine, small_config());
    const HashModel model(kVocab, {.end_token = 7, .end_every = 9});
    std::vector<Submitted> runs;
    for (int i = 0; i < 16; ++i) {
        engine::Request request = request_of(prompt_of(i, 20 + i), 80);
        request.stop.stop_tokens = {7};
        runs.push_back(submit(*ahead.engine, std::move(request)));
    }
    std::uint64_t generated = 0;
    for (int i = 0; i < 16; ++i) {
        const Submitted& run = runs[static_cast<std::size_t>(i)];
        run.log->wait();
        const auto expected = model.greedy(prompt_of(i, 20 + i), 80);
        const bool stopped = expected.back() == 7;
        generated += expected.size();
        EXPECT_EQ(run.log->ids(), expected) << i;
        EXPECT_EQ(run.log->finished().reason, stopped ? FinishReason::stop : FinishReason::length) << i;
    }
    EXPECT_GT(ahead.num_behind->load(), 0);
    ahead.engine->stop();
    EXPECT_EQ(ahead.engine->snapshot()->counters.generation_tokens, generated);
    EXPECT_EQ(ahead.engine->snapshot()->blocks.active, 0);
}

/// Draws depend on seed and position alone, and positions run ahead of the tokens.
TEST(StepAhead, DrawsTheSameTokens) {
    const auto draw = [](bool ahead) {
        const AheadEngine run;
        auto config = small_config();
        config.step_ahead = ahead;
        load(*run.engine, config);
        engine::Request request = request_of(prompt_of(5, 33), 50);
        request.sampling.temperature = 1;
        request.sampling.seed = 11;
        request.stop.min_tokens = 20;
        request.num_choices = request.best_of = 3;
        const Submitted submitted = submit(*run.engine, std::move(request));
        submitted.log->wait();
        EXPECT_EQ(run.num_behind->load() > 0, ahead);
        return std::vector{submitted.log->ids(0), submitted.log->ids(1), submitted.log->ids(2)};
    };
    const auto drawn = draw(true);
    EXPECT_EQ(drawn, draw(false));
    EXPECT_NE(drawn[0], drawn[1]);
}

TEST(StepAhead, WaitsForTokensThatARowDependsOn) {
    const AheadEngine ahead;
    load(*ahead.engine, small_config());
    engine::Request request = request_of(prompt_of(2, 40), 30);
    request.sampling.repetition_penalty = 1.5F;
    const Submitted run = submit(*ahead.engine, std::move(request));
    run.log->wait();
    EXPECT_EQ(run.log->ids().size(), 30U);
    EXPECT_EQ(ahead.num_behind->load(), 0);
}

TEST(StepAhead, AFailureEndsEverybodyOnce) {
    for (const int step : {4, 5, 6}) {
        const AheadEngine ahead({.fail_at_step = step});
        load(*ahead.engine, small_config());
        const Submitted first = submit(*ahead.engine, request_of(prompt_of(1, 30), 40));
        first.log->wait();
        EXPECT_EQ(first.log->finished().reason, FinishReason::error) << step;
        ASSERT_TRUE(first.log->finished().error);
        EXPECT_EQ(first.log->finished().error->code, ErrorCode::device);
    }
}

TEST(StepAhead, AModelMayGoWhileAStepIsUnderWay) {
    const AheadEngine ahead({.step_time = std::chrono::milliseconds(1)});
    load(*ahead.engine, small_config());
    for (int round = 0; round < 5; ++round) {
        const Submitted run = submit(*ahead.engine, request_of(prompt_of(round, 30), 400));
        run.log->wait_for_tokens(5);
        load(*ahead.engine, small_config());
        run.log->wait();
        EXPECT_EQ(run.log->finished().reason, FinishReason::cancelled);
    }
    const Submitted last = submit(*ahead.engine, request_of(prompt_of(9, 30), 400));
    last.log->wait_for_tokens(5);
    ahead.engine->stop();
    EXPECT_EQ(last.log->finished().reason, FinishReason::cancelled);
}

TEST(StepAhead, WhoeverComesJoinsAndFewBlocksPreempt) {
    const AheadEngine ahead;
    load(*ahead.engine, small_config(24)); // 384 tokens for ten requests of 130
    std::vector<Submitted> runs;
    for (int i = 0; i < 10; ++i) {
        runs.push_back(submit(*ahead.engine, request_of(prompt_of(i, 30), 100)));
        runs.back().log->wait_for_tokens(static_cast<std::size_t>(i));
    }
    for (int i = 0; i < 10; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 30), 100)) << i;
    }
    EXPECT_GT(ahead.num_behind->load(), 0);
    ahead.engine->stop();
    EXPECT_EQ(ahead.engine->snapshot()->blocks.active, 0);
}

} // namespace
} // namespace vitrine::testing
