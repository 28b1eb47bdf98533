// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/endpoint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/endpoint/raw_client.h"
#include "tests/support/scripted_engine.h"

namespace vitrine::app {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class EndpointTest : public ::testing::Test {
protected:
    void SetUp() override {
        config_.port = 0;
        config_.head_deadline = std::chrono::milliseconds(400);
        config_.body_deadline = std::chrono::milliseconds(600);
        config_.idle_deadline = std::chrono::milliseconds(800);
        config_.grace = std::chrono::milliseconds(300);
        start();
    }
    void start() {
        endpoint_.stop();
        const auto started = endpoint_.start(config_);
        ASSERT_TRUE(started.has_value()) << started.error().message;
        model_ = "scripted";
        RawClient client(endpoint_.port());
        client.send("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key_ + "\r\n\r\n");
        const std::string answer = client.read_answer();
        const auto body = nlohmann::ordered_json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
        ASSERT_TRUE(body.is_object()) << answer;
        model_ = body["data"][0]["id"];
    }
    [[nodiscard]] std::string ask(const std::string& bytes) {
        RawClient client(endpoint_.port());
        client.send(bytes);
        return client.read_answer();
    }
    [[nodiscard]] std::string post(
        const std::string& path, const std::string& body, const std::string& extra = {}) const {
        return fmt::format(
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}",
            path, extra, body.size(), body);
    }
    [[nodiscard]] std::string chat(const std::string& more = {}) const {
        return R"({"model":")" + model_ + R"(","messages":[{"role":"user","content":"Say hello"}])" + more + "}";
    }

    testing::ScriptedEngine engine_;
    EndpointConfig config_;
    Endpoint endpoint_{engine_};
    std::string model_;
    std::string key_ = "none";
};

nlohmann::ordered_json body_of(const std::string& answer) {
    return nlohmann::ordered_json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
}

} // namespace

TEST_F(EndpointTest, AnswersAChatWithEveryFieldOfACompletion) {
    engine_.set_answer({{"Hello", " there"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, -1, 1, 0, 1});
    const std::string answer = ask(post("/v1/chat/completions", chat()));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("x-request-id: req_"));
    const auto body = body_of(answer);
    EXPECT_THAT(body["id"].get<std::string>(), StartsWith("chatcmpl-"));
    EXPECT_EQ(body["object"], "chat.completion");
    EXPECT_EQ(body["choices"][0]["message"]["content"], "Hello there");
    EXPECT_EQ(body["choices"][0]["message"]["role"], "assistant");
    EXPECT_EQ(body["choices"][0]["finish_reason"], "stop");
    EXPECT_EQ(body["usage"]["total_tokens"],
        body["usage"]["prompt_tokens"].get<int>() + body["usage"]["completion_tokens"].get<int>());
}

TEST_F(EndpointTest, StreamsFramesThatJoinToTheSameTextAndEndWithDone) {
    engine_.set_answer({{"Gr", "ü", "ße"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, -1, 1, 0, 1});
    RawClient client(endpoint_.port());
    client.send(post("/v1/chat/completions", chat(R"(,"stream":true,"stream_options":{"include_usage":true})")));
    const std::string answer = client.read_until("0\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("Content-Type: text/event-stream"));
    EXPECT_THAT(answer, HasSubstr("data: [DONE]\n\n"));
    std::string text;
    int roles = 0;
    int usages = 0;
    for (std::size_t at = answer.find("data: {"); at != std::string::npos; at = answer.find("data: {", at + 1)) {
        const auto frame =
            nlohmann::ordered_json::parse(answer.substr(at + 6, answer.find("\n\n", at) - at - 6), nullptr, false);
        ASSERT_TRUE(frame.is_object()) << answer.substr(at, 200);
        EXPECT_EQ(frame["object"], "chat.completion.chunk");
        usages += frame["usage"].is_object() ? 1 : 0;
        for (const auto& choice : frame["choices"]) {
            text += choice["delta"].value("content", "");
            roles += choice["delta"].contains("role") ? 1 : 0;
        }
    }
    EXPECT_EQ(text, "Grüße");
    EXPECT_EQ(roles, 1);
    EXPECT_EQ(usages, 1);
}

TEST_F(EndpointTest, RefusesBeforeTheStreamWhenThePromptIsTooLong) {
    testing::ScriptedAnswer answer;
    answer.rejection = Error{ErrorCode::context_length, "The prompt has 300 tokens, the context 256.", "Shorten it."};
    engine_.set_answer(answer);
    const std::string text = ask(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    EXPECT_THAT(text, StartsWith("HTTP/1.1 400"));
    EXPECT_EQ(body_of(text)["error"]["code"], "context_length_exceeded");
}

TEST_F(EndpointTest, SendsAnErrorFrameWithoutDoneWhenTheEngineFailsInAStream) {
    testing::ScriptedAnswer answer;
    answer.pieces = {"a", "b", "c"};
    answer.failure = Error{ErrorCode::device, "The device was lost.", ""};
    answer.fail_after_tokens = 2;
    engine_.set_answer(answer);
    RawClient client(endpoint_.port());
    client.send(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    const std::string text = client.read_until("0\r\n\r\n");
    EXPECT_THAT(text, HasSubstr("The device was lost."));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("[DONE]")));
}

TEST_F(EndpointTest, CancelsWhenTheClientGoesAway) {
    testing::ScriptedAnswer answer;
    answer.pieces = {"a", "b"};
    answer.hang_after_tokens = 1;
    engine_.set_answer(answer);
    for (const char* stream : {"", R"(,"stream":true)"}) {
        RawClient client(endpoint_.port());
        client.send(post("/v1/chat/completions", chat(stream)));
        for (int i = 0; i < 500 && engine_.snapshot()->running == 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(engine_.snapshot()->running, 1);
        client.close();
        for (int i = 0; i < 500 && engine_.snapshot()->running > 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(engine_.snapshot()->running, 0) << stream;
    }
}

TEST_F(EndpointTest, KeepsAConnectionOverManyRequestsAndPipelinedOnes) {
    RawClient client(endpoint_.port());
    for (int i = 0; i < 100; ++i) {
        client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        ASSERT_THAT(client.read_answer(), StartsWith("HTTP/1.1 200")) << i;
    }
    const std::string three = post("/v1/chat/completions", chat()) +
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.send(three);
    const std::string answers = client.read_until("unsupported_endpoint");
    EXPECT_THAT(answers, HasSubstr("chat.completion"));
    EXPECT_THAT(answers, HasSubstr("\"ok\""));
    EXPECT_THAT(answers, HasSubstr("unsupported_endpoint"));
}

TEST_F(EndpointTest, LogsWhatItRefusesAndNotWhatIsPolled) {
    ASSERT_EQ(endpoint_.log(0).size(), 1U) << "start() has asked for the models";
    const std::uint64_t before = endpoint_.log(0).back().number;
    (void)ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(endpoint_.log(before).empty()) << "a probe every second would push all else out";
    (void)ask(post("/v1/chat/completions", R"({"model":"other","messages":[{"role":"user","content":"hi"}]})"));
    (void)ask("GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
    (void)ask(post("/v1/chat/completions", chat()));
    const std::vector<AccessRow> rows = endpoint_.log(before);
    ASSERT_EQ(rows.size(), 3U) << "one row each, also for the one that a job answered";
    EXPECT_EQ(rows[0].status, 404);
    EXPECT_EQ(rows[0].path, "/v1/chat/completions");
    EXPECT_THAT(rows[0].response_text, HasSubstr("other"));
    EXPECT_GE(rows[0].total_s, 0) << "it has ended";
    EXPECT_EQ(rows[1].status, 404);
    EXPECT_EQ(rows[1].path, "/v1/nothing");
    EXPECT_EQ(rows[2].status, 200);
}

TEST_F(EndpointTest, KnowsMethodsAndPaths) {
    EXPECT_THAT(ask("GET /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n\r\n"), HasSubstr("Allow: POST"));
    EXPECT_THAT(ask("GET /no HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 404"));
    const std::string head = ask("HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(head, StartsWith("HTTP/1.1 200"));
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
    EXPECT_THAT(ask("GET //v1//models/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(ask("GET /v1/models/nope HTTP/1.1\r\nHost: localhost\r\n\r\n"), HasSubstr("model_not_found"));
}

TEST_F(EndpointTest, RefusesHostileHeads) {
    std::string many = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
    for (int i = 0; i < 120; ++i)
        many += fmt::format("x-{}: 1\r\n", i);
    EXPECT_THAT(ask(many + "\r\n"), StartsWith("HTTP/1.1 431"));
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\nHost: localhost\r\nx: " + std::string(70'000, 'a') + "\r\n\r\n"),
        StartsWith("HTTP/1.1 431"));
    EXPECT_THAT(
        ask("GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 414"));
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("NONSENSE\r\n\r\n"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/json\r\nTransfer-Encoding: gzip\r\n\r\nx"),
        StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\nHost: evil.com\r\n\r\n"), StartsWith("HTTP/1.1 403"));
    const std::string alive = ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(alive, StartsWith("HTTP/1.1 200"));
}

TEST_F(EndpointTest, RefusesFoldedLinesAndWhatIsNoHttpWithoutWaiting) {
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\nHost: localhost\r\nx: a\r\n b\r\n\r\n"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask(std::string("\x16\x03\x01\x02", 4)), StartsWith("HTTP/1.1 400"));
    RawClient slow(endpoint_.port()); // an end that comes byte by byte
    const std::string request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (const char c : request)
        slow.send(std::string(1, c));
    EXPECT_THAT(slow.read_answer(), StartsWith("HTTP/1.1 200"));
}

TEST_F(EndpointTest, BoundsBodiesBothWaysAndDoesNotTakeARefusedBodyForARequest) {
    config_.max_body_bytes = 1000;
    start();
    EXPECT_THAT(ask(post("/v1/chat/completions", std::string(2000, ' '))), StartsWith("HTTP/1.1 413"));
    EXPECT_THAT(ask("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/json\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" +
                    std::string(2000, ' ') + "\r\n0\r\n\r\n"),
        StartsWith("HTTP/1.1 413"));
    RawClient client(endpoint_.port());
    const std::string inner = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.send(fmt::format(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: evil.com\r\nContent-Length: {}\r\n\r\n{}", inner.size(), inner));
    EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 403"));
    client.send("GET /no HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 404"));
}

TEST_F(EndpointTest, ClosesSlowHeadsAndIdleConnectionsAtAnAbsoluteDeadline) {
    RawClient slow(endpoint_.port());
    for (int i = 0; i < 12; ++i) { // a byte now and then must not restart the deadline
        slow.send("G");
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
    (void)slow.read_until("never", 2000);
    EXPECT_TRUE(slow.peer_closed());
    RawClient idle(endpoint_.port());
    (void)idle.read_until("never", 3000);
    EXPECT_TRUE(idle.peer_closed());
}

TEST_F(EndpointTest, AnswersAPreflightOfAnAllowedOriginOnly) {
    config_.origins = {"http://localhost:*"};
    config_.keys = {"secret"};
    key_ = "secret";
    start();
    const std::string good =
        ask("OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\n"
            "Access-Control-Request-Headers: authorization, x-stainless-os\r\n\r\n");
    EXPECT_THAT(good, StartsWith("HTTP/1.1 204"));
    EXPECT_THAT(good, HasSubstr("Access-Control-Allow-Origin: http://localhost:3000"));
    EXPECT_THAT(good, HasSubstr("Access-Control-Allow-Headers: authorization, x-stainless-os"));
    const std::string bad =
        ask("OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.com\r\n\r\n");
    EXPECT_THAT(bad, StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(bad, ::testing::Not(HasSubstr("Access-Control-Allow-Origin")));
    EXPECT_THAT(ask(post("/v1/chat/completions", chat())), StartsWith("HTTP/1.1 401"));
    EXPECT_THAT(ask(post("/v1/chat/completions", chat(), "x-api-key: secret\r\n")), StartsWith("HTTP/1.1 200"));
}

TEST_F(EndpointTest, SaysThatAPortIsTakenAndRestartsInOneProcess) {
    Endpoint second(engine_);
    EndpointConfig config = config_;
    config.port = endpoint_.port();
    const auto refused = second.start(config);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, HasSubstr(std::to_string(config.port)));
    endpoint_.stop();
    EXPECT_TRUE(second.start(config).has_value());
}

TEST_F(EndpointTest, DemandsAKeyBeyondLoopback) {
    Endpoint open(engine_);
    EndpointConfig config;
    config.port = 0;
    config.host = "0.0.0.0";
    EXPECT_FALSE(open.start(config).has_value());
    config.keys = {"k"};
    EXPECT_TRUE(open.start(config).has_value());
}

TEST_F(EndpointTest, StopsWhileAStreamHangs) {
    testing::ScriptedAnswer answer;
    answer.pieces = {"a"};
    answer.hang_after_tokens = 1;
    engine_.set_answer(answer);
    RawClient client(endpoint_.port());
    client.send(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    (void)client.read_until("\"a\"");
    endpoint_.stop();
    EXPECT_FALSE(endpoint_.running());
    for (int i = 0; i < 500 && engine_.snapshot()->running > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(engine_.snapshot()->running, 0);
}

TEST_F(EndpointTest, EndsStreamsWithAnErrorFrameAndAnswersTheOthersWhenItStops) {
    engine_.set_answer({{"a", "b"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, 1, 1, 0, 1}); // hangs after a
    RawClient stream(endpoint_.port());
    stream.send(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    RawClient plain(endpoint_.port());
    plain.send(post("/v1/chat/completions", chat()));
    EXPECT_THAT(stream.read_until("\"content\":\"a\""), HasSubstr("200 OK"));
    endpoint_.stop();
    const std::string rest = stream.read_until("");
    EXPECT_THAT(rest, HasSubstr("server_stopping"));
    EXPECT_EQ(rest.find("[DONE]"), std::string::npos);
    EXPECT_THAT(plain.read_until(""), StartsWith("HTTP/1.1 503"));
}

TEST_F(EndpointTest, SendsCommentsWhileAStreamIsSilent) {
    config_.heartbeat = std::chrono::milliseconds(30);
    start();
    engine_.set_answer({{"a", "b"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, 0, 1, 0, 1}); // hangs in prefill
    RawClient openai(endpoint_.port());
    openai.send(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    EXPECT_THAT(openai.read_until(":\n\n"), HasSubstr("text/event-stream"));
    EXPECT_THAT(openai.read_until(":\n\n"), ::testing::Not(HasSubstr("ping")));
    RawClient anthropic(endpoint_.port());
    anthropic.send(post("/v1/messages", chat(R"(,"stream":true,"max_tokens":5)")));
    EXPECT_THAT(anthropic.read_until("event: ping"), HasSubstr("event: message_start"));
}

TEST_F(EndpointTest, TellsConnectionsBeyondTheCapSoAndStillAnswersHealth) {
    config_.max_connections = 2;
    start();
    engine_.set_answer({{"a"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, 0, 1, 0, 1}); // hangs
    RawClient first(endpoint_.port());
    RawClient second(endpoint_.port());
    first.send(post("/v1/chat/completions", chat()));
    second.send(post("/v1/chat/completions", chat()));
    for (int i = 0; i < 200 && engine_.requests().size() < 2; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string refused = ask(post("/v1/chat/completions", chat()));
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 429"));
    EXPECT_THAT(refused, HasSubstr("Retry-After: 1"));
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(EndpointTest, AnswersAQueueBeyondItsCapWith429InEveryDialect) {
    config_.max_waiting = -255; // of 256 that may run: one
    start();
    engine_.set_answer({{"a"}, {}, {}, engine::FinishReason::stop, {}, {}, 0, 0, 1, 0, 1}); // hangs
    RawClient running(endpoint_.port());
    running.send(post("/v1/chat/completions", chat()));
    for (int i = 0; i < 200 && engine_.requests().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string refused = ask(post("/v1/chat/completions", chat()));
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 429"));
    EXPECT_THAT(refused, HasSubstr("Retry-After: "));
    EXPECT_EQ(body_of(ask(post("/v1/messages", chat())))["error"]["type"], "rate_limit_error");
    EXPECT_TRUE(body_of(ask(post("/api/chat", chat())))["error"].is_string());
}

TEST_F(EndpointTest, BoundsAllBodiesTogether) {
    config_.max_bodies_bytes = 100'000;
    start();
    const std::string head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                             "Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n";
    RawClient holder(endpoint_.port());
    holder.send(head + std::string(80'000, ' '));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_THAT(ask(head + std::string(90'000, ' ')), StartsWith("HTTP/1.1 503"));
    holder.close();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_THAT(ask(head + std::string(90'000, ' ')), StartsWith("HTTP/1.1 400")); // read, and no JSON
}

TEST_F(EndpointTest, CancelsForAReaderThatNeverReads) {
    std::vector<std::string> pieces(4000, std::string(4000, 'x'));
    engine_.set_answer({pieces, {}, {}, engine::FinishReason::stop, {}, {}, 0, -1, 1, 0, 50});
    RawClient client(endpoint_.port());
    client.send(post("/v1/chat/completions", chat(R"(,"stream":true)")));
    for (int i = 0; i < 500 && engine_.cancelled().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(engine_.cancelled().empty());
    EXPECT_THAT(ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

} // namespace vitrine::app
