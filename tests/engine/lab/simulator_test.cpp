// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the toy trace under the three policies; every number from the table of engine.md 8.
#include "engine/lab/simulator.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

struct Expected {
    BatchPolicy policy;
    std::vector<int> prefill_ticks;
    std::vector<double> ttft_s;
    std::vector<double> e2e_s;
    double makespan_s, output_tokens_per_s;
    double ttft_mean_s, ttft_p50_s, ttft_max_s;
    double e2e_mean_s, mean_in_system;
    int decode_rows, decode_places;
    double kv_peak_mb, kv_integral_mb_s;
};

const Expected kTable[] = {
    {BatchPolicy::immediate, {0, 12, 14, 17}, {.05, .55, .53, .52}, {.60, .60, .63, .57}, .95, 20.0, .4125, .52, .55,
        .600, 2.526, 15, 57, 7.25, 4.1},
    {BatchPolicy::fixed, {0, 12, 12, 12}, {.05, .55, .43, .27}, {.60, .60, .53, .32}, .75, 25.33, .325, .27, .55, .5125,
        2.733, 15, 45, 7.25, 4.2875},
    {BatchPolicy::continuous, {0, 2, 5, 8}, {.05, .05, .08, .07}, {.60, .10, .18, .12}, .60, 31.67, .0625, .05, .08,
        .250, 1.667, 15, 36, 8.75, 4.1},
};

TEST(Simulator, GivesTheToyTableExactly) {
    for (const Expected& expected : kTable) {
        SCOPED_TRACE(static_cast<int>(expected.policy));
        const PolicyResult result = simulate(toy_trace(), expected.policy);
        ASSERT_EQ(result.requests.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(result.requests[i].first_prefill_tick, expected.prefill_ticks[i]);
            EXPECT_DOUBLE_EQ(static_cast<double>(result.requests[i].ttft_us) / 1e6, expected.ttft_s[i]);
            EXPECT_DOUBLE_EQ(static_cast<double>(result.requests[i].e2e_us) / 1e6, expected.e2e_s[i]);
        }
        EXPECT_DOUBLE_EQ(result.makespan_s, expected.makespan_s);
        EXPECT_NEAR(result.output_tokens_per_s, expected.output_tokens_per_s, 5e-3);
        EXPECT_NEAR(result.ttft_mean_s, expected.ttft_mean_s, 1e-9);
        EXPECT_DOUBLE_EQ(result.ttft_p50_s, expected.ttft_p50_s);
        EXPECT_DOUBLE_EQ(result.ttft_max_s, expected.ttft_max_s);
        EXPECT_NEAR(result.e2e_mean_s, expected.e2e_mean_s, 1e-9);
        EXPECT_NEAR(result.mean_in_system, expected.mean_in_system, 5e-4);
        EXPECT_EQ(result.decode_rows, expected.decode_rows);
        EXPECT_EQ(result.decode_places, expected.decode_places);
        EXPECT_DOUBLE_EQ(result.kv_peak_mb, expected.kv_peak_mb);
        EXPECT_NEAR(result.kv_integral_mb_s, expected.kv_integral_mb_s, 1e-9);
    }
}

TEST(Simulator, GivesContinuousKvTickByTick) {
    const PolicyResult result = simulate(toy_trace(), BatchPolicy::continuous);
    std::vector<double> kv;
    for (const SimulatedTick& tick : result.ticks)
        kv.push_back(tick.kv_mb);
    EXPECT_EQ(kv, (std::vector<double>{4.5, 4.75, 6.5, 7, 5.5, 7, 7.5, 8, 8.25, 8.75, 7, 7.25}));
}

TEST(Simulator, StaticHoldsEndedOnesAsPadding) {
    const PolicyResult result = simulate(toy_trace(), BatchPolicy::fixed);
    EXPECT_EQ(result.ticks[14].padding, 2);
    EXPECT_EQ(result.ticks[13].padding, 0);
}

TEST(Simulator, WritesTheDocumentOfTheCommandLine) {
    const auto json = nlohmann::json::parse(policies_json(toy_trace()));
    ASSERT_EQ(json.at("policies").size(), 3U);
    const auto& continuous = json.at("policies").at("continuous");
    EXPECT_EQ(continuous.at("requests").size(), 4U);
    EXPECT_EQ(continuous.at("requests")[2].at("id"), "R03");
    EXPECT_DOUBLE_EQ(continuous.at("requests")[2].at("ttft").get<double>(), .08);
    EXPECT_DOUBLE_EQ(continuous.at("makespan").get<double>(), .60);
    EXPECT_DOUBLE_EQ(json.at("policies").at("static").at("ttft_p50").get<double>(), .27);
    EXPECT_DOUBLE_EQ(json.at("policies").at("immediate").at("kv_peak").get<double>(), 7.25);
}

TEST(PolicyTrace, ReadsTheToyTraceFromItsFileFormat) {
    const Result<PolicyTrace> trace = parse_trace(R"({"tick_s": 0.05, "prefill_tokens_per_tick": 24, "slots": 3,
        "kv_mb_per_token": 0.25, "requests": [
        {"id": "R02", "arrival_s": 0.10, "prompt": 6, "output": 2}, {"id": "R01", "arrival_s": 0, "prompt": 18, "output": 12},
        {"id": "R03", "arrival_s": 0.22, "prompt": 5, "output": 3}, {"id": "R04", "arrival_s": 0.38, "prompt": 7, "output": 2}]})");
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    EXPECT_EQ(policies_json(*trace), policies_json(toy_trace())); // sorted by arrival
}

TEST(PolicyTrace, NamesTheFieldThatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"[1]", "not a JSON object"},
        {"{\"requests\": []}", "at least one"},
        {R"({"slots": 0, "requests": [{"arrival_s": 0, "prompt": 1, "output": 1}]})", "slots is 0"},
        {R"({"requests": [{"arrival_s": 0, "prompt": 1}]})", "output is missing"},
        {R"({"requests": [{"arrival_s": 0, "prompt": 1.5, "output": 1}]})", "prompt is 1.5"},
        {R"({"requests": [{"arrival_s": "x", "prompt": 1, "output": 1}]})", "arrival_s is \"x\""},
        {R"({"tick_s": 0.000001, "requests": [{"arrival_s": 1000, "prompt": 1, "output": 1}]})", "ticks"},
    };
    for (const auto& [text, part] : cases) {
        const Result<PolicyTrace> refused = parse_trace(text);
        ASSERT_FALSE(refused.has_value()) << text;
        EXPECT_EQ(refused.error().code, ErrorCode::bad_file);
        EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
    }
}

} // namespace
} // namespace vitrine::engine
