// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remote/remote_engine.h"

#include "app/endpoint/endpoint.h"
#include "app/remote/engine_switch.h"
#include "app/remote/server_inquiry.h"
#include "tests/app/remote/scripted_server.h"
#include "tests/support/scripted_engine.h"

#include <QCoreApplication>
#include <QEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

using namespace testing;
using namespace ui;

/// Keeps what a request was told.  Thread: any.
class Listener final : public engine::EventSink {
public:
    void on_events(std::span<const engine::Event> events) override {
        const std::lock_guard lock(m_mutex);
        for (const engine::Event& event : events) {
            if (const auto* delta = std::get_if<Delta>(&event.what)) {
                m_text += delta->text;
                m_reasoning += delta->reasoning;
            } else if (const auto* finished = std::get_if<Finished>(&event.what)) {
                m_finished.push_back(*finished);
            } else if (const auto* rejected = std::get_if<Rejected>(&event.what)) {
                m_rejected.push_back(*rejected);
            }
        }
    }
    bool hasEnded() const {
        const std::lock_guard lock(m_mutex);
        return !m_finished.empty() || !m_rejected.empty();
    }
    bool hasText() const {
        const std::lock_guard lock(m_mutex);
        return !m_text.empty();
    }
    // Read only after the end.
    std::string m_text, m_reasoning;
    std::vector<Finished> m_finished;
    std::vector<Rejected> m_rejected;

private:
    mutable std::mutex m_mutex;
};

Request hello() {
    Request request;
    ChatPrompt prompt;
    prompt.messages_json = R"([{"role":"user","content":"Hello there"}])";
    request.prompt = std::move(prompt);
    request.label = "a chat";
    return request;
}

RemoteTarget targetOf(const QUrl& url, const QString& key = {}) {
    RemoteTarget target;
    target.server = {QStringLiteral("S"), url, key};
    target.model = QStringLiteral("m");
    target.facts.name = target.server.name;
    target.facts.kind = ServerKind::vllm;
    return target;
}

std::shared_ptr<Listener> answerOf(RemoteEngine& engine) {
    auto listener = std::make_shared<Listener>();
    EXPECT_TRUE(engine.submit(hello(), listener).has_value());
    EXPECT_TRUE(QTest::qWaitFor([&] { return listener->hasEnded(); }, 5'000));
    EXPECT_EQ(listener->m_finished.size() + listener->m_rejected.size(), 1U);
    return listener;
}

std::shared_ptr<Listener> answerTo(const ScriptedReply& reply) {
    ScriptedServer server;
    server.replies[QStringLiteral("/v1/chat/completions")] = reply;
    RemoteEngine engine(targetOf(server.url()));
    return answerOf(engine);
}

QByteArray content(const char* text) {
    return QByteArray(R"({"choices":[{"delta":{"content":")") + text + R"("},"finish_reason":null}]})";
}

TEST(RemoteEngine, AnswersAcrossPiecesThatCutEventsAndCharacters) {
    const QByteArray whole = "data: " + content("日本 ") + "\r\n\r\n: ping\r\n\r\ndata: " + content("\\ud83d") +
        "\n\ndata: " + content("\\ude00!") +
        "\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n";
    for (const int size : {1, 7, 1000}) {
        ScriptedReply reply;
        reply.type = "text/event-stream";
        for (qsizetype at = 0; at < whole.size(); at += size)
            reply.pieces.append(whole.mid(at, size));
        const auto answer = answerTo(reply);
        ASSERT_EQ(answer->m_finished.size(), 1U);
        EXPECT_EQ(answer->m_text, "日本 😀!"); // the surrogate pair came in two chunks
        EXPECT_EQ(answer->m_finished[0].reason, FinishReason::stop);
        EXPECT_EQ(answer->m_finished[0].usage.output_tokens, 4);
        EXPECT_EQ(answer->m_finished[0].usage.prompt_tokens, 9);
        EXPECT_GT(answer->m_finished[0].timings.first_token.count(), 0);
    }
}

TEST(RemoteEngine, SendsTheKeyAndTheModel) {
    ScriptedServer server;
    server.replies[QStringLiteral("/v1/chat/completions")] = eventStream({content("x"), "[DONE]"});
    RemoteEngine engine(targetOf(server.url(), QStringLiteral("secret")));
    answerOf(engine);
    ASSERT_FALSE(server.heads.isEmpty());
    const auto chat = std::find_if(server.heads.begin(), server.heads.end(),
        [](const QByteArray& head) { return head.startsWith("POST /v1/chat/completions"); });
    ASSERT_NE(chat, server.heads.end());
    EXPECT_TRUE(chat->contains("Authorization: Bearer secret"));
    const QByteArray& body = server.bodies.at(chat - server.heads.begin());
    EXPECT_EQ(QJsonDocument::fromJson(body).object().value("model").toString(), "m");
}

TEST(RemoteEngine, TellsWhyThereIsNoAnswer) {
    const auto refusal = [](int status, const QByteArray& body) {
        ScriptedReply reply;
        reply.status = status;
        reply.pieces = {body};
        const auto answer = answerTo(reply);
        return answer->m_rejected.empty() ? Error{} : answer->m_rejected[0].error;
    };
    EXPECT_EQ(refusal(401, R"({"error":{"message":"Incorrect API key"}})").message,
        "S refuses the key (401): Incorrect API key");
    EXPECT_EQ(refusal(429, "{}").code, ErrorCode::busy);
    EXPECT_NE(refusal(400, R"({"detail":"context is 4096"})").message.find("context is 4096"), std::string::npos);
    EXPECT_EQ(refusal(500, "<html>no</html>").message, "S answers 500 to /v1/chat/completions");
}

TEST(RemoteEngine, FollowsNoRedirectWithTheKey) {
    ScriptedServer other, server;
    ScriptedReply reply;
    reply.status = 307;
    reply.headers = "Location: " + other.url().toEncoded() + "/v1/chat/completions\r\n";
    server.replies[QStringLiteral("/v1/chat/completions")] = reply;
    RemoteEngine engine(targetOf(server.url(), QStringLiteral("secret")));
    const auto answer = answerOf(engine);
    ASSERT_EQ(answer->m_rejected.size(), 1U);
    EXPECT_NE(answer->m_rejected[0].error.message.find("sends requests on"), std::string::npos);
    EXPECT_TRUE(other.heads.isEmpty());
}

TEST(RemoteEngine, EndsAnswersThatBreakOff) {
    ScriptedReply reply = eventStream({content("half")});
    reply.chunked = false; // the connection ends with no [DONE] and no finish_reason
    auto answer = answerTo(reply);
    ASSERT_EQ(answer->m_finished.size(), 1U);
    EXPECT_EQ(answer->m_text, "half");
    EXPECT_EQ(answer->m_finished[0].reason, FinishReason::error);
    ASSERT_TRUE(answer->m_finished[0].error);
    EXPECT_NE(answer->m_finished[0].error->message.find("after 1 tokens"), std::string::npos);
    answer = answerTo(eventStream({content("a"), R"({"error":{"message":"CUDA out of memory"}})", "[DONE]"}));
    ASSERT_EQ(answer->m_finished.size(), 1U);
    EXPECT_EQ(answer->m_finished[0].error->message, "S ended the answer: CUDA out of memory");
}

TEST(RemoteEngine, TakesAnAnswerWithoutAStream) {
    ScriptedReply reply;
    reply.pieces = {R"({"choices":[{"message":{"role":"assistant","content":"all at once"},"finish_reason":"stop"}],)"
                    R"("usage":{"prompt_tokens":2,"completion_tokens":3}})"};
    const auto answer = answerTo(reply);
    EXPECT_EQ(answer->m_text, "all at once");
    EXPECT_EQ(answer->m_finished.at(0).usage.output_tokens, 3);
}

TEST(RemoteEngine, CancelClosesTheConnectionAndStopEndsEverything) {
    ScriptedServer server;
    ScriptedReply reply = eventStream({content("on and on")});
    reply.hangs = true;
    server.replies[QStringLiteral("/v1/chat/completions")] = reply;
    RemoteEngine engine(targetOf(server.url()));
    const auto first = std::make_shared<Listener>(), second = std::make_shared<Listener>();
    const auto id = engine.submit(hello(), first);
    ASSERT_TRUE(id);
    ASSERT_TRUE(engine.submit(hello(), second));
    ASSERT_TRUE(QTest::qWaitFor([&] { return first->hasText() && second->hasText(); }, 5'000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return engine.snapshot()->running == 2; }, 5'000));
    EXPECT_EQ(engine.snapshot()->sequences.at(0).label, "a chat");
    engine.cancel(*id);
    ASSERT_TRUE(QTest::qWaitFor([&] { return first->hasEnded(); }, 5'000));
    EXPECT_EQ(first->m_finished.at(0).reason, FinishReason::cancelled);
    EXPECT_TRUE(QTest::qWaitFor([&] { return server.numClosed >= 1; }, 5'000));
    engine.stop();
    EXPECT_EQ(second->m_finished.at(0).reason, FinishReason::cancelled);
    EXPECT_FALSE(engine.submit(hello(), second).has_value());
}

TEST(RemoteEngine, GivesLinesOfItsOwnRequests) {
    ScriptedServer server;
    server.replies[QStringLiteral("/v1/chat/completions")] = eventStream({content("a"), content("b"), "[DONE]"});
    RemoteEngine engine(targetOf(server.url()));
    answerOf(engine);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            std::array<SequenceLine, 16> lines;
            std::uint64_t next = 0;
            const std::size_t count = engine.read_lines(0, lines, next);
            return count == 4 && lines[0].kind == 5 && lines[1].kind == 1 && lines[3].kind == 4 && next == 4 &&
                lines[0].step < lines[3].step && lines[0].time_us <= lines[3].time_us;
        },
        5'000));
}

TEST(RemoteEngine, ReadsMetricsWhileSomebodyLooks) {
    ScriptedServer server;
    ScriptedReply page;
    page.type = "text/plain";
    page.pieces = {"vllm:num_requests_running 3\nvllm:num_requests_waiting 2\nvllm:kv_cache_usage_perc 0.5\n"
                   "vllm:generation_tokens_total 40\n"};
    server.replies[QStringLiteral("/metrics")] = page;
    RemoteEngine engine(targetOf(server.url()));
    QSignalSpy spy(&engine, &RemoteEngine::readingTaken);
    static_cast<void>(engine.snapshot());
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() >= 1; }, 5'000));
    const auto reading = spy.at(0).at(0).value<ServerReading>();
    EXPECT_EQ(reading.running, 3);
    EXPECT_EQ(engine.snapshot()->running, 3);
    EXPECT_EQ(engine.snapshot()->waiting, 2);
    EXPECT_EQ(engine.snapshot()->counters.generation_tokens, 40U);
}

TEST(RemoteEngine, SaysThatThereAreNoMetrics) {
    ScriptedServer server;
    RemoteEngine engine(targetOf(server.url()));
    QSignalSpy facts(&engine, &RemoteEngine::factsChanged);
    static_cast<void>(engine.snapshot());
    ASSERT_TRUE(QTest::qWaitFor([&] { return facts.count() >= 1; }, 5'000));
    EXPECT_TRUE(facts.at(0).at(0).value<ServerFacts>().metricsProblem.contains("no metrics page"));
}

ScriptedReply metricsPage(const QByteArray& text) {
    ScriptedReply page;
    page.type = "text/plain";
    page.pieces = {text};
    return page;
}

/// The page goes for a while and comes back: its counters are no continuation of what this program counted meanwhile.
TEST(RemoteEngine, TellsOwnFiguresFromThoseOfTheServer) {
    ScriptedServer server;
    const QString path = QStringLiteral("/metrics");
    server.replies[path] = metricsPage("vllm:generation_tokens_total 1000000\n");
    RemoteEngine engine(targetOf(server.url()));
    QList<ServerReading> readings;
    QObject::connect(&engine, &RemoteEngine::readingTaken, &server, [&](const ServerReading& reading) {
        readings.append(reading);
        if (readings.size() == 1)
            server.replies[path] = metricsPage("<html>busy</html>");
        else if (reading.own)
            server.replies[path] = metricsPage("vllm:generation_tokens_total 1000040\n");
    });
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            static_cast<void>(engine.snapshot()); // somebody looks
            return readings.size() > 2 && !readings.back().own;
        },
        8'000));
    EXPECT_FALSE(readings.at(0).own);
    EXPECT_TRUE(readings.at(1).own);
    for (qsizetype i = 1; i < readings.size(); ++i)
        EXPECT_EQ(goesOn(readings.at(i - 1), readings.at(i)), readings.at(i - 1).own == readings.at(i).own) << i;
    EXPECT_EQ(engine.snapshot()->rates.decode_tokens_per_s, 0) << "one reading is no rate";
}

TEST(RemoteEngine, GivesUpAPageThatDrips) {
    ScriptedServer server;
    ScriptedReply page = metricsPage({});
    page.pieces = QList<QByteArray>(200, "# nothing yet\n");
    page.everyMs = 100;
    server.replies[QStringLiteral("/metrics")] = page;
    RemoteEngine engine(targetOf(server.url()));
    QSignalSpy facts(&engine, &RemoteEngine::factsChanged);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            static_cast<void>(engine.snapshot());
            return facts.count() >= 1;
        },
        9'000));
    EXPECT_TRUE(facts.at(0).at(0).value<ServerFacts>().metricsProblem.contains("/metrics so slowly"))
        << qPrintable(facts.at(0).at(0).value<ServerFacts>().metricsProblem);
}

/// The largest page that is read, once a second, while an answer streams: the answer does not wait for it.
TEST(RemoteEngine, AnswersBesideAHugePageOfMetrics) {
    QByteArray text;
    for (int i = 0; i < 190'000; ++i)
        text += "python_gc_objects_collected_total{generation=\"" + QByteArray::number(i) + "\",path=\"a\\\\b\"} 1e3\n";
    text += "vllm:num_requests_running 3\n";
    ScriptedServer server;
    server.replies[QStringLiteral("/metrics")] = metricsPage(text);
    server.replies[QStringLiteral("/v1/chat/completions")] = eventStream({content("x"), "[DONE]"});
    RemoteEngine engine(targetOf(server.url()));
    QSignalSpy readings(&engine, &RemoteEngine::readingTaken);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            static_cast<void>(engine.snapshot());
            return readings.count() >= 1;
        },
        9'000));
    EXPECT_EQ(readings.at(0).at(0).value<ServerReading>().running, 3);
    EXPECT_EQ(answerOf(engine)->m_text, "x");
}

InquiryResult inquire(const QUrl& url, const QString& key = {}, const QString& name = QStringLiteral("S")) {
    QNetworkAccessManager network;
    auto* inquiry = new ServerInquiry(network, {name, url, key}); // deletes itself
    InquiryResult result;
    bool done = false;
    QObject::connect(inquiry, &ServerInquiry::finished, inquiry, [&](const InquiryResult& found) {
        result = found;
        done = true;
    });
    inquiry->start();
    EXPECT_TRUE(QTest::qWaitFor([&] { return done; }, 15'000));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // before its network goes
    return result;
}

TEST(ServerInquiry, KnowsServersByOwnerAndMetrics) {
    ScriptedServer server;
    ScriptedReply models, page, version;
    models.pieces = {R"({"object":"list","data":[{"id":"m","owned_by":"vllm","max_model_len":4096}]})"};
    version.pieces = {R"({"version":"0.10.2"})"};
    server.replies[QStringLiteral("/v1/models")] = models;
    server.replies[QStringLiteral("/version")] = version;
    InquiryResult result = inquire(server.url());
    EXPECT_EQ(result.error.message, "");
    EXPECT_EQ(result.facts.kind, ServerKind::vllm);
    EXPECT_EQ(result.facts.version, "0.10.2");
    EXPECT_EQ(result.models.at(0).context, 4096);
    EXPECT_TRUE(result.facts.metricsProblem.contains("no metrics page"));
    page.type = "text/plain";
    page.pieces = {"sglang:num_running_reqs 1\n"};
    server.replies[QStringLiteral("/prometheus/metrics")] = page; // found where TensorRT-LLM keeps it
    result = inquire(server.url());
    EXPECT_EQ(result.facts.kind, ServerKind::sglang);
    EXPECT_EQ(result.facts.metricsProblem, "");
}

TEST(ServerInquiry, SaysWhatIsWrongWithAnAddress) {
    ScriptedServer server;
    EXPECT_NE(inquire(server.url()).error.message.find("404"), std::string::npos);
    ScriptedReply html;
    html.type = "text/html";
    html.pieces = {"<html></html>"};
    server.replies[QStringLiteral("/v1/models")] = html;
    EXPECT_NE(inquire(server.url()).error.message.find("something else than a list"), std::string::npos);
    ScriptedReply endless;
    endless.pieces = QList<QByteArray>(40, QByteArray(2 << 20, ' '));
    endless.hangs = true;
    server.replies[QStringLiteral("/v1/models")] = endless;
    EXPECT_NE(inquire(server.url()).error.message.find("more than 64 MiB"), std::string::npos);
    server.close();
    EXPECT_NE(inquire(server.url()).error.message.find("Nothing listens"), std::string::npos);
}

/// A server that was given no name is called by its address: it is told once.
TEST(ServerInquiry, TellsAnAddressOnce) {
    ScriptedServer server;
    const QUrl url = server.url();
    server.close();
    const std::string place = url.authority().toStdString();
    EXPECT_EQ(inquire(url, {}, url.authority()).error.message, "Nothing listens at " + place);
    EXPECT_EQ(inquire(url, {}, url.host()).error.message, "Nothing listens at " + place);
    EXPECT_EQ(inquire(url, {}, QStringLiteral("cluster")).error.message, "Nothing listens at " + place + " (cluster)");
}

/// https to a server that speaks http: no certificate came, so none is blamed.
TEST(ServerInquiry, SaysThatAServerDoesNotSpeakTls) {
    QTcpServer plain;
    ASSERT_TRUE(plain.listen(QHostAddress::LocalHost));
    QObject::connect(&plain, &QTcpServer::newConnection, &plain, [&plain] {
        QTcpSocket* socket = plain.nextPendingConnection();
        QObject::connect(socket, &QTcpSocket::readyRead, socket,
            [socket] { socket->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"); });
    });
    const Error error = inquire(QUrl(QStringLiteral("https://127.0.0.1:%1").arg(plain.serverPort()))).error;
    EXPECT_NE(error.message.find("does not speak TLS"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("certificate"), std::string::npos) << error.message;
}

/// Our own endpoint over the scripted engine, as another Vitrine would serve it.
TEST(RemoteEngine, TalksToAnotherVitrine) {
    ScriptedEngine local;
    Endpoint endpoint(local);
    EndpointConfig config;
    config.port = 0;
    ASSERT_TRUE(endpoint.start(config));
    const QUrl url(QStringLiteral("http://127.0.0.1:%1").arg(endpoint.port()));
    const InquiryResult found = inquire(url);
    ASSERT_EQ(found.error.message, "");
    EXPECT_EQ(found.facts.kind, ServerKind::vitrine);
    ASSERT_FALSE(found.models.isEmpty());
    EXPECT_EQ(found.models.at(0).context, 8192);
    EXPECT_EQ(found.facts.metricsProblem, "");
    RemoteTarget target{{QStringLiteral("V"), url, {}}, found.models.at(0).id, found.models.at(0).context, found.facts};
    auto remote = std::make_shared<RemoteEngine>(target);
    ScriptedEngine other;
    EngineSwitch engines(other);
    engines.use(remote);
    ScriptedAnswer script;
    script.reasoning = {"let", " me"};
    script.pieces = {"good", " day"};
    local.set_answer(script);
    auto listener = std::make_shared<Listener>();
    ASSERT_TRUE(engines.submit(hello(), listener));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listener->hasEnded(); }, 5'000));
    ASSERT_EQ(listener->m_finished.size(), 1U)
        << (listener->m_rejected.empty() ? "" : listener->m_rejected[0].error.message);
    EXPECT_EQ(listener->m_text, "good day");
    EXPECT_EQ(listener->m_reasoning, "let me");
    EXPECT_EQ(listener->m_finished[0].usage.output_tokens, 4);
    EXPECT_TRUE(other.requests().empty());
    QSignalSpy readings(remote.get(), &RemoteEngine::readingTaken);
    static_cast<void>(engines.snapshot());
    ASSERT_TRUE(QTest::qWaitFor([&] { return readings.count() >= 1; }, 5'000));
    const auto reading = readings.last().at(0).value<ServerReading>();
    EXPECT_EQ(reading.generationTokens, static_cast<double>(local.snapshot()->counters.generation_tokens));
    EXPECT_EQ(reading.blocksTotal, local.snapshot()->blocks.total);
    engines.use(nullptr);
    EXPECT_EQ(engines.snapshot()->model, other.snapshot()->model);
    remote->stop();
    endpoint.stop();
}

} // namespace
} // namespace vitrine::app
