// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and answers of the dialects beside OpenAI's chat, without a server.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/endpoint/anthropic/messages_format.h"
#include "app/endpoint/anthropic/messages_request.h"
#include "app/endpoint/ollama/ollama_format.h"
#include "app/endpoint/ollama/ollama_request.h"
#include "app/endpoint/openai/completion_format.h"
#include "app/endpoint/openai/responses_format.h"
#include "app/endpoint/openai/responses_request.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

/// Reasoning, text and two calls, then the end.
std::vector<ChoiceOutput> pieces() {
    std::vector<ChoiceOutput> all(5);
    all[0].reasoning = "Hm";
    all[1].reasoning = "m.";
    all[1].text = "I look.";
    all[2].tool_parts = {{0, 0, "call_a", "f", R"({"x")"}};
    all[3].tool_parts = {{0, 0, "", "", ":1}"}, {0, 1, "call_b", "g", "{}"}};
    all[3].tool_calls = {{0, "call_a", "f", R"({"x":1})"}, {1, "call_b", "g", "{}"}};
    all[4].finished = true;
    all[4].reason = engine::FinishReason::tool_calls;
    return all;
}

ChoiceOutput whole() {
    ChoiceOutput all;
    for (ChoiceOutput& piece : pieces()) {
        all.text += piece.text;
        all.reasoning += piece.reasoning;
        all.tool_calls.insert(all.tool_calls.end(), piece.tool_calls.begin(), piece.tool_calls.end());
        all.reason = piece.reason;
    }
    all.tool_parts = {{0, 0, "call_a", "f", R"({"x":1})"}, {0, 1, "call_b", "g", "{}"}};
    all.finished = true;
    return all;
}

std::vector<Json> data_of(const std::string& stream) {
    std::vector<Json> events;
    for (std::size_t at = stream.find("data: "); at != std::string::npos; at = stream.find("data: ", at)) {
        at += 6;
        if (stream.compare(at, 6, "[DONE]") == 0)
            break;
        events.push_back(Json::parse(stream.substr(at, stream.find("\n\n", at) - at)));
    }
    return events;
}

std::string streamed(AnswerFormat& format) {
    std::string out = format.begin(7);
    bool first = true;
    for (ChoiceOutput& piece : pieces())
        out += format.frames(0, piece, std::exchange(first, false));
    AnswerSummary summary;
    summary.usage.prompt_tokens = 7;
    summary.usage.cached_tokens = 4;
    summary.usage.output_tokens = 9;
    return out + format.end(summary);
}

std::vector<std::string> types_of(const std::vector<Json>& events) {
    std::vector<std::string> types;
    for (const Json& event : events)
        types.push_back(event["type"]);
    return types;
}

std::string refused(const tl::expected<Json, ApiError>& translated) {
    return translated ? "" : translated.error().param;
}

} // namespace

TEST(MessagesFormat, BuildsBlocksWithoutGapsAndClosesEachBeforeTheNext) {
    MessagesFormat format("m");
    const auto events = data_of(streamed(format));
    EXPECT_EQ(types_of(events),
        (std::vector<std::string>{"message_start", "content_block_start", "content_block_delta", "content_block_delta",
            "content_block_delta", "content_block_stop", "content_block_start", "content_block_delta",
            "content_block_stop", "content_block_start", "content_block_delta", "content_block_delta",
            "content_block_stop", "content_block_start", "content_block_delta", "content_block_stop", "message_delta",
            "message_stop"}));
    EXPECT_EQ(events[4]["delta"]["type"], "signature_delta");
    EXPECT_EQ(events[9]["content_block"]["input"], Json::object());
    EXPECT_EQ(events[10]["delta"]["partial_json"], R"({"x")");
    EXPECT_EQ(events[11]["delta"]["partial_json"], ":1}");
    EXPECT_EQ(events[13]["index"], 3);
    EXPECT_EQ(events[16]["delta"]["stop_reason"], "tool_use");
    EXPECT_EQ(events[16]["usage"]["input_tokens"], 3); // without what was cached
    EXPECT_EQ(events[16]["usage"]["cache_read_input_tokens"], 4);
}

TEST(MessagesFormat, GivesTheSameBlocksWithoutAStream) {
    const Json body = MessagesFormat("m").body({whole()}, {});
    ASSERT_EQ(body["content"].size(), 4U);
    EXPECT_EQ(body["content"][0]["thinking"], "Hmm.");
    EXPECT_EQ(body["content"][2]["input"]["x"], 1);
    EXPECT_EQ(body["stop_reason"], "tool_use");
    ChoiceOutput stopped;
    stopped.stop_text = "END";
    EXPECT_EQ(MessagesFormat("m").body({stopped}, {})["stop_sequence"], "END");
}

TEST(ResponsesFormat, NumbersEveryEventAndItem) {
    ResponsesFormat format({{"model", "m"}}, "m");
    const auto events = data_of(streamed(format));
    for (std::size_t i = 0; i < events.size(); ++i)
        EXPECT_EQ(events[i]["sequence_number"], i);
    const Json& response = events.back()["response"];
    EXPECT_EQ(events.back()["type"], "response.completed");
    ASSERT_EQ(response["output"].size(), 4U);
    EXPECT_EQ(response["output"][0]["type"], "reasoning");
    EXPECT_EQ(response["output"][1]["content"][0]["text"], "I look.");
    EXPECT_EQ(response["output"][3]["call_id"], "call_b");
    for (const Json& event : events) {
        if (event["type"] == "response.output_item.done") {
            EXPECT_EQ(event["item"], response["output"][event["output_index"].get<std::size_t>()]);
        }
    }
    EXPECT_EQ(response["output"][2]["arguments"], R"({"x":1})");
    EXPECT_EQ(response["output"][2]["status"], "completed");
    std::string arguments;
    for (const Json& event : events)
        if (event["type"] == "response.function_call_arguments.delta" && event["output_index"] == 2)
            arguments += event["delta"].get<std::string>() + "|";
    EXPECT_EQ(arguments, R"({"x"|:1}|)");
    EXPECT_EQ(response["usage"]["input_tokens_details"]["cached_tokens"], 4);
}

// A call that was cut short: its arguments are no JSON, so nobody can take them for whole.
TEST(Formats, SayThatACallWasCutShort) {
    ChoiceOutput cut;
    cut.tool_parts = {{0, 0, "call_a", "f", R"({"x": "half)"}};
    cut.finished = true;
    cut.reason = engine::FinishReason::length;
    const Json response = ResponsesFormat({{"model", "m"}}, "m").body({cut}, {});
    EXPECT_EQ(response["output"][0]["status"], "incomplete");
    EXPECT_EQ(response["output"][0]["arguments"], R"({"x": "half)");
    const Json message = MessagesFormat("m").body({cut}, {});
    EXPECT_EQ(message["stop_reason"], "max_tokens");
    EXPECT_EQ(message["content"][0]["type"], "text"); // an input must be an object: the half call is left out
    EXPECT_FALSE(OllamaFormat(OllamaFormat::Kind::chat, "m").body({cut}, {})["message"].contains("tool_calls"));
}

TEST(CompletionFormat, GivesACallsNameOnceAndItsArgumentsAsTheyCome) {
    CompletionPlan plan;
    plan.requests.resize(1);
    CompletionFormat format(plan, {"chatcmpl-x", 1, "m"});
    std::vector<Json> calls;
    for (const Json& frame : data_of(streamed(format)))
        for (const Json& call : frame["choices"][0]["delta"].value("tool_calls", Json::array()))
            calls.push_back(call);
    ASSERT_EQ(calls.size(), 5U);
    EXPECT_EQ(calls[0]["function"]["name"], "f");
    EXPECT_EQ(calls[0]["id"], "call_a");
    EXPECT_EQ(calls[0]["function"]["arguments"], "");
    for (const std::size_t later : {1U, 2U, 4U}) {
        EXPECT_FALSE(calls[later].contains("id"));
        EXPECT_FALSE(calls[later].contains("type"));
        EXPECT_FALSE(calls[later]["function"].contains("name"));
    }
    EXPECT_EQ(calls[1]["function"]["arguments"], R"({"x")");
    EXPECT_EQ(calls[2]["function"]["arguments"], ":1}");
    EXPECT_EQ(calls[2]["index"], 0);
    EXPECT_EQ(calls[4]["index"], 1);
}

TEST(ResponsesFormat, SaysFailedAndIncomplete) {
    ResponsesFormat format({{"model", "m"}}, "m");
    static_cast<void>(format.begin(1));
    const auto failed = data_of(format.error_frame(server_stopping()));
    EXPECT_EQ(failed[0]["type"], "response.failed");
    EXPECT_EQ(failed[0]["response"]["error"]["code"], "server_stopping");
    ChoiceOutput cut;
    cut.text = "a";
    cut.finished = true;
    cut.reason = engine::FinishReason::length;
    const Json body = ResponsesFormat({{"model", "m"}}, "m").body({cut}, {});
    EXPECT_EQ(body["status"], "incomplete");
    EXPECT_EQ(body["output"][0]["status"], "incomplete");
}

TEST(OllamaFormat, WritesOneObjectALine) {
    OllamaFormat format(OllamaFormat::Kind::chat, "m");
    const std::string stream = streamed(format);
    std::vector<Json> lines;
    for (std::size_t at = 0; at < stream.size(); at = stream.find('\n', at) + 1)
        lines.push_back(Json::parse(stream.substr(at, stream.find('\n', at) - at)));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[2]["message"]["tool_calls"][0]["function"]["arguments"]["x"], 1);
    EXPECT_EQ(lines[3]["done_reason"], "stop");
    EXPECT_EQ(lines[3]["eval_count"], 9);
}

TEST(ResponsesRequest, TurnsItemsIntoMessages) {
    const auto chat = chat_from_responses(Json::parse(R"({"model":"m","instructions":"S","max_output_tokens":5,
        "input":[{"role":"user","content":[{"type":"input_text","text":"Q"}]},
            {"type":"reasoning","summary":[{"type":"summary_text","text":"R"}]},
            {"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},
            {"type":"function_call","call_id":"c2","name":"g","arguments":"{}"},
            {"type":"function_call_output","call_id":"c1","output":"O"}],
        "tools":[{"type":"function","name":"f","parameters":{}},{"type":"web_search"}],
        "tool_choice":{"type":"function","name":"f"},
        "text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}})"));
    ASSERT_TRUE(chat) << chat.error().message;
    const Json& messages = (*chat)["messages"];
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(messages[0]["role"], "system");
    EXPECT_EQ(messages[2]["tool_calls"].size(), 2U);
    EXPECT_EQ(messages[2]["reasoning_content"], "R");
    EXPECT_EQ(messages[3]["tool_call_id"], "c1");
    EXPECT_EQ((*chat)["tools"].size(), 1U);
    EXPECT_EQ((*chat)["tool_choice"]["function"]["name"], "f");
    EXPECT_EQ((*chat)["response_format"]["json_schema"]["schema"]["type"], "object");
    EXPECT_EQ((*chat)["max_completion_tokens"], 5);
}

TEST(ResponsesRequest, NamesWhatItRefuses) {
    EXPECT_EQ(refused(chat_from_responses(Json::parse(R"({"input":"a","previous_response_id":"r"})"))),
        "previous_response_id");
    EXPECT_EQ(refused(chat_from_responses(Json::parse(R"({})"))), "input");
    EXPECT_EQ(refused(chat_from_responses(Json::parse(R"({"input":[7]})"))), "input[0]");
    EXPECT_EQ(refused(chat_from_responses(Json::parse(R"({"input":[{"type":"function_call"}]})"))), "input[0]");
    EXPECT_EQ(refused(chat_from_responses(Json::parse(R"({"input":"a","tools":{}})"))), "tools");
}

TEST(MessagesRequest, TurnsBlocksIntoMessages) {
    const auto chat = chat_from_messages(Json::parse(R"({"model":"m","max_tokens":9,"stop_sequences":["x"],
        "system":[{"type":"text","text":"x-anthropic-billing-header: cch=1"},{"type":"text","text":"S"}],
        "messages":[{"role":"user","content":"Q"},
            {"role":"assistant","content":[{"type":"thinking","thinking":"T","signature":""},{"type":"text","text":"A"},
                {"type":"tool_use","id":"t1","name":"f","input":{"a":[1]}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"},
                {"type":"text","text":"again"}]}],
        "tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"w"}],
        "tool_choice":{"type":"any","disable_parallel_tool_use":true}})"),
        true);
    ASSERT_TRUE(chat) << chat.error().message;
    const Json& messages = (*chat)["messages"];
    ASSERT_EQ(messages.size(), 5U);
    EXPECT_EQ(messages[0]["content"], "S");
    EXPECT_EQ(messages[2]["reasoning_content"], "T");
    EXPECT_EQ(messages[2]["tool_calls"][0]["function"]["arguments"], R"({"a":[1]})");
    EXPECT_EQ(messages[3]["content"], "Error: no");
    EXPECT_EQ(messages[4]["content"][0]["text"], "again");
    EXPECT_EQ((*chat)["tools"].size(), 1U);
    EXPECT_EQ((*chat)["tool_choice"], "required");
    EXPECT_EQ((*chat)["parallel_tool_calls"], false);
    EXPECT_EQ((*chat)["stop"][0], "x");
}

TEST(MessagesRequest, NamesWhatItRefuses) {
    const auto refusal = [](const char* change) {
        Json body = {{"model", "m"}, {"max_tokens", 1}, {"messages", {{{"role", "user"}, {"content", "Q"}}}}};
        body.merge_patch(Json::parse(change));
        return refused(chat_from_messages(body, true));
    };
    EXPECT_EQ(refusal(R"({"max_tokens":null})"), "max_tokens");
    EXPECT_EQ(refusal(R"({"max_tokens":0})"), "max_tokens");
    EXPECT_EQ(refusal(R"({"messages":[]})"), "messages");
    EXPECT_EQ(refusal(R"({"messages":[{"role":"system","content":"x"}]})"), "messages[0].role");
    EXPECT_EQ(refusal(R"({"messages":[{"role":"user","content":[{"type":"image"}]}]})"), "messages[0].content[0]");
    EXPECT_EQ(refusal(R"({"tool_choice":{"type":"never"}})"), "tool_choice.type");
    EXPECT_EQ(refusal(R"({"thinking":{"type":"maybe"}})"), "thinking.type");
}

TEST(OllamaRequest, ReadsOptionsFormatAndCalls) {
    const auto chat = chat_from_ollama_chat(Json::parse(R"({"model":"m","options":{"num_predict":-1,"stop":[],"seed":3},
        "format":"json","think":false,"messages":[{"role":"user","content":"Q"},
            {"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},
            {"role":"tool","content":"R","tool_name":"f"}]})"));
    ASSERT_TRUE(chat) << chat.error().message;
    EXPECT_EQ((*chat)["stream"], true);
    EXPECT_FALSE(chat->contains("max_tokens"));
    EXPECT_FALSE(chat->contains("stop"));
    EXPECT_EQ((*chat)["response_format"]["type"], "json_object");
    EXPECT_EQ((*chat)["reasoning_effort"], "none");
    EXPECT_EQ((*chat)["messages"][1]["tool_calls"][0]["id"], (*chat)["messages"][2]["tool_call_id"]);
    EXPECT_EQ(refused(chat_from_ollama_chat(Json::parse(R"({"messages":[{"role":"user","images":["x"]}]})"))),
        "messages[0].images");
}

TEST(OllamaRequest, ReadsDurations) {
    const auto keep = [](const Json& value) { return read_keep_alive({{"keep_alive", value}}); };
    EXPECT_EQ(keep("1h30m")->value().count(), 5'400'000);
    EXPECT_EQ(keep("300ms")->value().count(), 300);
    EXPECT_EQ(keep(0)->value().count(), 0);
    EXPECT_EQ(keep("-1")->value().count(), -1);
    EXPECT_EQ(keep(1e300)->value().count(), 1'000'000'000'000);
    EXPECT_FALSE(read_keep_alive(Json::object())->has_value());
    for (const Json& bad : {Json("5x"), Json("m"), Json("inf"), Json(true), Json("1h m")})
        EXPECT_FALSE(keep(bad)) << bad;
}

TEST(Dialect, ShapesErrorsByThePath) {
    EXPECT_EQ(dialect_of("/v1/messages/count_tokens"), Dialect::anthropic);
    EXPECT_EQ(dialect_of("/v1/messagesx"), Dialect::openai);
    EXPECT_EQ(dialect_of("/api/chat"), Dialect::ollama);
    const HttpResponse overloaded = error_response(server_stopping(), Dialect::anthropic, "req_1");
    EXPECT_EQ(overloaded.status, 529);
    EXPECT_EQ(Json::parse(overloaded.body)["error"]["type"], "overloaded_error");
    EXPECT_EQ(Json::parse(overloaded.body)["request_id"], "req_1");
    EXPECT_TRUE(Json::parse(error_response(server_stopping(), Dialect::ollama, "").body)["error"].is_string());
}

} // namespace vitrine::app
