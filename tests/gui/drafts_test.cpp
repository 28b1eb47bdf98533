// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: text that was typed and not sent is never lost, and the list of chats stays where one reads it.
#include <QAbstractItemModel>
#include <QDir>
#include <QFile>
#include <QInputMethodEvent>
#include <QListView>
#include <QScrollBar>
#include <QTest>

#include "tests/gui/window_fixture.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/chat_pane.h"
#include "ui/widgets/error_banner.h"

namespace vitrine::testing {

namespace {

ScriptedAnswer answerOf(int count) {
    ScriptedAnswer answer;
    answer.pieces.assign(static_cast<std::size_t>(count), " word");
    return answer;
}

class DraftsTest : public WindowTest {
protected:
    void TearDown() override {
        WindowTest::TearDown();
        QLocale::setDefault(QLocale::c());
    }
    void sayAndWait(const QString& text) {
        const std::size_t before = m_engine->requests().size();
        say(text);
        ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    }
    [[nodiscard]] QString typed() { // in the first chat
        for (const ui::Composer* composer : page().findChildren<ui::Composer*>())
            if (qobject_cast<ui::ChatPane*>(composer->parentWidget()) == nullptr)
                return composer->draftText();
        return {};
    }
    [[nodiscard]] QByteArray draftFile() {
        QFile file(m_dir.filePath(QStringLiteral("chats/drafts.json")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] ui::ComposerEdit& paneEdit() { return *part<ui::ChatPane>().findChild<ui::ComposerEdit*>(); }
};

TEST_F(DraftsTest, WhatWasTypedIsThereAfterARestart) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("First chat");
    const ui::ChatId first = page().currentChat();
    type("half a thought");
    part<ui::Composer>().addAttachment({"a.txt", "attached"});
    page().newChat();
    type("not begun yet");
    quit();
    launch();
    EXPECT_EQ(typed(), "not begun yet") << "the chat that has no turn comes back with what stood in it";
    page().openChat(first);
    EXPECT_EQ(typed(), "half a thought");
    EXPECT_TRUE(part<ui::Composer>().draft().contains("attached"));
}

TEST_F(DraftsTest, AHardEndCostsASecondOfTyping) {
    launch();
    type("typed and not sent");
    EXPECT_TRUE(waitFor([&] { return draftFile().contains("typed and not sent"); }, 3'000));
    m_engine->set_answer(answerOf(1));
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    EXPECT_TRUE(waitFor([&] { return draftFile().isEmpty(); })) << "what was sent is no draft any more";
}

TEST_F(DraftsTest, ATemporaryChatLeavesNoDraft) {
    launch();
    page().newTemporaryChat();
    type("xylophone");
    QTest::qWait(1'500);
    quit();
    EXPECT_EQ(draftFile(), "");
}

TEST_F(DraftsTest, TurnsThatWaitForAnAnswerAreDraftsAfterARestart) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    m_engine->set_answer(answerOf(100'000));
    say("one");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    say("two");
    say("three");
    type("four");
    quit();
    launch();
    ASSERT_TRUE(waitFor([&] { return !typed().isEmpty(); }));
    EXPECT_EQ(typed(), "four\n\ntwo\n\nthree");
}

TEST_F(DraftsTest, AnotherLanguageKeepsWhatWasTyped) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("Question");
    const ui::ChatId chat = page().currentChat();
    type("half");
    page().newChat();
    type("new one");
    const ui::MainWindow* before = &m_app->window();
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("de"));
    ASSERT_TRUE(waitFor([&] { return &m_app->window() != before; }));
    EXPECT_EQ(typed(), "new one");
    page().openChat(chat);
    EXPECT_EQ(typed(), "half");
    page().newChat();
    EXPECT_EQ(typed(), "new one");
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("en"));
    QTest::qWait(50);
}

TEST_F(DraftsTest, TheSecondChatKeepsItsDraftToo) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("one");
    const ui::ChatId first = page().currentChat();
    page().newChat();
    sayAndWait("two");
    const ui::ChatId second = page().currentChat();
    page().showBeside(first);
    ASSERT_TRUE(waitFor([&] { return paneEdit().hasFocus(); }));
    QTest::keyClicks(&paneEdit(), "beside");
    page().showBeside(0); // another one in its place
    EXPECT_EQ(part<ui::ChatPane>().composer().draftText(), "");
    page().showBeside(first);
    EXPECT_EQ(part<ui::ChatPane>().composer().draftText(), "beside");
    page().openChat(first); // moves over to the left
    EXPECT_EQ(typed(), "beside");
    page().openChat(second);
    EXPECT_EQ(typed(), "");
}

TEST_F(DraftsTest, AnEditThatMeetsARunningAnswerIsKept) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    m_engine->set_answer(answerOf(1));
    sayAndWait("Question");
    page().editLastTurn();
    type(" and more");
    m_engine->set_answer(answerOf(100'000));
    page().regenerateLast();
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }));
    press(Qt::Key_Return);
    EXPECT_EQ(typed(), "Question and more");
    EXPECT_TRUE(part<ui::Composer>().isEditing());
    page().stop();
    ASSERT_TRUE(waitIdle());
    m_engine->set_answer(answerOf(1));
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 3; }) && waitIdle());
    EXPECT_EQ(currentTree().messages.at(3).content, "Question and more");
}

TEST_F(DraftsTest, AnEditedTurnKeepsItsFilesAsChips) {
    launch();
    const QString line(2'000'000, u'x'); // laid out in a text field it would take seconds
    m_engine->set_answer(answerOf(1));
    part<ui::Composer>().addAttachment({"line.json", line});
    type("What is it?");
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    const QString sent = currentTree().messages.at(0).content;
    page().editLastTurn();
    EXPECT_EQ(typed(), "What is it?");
    EXPECT_EQ(part<ui::Composer>().draft(), sent) << "sent again it would be the same";
    press(Qt::Key_Escape);
    EXPECT_EQ(part<ui::Composer>().draft(), "");
}

TEST_F(DraftsTest, KeysOfAnInputMethodEditNoOlderTurn) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("Question");
    auto& edit = part<ui::ComposerEdit>();
    edit.setFocus();
    QInputMethodEvent composing(QStringLiteral("にほ"), {});
    QCoreApplication::sendEvent(&edit, &composing);
    press(Qt::Key_Up); // through the candidates
    EXPECT_FALSE(part<ui::Composer>().isEditing());
    QInputMethodEvent done;
    done.setCommitString(QStringLiteral("日本"));
    QCoreApplication::sendEvent(&edit, &done);
    EXPECT_EQ(typed(), QStringLiteral("日本"));
}

TEST_F(DraftsTest, TypingOverTheMessagesGoesIntoTheComposer) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("Question");
    auto& view = part<ui::MessageView>();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_H);
    EXPECT_TRUE(part<ui::ComposerEdit>().hasFocus());
    EXPECT_EQ(typed(), "h");
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Down); // keys of the view stay its own
    EXPECT_TRUE(view.hasFocus());
    EXPECT_EQ(typed(), "h");
}

TEST_F(DraftsTest, TheListStaysWhereOneReadsIt) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    QList<ui::ChatTree> many;
    for (int i = 0; i < 60; ++i) {
        ui::ChatTree tree;
        tree.chat.id = ui::newRecordId();
        tree.chat.title = QStringLiteral("Chat %1").arg(i);
        tree.chat.createdMs = tree.chat.updatedMs = 1'600'000'000'000 - i * 1'000;
        ui::MessageRecord turn;
        turn.id = ui::newRecordId();
        turn.chat = tree.chat.id;
        turn.content = QStringLiteral("text");
        tree.messages = {turn};
        tree.chat.leaf = turn.id;
        many.append(tree);
    }
    int numChanges = 0;
    QObject::connect(&m_app->store(), &ui::ChatStore::chatsChanged, m_app.get(), [&] { ++numChanges; });
    m_app->store().addChats(many);
    EXPECT_EQ(numChanges, 1) << "the list is made anew once, however many chats come in";
    m_engine->set_answer(answerOf(200));
    say("go");
    ASSERT_TRUE(waitFor([&] { return page().isGenerating(); }));
    QListView& view = part<ui::ChatList>().view();
    view.setFocus();
    const int row = 40;
    view.setCurrentIndex(view.model()->index(row, 0));
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
    const int scroll = view.verticalScrollBar()->value();
    ASSERT_GT(scroll, 0);
    const QVariant chat = view.currentIndex().data(ui::ChatListModel::ChatIdRole);
    ASSERT_TRUE(waitIdle()); // the answer's end makes the rows anew
    EXPECT_EQ(view.verticalScrollBar()->value(), scroll);
    EXPECT_EQ(view.currentIndex().data(ui::ChatListModel::ChatIdRole), chat) << "Delete would take another chat";
}

} // namespace

} // namespace vitrine::testing
