// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on the hash backend: every text must equal the solo run that HashModel computes without any cache.
#include <numeric>

#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;

TEST(Engine, RefusesARequestWithoutAModel) {
    const auto engine = make_hash_engine();
    const Submitted run = submit(*engine, request_of({1, 2}, 4));
    run.log->wait();
    ASSERT_TRUE(run.log->rejected());
    EXPECT_EQ(run.log->rejected()->error.code, ErrorCode::not_found);
}

TEST(Engine, AnswersAsTheSoloRunDoes) {
    const auto engine = make_hash_engine();
    ASSERT_EQ(load(*engine, small_config()).phase, engine::LoadPhase::done);
    const Submitted run = submit(*engine, request_of(prompt_of(1, 50), 30));
    run.log->wait();
    EXPECT_EQ(run.log->ids(), solo(prompt_of(1, 50), 30));
    EXPECT_EQ(run.log->finished().reason, FinishReason::length);
    EXPECT_EQ(run.log->finished().usage.output_tokens, 30);
    EXPECT_TRUE(std::holds_alternative<engine::Admitted>(run.log->events().front().what));
}

TEST(Engine, GivesEveryRequestOfABatchItsSoloText) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    std::vector<Submitted> runs;
    for (int i = 0; i < 24; ++i) // more than max_seqs
        runs.push_back(submit(*engine, request_of(prompt_of(i, 20 + 11 * i), 40)));
    for (int i = 0; i < 24; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 20 + 11 * i), 40)) << i;
    }
}

TEST(Engine, KeepsTheTextThroughPreemptions) {
    const auto engine = make_hash_engine();
    load(*engine, small_config(24)); // 384 tokens for ten requests of 130
    std::vector<Submitted> runs;
    for (int i = 0; i < 10; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 30), 100)));
    for (int i = 0; i < 10; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 30), 100)) << i;
    }
    engine->stop();
    EXPECT_GT(engine->snapshot()->counters.preemptions, 0U);
}

TEST(Engine, KeepsTheTextWithDrafts) {
    const auto engine = make_hash_engine();
    auto config = small_config();
    config.draft = "ngram";
    load(*engine, config);
    std::vector<Submitted> runs;
    for (int i = 0; i < 6; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 60), 120)));
    for (int i = 0; i < 6; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 60), 120)) << i;
    }
    engine->stop();
    const auto counters = engine->snapshot()->counters;
    EXPECT_GT(counters.accepted_tokens, 0U);
    EXPECT_LE(counters.accepted_tokens, counters.draft_tokens);
}

TEST(Engine, GivesEveryChoiceOfOnePrefillTheSameGreedyText) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    auto request = request_of(prompt_of(3, 37), 20);
    request.num_choices = request.best_of = 4;
    const Submitted run = submit(*engine, std::move(request));
    run.log->wait();
    for (int choice = 0; choice < 4; ++choice)
        EXPECT_EQ(run.log->ids(choice), solo(prompt_of(3, 37), 20)) << choice;
    engine->stop();
    EXPECT_LT(engine->snapshot()->counters.prompt_tokens, 2U * 37U); // one prefill, not four
}

std::vector<float> embedding_of(const Submitted& run) {
    run.log->wait();
    for (const engine::Event& event : run.log->events())
        if (const auto* embedded = std::get_if<engine::Embedded>(&event.what))
            return embedded->values;
    return {};
}

// The hash backend's hidden state of a row is {token, position}.
TEST(Engine, PoolsTheHiddenStatesOfAPromptOverChunksAndPreemptions) {
    const auto engine = make_hash_engine();
    load(*engine, small_config(24)); // 384 tokens for six requests of 120 and more
    std::vector<Submitted> runs;
    for (int i = 0; i < 6; ++i) {
        auto request = request_of(prompt_of(i, 120), i < 3 ? 40 : 5);
        request.pooling = i < 3 ? engine::Pooling::none : i == 3 ? engine::Pooling::last : engine::Pooling::mean;
        runs.push_back(submit(*engine, std::move(request)));
    }
    for (int i = 3; i < 6; ++i) {
        const auto prompt = prompt_of(i, 120);
        const double sum = std::accumulate(prompt.begin(), prompt.end(), 0.0);
        const auto values = embedding_of(runs[static_cast<std::size_t>(i)]);
        ASSERT_EQ(values.size(), 2U);
        EXPECT_FLOAT_EQ(values[0], static_cast<float>(i == 3 ? prompt.back() : sum / 120));
        EXPECT_FLOAT_EQ(values[1], i == 3 ? 119 : 59.5F);
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->finished().reason, FinishReason::length);
        EXPECT_TRUE(runs[static_cast<std::size_t>(i)].log->ids().empty());
    }
    for (int i = 0; i < 3; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 120), 40));
    }
}

TEST(Engine, ReportsLogprobsOfThePromptWithoutGenerating) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    auto request = request_of(prompt_of(2, 300), 0);
    request.echo_prompt_logprobs = true;
    request.num_logprobs = 1;
    const Submitted run = submit(*engine, std::move(request));
    run.log->wait();
    EXPECT_EQ(run.log->finished().reason, FinishReason::length);
    EXPECT_TRUE(run.log->ids().empty());
    const engine::PromptLogprobs* found = nullptr;
    const auto events = run.log->events();
    for (const engine::Event& event : events)
        if (const auto* logprobs = std::get_if<engine::PromptLogprobs>(&event.what))
            found = logprobs;
    ASSERT_TRUE(found);
    ASSERT_EQ(found->tokens.size(), 300U);
    EXPECT_TRUE(found->tokens.front().top.empty());
    // Independent: log softmax of HashModel's row before token 200.
    const auto prompt = prompt_of(2, 300);
    std::vector<std::uint64_t> states;
    for (int i = 0; i < 200; ++i)
        states.push_back(HashModel::state(states, prompt[static_cast<std::size_t>(i)], i));
    std::vector<float> row(kVocab);
    HashModel(kVocab, {}).logits(states.back(), prompt[199], row);
    double sum = 0;
    for (const float logit : row)
        sum += std::exp(static_cast<double>(logit));
    EXPECT_NEAR(found->tokens[200].logprob, row[static_cast<std::size_t>(prompt[200])] - std::log(sum), 1e-5);
}

TEST(Engine, RefusesWhatCanNeverFitWithBothNumbers) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    const Submitted run = submit(*engine, request_of(prompt_of(1, 512), 4));
    run.log->wait();
    ASSERT_TRUE(run.log->rejected());
    EXPECT_EQ(run.log->rejected()->error.code, ErrorCode::context_length);
    EXPECT_EQ(run.log->rejected()->prompt_tokens, 512);
    EXPECT_EQ(run.log->rejected()->context_length, 512);
}

TEST(Engine, CutsTheAnswerAtTheContext) {
    const auto engine = make_hash_engine();
    auto config = small_config();
    config.context = 256;
    load(*engine, config);
    for (const auto& [prompt, expected] : {std::pair{8, 248}, {255, 1}}) { // engine.md 6
        const Submitted run = submit(*engine, request_of(prompt_of(1, prompt), -1));
        run.log->wait();
        EXPECT_EQ(run.log->finished().usage.output_tokens, expected);
        EXPECT_EQ(run.log->finished().reason, FinishReason::length);
    }
}

TEST(Engine, CancelsOneAndLeavesItsMatesAlone) {
    const auto engine = make_hash_engine({.step_time = std::chrono::milliseconds(1)});
    load(*engine, small_config());
    const Submitted doomed = submit(*engine, request_of(prompt_of(1, 40), -1));
    const Submitted mate = submit(*engine, request_of(prompt_of(2, 40), 60));
    doomed.log->wait_for_tokens(3);
    engine->cancel(doomed.id);
    doomed.log->wait();
    mate.log->wait();
    EXPECT_EQ(doomed.log->finished().reason, FinishReason::cancelled);
    EXPECT_EQ(mate.log->ids(), solo(prompt_of(2, 40), 60));
    engine->stop();
    EXPECT_EQ(engine->snapshot()->running, 0);
}

TEST(Engine, CancelsEveryStateAndFinishesOnce) {
    const auto engine = make_hash_engine();
    auto config = small_config(24);
    config.max_seqs = 2;
    load(*engine, config);
    std::vector<Submitted> runs;
    for (int i = 0; i < 12; ++i) // preparing, waiting and running ones among them
        runs.push_back(submit(*engine, request_of(prompt_of(i, 100), 200)));
    for (const Submitted& run : runs)
        engine->cancel(run.id);
    for (const Submitted& run : runs) {
        run.log->wait();
        int ends = 0;
        for (const engine::Event& event : run.log->events())
            ends += std::holds_alternative<engine::Finished>(event.what) ? 1 : 0;
        EXPECT_EQ(ends, 1);
    }
}

TEST(Engine, KeepsTheOldModelWhenALoadFails) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    const auto sink = std::make_shared<LoadLog>();
    ASSERT_TRUE(engine->load("/nowhere/model.gguf", small_config(), sink));
    EXPECT_EQ(sink->wait().phase, engine::LoadPhase::failed);
    const Submitted run = submit(*engine, request_of(prompt_of(5, 10), 5));
    run.log->wait();
    EXPECT_EQ(run.log->ids(), solo(prompt_of(5, 10), 5));
}

TEST(Engine, EndsRunningRequestsWhenAnotherModelIsInstalled) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    const Submitted run = submit(*engine, request_of(prompt_of(1, 20), -1));
    run.log->wait_for_tokens(2);
    EXPECT_EQ(load(*engine, small_config()).model->generation, 2U);
    run.log->wait();
    const auto reason = run.log->finished().reason;
    EXPECT_TRUE(reason == FinishReason::cancelled || reason == FinishReason::length);
}

TEST(Engine, PlansWithoutLoading) {
    const auto engine = make_hash_engine();
    auto config = small_config(100);
    const auto plan = engine->plan(tiny_model_path(), config);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->num_blocks, 100);
    EXPECT_EQ(plan->kv_bytes_per_token, 2 * 1 * 1 * 32 * 2); // K and V, one layer, one head of 32, 2 bytes
    EXPECT_TRUE(plan->fits);
    EXPECT_FALSE(engine->snapshot()->model);
}

TEST(Engine, RecordsStepsThatAddUpToTheTotals) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    std::vector<Submitted> runs;
    for (int i = 0; i < 5; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 33), 17)));
    for (const Submitted& run : runs)
        run.log->wait();
    engine->stop();
    std::vector<engine::StepRecord> records(4096);
    records.resize(engine->read_steps(0, records));
    std::uint64_t emitted = 0, prefilled = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_EQ(records[i].step, i);
        emitted += records[i].emitted;
        prefilled += records[i].prefill_tokens;
    }
    EXPECT_EQ(emitted, 5U * 17U);
    EXPECT_EQ(prefilled, engine->snapshot()->counters.prompt_tokens);
    EXPECT_EQ(emitted, engine->snapshot()->counters.generation_tokens);
}

TEST(Engine, PublishesAnIdleSnapshot) {
    const auto engine = make_hash_engine();
    load(*engine, small_config(50));
    const Submitted run = submit(*engine, request_of(prompt_of(1, 40), 4));
    run.log->wait();
    engine->stop();
    const auto snapshot = engine->snapshot();
    EXPECT_EQ(snapshot->running, 0);
    EXPECT_EQ(snapshot->waiting, 0);
}

TEST(Engine, RejectsBadFieldsByName) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    auto outside = request_of({1, kVocab}, 4);
    auto hot = request_of({1}, 4);
    hot.sampling.temperature = 9;
    auto stops = request_of({1}, 4);
    stops.stop.stop = {""};
    for (auto& [request, word] : std::vector<std::pair<engine::Request, std::string>>{
             {outside, "vocabulary"}, {hot, "temperature"}, {stops, "stop"}}) {
        const Submitted run = submit(*engine, request);
        run.log->wait();
        ASSERT_TRUE(run.log->rejected());
        EXPECT_EQ(run.log->rejected()->error.code, ErrorCode::invalid_argument);
        EXPECT_NE(run.log->rejected()->error.message.find(word), std::string::npos)
            << run.log->rejected()->error.message;
    }
}

} // namespace
} // namespace vitrine::testing
