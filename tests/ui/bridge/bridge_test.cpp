// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: mailbox, client, feeds over the scripted engine.
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>
#include <thread>

#include "ui/bridge/engine_client.h"
#include "ui/bridge/event_mailbox.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#pragma push_macro("slots")
#undef slots
#include "tests/support/scripted_engine.h"
#pragma pop_macro("slots")

namespace vitrine::ui {

using vitrine::testing::ScriptedAnswer;
using vitrine::testing::ScriptedEngine;

namespace {

engine::Event delta(std::uint64_t request, const std::string& text, int choice = 0) {
    Delta what;
    what.choice = choice;
    what.text = text;
    what.ids = {1};
    return {RequestId{request}, what};
}

engine::Event progress(std::uint64_t request, int computed) {
    return {RequestId{request}, Progress{0, 100, computed, 0}};
}

const std::string& textOf(const engine::Event& event) {
    return std::get<Delta>(event.what).text;
}

Request chatRequest(const char* content) {
    Request request;
    request.prompt = ChatPrompt{.messages_json = std::string("[{\"role\":\"user\",\"content\":\"") + content + "\"}]",
        .tools_json = {},
        .variables_json = {}};
    return request;
}

} // namespace

TEST(EventMailbox, MergesDeltasOfOneChoiceAcrossOtherRequests) {
    std::vector<engine::Event> waiting;
    for (const auto& event : {delta(1, "a"), delta(2, "x"), delta(1, "b"), delta(1, "c", 1), delta(1, "d")})
        appendMerged(waiting, event);
    ASSERT_EQ(waiting.size(), 3U);
    EXPECT_EQ(textOf(waiting[0]), "abd");
    EXPECT_EQ(std::get<Delta>(waiting[0].what).ids.size(), 3U);
    EXPECT_EQ(textOf(waiting[1]), "x");
    EXPECT_EQ(textOf(waiting[2]), "c");
}

TEST(EventMailbox, KeepsTheNewestProgressAndTheOrderOfTheRest) {
    std::vector<engine::Event> waiting;
    for (const auto& event : {progress(1, 10), progress(1, 20), delta(1, "a"), progress(1, 30)})
        appendMerged(waiting, event);
    ASSERT_EQ(waiting.size(), 3U);
    EXPECT_EQ(std::get<Progress>(waiting[0].what).computed_tokens, 20);
}

TEST(EventMailbox, NeverMergesBehindTheEndOfARequest) {
    std::vector<engine::Event> waiting;
    for (const auto& event : {delta(1, "a"), engine::Event{RequestId{1}, Finished{}}, delta(1, "late")})
        appendMerged(waiting, event);
    EXPECT_EQ(waiting.size(), 3U);
}

TEST(EventMailbox, DeliversEverythingInOrderFromManyThreads) {
    std::map<std::uint64_t, std::string> texts;
    EventMailbox mailbox(
        [&](const engine::Event& event) { texts[static_cast<std::uint64_t>(event.request)] += textOf(event); });
    constexpr int kEvents = 2'000;
    std::vector<std::thread> threads;
    for (std::uint64_t request = 1; request <= 3; ++request)
        threads.emplace_back([&mailbox, request] {
            for (int i = 0; i < kEvents; ++i) {
                const std::vector<engine::Event> events{delta(request, std::to_string(i % 10))};
                mailbox.on_events(events);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    std::string expected;
    for (int i = 0; i < kEvents; ++i)
        expected += std::to_string(i % 10);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return texts[1].size() + texts[2].size() + texts[3].size() == 3 * kEvents; }, 5'000));
    EXPECT_EQ(texts[1], expected);
    EXPECT_EQ(texts[2], expected);
    EXPECT_EQ(texts[3], expected);
    mailbox.close();
    const std::vector<engine::Event> late{delta(1, "late")};
    mailbox.on_events(late); // must not reach the reader
    QTest::qWait(20);
    EXPECT_EQ(texts[1], expected);
}

// A reader that takes 4 ms of every drain would take a core to itself at 16 ms; the end of an answer does not wait for it.
TEST(EventMailbox, SparesTheCoresWhileOnlyTokensCome) {
    int numReads = 0;
    bool isDone = false;
    EventMailbox mailbox([&](const engine::Event& event) {
        isDone = isDone || std::holds_alternative<Finished>(event.what);
        ++numReads;
        timespec begin{}, now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        do
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        while (now.tv_sec == begin.tv_sec && now.tv_nsec - begin.tv_nsec < 4'000'000);
    });
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1'500) {
        const std::vector<engine::Event> events{delta(1, "a")};
        mailbox.on_events(events);
        QTest::qWait(2);
    }
    EXPECT_LT(numReads, 60); // 93 at one in 16 ms; one in 120 ms once the cost is known
    const std::vector<engine::Event> end{engine::Event{RequestId{1}, Finished{}}};
    mailbox.on_events(end);
    EXPECT_TRUE(QTest::qWaitFor([&] { return isDone; }, 5'000));
}

TEST(EngineClient, BringsARequestFromAdmissionToItsEnd) {
    ScriptedEngine engine({.step_time = std::chrono::microseconds(100)});
    ScriptedAnswer answer;
    answer.pieces = {"a", "b", "c"};
    engine.set_answer(answer);
    EngineClient client(engine);
    std::string text;
    int numAdmitted = 0;
    std::optional<Finished> finished;
    QObject::connect(
        &client, &EngineClient::requestAdmitted, &client, [&](RequestId, const Admitted&) { ++numAdmitted; });
    QObject::connect(
        &client, &EngineClient::requestDelta, &client, [&](RequestId, const Delta& what) { text += what.text; });
    QObject::connect(
        &client, &EngineClient::requestFinished, &client, [&](RequestId, const Finished& what) { finished = what; });
    ASSERT_TRUE(client.submit(chatRequest("hi")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.has_value(); }, 5'000));
    EXPECT_EQ(numAdmitted, 1);
    EXPECT_EQ(text, "abc");
    EXPECT_EQ(finished->usage.output_tokens, 3);
}

TEST(EngineClient, PutsChatsBeforeOtherRequestsUnlessSwitchedOff) {
    ScriptedEngine engine({.step_time = std::chrono::microseconds(100)});
    EngineClient client(engine);
    Request lab = chatRequest("lab");
    lab.source = RequestSource::lab;
    ASSERT_TRUE(client.submit(chatRequest("first")));
    ASSERT_TRUE(client.submit(lab));
    client.setChatFirst(false);
    ASSERT_TRUE(client.submit(chatRequest("in turn")));
    const auto requests = engine.requests();
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].priority, EngineClient::kChatPriority);
    EXPECT_EQ(requests[1].priority, 0);
    EXPECT_EQ(requests[2].priority, 0);
}

TEST(EngineClient, ReportsALoadAndKeepsTheOldModelWhenItFails) {
    ScriptedEngine engine;
    EngineClient client(engine);
    const auto old = client.model();
    ASSERT_NE(old, nullptr);
    engine.fail_next_load({ErrorCode::bad_file, "the file ends 1 MiB early", "Download it again."});
    ASSERT_TRUE(client.load("/models/other.gguf", {}));
    EXPECT_TRUE(client.isLoading());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !client.isLoading(); }, 5'000));
    EXPECT_EQ(client.loadState().stage, LoadStage::failed);
    EXPECT_EQ(client.loadState().error.message, "the file ends 1 MiB early");
    EXPECT_EQ(client.model(), old);
    QSignalSpy changed(&client, &EngineClient::modelChanged);
    ASSERT_TRUE(client.load("/models/other.gguf", {}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !client.isLoading(); }, 5'000));
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(client.model()->info.path, "/models/other.gguf");
}

TEST(EngineClient, ALoadCanBeCancelled) {
    ScriptedEngine engine;
    EngineClient client(engine);
    engine.hold_load(true);
    ASSERT_TRUE(client.load("/models/other.gguf", {}));
    EXPECT_FALSE(client.load("/models/third.gguf", {})); // busy
    client.cancelLoad();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !client.isLoading(); }, 5'000));
    EXPECT_EQ(client.loadState().stage, LoadStage::cancelled);
}

TEST(EngineClient, AnswersQuestionsFromItsWorker) {
    ScriptedEngine engine;
    EngineClient client(engine);
    std::optional<Inspection> inspection;
    std::optional<TokenCount> count;
    QObject::connect(
        &client, &EngineClient::inspected, &client, [&](const Inspection& answer) { inspection = answer; });
    QObject::connect(&client, &EngineClient::tokensCounted, &client, [&](const TokenCount& answer) { count = answer; });
    const quint64 ticket = client.inspect("/models/missing.gguf");
    client.countTokens("one two three");
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection && count; }, 5'000));
    EXPECT_EQ(inspection->ticket, ticket);
    EXPECT_FALSE(inspection->info);
    EXPECT_EQ(count->tokens, 3);
}

TEST(SnapshotFeed, RestsWhenNothingRunsOrNobodyLooks) {
    ScriptedEngine engine({.step_time = std::chrono::microseconds(1'000)});
    ScriptedAnswer answer;
    answer.pieces.assign(1'000'000, " x");
    engine.set_answer(answer);
    EngineClient client(engine);
    SnapshotFeed feed(engine);
    QSignalSpy updates(&feed, &SnapshotFeed::updated);
    feed.setWindowVisible(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return feed.isIdle(); }, 5'000));
    const auto id = client.submit(chatRequest("hi"));
    ASSERT_TRUE(id);
    feed.wake();
    ASSERT_TRUE(QTest::qWaitFor([&] { return feed.latest()->running == 1; }, 5'000));
    EXPECT_FALSE(feed.isIdle());
    feed.setWindowVisible(false);
    const auto hidden = updates.count();
    QTest::qWait(300);
    EXPECT_EQ(updates.count(), hidden);
    client.cancel(*id);
    feed.setWindowVisible(true);
    EXPECT_TRUE(QTest::qWaitFor([&] { return feed.isIdle(); }, 5'000));
}

TEST(StepFeed, CopiesEveryStepOnceAndSumsThemBySeconds) {
    ScriptedEngine engine({.manual = true});
    ScriptedAnswer answer;
    answer.pieces.assign(700, " x"); // more than one chunk of the reader
    engine.set_answer(answer);
    EngineClient client(engine);
    SnapshotFeed snapshots(engine);
    StepFeed feed(engine, snapshots);
    ASSERT_TRUE(client.submit(chatRequest("hi")));
    engine.run_to_end();
    feed.readNow();
    feed.readNow();
    ASSERT_EQ(feed.steps().size(), 701U); // one of prefill
    EXPECT_EQ(feed.lostSteps(), 0U);
    for (std::size_t i = 0; i < feed.steps().size(); ++i)
        EXPECT_EQ(feed.steps()[i].step, i);
}

TEST(HistoryRing, DropsTheOldestAndCountsFromIt) {
    HistoryRing<int> ring(3);
    for (int i = 0; i < 5; ++i)
        ring.push(i);
    ASSERT_EQ(ring.size(), 3U);
    EXPECT_EQ(ring[0], 2);
    EXPECT_EQ(ring.back(), 4);
}

TEST(QtConvert, WritesLoadOptionsThatDifferAndIgnoresBadOnes) {
    EXPECT_TRUE(toJson(EngineConfig{}).isEmpty());
    EngineConfig config;
    config.context = 4096;
    config.kv_type = KvType::int8;
    config.policy = BatchPolicy::fixed;
    config.draft = "ngram";
    const EngineConfig back = engineConfigFromJson(toJson(config));
    EXPECT_EQ(back.context, 4096);
    EXPECT_EQ(back.kv_type, KvType::int8);
    EXPECT_EQ(back.policy, BatchPolicy::fixed);
    EXPECT_EQ(back.draft, "ngram");
    EXPECT_EQ(engineConfigFromJson({{"ctx", -5}, {"kv", "nonsense"}, {"max_seqs", "x"}}).context, 0);
}

} // namespace vitrine::ui
