// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: workload files, good and hostile.
#include <gtest/gtest.h>

#include "engine/lab/load_runner.h"
#include "engine/lab/policy_trace.h"

namespace vitrine::engine {
namespace {

TEST(WorkloadFile, ReadsEveryKindOfLine) {
    const auto load =
        parse_workload("\"just text\"\n\n"
                       R"({"prompt": "p", "arrival_s": 1.5, "cancel_after_s": 0.25, "max_tokens": 7, "n": 2})"
                       "\r\n"
                       R"({"ids": [1, 2, 3], "temperature": 0.5, "seed": 9, "priority": -3, "ignore_eos": true})"
                       "\n"
                       R"({"messages": [{"role": "user", "content": "hi"}], "max_tokens": null})");
    ASSERT_TRUE(load) << load.error().message;
    ASSERT_EQ(load->size(), 4U);
    EXPECT_EQ(std::get<TextPrompt>((*load)[0].request.prompt).text, "just text");
    const TimedRequest& second = (*load)[1];
    EXPECT_EQ(second.arrival, std::chrono::milliseconds(1500));
    EXPECT_EQ(second.cancel_after, std::chrono::milliseconds(250));
    EXPECT_EQ(second.request.stop.max_tokens, 7);
    EXPECT_EQ(second.request.num_choices, 2);
    const TimedRequest& third = (*load)[2];
    EXPECT_EQ(std::get<TokenPrompt>(third.request.prompt).ids, (std::vector<TokenId>{1, 2, 3}));
    EXPECT_EQ(third.request.sampling.seed, 9U);
    EXPECT_EQ(third.request.priority, -3);
    EXPECT_TRUE(third.request.stop.ignore_eos);
    EXPECT_EQ((*load)[3].request.stop.max_tokens, -1);
    EXPECT_NE(std::get<ChatPrompt>((*load)[3].request.prompt).messages_json.find("\"hi\""), std::string::npos);
}

TEST(WorkloadFile, NamesTheLineAndTheFault) {
    const std::pair<std::string, const char*> cases[] = {
        {"", "no requests"},
        {"\n \n", "no requests"},
        {"{\"prompt\": \"a\"}\n{\"prompt\": 1}", "line 2"},
        {"[1]", "line 1"},
        {"{", "not valid JSON"},
        {R"({"prompt": "a", "arrival_s": -1})", "arrival_s is -1"},
        {R"({"prompt": "a", "arrival_s": 1e300})", "arrival_s"},
        {R"({"prompt": "a", "arrival_s": 1e999})", "JSON"},
        {R"({"prompt": "a", "max_tokens": 2.5})", "max_tokens is 2.5"},
        {R"({"prompt": "a", "max_tokens": 99999999999999999999})", "max_tokens"},
        {R"({"prompt": "a", "n": 0})", "n is 0"},
        {R"({"prompt": "a", "seed": -1})", "seed is -1"},
        {R"({"prompt": "a", "temperature": "hot"})", "temperature is \"hot\""},
        {R"({"prompt": "a", "ignore_eos": 1})", "ignore_eos is 1"},
        {R"({"ids": [1, -2]})", "-2 is no token id"},
        {R"({"ids": [4294967296]})", "4294967296 is no token id"},
        {R"({"ids": [1.5]})", "no token id"},
        {R"({"ids": 3})", "ids is 3"},
        {"{\"messages\": " + std::string(100000, '[') + std::string(100000, ']') + "}", "nested"},
        {"{\"prompt\": \"" + std::string((4 << 20), 'x') + "\"}", "bytes"},
    };
    for (const auto& [text, part] : cases) {
        const auto refused = parse_workload(text);
        ASSERT_FALSE(refused) << text.substr(0, 80);
        EXPECT_EQ(refused.error().code, ErrorCode::bad_file);
        EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
        EXPECT_LT(refused.error().message.size(), 300U);
    }
}

TEST(WorkloadFile, TakesAtMostTenThousandLines) {
    std::string text;
    for (int i = 0; i < 10'001; ++i)
        text += "\"a\"\n";
    EXPECT_FALSE(parse_workload(text));
    EXPECT_TRUE(parse_workload(text.substr(0, 4 * 10'000)));
}

TEST(PolicyTraceFile, SurvivesHostileInput) {
    const std::string deep = std::string(200000, '[') + std::string(200000, ']');
    const std::string requests = R"("requests": [{"arrival_s": 0, "prompt": 1, "output": 1}])";
    std::string many = R"({"slots": 10000000, "requests": [)";
    for (int i = 0; i < 50'000; ++i)
        many += R"({"arrival_s": 0, "prompt": 1, "output": 1},)";
    many += R"({"arrival_s": 0, "prompt": 1, "output": 800000}]})";
    const std::pair<std::string, const char*> cases[] = {
        {deep, "nested"},
        {"{\"tick_s\": " + deep + ", " + requests + "}", "nested"},
        {R"({"tick_s": [[[]]], )" + requests + "}", "tick_s is [[[]]]"},
        {R"({"tick_s": -1, )" + requests + "}", "tick_s is -1"},
        {R"({"slots": 1e18, )" + requests + "}", "slots is 1e+18"},
        {R"({"kv_mb_per_token": -0.5, )" + requests + "}", "kv_mb_per_token is -0.5"},
        {R"({"requests": [{"arrival_s": -0.1, "prompt": 1, "output": 1}]})", "arrival_s is -0.1"},
        {R"({"requests": [{"arrival_s": 0, "prompt": -4, "output": 1}]})", "prompt is -4"},
        {R"({"requests": [{"arrival_s": 0, "prompt": 1, "output": 2000000}]})", "ticks"},
        {R"({"requests": {"a": 1}})", "requests is not an array"},
        {R"({"requests": [7]})", "request 1 is not an object"},
        {many, "places"},
        {std::string("\0\0\0", 3), "not valid JSON"},
    };
    for (const auto& [text, part] : cases) {
        const auto refused = parse_trace(text);
        ASSERT_FALSE(refused) << text.substr(0, 80);
        EXPECT_EQ(refused.error().code, ErrorCode::bad_file);
        EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
    }
}

} // namespace
} // namespace vitrine::engine
