// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on the hash backend with a draft model, whose logits often agree: every text must equal the solo run.
#include "engine/sample/sampler_state.h"
#include "kernels/ref/ref_sampling.h"
#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;

/// Each load makes two backends: the first for the model, the second for the drafter.
std::unique_ptr<engine::EngineImpl> make_drafting_engine(int fail_draft_at = 0) {
    return std::make_unique<engine::EngineImpl>(
        [fail_draft_at, made = 0](const engine::DeviceRequest&) mutable -> Result<engine::BackendCatalog::Made> {
            HashBackendOptions options;
            if (made++ % 2 == 1) {
                options.salt = 99;
                options.fail_at_step = fail_draft_at;
            }
            return engine::BackendCatalog::Made{std::make_unique<HashBackend>(options), {}};
        });
}

engine::EngineConfig drafting_config(int gamma, int num_blocks = 0) {
    auto config = small_config(num_blocks);
    config.draft = tiny_model_path();
    config.gamma = gamma;
    return config;
}

/// The solo run under any sampling, without cache, batch or drafts.
std::vector<engine::TokenId> plain_text(
    const std::vector<engine::TokenId>& prompt, const engine::SamplingParams& params, int count) {
    engine::SamplerOptions options;
    options.params = params;
    options.seed = *params.seed;
    engine::SamplerState sampler(options, prompt);
    const HashModel model(kVocab, {});
    std::vector<engine::TokenId> tokens = prompt;
    std::vector<std::uint64_t> states;
    std::vector<float> row(kVocab);
    while (tokens.size() < prompt.size() + static_cast<std::size_t>(count)) {
        while (states.size() < tokens.size())
            states.push_back(HashModel::state(states, tokens[states.size()], static_cast<std::int32_t>(states.size())));
        model.logits(states.back(), tokens.back(), row);
        tokens.push_back(kernels::sample_sequence(row, kVocab, sampler.row(0, {}, {})).tokens.front().token);
        sampler.append(tokens.back());
    }
    return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), tokens.end()};
}

TEST(EngineDrafts, KeepTheTextForEveryGammaInABatch) {
    for (int gamma = 0; gamma <= 7; ++gamma) {
        SCOPED_TRACE(gamma);
        const auto engine = make_drafting_engine();
        ASSERT_EQ(load(*engine, drafting_config(gamma)).phase, engine::LoadPhase::done);
        std::vector<Submitted> runs;
        for (int i = 0; i < 16; ++i)
            runs.push_back(submit(*engine, request_of(prompt_of(i, 5 + 9 * i), 30)));
        for (int i = 0; i < 16; ++i) {
            runs[static_cast<std::size_t>(i)].log->wait();
            EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 5 + 9 * i), 30)) << i;
        }
        engine->stop();
        const auto counters = engine->snapshot()->counters;
        EXPECT_EQ(counters.accepted_tokens > 0, gamma > 0);
        for (std::size_t i = 1; i < counters.accepted_per_position.size(); ++i)
            EXPECT_LE(counters.accepted_per_position[i], counters.accepted_per_position[i - 1]);
    }
}

TEST(EngineDrafts, KeepTheTextThroughPreemptionsAndCancels) {
    const auto engine = make_drafting_engine();
    load(*engine, drafting_config(4, 24));
    std::vector<Submitted> runs;
    for (int i = 0; i < 12; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 30), 100)));
    runs[1].log->wait_for_tokens(5);
    engine->cancel(runs[1].id);
    engine->cancel(runs[11].id);
    for (int i = 0; i < 12; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        if (i != 1 && i != 11) {
            EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 30), 100)) << i;
        }
    }
    engine->stop();
    EXPECT_GT(engine->snapshot()->counters.preemptions, 0U);
    EXPECT_EQ(engine->snapshot()->blocks.active, 0);
}

TEST(EngineDrafts, KeepGreedyTextUnderPenaltiesBiasAndEveryWindow) {
    const auto engine = make_drafting_engine();
    load(*engine, drafting_config(5));
    for (const int window : {-1, 0, 3, 8}) {
        auto request = request_of(prompt_of(4, 20), 60);
        request.sampling.repetition_penalty = 1.4F;
        request.sampling.frequency_penalty = .3F;
        request.sampling.presence_penalty = .2F;
        request.sampling.repeat_last_n = window;
        request.sampling.logit_bias = {{7, 2.F}, {3, -100.F}};
        request.sampling.seed = 1;
        const auto expected = plain_text(prompt_of(4, 20), request.sampling, 60);
        const Submitted run = submit(*engine, request);
        run.log->wait();
        EXPECT_EQ(run.log->ids(), expected) << window;
        EXPECT_GT(run.log->finished().usage.accepted_tokens, 0);
    }
}

TEST(EngineDrafts, ReportTheSameLogprobsAsPlainDecoding) {
    std::vector<std::vector<float>> logprobs;
    for (const int gamma : {0, 4}) {
        const auto engine = make_drafting_engine();
        load(*engine, drafting_config(gamma));
        auto request = request_of(prompt_of(6, 25), 40);
        request.num_logprobs = 2;
        const Submitted run = submit(*engine, request);
        run.log->wait();
        auto& found = logprobs.emplace_back();
        int from_drafts = 0;
        for (const engine::Event& event : run.log->events()) {
            if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
                for (const auto& token : delta->logprobs) {
                    found.push_back(token.logprob);
                    EXPECT_EQ(token.top.size(), 2U);
                    from_drafts += token.from_draft ? 1 : 0;
                }
            }
        }
        EXPECT_EQ(from_drafts, run.log->finished().usage.accepted_tokens);
    }
    EXPECT_EQ(logprobs[0].size(), 40U);
    EXPECT_EQ(logprobs[0], logprobs[1]);
}

TEST(EngineDrafts, StopAtAnEndTokenInsideTheDraft) {
    const auto expected = solo(prompt_of(2, 30), 60);
    for (const std::size_t end : {3U, 11U, 12U, 13U, 14U}) {
        const auto engine = make_drafting_engine();
        load(*engine, drafting_config(7));
        auto request = request_of(prompt_of(2, 30), 60);
        request.stop.stop_tokens = {expected[end]};
        const auto first = std::ranges::find(expected, expected[end]);
        const Submitted run = submit(*engine, request);
        run.log->wait();
        EXPECT_EQ(run.log->ids(), std::vector<engine::TokenId>(expected.begin(), first + 1));
        EXPECT_EQ(run.log->finished().reason, FinishReason::stop);
        const auto& usage = run.log->finished().usage;
        EXPECT_EQ(usage.output_tokens, first - expected.begin() + 1);
        EXPECT_LT(usage.accepted_tokens, usage.output_tokens); // what lies behind the stop is not counted
        engine->stop();
        EXPECT_EQ(engine->snapshot()->counters.accepted_tokens, static_cast<std::uint64_t>(usage.accepted_tokens));
    }
}

TEST(EngineDrafts, CountTheDraftModelIntoThePlan) {
    const auto engine = make_drafting_engine();
    const auto with = engine->plan(tiny_model_path(), drafting_config(4));
    auto config = small_config();
    const auto without = make_hash_engine()->plan(tiny_model_path(), config);
    ASSERT_TRUE(with && without);
    EXPECT_EQ(with->kv_bytes_per_token, 2 * without->kv_bytes_per_token);
}

TEST(EngineDrafts, ADraftModelThatIsMissingOrOtherIsRefused) {
    const auto engine = make_drafting_engine();
    auto config = drafting_config(4);
    config.draft = "/nowhere/draft.gguf";
    const auto progress = load(*engine, config);
    EXPECT_EQ(progress.phase, engine::LoadPhase::failed);
    EXPECT_NE(progress.error->message.find("/nowhere/draft.gguf"), std::string::npos) << progress.error->message;
}

TEST(EngineDrafts, ADeviceErrorOfTheDrafterEndsTheStepsSequencesLikeTheModels) {
    const auto engine = make_drafting_engine(3);
    load(*engine, drafting_config(4));
    const Submitted run = submit(*engine, request_of(prompt_of(1, 20), 40));
    run.log->wait();
    EXPECT_EQ(run.log->finished().reason, FinishReason::error);
    EXPECT_EQ(run.log->finished().error->code, ErrorCode::device);
}

} // namespace
} // namespace vitrine::testing
