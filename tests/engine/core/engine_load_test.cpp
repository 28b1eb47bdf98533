// SPDX-License-Identifier: GPL-3.0-or-later
// The engine under more demand than blocks, on the hash backend: texts, leaks, gaps, and every total against the records.
#include <random>

#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;

struct Submitted {
    std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
    std::vector<engine::TokenId> prompt;
    int max_tokens = 0;
    bool cancelled = false;
    engine::RequestId id{};
};

/// Long and short ones; every fifth shares a head with another.
Submitted submit_random(engine::Engine& engine, std::mt19937& random, int index) {
    Submitted run;
    const int length = random() % 4 == 0 ? 150 + static_cast<int>(random() % 150) : 5 + static_cast<int>(random() % 50);
    run.prompt = prompt_of(index % 5 == 0 ? 1 : index + 10, length);
    run.prompt.push_back(index % kVocab);
    run.max_tokens = 1 + static_cast<int>(random() % 60);
    const auto id = engine.submit(request_of(run.prompt, run.max_tokens), run.log);
    EXPECT_TRUE(id) << id.error().message;
    run.id = id.value_or(engine::RequestId{});
    return run;
}

std::vector<engine::StepRecord> all_steps(const engine::Engine& engine) {
    std::vector<engine::StepRecord> steps;
    std::vector<engine::StepRecord> some(512);
    std::uint64_t next = 0;
    while (const std::size_t count = engine.read_steps(next, some)) {
        steps.insert(steps.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
        next = steps.back().step + 1;
    }
    return steps;
}

std::vector<engine::SequenceLine> all_lines(const engine::Engine& engine) {
    std::vector<engine::SequenceLine> lines;
    std::vector<engine::SequenceLine> some(4096);
    std::uint64_t next = 0;
    while (const std::size_t count = engine.read_lines(next, some, next))
        lines.insert(lines.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    return lines;
}

engine::EngineConfig load_config() {
    auto config = small_config(96); // 1,536 tokens; what runs at once wants four times as many
    config.draft = "ngram";
    config.prefill_chunk = 64;
    return config;
}

/// 200 mixed requests, some cancelled, all ended.
std::vector<Submitted> run_mixed(engine::Engine& engine) {
    std::mt19937 random(5);
    std::vector<Submitted> runs;
    for (int i = 0; i < 200; ++i) {
        runs.push_back(submit_random(engine, random, i));
        if (random() % 8 == 0) {
            Submitted& victim = runs[random() % runs.size()];
            victim.cancelled = true;
            engine.cancel(victim.id);
        }
    }
    for (const Submitted& run : runs)
        run.log->wait();
    engine.stop();
    return runs;
}

TEST(EngineLoad, TwoHundredMixedRequestsEndWithTheirSoloTextsAndLeakNothing) {
    const auto engine = make_hash_engine({.step_time = std::chrono::microseconds(100)});
    ASSERT_EQ(load(*engine, load_config()).phase, engine::LoadPhase::done);
    const std::vector<Submitted> runs = run_mixed(*engine);
    const HashModel model(kVocab, {});
    std::size_t cancelled = 0;
    for (const Submitted& run : runs) {
        const auto expected = model.greedy(run.prompt, run.max_tokens);
        const auto ids = run.log->ids();
        if (run.log->finished().reason == FinishReason::cancelled) {
            ++cancelled;
            EXPECT_TRUE(run.cancelled);
            ASSERT_LE(ids.size(), expected.size());
            EXPECT_TRUE(std::equal(ids.begin(), ids.end(), expected.begin()));
        } else {
            EXPECT_EQ(ids, expected);
        }
    }
    EXPECT_GT(cancelled, 0U);
    const auto snapshot = engine->snapshot();
    EXPECT_GT(snapshot->counters.evictions, 100U); // the blocks were needed again and again
    EXPECT_EQ(snapshot->blocks.active, 0);
    EXPECT_EQ(snapshot->blocks.free + snapshot->blocks.cached, snapshot->blocks.total);
    EXPECT_EQ(snapshot->running + snapshot->waiting + snapshot->preparing, 0);
    EXPECT_EQ(snapshot->backlog_prefill_tokens + snapshot->backlog_decode_tokens, 0);
}

TEST(EngineLoad, TextThatIsGivenWhileTheNextStepRunsIsTheSame) {
    const auto engine = make_hash_engine({.device = "cuda:0"});
    ASSERT_EQ(load(*engine, load_config()).phase, engine::LoadPhase::done);
    const HashModel model(kVocab, {});
    for (const Submitted& run : run_mixed(*engine)) {
        const auto expected = model.greedy(run.prompt, run.max_tokens);
        const auto ids = run.log->ids();
        if (run.log->finished().reason != FinishReason::cancelled) {
            EXPECT_EQ(ids, expected);
            continue;
        }
        EXPECT_EQ(ids.size(), static_cast<std::size_t>(run.log->finished().usage.output_tokens))
            << "text before its end";
        EXPECT_TRUE(std::equal(ids.begin(), ids.end(), expected.begin()));
    }
}

TEST(EngineLoad, ADecodingStreamIsServedInEveryStepUnlessItIsPreempted) {
    const auto engine = make_hash_engine();
    load(*engine, load_config());
    run_mixed(*engine);
    std::map<std::uint32_t, std::uint64_t> last_step; // of sequences that decode
    std::uint64_t longest = 0;
    int gaps = 0;
    for (const engine::SequenceLine& line : all_lines(*engine)) {
        if (line.kind == 1 || line.kind == 2) {
            if (const auto before = last_step.find(line.sequence); before != last_step.end()) {
                longest = std::max(longest, line.step - before->second);
                ++gaps;
            }
            last_step[line.sequence] = line.step;
        } else {
            last_step.erase(line.sequence); // prefill, preempted, finished
        }
    }
    EXPECT_GT(gaps, 1000);
    EXPECT_EQ(longest, 1U);
}

TEST(EngineLoad, EveryTotalIsTheSumOverStepRecords) {
    const auto engine = make_hash_engine();
    load(*engine, load_config());
    const std::vector<Submitted> runs = run_mixed(*engine);
    const auto snapshot = engine->snapshot();
    const engine::Counters& counters = snapshot->counters;
    engine::Counters sums;
    std::uint64_t peak = 0;
    std::uint64_t rows = 0;
    for (const engine::StepRecord& step : all_steps(*engine)) {
        ++sums.steps;
        sums.prompt_tokens += step.prefill_tokens;
        sums.generation_tokens += step.emitted;
        sums.prefix_queries += step.prefix_queries;
        sums.prefix_hits += step.prefix_hits;
        sums.preemptions += step.preempted;
        sums.evictions += step.blocks_evicted;
        sums.recomputed_tokens += step.recomputed_tokens;
        sums.drafts += step.verify_seqs;
        sums.draft_tokens += step.draft_rows;
        sums.accepted_tokens += step.accepted;
        for (std::size_t i = 0; i < step.accepted_per_position.size(); ++i)
            sums.accepted_per_position[i] += step.accepted_per_position[i];
        peak = std::max<std::uint64_t>(peak, step.blocks_used);
        rows += step.prefill_tokens + step.decode_rows + step.draft_rows;
        EXPECT_EQ(step.blocks_free + step.blocks_cached + step.blocks_active, 96U);
        EXPECT_GE(step.blocks_used, step.blocks_active);
    }
    EXPECT_EQ(counters.steps, sums.steps);
    EXPECT_EQ(counters.prompt_tokens, sums.prompt_tokens);
    EXPECT_EQ(counters.generation_tokens, sums.generation_tokens);
    EXPECT_EQ(counters.prefix_queries, sums.prefix_queries);
    EXPECT_EQ(counters.prefix_hits, sums.prefix_hits);
    EXPECT_EQ(counters.preemptions, sums.preemptions);
    EXPECT_EQ(counters.evictions, sums.evictions);
    EXPECT_EQ(counters.recomputed_tokens, sums.recomputed_tokens);
    EXPECT_EQ(counters.drafts, sums.drafts);
    EXPECT_EQ(counters.draft_tokens, sums.draft_tokens);
    EXPECT_EQ(counters.accepted_tokens, sums.accepted_tokens);
    EXPECT_EQ(counters.accepted_per_position, sums.accepted_per_position);
    EXPECT_EQ(snapshot->peak_active_blocks, static_cast<int>(peak));
    EXPECT_GT(counters.prefix_hits, 0U);

    // And what the clients saw.
    std::uint64_t tokens = 0;
    std::uint64_t streams = 0;
    std::uint64_t ended = 0;
    for (const Submitted& run : runs) {
        tokens += run.log->ids().size();
        streams += run.log->ids().empty() ? 0 : 1;
        ended += run.log->finished().reason == FinishReason::cancelled ? 0 : 1;
    }
    EXPECT_EQ(counters.generation_tokens, tokens);
    const engine::Histograms& histograms = snapshot->histograms;
    EXPECT_EQ(histograms.token_gap_s.count, tokens - streams);
    EXPECT_EQ(histograms.e2e_s.count, ended);
    EXPECT_EQ(histograms.first_token_s.count, streams);
    EXPECT_EQ(histograms.step_tokens.count, counters.steps);
    EXPECT_DOUBLE_EQ(histograms.step_tokens.sum, static_cast<double>(rows));
    EXPECT_EQ(histograms.block_lifetime_s.count, counters.evictions);
    EXPECT_EQ(histograms.asked_choices.count, runs.size());
    EXPECT_EQ(snapshot->rates.num_censored, static_cast<int>(runs.size() - ended));
    EXPECT_EQ(counters.finished[static_cast<std::size_t>(FinishReason::length)], ended);
    std::uint64_t cancelled = 0;
    for (const std::uint64_t count : counters.cancelled)
        cancelled += count;
    EXPECT_EQ(cancelled, runs.size() - ended);
    std::uint64_t missed = 0;
    for (const auto& [reason, count] : counters.miss_tokens)
        missed += count;
    EXPECT_EQ(counters.prefix_hits + missed, counters.prefix_queries);
}

TEST(EngineLoad, WithoutAKvCacheEveryTokenRecomputesItsSequence) {
    const auto engine = make_hash_engine();
    auto config = small_config();
    config.kv_cache = false;
    load(*engine, config);
    const auto prompt = prompt_of(4, 40);
    const auto log = std::make_shared<EventLog>();
    ASSERT_TRUE(engine->submit(request_of(prompt, 20), log));
    log->wait();
    engine->stop();
    EXPECT_EQ(log->ids(), HashModel(kVocab, {}).greedy(prompt, 20));
    std::uint64_t rows = 0;
    for (int token = 0; token < 20; ++token)
        rows += static_cast<std::uint64_t>(40 + token);
    EXPECT_EQ(engine->snapshot()->counters.prompt_tokens, rows);
    EXPECT_EQ(engine->snapshot()->counters.prefix_hits, 0U);
}

TEST(EngineLoad, ADenseCacheHoldsAWholeContextForEach) {
    const auto engine = make_hash_engine();
    auto config = small_config(100); // three contexts of 32 blocks
    config.paged_kv = false;
    load(*engine, config);
    std::vector<Submitted> runs;
    std::mt19937 random(9);
    for (int i = 0; i < 12; ++i)
        runs.push_back(submit_random(*engine, random, i));
    auto four = request_of(prompt_of(3, 21), 9);
    four.num_choices = four.best_of = 4;
    const auto log = std::make_shared<EventLog>();
    ASSERT_TRUE(engine->submit(std::move(four), log));
    log->wait();
    for (const Submitted& run : runs) {
        run.log->wait();
        EXPECT_EQ(run.log->ids(), HashModel(kVocab, {}).greedy(run.prompt, run.max_tokens));
    }
    for (int choice = 0; choice < 4; ++choice)
        EXPECT_EQ(log->ids(choice), HashModel(kVocab, {}).greedy(prompt_of(3, 21), 9));
    engine->stop();
    EXPECT_EQ(engine->snapshot()->peak_active_blocks, 96);
    for (const engine::StepRecord& step : all_steps(*engine))
        EXPECT_EQ(step.blocks_used % 32, 0U);
}

TEST(EngineLoad, SaysWhyAPromptWasNotInTheCache) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    const auto ask = [&](const std::vector<engine::TokenId>& prompt) {
        const auto log = std::make_shared<EventLog>();
        EXPECT_TRUE(engine->submit(request_of(prompt, 4), log));
        log->wait();
        return log->finished();
    };
    EXPECT_NE(ask(prompt_of(1, 64)).miss_note.find("never computed"), std::string::npos);
    auto other = prompt_of(1, 64);
    other[37] = (other[37] + 1) % kVocab;
    const auto finished = ask(other);
    EXPECT_EQ(finished.usage.cached_tokens, 32);
    EXPECT_NE(finished.miss_note.find("differs from the cached one at token 37"), std::string::npos)
        << finished.miss_note;
    EXPECT_NE(ask(prompt_of(1, 64)).miss_note.find("last block"), std::string::npos);
    engine->stop();
    EXPECT_EQ(engine->snapshot()->sequences.back().miss_note.empty(), false);
}

TEST(EngineLoad, ALineTellsEveryPartOfALife) {
    const auto engine = make_hash_engine();
    load(*engine, small_config());
    const auto log = std::make_shared<EventLog>();
    ASSERT_TRUE(engine->submit(request_of(prompt_of(1, 40), 3), log));
    log->wait();
    engine->stop();
    std::vector<int> kinds;
    std::uint64_t time = 0;
    for (const engine::SequenceLine& line : all_lines(*engine)) {
        kinds.push_back(line.kind);
        EXPECT_GE(line.time_us, time);
        time = line.time_us;
    }
    EXPECT_EQ(kinds, (std::vector<int>{5, 0, 1, 1, 4}));
}

} // namespace
} // namespace vitrine::testing
