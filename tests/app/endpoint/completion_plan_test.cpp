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
        {R"({"lora":{"id":0}})", "lora", "invalid_type"},
        {R"({"lora":[0]})", "lora[0]", "invalid_type"},
        {R"({"lora":[{"id":0},{"scale":1}]})", "lora[1]", "invalid_type"},
        {R"({"lora":[{"id":"a"}]})", "lora[0].id", "invalid_type"},
        {R"({"lora":[{"id":0,"scale":"much"}]})", "lora[0].scale", "invalid_type"},
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

TEST(CompletionPlan, TakesSeedsOf64BitsOfEitherSign) {
    Json body = good_chat();
    const testing::ScriptedTextModel text;
    body["seed"] = UINT64_MAX;
    EXPECT_EQ(plan_chat(body, text)->requests[0].sampling.seed, UINT64_MAX);
    body["seed"] = -7;
    EXPECT_EQ(plan_chat(body, text)->requests[0].sampling.seed, static_cast<std::uint64_t>(-7));
}

TEST(CompletionPlan, ReadsTheAdaptersOfARequest) {
    Json body = good_chat();
    const auto without = plan_chat(body, testing::ScriptedTextModel());
    ASSERT_TRUE(without);
    EXPECT_FALSE(without->requests.front().adapters) << "each with the weight it was loaded with";
    body["lora"] = Json::parse(R"([{"id":1,"scale":0.5},{"id":0}])");
    const auto with = plan_chat(body, testing::ScriptedTextModel());
    ASSERT_TRUE(with);
    EXPECT_EQ(*with->requests.front().adapters, (std::vector<engine::AdapterUse>{{1, 0.5F}, {0, 1}}));
    body["lora"] = Json::array();
    const auto none = plan_chat(body, testing::ScriptedTextModel());
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->requests.front().adapters && none->requests.front().adapters->empty());
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
    EXPECT_FALSE(parse_body(std::string_view("{\"a\":1}\0{}", 10)).has_value()); // a zero byte is no end
}

TEST(CompletionPlan, ReadsWhatTheAnswerMustLookLike) {
    using engine::ConstraintKind;
    struct Row {
        const char* field;
        ConstraintKind kind;
        const char* source;
        const char* param;
    };
    const Row rows[] = {
        {R"({"response_format":{"type":"text"}})", ConstraintKind::none, "", ""},
        {R"({"response_format":{"type":"json_object"}})", ConstraintKind::json_object, "", "response_format"},
        {R"({"response_format":{"type":"json_schema","json_schema":{"strict":true,"schema":{"z":1,"a":2}}}})",
            ConstraintKind::json_schema, R"({"z":1,"a":2})", "response_format.json_schema.schema"},
        {R"({"grammar":"root ::= \"a\""})", ConstraintKind::gbnf, "root ::= \"a\"", "grammar"},
        {R"({"grammar":""})", ConstraintKind::none, "", ""},
        {R"({"guided_json":"{\"type\":\"null\"}"})", ConstraintKind::json_schema, R"({"type":"null"})", "guided_json"},
        {R"({"guided_choice":["b","a"]})", ConstraintKind::choice, R"(["b","a"])", "guided_choice"},
        {R"({"structured_outputs":{"regex":"a+"}})", ConstraintKind::regex, "a+", "structured_outputs.regex"},
    };
    for (const Row& row : rows) {
        Json body = good_chat();
        body.update(Json::parse(row.field));
        const auto plan = plan_chat(body, testing::ScriptedTextModel());
        ASSERT_TRUE(plan) << row.field << plan.error().message;
        const engine::OutputConstraint& constraint = plan->requests.at(0).constraint;
        EXPECT_EQ(constraint.kind, row.kind) << row.field;
        EXPECT_EQ(constraint.source, row.source) << "keys keep their order";
        EXPECT_EQ(constraint.param, row.param);
        EXPECT_EQ(constraint.strict, std::string_view(row.field).find("strict") != std::string_view::npos);
    }
    EXPECT_EQ(chat_error(Json::parse(R"({"grammar":"root ::= x","guided_regex":"a"})")).param, "guided_regex");
}

TEST(CompletionPlan, ReadsToolChoice) {
    const Json tools = Json::parse(R"({"tools":[{"type":"function","function":{"name":"f"}}]})");
    const auto planned = [&](const char* change) {
        Json body = good_chat();
        body.update(tools);
        body.update(Json::parse(change));
        return plan_chat(body, testing::ScriptedTextModel());
    };
    EXPECT_EQ(planned(R"({"tool_choice":"required"})")->requests.at(0).tool_choice, engine::ToolChoice::required);
    const auto named =
        planned(R"({"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})");
    EXPECT_EQ(named->requests.at(0).tool_choice, engine::ToolChoice::named);
    EXPECT_EQ(named->requests.at(0).tool_name, "f");
    EXPECT_FALSE(named->requests.at(0).parallel_tool_calls);
    EXPECT_EQ(planned(R"({"function_call":{"name":"f"}})")->requests.at(0).tool_name, "f");
    const auto none = planned(R"({"tool_choice":"none"})");
    EXPECT_EQ(std::get<engine::ChatPrompt>(none->requests.at(0).prompt).tools_json, "");
    EXPECT_EQ(planned(R"({"tool_choice":{"name":"g"}})").error().param, "tool_choice");
    EXPECT_EQ(planned(R"({"tool_choice":7})").error().param, "tool_choice");
}

TEST(ParseBody, RefusesObjectsWithMoreKeysThanAnOrderedOneCanSearch) {
    const auto body_of = [](int num_keys) {
        std::string body = "{";
        for (int i = 0; i < num_keys; ++i)
            body += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
        return body + "}";
    };
    EXPECT_TRUE(parse_body(body_of(2000)));
    EXPECT_FALSE(parse_body(body_of(30'000)));
}

} // namespace vitrine::app
