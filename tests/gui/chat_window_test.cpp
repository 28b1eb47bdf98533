// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: typing, sending, streaming, stopping, branching, switching, restarting in the real window.
#include <QClipboard>
#include <QGuiApplication>
#include <QInputMethodEvent>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QTimer>

#include "tests/gui/window_fixture.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/chat/message_list_model.h"

namespace vitrine::testing {

using ui::MessageRole;
using ui::MessageState;

namespace {

ScriptedAnswer words(int count, const std::string& word = " word") {
    ScriptedAnswer answer;
    answer.pieces.assign(static_cast<std::size_t>(count), word);
    return answer;
}

ScriptedAnswer endless() {
    return words(1'000'000);
}

} // namespace

TEST_F(WindowTest, StreamsAnAnswerToATypedTurnAndStoresBoth) {
    launch();
    ScriptedAnswer answer;
    answer.pieces = {"Hello", ",", " you", "."};
    m_engine->set_answer(answer);
    say("Good morning");
    ASSERT_TRUE(waitFor([&] { return page().isGenerating(); }));
    ASSERT_TRUE(waitIdle());
    const ui::ChatTree stored = currentTree();
    ASSERT_EQ(stored.messages.size(), 2);
    EXPECT_EQ(stored.messages[0].content, "Good morning");
    EXPECT_EQ(stored.messages[1].content, "Hello, you.");
    EXPECT_EQ(stored.messages[1].state, MessageState::complete);
    EXPECT_EQ(stored.messages[1].stats.outputTokens, 4);
    EXPECT_EQ(stored.chat.title, "Good morning");
}

// While tokens come only what changed is painted and the rest moved: what is on screen must be what a full paint gives.
TEST_F(WindowTest, WhatStreamsInLooksLikeAFullPaint) {
    launch({.step_time = std::chrono::milliseconds(2)});
    ScriptedAnswer answer = words(700);
    for (const char* piece : {" *plain*", " and **bold", " ones** ", "in `code`", " here.\n\n- an",
             " item\n- another\n\n", "```py\nx = ", "1\n```\n\n", "| a | b |\n|---|---|\n", "| 1 | 2 |\n\n"}) {
        answer.pieces.emplace_back(piece);
        answer.pieces.insert(answer.pieces.end(), 20, " word");
    }
    m_engine->set_answer(answer);
    auto& view = part<ui::MessageView>();
    say("Write");
    ASSERT_TRUE(waitFor([&] { return page().isGenerating(); }));
    int numCompared = 0;
    while (page().isGenerating()) {
        QTest::qWait(20);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
        QWidget& window = m_app->window();
        const QRect area(view.viewport()->mapTo(&window, QPoint()), view.viewport()->size());
        const QImage shown = window.screen()->grabWindow(window.winId()).toImage().copy(area);
        const QImage full = window.grab(area).toImage();
        ASSERT_EQ(shown.convertToFormat(QImage::Format_RGB32), full.convertToFormat(QImage::Format_RGB32))
            << "after " << numCompared << " pictures";
        ++numCompared;
    }
    EXPECT_GE(numCompared, 5);
    EXPECT_GT(view.verticalScrollBar()->maximum(), 0);
}

TEST_F(WindowTest, ShiftEnterBreaksTheLineAndEnterInAPreeditOnlyCommits) {
    launch();
    auto& edit = part<ui::ComposerEdit>();
    edit.setFocus();
    QTest::keyClicks(&edit, "a");
    QTest::keyClick(&edit, Qt::Key_Return, Qt::ShiftModifier);
    QInputMethodEvent preedit(QStringLiteral("に"), {});
    QApplication::sendEvent(&edit, &preedit);
    QTest::keyClick(&edit, Qt::Key_Return);
    EXPECT_TRUE(m_engine->requests().empty());
    QInputMethodEvent commit;
    commit.setCommitString(QStringLiteral("日"));
    QApplication::sendEvent(&edit, &commit);
    EXPECT_EQ(edit.toPlainText(), QStringLiteral("a\n日"));
    QTest::keyClick(&edit, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    ASSERT_TRUE(waitIdle());
    EXPECT_EQ(m_engine->requests().size(), 1U);
}

TEST_F(WindowTest, EscapeStopsAndKeepsTheText) {
    launch();
    m_engine->set_answer(endless());
    say("Go on");
    const auto hasText = [&] { return part<ui::MessageView>().isVisible() && currentTree().messages.size() >= 1; };
    ASSERT_TRUE(waitFor([&] { return page().isGenerating() && hasText(); }));
    QTest::qWait(100);
    press(Qt::Key_Escape);
    ASSERT_TRUE(waitIdle());
    const ui::ChatTree stored = currentTree();
    ASSERT_EQ(stored.messages.size(), 2);
    EXPECT_EQ(stored.messages[1].state, MessageState::stopped);
    EXPECT_TRUE(stored.messages[1].content.startsWith(" word word"));
    EXPECT_EQ(m_engine->cancelled().size(), 1U);
}

TEST_F(WindowTest, StopsARequestThatHangsInPrefill) {
    launch();
    ScriptedAnswer hang = words(3);
    hang.hang_after_tokens = 0;
    m_engine->set_answer(hang);
    say("Hang");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    QTest::qWait(50);
    press(Qt::Key_Escape);
    EXPECT_TRUE(waitIdle());
}

TEST_F(WindowTest, WhoWaitsSeesTimeGoBy) {
    launch();
    ScriptedAnswer hang = words(3);
    hang.hang_after_tokens = 0; // nothing more is heard of it, as of a busy server
    m_engine->set_answer(hang);
    say("Hang");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    const ui::MessageListModel& model = part<ui::MessageView>().model();
    const auto seconds = [&] { return model.turn(model.rowCount() - 1).live.seconds; };
    EXPECT_TRUE(waitFor([&] { return seconds() > 0.5; }, 5'000)) << seconds();
    press(Qt::Key_Escape);
    EXPECT_TRUE(waitIdle());
}

TEST_F(WindowTest, RegenerateMakesABranchAndTheOldOneStays) {
    launch();
    m_engine->set_answer(words(2, " one"));
    say("Say it");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    m_engine->set_answer(words(2, " two"));
    page().regenerateLast();
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    const ui::ChatTree stored = currentTree();
    ASSERT_EQ(stored.messages.size(), 3);
    EXPECT_EQ(stored.messages[1].parent, stored.messages[2].parent);
    EXPECT_EQ(stored.messages[1].content, " one one");
    EXPECT_EQ(stored.messages[2].content, " two two");
    EXPECT_EQ(stored.chat.leaf, stored.messages[2].id);
    page().showPreviousBranch();
    EXPECT_EQ(currentTree().chat.leaf, stored.messages[1].id);
}

TEST_F(WindowTest, EditingAnEarlierTurnMakesABranchOfTheUserTurn) {
    launch();
    m_engine->set_answer(words(1));
    say("First");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    press(Qt::Key_Up); // in the empty composer
    EXPECT_EQ(part<ui::Composer>().draftText(), "First");
    type(" again");
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    const ui::ChatTree stored = currentTree();
    ASSERT_EQ(stored.messages.size(), 4);
    EXPECT_EQ(stored.messages[0].parent, stored.messages[2].parent);
    EXPECT_EQ(stored.messages[2].content, "First again");
}

TEST_F(WindowTest, SeveralChatsStreamWhileOneIsOnScreen) {
    launch();
    m_engine->set_answer(endless());
    say("One");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    const ui::ChatId first = page().currentChat();
    page().newChat();
    say("Two");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }));
    EXPECT_NE(page().currentChat(), first);
    page().openChat(first);
    EXPECT_TRUE(page().isGenerating());
    page().stop();
    ASSERT_TRUE(waitIdle());
    EXPECT_GT(tree(first).messages.back().content.size(), 0);
}

TEST_F(WindowTest, ARestartFindsBothChats) {
    launch();
    m_engine->set_answer(words(3));
    say("Alpha");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    page().newChat();
    say("Beta");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    quit();
    launch();
    ASSERT_EQ(m_app->store().chats().size(), 2);
    EXPECT_EQ(m_app->store().chats()[0].title, "Beta");
    EXPECT_EQ(m_app->store().chats()[1].title, "Alpha");
    EXPECT_EQ(tree(m_app->store().chats()[1].id).messages[1].content, " word word word");
    EXPECT_EQ(page().currentChat(), m_app->store().chats()[0].id);
}

TEST_F(WindowTest, QuittingWhileStreamingKeepsTheText) {
    launch();
    m_engine->set_answer(endless());
    say("Long");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    QTest::qWait(150);
    quit();
    launch();
    ASSERT_EQ(m_app->store().chats().size(), 1);
    const ui::ChatTree stored = tree(m_app->store().chats()[0].id);
    ASSERT_EQ(stored.messages.size(), 2);
    EXPECT_EQ(stored.messages[1].state, MessageState::stopped);
    EXPECT_TRUE(stored.messages[1].content.startsWith(" word"));
}

TEST_F(WindowTest, SendingWhileGeneratingQueuesTheTurn) {
    launch();
    m_engine->set_answer(words(200));
    say("First");
    ASSERT_TRUE(waitFor([&] { return page().isGenerating(); }));
    say("Second");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }));
    ASSERT_TRUE(waitIdle());
    const ui::ChatTree stored = currentTree();
    ASSERT_EQ(stored.messages.size(), 4);
    EXPECT_EQ(stored.messages[2].content, "Second");
    EXPECT_EQ(stored.messages[2].parent, stored.messages[1].id);
}

TEST_F(WindowTest, ARejectedTurnShowsItsErrorInlineAndCanBeTriedAgain) {
    launch();
    ScriptedAnswer refused;
    refused.rejection =
        Error{ErrorCode::template_error, "the template raised at line 3: roles must alternate", "Edit the turn."};
    m_engine->set_answer(refused);
    say("Hm");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    EXPECT_TRUE(currentTree().messages[1].error.contains("roles must alternate"));
    EXPECT_EQ(currentTree().messages[1].state, MessageState::failed);
    m_engine->set_answer(words(1));
    page().regenerateLast();
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    EXPECT_EQ(currentTree().messages.back().content, " word");
}

TEST_F(WindowTest, CopyGivesTheSourceOfTheAnswerByteForByte) {
    launch();
    // ui.md 16, case 6
    const std::string source =
        "Use `std::vector<int>`, #include <x>\n\n\"\\(user)\" costs $5 and $6 <script> ![](file:///etc/passwd)\n";
    ScriptedAnswer answer;
    answer.pieces = {source};
    m_engine->set_answer(answer);
    say("Copy");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    page().copyLastAnswer();
    EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), source);
}

TEST_F(WindowTest, TrashingAChatCanBeUndone) {
    launch();
    m_engine->set_answer(words(1));
    say("Keep me");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    const ui::ChatId chat = page().currentChat();
    m_app->store().moveToTrash(chat);
    EXPECT_GT(m_app->store().chat(chat)->trashedMs, 0);
    m_app->store().restore(chat);
    EXPECT_EQ(m_app->store().chat(chat)->trashedMs, 0);
    EXPECT_EQ(tree(chat).messages.size(), 2);
}

TEST_F(WindowTest, ALongAnswerNeverStallsTheWindowForLong) {
    launch({.step_time = std::chrono::microseconds(200)});
    ScriptedAnswer answer;
    for (int i = 0; i < 3'000; ++i)
        answer.pieces.push_back(i % 40 == 39 ? "\n\n" : " word" + std::to_string(i));
    m_engine->set_answer(answer);
    qint64 longest = 0;
    QElapsedTimer gap;
    QTimer heartbeat;
    heartbeat.setTimerType(Qt::PreciseTimer);
    QObject::connect(&heartbeat, &QTimer::timeout, &heartbeat, [&] {
        longest = std::max(longest, gap.isValid() ? gap.elapsed() : 0);
        gap.start();
    });
    say("Long");
    heartbeat.start(5);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1 && !page().isGenerating(); }, 60'000));
    EXPECT_EQ(currentTree().messages[1].stats.outputTokens, 3'000);
    // No bound on a shared machine: the number is for people who look (ui.md 16.4 wants 50 ms).
    RecordProperty("longest_gap_ms", static_cast<int>(longest));
}

TEST_F(WindowTest, AnIdleWindowAsksTheEngineForNothing) {
    launch();
    m_engine->set_answer(words(5));
    say("Hi");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    ASSERT_TRUE(waitFor([&] { return m_app->snapshots().isIdle(); }));
    const int before = m_engine->snapshots_taken();
    QTest::qWait(400);
    EXPECT_EQ(m_engine->snapshots_taken(), before);
}

} // namespace vitrine::testing
