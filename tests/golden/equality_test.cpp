// SPDX-License-Identifier: GPL-3.0-or-later
// How a sequence is computed must not show in its ids: alone or among sixteen, in chunks of any size, on a cold or a warm
// prefix, with the ablation's cache switches; on both models.
#include "app/cli/open_model.h"
#include "tests/golden/sixteen_requests.h"

namespace vitrine::testing {
namespace {

class Equality : public ::testing::TestWithParam<GoldenModel> {
protected:
    void SetUp() override {
        if (!is_there(GetParam()))
            GTEST_SKIP() << path_of(GetParam()) << " is not there";
    }
    static int num_groups() { return num_groups_of(GetParam()); }
    static std::unique_ptr<engine::Engine> open(const std::function<void(engine::EngineConfig&)>& change) {
        auto options = sixteen_options(GetParam());
        change(options.config);
        auto engine = app::open_engine(options);
        EXPECT_TRUE(engine) << engine.error().message;
        return engine ? *std::move(engine) : nullptr;
    }
};

TEST_P(Equality, TheWayASequenceIsComputedDoesNotShow) {
    const auto cold = open([](engine::EngineConfig& config) { config.prefill_chunk = 512; });
    ASSERT_TRUE(cold);
    Ids alone;
    for (engine::Request& request : sixteen_requests(GetParam()))
        alone.push_back(ids_of(app::run_requests(*cold, {std::move(request)})).front());
    for (const auto& ids : alone)
        ASSERT_EQ(ids.size(), static_cast<std::size_t>(kMaxTokens));
    cold->reset_prefix_cache();
    EXPECT_EQ(ids_of(app::run_requests(*cold, sixteen_requests(GetParam()))), alone) << "sixteen at once";
    const auto hits = cold->snapshot()->counters.prefix_hits;
    EXPECT_EQ(ids_of(app::run_requests(*cold, sixteen_requests(GetParam()))), alone) << "warm prefix";
    EXPECT_GT(cold->snapshot()->counters.prefix_hits, hits + kLongPrompt / 2);
    for (const int chunk : {16, 128}) {
        const auto engine = open([chunk](engine::EngineConfig& config) { config.prefill_chunk = chunk; });
        ASSERT_TRUE(engine);
        EXPECT_EQ(ids_of(app::run_requests(*engine, sixteen_requests(GetParam()))), alone) << "chunks of " << chunk;
    }
}

TEST_P(Equality, TheSwitchesOfTheAblationDoNotShow) {
    const auto with_all = open([](engine::EngineConfig&) {});
    ASSERT_TRUE(with_all);
    const Ids expected = ids_of(app::run_requests(*with_all, sixteen_requests(GetParam())));
    const auto dense = open([](engine::EngineConfig& config) {
        config.paged_kv = false;
        config.num_blocks = kTwoContexts; // of all layers
    });
    ASSERT_TRUE(dense);
    EXPECT_EQ(ids_of(app::run_requests(*dense, sixteen_requests(GetParam()))), expected);
    EXPECT_EQ(dense->snapshot()->peak_active_blocks, 64);
    const auto forgetful = open([](engine::EngineConfig& config) { config.kv_cache = false; });
    ASSERT_TRUE(forgetful);
    EXPECT_EQ(ids_of(app::run_requests(*forgetful, sixteen_requests(GetParam()))), expected);
    const auto counters = forgetful->snapshot()->counters;
    EXPECT_GT(counters.recomputed_tokens, 5U * kLongPrompt) << "the long prompt is computed for each of its tokens";
}

TEST_P(Equality, PreemptionAndDraftsDoNotShow) {
    const auto longer = [] { return sixteen_requests(GetParam(), 24); };
    const auto wide = open([](engine::EngineConfig&) {});
    ASSERT_TRUE(wide);
    const Ids expected = ids_of(app::run_requests(*wide, longer()));
    const auto narrow = open([](engine::EngineConfig& config) { config.num_blocks = 16 * num_groups(); });
    ASSERT_TRUE(narrow);
    EXPECT_EQ(ids_of(app::run_requests(*narrow, longer())), expected);
    EXPECT_GT(narrow->snapshot()->counters.preemptions, 0U);
    for (const int gamma : {1, 2, 3, 4, 5, 6, 7}) {
        const auto drafting = open([gamma](engine::EngineConfig& config) {
            config.draft = "ngram";
            config.gamma = gamma;
            config.num_blocks = 16 * num_groups();
        });
        ASSERT_TRUE(drafting);
        EXPECT_EQ(ids_of(app::run_requests(*drafting, longer())), expected) << "gamma " << gamma;
        EXPECT_GT(drafting->snapshot()->counters.accepted_tokens, 0U) << "gamma " << gamma;
        EXPECT_GT(drafting->snapshot()->counters.preemptions, 0U) << "gamma " << gamma;
    }
}

/// Prompts far beyond the window: ids as with every block kept, in fewer bytes, and warm prefixes hit.
TEST(WindowGroups, WhatAWindowLeavesDoesNotShow) {
    if (!is_there(gemma3()))
        GTEST_SKIP() << path_of(gemma3()) << " is not there";
    constexpr int kPrompt = 1100; // the window is 512
    const auto requests = [] {
        engine::Request request = sixteen_requests(gemma3()).back();
        auto& ids = std::get<engine::TokenPrompt>(request.prompt).ids;
        for (std::size_t i = 0; ids.size() < kPrompt; ++i)
            ids.push_back(ids[i]);
        return std::vector<engine::Request>{std::move(request)};
    };
    const auto open = [](bool window_groups, const std::string& draft) {
        auto options = model_options(gemma3(), "cpu");
        options.config.context = 1280;
        options.config.max_seqs = 2;
        options.config.prefill_chunk = 128;
        options.config.check_invariants = true;
        options.config.window_groups = window_groups;
        options.config.draft = draft;
        auto engine = app::open_engine(options);
        EXPECT_TRUE(engine) << engine.error().message;
        return engine ? *std::move(engine) : nullptr;
    };
    const auto dense = open(false, "");
    ASSERT_TRUE(dense);
    const Ids expected = ids_of(app::run_requests(*dense, requests()));
    const auto grouped = open(true, "");
    ASSERT_TRUE(grouped);
    EXPECT_EQ(ids_of(app::run_requests(*grouped, requests())), expected) << "cold";
    const auto cold = grouped->snapshot();
    EXPECT_EQ(ids_of(app::run_requests(*grouped, requests())), expected) << "warm";
    const auto warm = grouped->snapshot();
    EXPECT_GE(warm->counters.prefix_hits, static_cast<std::uint64_t>(kPrompt - 1) / 16 * 16);
    // 70 blocks of each group would hold the whole text; the windows hold at most ceil((511 + 128 - 1) / 16) + 1.
    const std::int64_t block_bytes = warm->model->plan.kv_block_bytes;
    EXPECT_EQ(dense->snapshot()->model->plan.kv_block_bytes, 6 * block_bytes);
    EXPECT_EQ(dense->snapshot()->peak_active_blocks, 70);
    EXPECT_LE(cold->peak_active_blocks, 70 + 5 * 41);
    EXPECT_GT(cold->counters.window_freed, 5U * 30);
    EXPECT_EQ(warm->model->plan.kv_bytes_per_far_token * 6, warm->model->plan.kv_bytes_per_token);
    const auto drafting = open(true, "ngram");
    ASSERT_TRUE(drafting);
    EXPECT_EQ(ids_of(app::run_requests(*drafting, requests())), expected) << "with drafts";
}

INSTANTIATE_TEST_SUITE_P(
    Models, Equality, ::testing::Values(smollm2(), gemma3()), [](const auto& model) { return model.param.name; });

} // namespace
} // namespace vitrine::testing
