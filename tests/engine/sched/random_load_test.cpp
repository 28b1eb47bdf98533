// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: random submit, cancel, preempt, chunk, hit and draft; every text equals the solo run.
#include <random>

#include "tests/engine/sched/step_driver.h"

namespace vitrine::engine {
namespace {

std::vector<TokenId> random_prompt(std::mt19937& random) {
    // Few families of heads, so that prompts share blocks and diverge inside them.
    const int family = static_cast<int>(random() % 3);
    const int shared = static_cast<int>(random() % 30);
    const int own = 1 + static_cast<int>(random() % 12);
    std::vector<TokenId> prompt;
    for (int i = 0; i < shared; ++i)
        prompt.push_back((family * 11 + i * (family + 1)) % StepDriver::kVocab);
    for (int i = 0; i < own; ++i)
        prompt.push_back(static_cast<TokenId>(random() % StepDriver::kVocab));
    return prompt;
}

DriverOptions random_options(std::mt19937& random) {
    DriverOptions options;
    options.config.max_seqs = 2 + static_cast<int>(random() % 5);
    options.config.max_gamma = static_cast<int>(random() % 8);
    options.config.prefill_chunk = 4 + static_cast<int>(random() % 12);
    options.config.context = 80;
    options.config.max_batch_tokens =
        options.config.max_seqs * (1 + options.config.max_gamma) + 4 + static_cast<int>(random() % 24);
    options.config.hold_same_prefix = random() % 2 == 0;
    if (options.config.max_gamma > 0)
        options.drafter = random() % 2 == 0 ? Drafter::ngram : Drafter::model;
    options.random_gamma = random() % 2 == 0;
    options.prefix_cache = random() % 4 != 0;
    options.num_blocks = 20 + static_cast<int>(random() % 30);
    options.measures = random() % 2 == 0;
    return options;
}

/// Layers with windows: beside a group that sees everything, or alone.
void add_windows(DriverOptions& options, std::mt19937& random) {
    const std::vector<std::vector<int>> kinds{{0, 6}, {0, 5, 5}, {0, 9, 2}, {0, 0, 7}, {7}, {12}};
    options.windows = kinds[random() % kinds.size()];
    options.num_blocks = options.num_blocks * static_cast<int>(options.windows.size()) * 2 / 5; // windows need less
}

/// One thing of the product's configuration switched off, as the laboratory does.
void switch_off(DriverOptions& options, unsigned which) {
    const auto share_nothing = [&options] {
        options.prefix_cache = false;
        options.config.prefix_cache = false;
    };
    switch (which) {
    case 0:
        options.config.kv_cache = false;
        return share_nothing();
    case 1:
        options.config.paged_kv = false;
        return share_nothing();
    case 2:
        options.config.policy = BatchPolicy::fixed;
        return;
    case 3:
        options.config.policy = BatchPolicy::immediate;
        return;
    default:
        options.config.chunked_prefill = false;
        options.config.max_batch_tokens = smallest_budget(options.config, options.block_tokens);
    }
}

TEST(RandomLoad, EveryTextEqualsTheSoloRun) {
    int preemptions = 0;
    std::uint64_t accepted = 0;
    std::uint64_t hits = 0;
    for (unsigned seed = 1; seed <= 160; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        StepDriver driver(random_options(random));
        std::vector<SequenceId> live;
        for (int step = 0; step < 120; ++step) {
            if (random() % 3 == 0) {
                const SequenceId leader = random() % 5 == 0 && !live.empty() ? live.back() : SequenceId{};
                const bool fork = driver.scheduler.find(leader) != nullptr;
                const SequenceId id = driver.add(fork ? driver.prompts.at(leader) : random_prompt(random),
                    1 + static_cast<int>(random() % 24), static_cast<int>(random() % 8 == 0),
                    fork ? leader : SequenceId{});
                if (id != SequenceId{})
                    live.push_back(id);
            }
            if (random() % 25 == 0 && !live.empty())
                driver.cancel(live[random() % live.size()]);
            driver.step();
            if (::testing::Test::HasFailure())
                return;
        }
        driver.run_to_end();
        driver.expect_solo_outputs();
        EXPECT_EQ(driver.kv().counts().active, 0);
        preemptions += driver.preemptions;
        accepted += driver.acceptance.accepted;
        hits += driver.kv().counters().hits;
        if (::testing::Test::HasFailure())
            return;
    }
    // The load must reach what it is meant to test.
    EXPECT_GT(preemptions, 200);
    EXPECT_GT(accepted, 500U);
    EXPECT_GT(hits, 2000U);
}

TEST(RandomLoad, EveryTextEqualsTheSoloRunWithAnythingSwitchedOff) {
    for (unsigned seed = 1; seed <= 75; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed * 31);
        DriverOptions options = random_options(random);
        switch_off(options, seed % 5);
        StepDriver driver(options);
        for (int step = 0; step < 60; ++step) {
            if (random() % 3 == 0) {
                const SequenceId first = driver.add(random_prompt(random), 1 + static_cast<int>(random() % 16));
                if (first != SequenceId{} && random() % 4 == 0) // a second choice of the same request
                    driver.add(driver.prompts.at(first), driver.limits.at(first), 0, first);
            }
            driver.step();
            if (::testing::Test::HasFailure())
                return;
        }
        driver.run_to_end();
        driver.expect_solo_outputs();
        EXPECT_EQ(driver.kv().counts().active, 0);
        if (::testing::Test::HasFailure())
            return;
    }
}

TEST(RandomLoad, EveryTextEqualsTheSoloRunWithWindows) {
    int preemptions = 0;
    std::uint64_t hits = 0;
    std::uint64_t freed = 0;
    for (unsigned seed = 1; seed <= 160; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed * 13);
        DriverOptions options = random_options(random);
        add_windows(options, random);
        if (seed % 8 == 0)
            switch_off(options, 2 + seed / 8 % 3); // policies, and whole prompts
        StepDriver driver(options);
        std::vector<SequenceId> live;
        for (int step = 0; step < 120; ++step) {
            if (random() % 3 == 0) {
                const SequenceId leader = random() % 4 == 0 && !live.empty() ? live.back() : SequenceId{};
                const bool fork = driver.scheduler.find(leader) != nullptr;
                const SequenceId id = driver.add(fork ? driver.prompts.at(leader) : random_prompt(random),
                    1 + static_cast<int>(random() % 24), static_cast<int>(random() % 8 == 0),
                    fork ? leader : SequenceId{});
                if (id != SequenceId{})
                    live.push_back(id);
            }
            if (random() % 25 == 0 && !live.empty())
                driver.cancel(live[random() % live.size()]);
            driver.step();
            if (::testing::Test::HasFailure())
                return;
        }
        driver.run_to_end();
        driver.expect_solo_outputs();
        EXPECT_EQ(driver.kv().counts().active, 0);
        preemptions += driver.preemptions;
        hits += driver.kv().counters().hits;
        freed += driver.kv().counters().window_freed;
        if (::testing::Test::HasFailure())
            return;
    }
    EXPECT_GT(preemptions, 150);
    EXPECT_GT(hits, 1000U);
    EXPECT_GT(freed, 2000U);
}

TEST(RandomLoad, StepsStayBelowTheBoundOfTheProgressClaim) {
    // engine.md 2.3: with gamma 0, steps <= last arrival + sum of ceil((p + o) / min(cap, budget - max_seqs)) + o.
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed * 977);
        DriverOptions options = random_options(random);
        options.config.max_gamma = 0;
        options.drafter = Drafter::none;
        options.prefix_cache = false;
        StepDriver driver(options);
        const int chunk =
            std::min(options.config.prefill_chunk, options.config.max_batch_tokens - options.config.max_seqs);
        int bound = 0;
        for (int i = 0; i < 12; ++i) {
            const std::vector<TokenId> prompt = random_prompt(random);
            const int output = 1 + static_cast<int>(random() % 30);
            if (driver.add(prompt, output) != SequenceId{})
                bound += (static_cast<int>(prompt.size()) + output + chunk - 1) / chunk + output;
        }
        EXPECT_LE(driver.run_to_end(), bound);
        driver.expect_solo_outputs();
        if (::testing::Test::HasFailure())
            return;
    }
}

} // namespace
} // namespace vitrine::engine
