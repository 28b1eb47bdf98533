// SPDX-License-Identifier: GPL-3.0-or-later
// llama-server's and Mistral's routes, caches apart by key and salt, and the bound of the log.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/endpoint/access_log.h"
#include "app/endpoint/endpoint.h"
#include "tests/app/endpoint/raw_client.h"
#include "tests/support/scripted_engine.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class NativeRoutesTest : public ::testing::Test {
protected:
    void start(std::vector<std::string> keys = {}) {
        EndpointConfig config;
        config.port = 0;
        config.keys = std::move(keys);
        config.grace = std::chrono::milliseconds(300);
        ASSERT_TRUE(endpoint_.start(config));
        testing::ScriptedAnswer answer;
        answer.pieces = {"to", " be"};
        engine_.set_answer(answer);
    }
    std::string post(const std::string& path, const Json& body, const std::string& key = "none") {
        const std::string text = body.dump();
        RawClient client(endpoint_.port());
        client.send(fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                "Authorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{}",
            path, key, text.size(), text));
        return body.value("stream", Json(false)) == true ? client.read_until("0\r\n\r\n") : client.read_answer();
    }
    std::string model() {
        RawClient client(endpoint_.port());
        client.send("GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return body_of(client.read_answer())["data"][0]["id"];
    }
    static Json body_of(const std::string& answer) {
        return Json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
    }

    testing::ScriptedEngine engine_;
    Endpoint endpoint_{engine_};
};

} // namespace

TEST_F(NativeRoutesTest, AnswersACompletionAsLlamaServerDoes) {
    start();
    const Json whole = body_of(post("/completion", {{"prompt", "Or not"}, {"n_predict", 9}, {"stop", {"x"}}}));
    EXPECT_EQ(whole["content"], "to be");
    EXPECT_EQ(whole["stop"], true);
    EXPECT_EQ(whole["stop_type"], "eos");
    EXPECT_EQ(whole["tokens_predicted"], 2);
    const auto request = engine_.requests().back();
    EXPECT_EQ(request.stop.max_tokens, 9);
    EXPECT_EQ(request.stop.stop, std::vector<std::string>{"x"});
    EXPECT_EQ(request.sampling.top_k, 40);
    EXPECT_FALSE(request.sampling.seed); // absent, or -1
    const std::string stream = post("/completion", {{"prompt", "Or not"}, {"stream", true}, {"seed", -1}});
    EXPECT_THAT(stream, HasSubstr(R"("content":"to)")); // both words at once where the client is slow
    EXPECT_THAT(stream, HasSubstr(R"("stop":true)"));
    EXPECT_THAT(stream, Not(HasSubstr("[DONE]")));
    EXPECT_FALSE(engine_.requests().back().sampling.seed);
    EXPECT_EQ(body_of(post("/completion", {{"n_predict", 1}}))["error"]["param"], "prompt");
    EXPECT_EQ(body_of(post("/completion", {{"prompt", {1, "a", Json::object()}}}))["error"]["param"], "prompt[2]");
    EXPECT_EQ(body_of(post("/completion", {{"prompt", {"a", "b"}}})).size(), 2U);
}

TEST_F(NativeRoutesTest, FillsInTheMiddle) {
    start();
    const Json body = {{"input_prefix", "int f("}, {"input_suffix", ")"}, {"prompt", "int"},
        {"input_extra", {{{"filename", "a.h"}, {"text", "struct A;"}}}}};
    EXPECT_EQ(body_of(post("/infill", body))["content"], "to be");
    const auto prompt = std::get<engine::TokenPrompt>(engine_.requests().back().prompt);
    EXPECT_EQ(
        engine_.text_model()->detokenize(prompt.ids, true), "<PRE> --- a.h ---\nstruct A;\n\nint f( <SUF> ) <MID>int");
    const Json fim = body_of(post("/v1/fim/completions", {{"model", model()}, {"prompt", "a"}, {"suffix", "b"}}));
    EXPECT_EQ(fim["choices"][0]["message"]["content"], "to be");
    EXPECT_EQ(fim["object"], "chat.completion");
}

TEST_F(NativeRoutesTest, NeverSharesACacheBetweenKeysOrSalts) {
    start({"anna", "bert"});
    const Json chat = {{"prompt", "same"}};
    const auto salt = [&](const Json& more, const std::string& key) {
        Json body = chat;
        body.update(more);
        EXPECT_THAT(post("/completion", body, key), StartsWith("HTTP/1.1 200"));
        return engine_.requests().back().cache_salt;
    };
    const std::string anna = salt(Json::object(), "anna");
    EXPECT_EQ(salt(Json::object(), "anna"), anna);
    EXPECT_NE(salt(Json::object(), "bert"), anna);
    EXPECT_NE(salt({{"cache_salt", "tenant"}}, "anna"), anna);
    EXPECT_NE(salt({{"cache_salt", "tenant"}}, "anna"), salt({{"cache_salt", "tenant"}}, "bert"));
    EXPECT_THAT(anna, Not(HasSubstr("anna"))); // no key in a snapshot or a log
    EXPECT_EQ(
        body_of(post("/completion", {{"prompt", "x"}, {"cache_salt", 5}}, "anna"))["error"]["param"], "cache_salt");
}

TEST(AccessLogTest, CutsEveryTextBehindAWholeLetter) {
    AccessLog log;
    std::string long_text = "x"; // so that 64 KiB end inside a letter of two bytes
    while (long_text.size() <= AccessLog::kMaxTextBytes)
        long_text += "\xC3\xA4";
    AccessRow row;
    row.request_body = long_text;
    const auto number = log.add(row);
    log.update(number, [&](AccessRow& one) { one.prompt_text = one.response_text = long_text; });
    const AccessRow kept = log.rows_after(0).front();
    const std::string wanted = long_text.substr(0, AccessLog::kMaxTextBytes - 1);
    EXPECT_TRUE(kept.request_body == wanted && kept.prompt_text == wanted && kept.response_text == wanted);
}

TEST(AccessLogTest, DropsTheTextsOfOldRowsWhenTheyAreTooMuchTogether) {
    AccessLog log;
    AccessRow row;
    row.request_body = std::string(2 * AccessLog::kMaxTextBytes, 'b');
    for (int i = 0; i < 600; ++i) {
        const std::uint64_t number = log.add(row);
        log.update(number, [](AccessRow& one) { one.response_text = std::string(AccessLog::kMaxTextBytes, 'r'); });
    }
    std::size_t bytes = 0;
    const auto rows = log.rows_after(0);
    ASSERT_EQ(rows.size(), 600U);
    for (const AccessRow& one : rows)
        bytes += one.request_body.size() + one.response_text.size();
    EXPECT_LE(bytes, AccessLog::kMaxAllTextBytes);
    EXPECT_GT(bytes, AccessLog::kMaxAllTextBytes / 2);
    EXPECT_TRUE(rows.front().request_body.empty());
    EXPECT_EQ(rows.back().request_body.size(), AccessLog::kMaxTextBytes);
}

} // namespace vitrine::app
