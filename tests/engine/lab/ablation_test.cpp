// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: loads against the engine, and the ablation with every switch the hash backend can show.
#include "engine/lab/ablation.h"

#include <nlohmann/json.hpp>

#include "engine/lab/load_runner.h"
#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

std::unique_ptr<engine::Engine> make_engine() {
    return make_hash_engine({.step_time = std::chrono::microseconds(300)});
}

engine::AblationOptions options_for(std::vector<std::string> rows) {
    engine::AblationOptions options;
    options.model_path = tiny_model_path();
    options.config = small_config();
    options.config.context = 256;
    options.num_requests = 8;
    options.num_pairs = 2;
    options.rows = std::move(rows);
    return options;
}

TEST(LoadRunner, SubmitsCancelsAndCollects) {
    const auto engine = make_engine();
    load(*engine, small_config());
    std::vector<engine::TimedRequest> load(3);
    load[0].request = request_of(prompt_of(1, 30), 12);
    load[1].request = request_of(prompt_of(2, 30), 400);
    load[1].arrival = std::chrono::milliseconds(5);
    load[1].cancel_after = std::chrono::milliseconds(10);
    load[2].request = request_of(prompt_of(3, 600), 4); // longer than the context
    const auto outcomes = engine::run_load(*engine, load, {});
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    ASSERT_EQ(outcomes->size(), 3U);
    EXPECT_EQ((*outcomes)[0].ids.front(), HashModel(kVocab, {}).greedy(prompt_of(1, 30), 12));
    EXPECT_EQ((*outcomes)[0].token_times_s.size(), 12U);
    EXPECT_EQ((*outcomes)[1].finished.front().reason, engine::FinishReason::cancelled);
    EXPECT_TRUE((*outcomes)[2].rejected);
}

TEST(LoadRunner, StopEndsTheLoadAndLeavesTheEngineIdle) {
    const auto engine = make_engine();
    load(*engine, small_config());
    std::vector<engine::TimedRequest> load(2);
    load[0].request = request_of(prompt_of(1, 30), 480);
    load[1].request = request_of(prompt_of(2, 30), 4);
    load[1].arrival = std::chrono::hours(1);
    std::stop_source stop;
    const std::jthread stopper([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const auto outcomes = engine::run_load(*engine, load, stop.get_token());
    ASSERT_FALSE(outcomes);
    EXPECT_EQ(outcomes.error().code, ErrorCode::cancelled);
    engine->stop();
    EXPECT_EQ(engine->snapshot()->running, 0);
}

TEST(Ablation, EveryExactSwitchKeepsTheIdsAndShowsInItsFigure) {
    std::vector<std::string> loading;
    const auto report = engine::run_ablation(
        options_for({"full", "no_kv_cache", "dense_kv", "static_batching", "no_prefix_cache", "no_chunked_prefill",
            "no_kv_quant", "no_speculation"}),
        [&](const engine::AblationProgress& progress) {
            if (progress.run == 0)
                loading.push_back(progress.row);
        },
        {}, make_engine);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->rows.size(), 8U);
    EXPECT_EQ(loading.size(), 9U); // all on, then each row
    for (const engine::AblationRow& row : report->rows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(row.error, "");
        EXPECT_GT(row.figures.tokens_per_s, 0);
        EXPECT_GT(row.full.tokens_per_s, 0);
        EXPECT_GE(row.spread, 1);
        EXPECT_GT(row.figures.kv_peak_blocks, 0);
        if (row.exact) {
            EXPECT_TRUE(row.same_ids);
        }
    }
    const auto& rows = report->rows;
    EXPECT_EQ(rows[0].name, "full");
    EXPECT_LT(rows[2].figures.sequences_that_fit, rows[2].full.sequences_that_fit);
    EXPECT_GT(rows[2].figures.kv_peak_blocks, rows[2].full.kv_peak_blocks);
    EXPECT_GT(rows[4].figures.kv_peak_blocks, rows[4].full.kv_peak_blocks);
    EXPECT_GT(rows[6].figures.kv_bytes_per_token, rows[6].full.kv_bytes_per_token);
    EXPECT_NEAR(rows[6].nll_difference, 0, 1e-9); // the hash pool rounds nothing

    const auto json = nlohmann::json::parse(engine::ablation_json(*report));
    ASSERT_EQ(json.at("rows").size(), 8U);
    for (const auto& row : json.at("rows"))
        for (const char* key : {"name", "tokens_per_s", "ttft_p50", "tpot_p50", "kv_peak_blocks", "speedup"})
            EXPECT_TRUE(row.contains(key)) << key;
}

TEST(Ablation, RefusesAnUnknownRowAndStopsWhenAsked) {
    const auto unknown = engine::run_ablation(options_for({"no_such_thing"}), {}, {}, make_engine);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::invalid_argument);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = engine::run_ablation(options_for({"full"}), {}, stop.get_token(), make_engine);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace vitrine::testing
