// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remote/chat_wire.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

using namespace ui;

Request chatRequest() {
    Request request;
    ChatPrompt prompt;
    prompt.messages_json = R"([{"role":"user","content":"Hi \"日本\""}])";
    request.prompt = std::move(prompt);
    return request;
}

QJsonObject bodyOf(const Request& request, ServerKind kind) {
    const auto body = chatBody(request, kind, QStringLiteral("m"));
    EXPECT_TRUE(body.has_value()) << (body ? "" : body.error().message);
    return body ? QJsonDocument::fromJson(*body).object() : QJsonObject();
}

TEST(ChatWire, SendsWhatWasSetAndNothingElse) {
    Request request = chatRequest();
    request.sampling.temperature = 0.7F;
    QJsonObject body = bodyOf(request, ServerKind::vllm);
    EXPECT_EQ(body.value("model").toString(), "m");
    EXPECT_EQ(body.value("messages").toArray().first().toObject().value("content").toString(), "Hi \"日本\"");
    EXPECT_TRUE(body.value("stream").toBool());
    EXPECT_TRUE(body.value("stream_options").toObject().value("include_usage").toBool());
    EXPECT_EQ(body.value("temperature").toDouble(), 0.7);
    for (const char* absent : {"top_k", "min_p", "repetition_penalty", "repeat_penalty", "seed", "max_tokens", "stop",
             "logprobs", "continue_final_message"})
        EXPECT_FALSE(body.contains(absent)) << absent;
    request.sampling.top_k = 40;
    request.sampling.repetition_penalty = 1.1F;
    request.stop.max_tokens = 20;
    request.num_logprobs = 4;
    body = bodyOf(request, ServerKind::llamaCpp);
    EXPECT_EQ(body.value("top_k").toInt(), 40);
    EXPECT_EQ(body.value("repeat_penalty").toDouble(), 1.1);
    EXPECT_FALSE(body.contains("repetition_penalty"));
    EXPECT_EQ(body.value("max_tokens").toInt(), 20);
    EXPECT_EQ(body.value("top_logprobs").toInt(), 4);
}

TEST(ChatWire, ContinuesWhereTheServerCan) {
    Request request = chatRequest();
    std::get<ChatPrompt>(request.prompt).add_generation_prompt = false;
    EXPECT_TRUE(bodyOf(request, ServerKind::vllm).value("continue_final_message").toBool());
    EXPECT_FALSE(bodyOf(request, ServerKind::vllm).value("add_generation_prompt").toBool(true));
    EXPECT_FALSE(bodyOf(request, ServerKind::vitrine).contains("continue_final_message"));
    EXPECT_FALSE(chatBody(request, ServerKind::unknown, "m").has_value());
}

TEST(ChatWire, RefusesWhatHasNoForm) {
    Request request = chatRequest();
    request.prompt = engine::TokenPrompt{{1, 2}};
    EXPECT_FALSE(chatBody(request, ServerKind::vllm, "m").has_value());
}

TEST(ChatWire, ReadsTextReasoningUsageAndEnd) {
    ChatChunk chunk = parseChatChunk({},
        R"({"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm"},"finish_reason":null}]})", "S");
    EXPECT_EQ(chunk.reasoning, "hm");
    EXPECT_FALSE(chunk.finish);
    chunk = parseChatChunk({}, R"({"choices":[{"delta":{"reasoning":"newer name","content":null}}]})", "S");
    EXPECT_EQ(chunk.reasoning, "newer name");
    chunk = parseChatChunk({}, R"({"choices":[{"delta":{"content":"日本"},"finish_reason":"length"}]})", "S");
    EXPECT_EQ(chunk.text, "日本");
    EXPECT_EQ(chunk.finish, FinishReason::length);
    chunk = parseChatChunk({},
        R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":5},)"
        R"("completion_tokens_details":{"reasoning_tokens":2}}})",
        "S");
    ASSERT_TRUE(chunk.usage);
    EXPECT_EQ(chunk.usage->prompt_tokens, 7);
    EXPECT_EQ(chunk.usage->cached_tokens, 5);
    EXPECT_EQ(chunk.usage->reasoning_tokens, 2);
    EXPECT_FALSE(parseChatChunk({}, R"({"choices":[],"usage":null})", "S").usage);
    EXPECT_TRUE(parseChatChunk({}, " [DONE] ", "S").isLast);
}

TEST(ChatWire, ReadsLogprobsByBytes) {
    const ChatChunk chunk = parseChatChunk({},
        R"({"choices":[{"delta":{"content":"é"},"logprobs":{"content":[{"token":"\u00c3","bytes":[195,169],"logprob":-0.5,)"
        R"("top_logprobs":[{"token":"e","bytes":null,"logprob":-1.5}]}]}}]})",
        "S");
    ASSERT_EQ(chunk.logprobs.size(), 1U);
    EXPECT_EQ(chunk.logprobs[0].bytes, "é");
    EXPECT_EQ(chunk.logprobs[0].top_bytes.at(0), "e");
    EXPECT_FLOAT_EQ(chunk.logprobs[0].top.at(0).second, -1.5F);
}

TEST(ChatWire, TellsEveryFormOfFailure) {
    const QByteArray forms[] = {R"({"error":{"message":"out of memory","code":500}})", R"({"error":"out of memory"})",
        R"({"object":"error","message":"out of memory","code":500})"};
    for (const QByteArray& form : forms) {
        const ChatChunk chunk = parseChatChunk({}, form, "S");
        ASSERT_TRUE(chunk.error) << form.toStdString();
        EXPECT_EQ(chunk.error->message, "S ended the answer: out of memory");
    }
    EXPECT_TRUE(parseChatChunk("error", R"({"message":"x"})", "S").error);
    EXPECT_TRUE(parseChatChunk({}, "{\"choices\":[", "S").error);
    EXPECT_TRUE(parseChatChunk({}, "\xFF\xFE", "S").error);
    EXPECT_TRUE(parseChatChunk({}, "[]", "S").error);
}

TEST(ChatWire, FindsTheSentenceInABody) {
    EXPECT_EQ(messageOfBody(R"({"detail":"Not Found"})"), "Not Found");
    EXPECT_EQ(messageOfBody(R"({"detail":[{"loc":["body","n"],"msg":"field required"}]})"), "field required");
    EXPECT_EQ(messageOfBody("Internal Server Error"), "Internal Server Error");
    EXPECT_EQ(messageOfBody("<html><body>nginx</body></html>"), "");
    EXPECT_LE(messageOfBody(QByteArray(5000, 'x')).size(), 301);
}

} // namespace
} // namespace vitrine::app
