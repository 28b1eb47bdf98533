// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/completion_plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/endpoint/json_fields.h"
#include "tests/support/scripted_engine.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

struct BadCase {
    const char* field; // merged into a good body
    const char* param;
    const char* code;
};

Json good_chat() {
    return {{"model", "m"}, {"messages", {{{"role", "user"}, {"content", "Hi"}}}}};
}

ApiError chat_error(const Json& change) {
    Json body = good_chat();
    body.update(change);
    const auto plan = plan_chat(body, testing::ScriptedTextModel());
    return plan ? ApiError{} : plan.error();
}

} // namespace

// endpoint reference, section 6: every 400 names its param.
TEST(CompletionPlan, RefusesBadChatFieldsByName) {
    const BadCase cases[] = {
        {R"({"messages":[]})", "messages", "invalid_value"},
        {R"({"messages":"x"})", "messages", "invalid_type"},
        {R"({"messages":null})", "messages", "missing_required_parameter"},
        {R"({"messages":[{}]})", "messages[0].role", "missing_required_parameter"},
        {R"({"messages":[{"role":"boss","content":"x"}]})", "messages[0].role", "invalid_value"},
        {R"({"messages":[{"role":"user"}]})", "messages[0].content", "missing_required_parameter"},
        {R"({"messages":[{"role":"user","content":1}]})", "messages[0].content", "invalid_type"},
        {R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://x"}}]}]})",
            "messages[0].content[0]", "unsupported_parameter"},
        {R"({"messages":[{"role":"tool","content":"x"}]})", "messages[0].tool_call_id", "missing_required_parameter"},
        {R"({"messages":[{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]})", "messages",
            "invalid_value"},
        {R"({"temperature":-0.1})", "temperature", "invalid_value"},
        {R"({"temperature":2.1})", "temperature", "invalid_value"},
        {R"({"temperature":true})", "temperature", "invalid_type"},
        {R"({"top_p":1.1})", "top_p", "invalid_value"},
        {R"({"n":0})", "n", "invalid_value"},
        {R"({"n":1.5})", "n", "invalid_type"},
        {R"({"logprobs":true,"top_logprobs":21})", "top_logprobs", "invalid_value"},
        {R"({"top_logprobs":3})", "top_logprobs", "invalid_value"},
        {R"({"stop":""})", "stop", "invalid_value"},
        {R"({"stop":["a",""]})", "stop[1]", "invalid_value"},
        {R"({"logit_bias":{"99999":1}})", "logit_bias.99999", "invalid_value"},
        {R"({"logit_bias":{"5":101}})", "logit_bias.5", "invalid_value"},
        {R"({"stream_options":{"include_usage":true}})", "stream_options", "invalid_value"},
        {R"({"max_tokens":-1})", "max_tokens", "invalid_value"},
        {R"({"seed":"x"})", "seed", "invalid_type"},
        {R"({"modalities":["text","audio"]})", "modalities", "unsupported_parameter"},
        {R"({"tools":[{"type":"custom","custom":{"name":"x"}}]})", "tools[0].type", "unsupported_parameter"},
        {R"({"tool_choice":"required"})", "tool_choice", "invalid_value"},
        {R"({"response_format":{"type":"yaml"}})", "response_format.type", "invalid_value"},
    };
    for (const BadCase& bad : cases) {
        const ApiError error = chat_error(Json::parse(bad.field));
        EXPECT_EQ(error.status, 400) << bad.field;
        EXPECT_EQ(error.param, bad.param) << bad.field;
        EXPECT_EQ(error.code, bad.code) << bad.field;
        EXPECT_FALSE(error.message.empty()) << bad.field;
    }
}

TEST(CompletionPlan, IgnoresUnknownAndUnstoredFieldsAndTreatsNullAsAbsent) {
    for (const char* field :
        {R"({"user":"u","metadata":{},"store":true,"service_tier":"auto"})", R"({"no_such_field":[1]})",
            R"({"temperature":null,"stop":null,"n":null,"tools":null,"seed":null,"response_format":null})",
            R"({"modalities":["text"]})"}) {
        EXPECT_TRUE(chat_error(Json::parse(field)).message.empty()) << field;
    }
}

TEST(CompletionPlan, TakesTheSmallerOfTwoLimitsAndTheContextEndWithoutOne) {
    Json body = good_chat();
    const testing::ScriptedTextModel text;
    EXPECT_EQ(plan_chat(body, text)->requests[0].stop.max_tokens, -1);
    body["max_tokens"] = 9;
    body["max_completion_tokens"] = 5;
    EXPECT_EQ(plan_chat(body, text)->requests[0].stop.max_tokens, 5);
    EXPECT_EQ(plan_completion({{"model", "m"}, {"prompt", "x"}}, text)->requests[0].stop.max_tokens, 16);
}

TEST(CompletionPlan, ReadsEveryShapeOfALegacyPrompt) {
    const testing::ScriptedTextModel text;
    const auto count = [&](const char* prompt) {
        const auto plan = plan_completion({{"model", "m"}, {"prompt", Json::parse(prompt)}}, text);
        return plan ? static_cast<int>(plan->requests.size()) : -1;
    };
    EXPECT_EQ(count(R"("a")"), 1);
    EXPECT_EQ(count(R"(["a","b"])"), 2);
    EXPECT_EQ(count("[1,2,3]"), 1);
    EXPECT_EQ(count("[[1],[2,3]]"), 2);
    EXPECT_EQ(count("[]"), -1);
    EXPECT_EQ(count("[1,99999999]"), -1);
    EXPECT_EQ(count(R"([{"a":1}])"), -1);
}

TEST(CompletionPlan, ContinuesATrailingAssistantMessage) {
    Json body = good_chat();
    body["messages"].push_back({{"role", "assistant"}, {"content", "Sure"}});
    const auto plan = plan_chat(body, testing::ScriptedTextModel());
    ASSERT_TRUE(plan.has_value());
    EXPECT_FALSE(std::get<engine::ChatPrompt>(plan->requests[0].prompt).add_generation_prompt);
}

TEST(JsonFields, RefusesWhatIsNotOneShallowObject) {
    const std::string deep = std::string(300, '[') + std::string(300, ']');
    for (const std::string& body : {std::string(), std::string("[]"), std::string("{"), std::string("{\"a\":\"\xff\"}"),
             "{\"a\":" + deep + "}", std::string("nul"), std::string("{} {}")}) {
        const auto parsed = parse_body(body);
        ASSERT_FALSE(parsed.has_value()) << body.substr(0, 20);
        EXPECT_EQ(parsed.error().code, "invalid_json");
    }
    EXPECT_TRUE(parse_body(R"({"a":1})").has_value());
}

} // namespace vitrine::app
