// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: drafts, queue, deleting and undo, attachments, presets, the second chat, temporary chats.
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>

#include "tests/gui/window_fixture.h"
#include "tests/ui/support/stage.h"
#include "ui/chat/chat_pane.h"
#include "ui/chat/floating_bars.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/preset_bar.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/error_banner.h"

namespace vitrine::testing {

namespace {

using ui::MessageState;

ScriptedAnswer answerOf(int count) {
    ScriptedAnswer answer;
    answer.pieces.assign(static_cast<std::size_t>(count), " word");
    return answer;
}

class ChatFlowsTest : public WindowTest {
protected:
    void sayAndWait(const QString& text) {
        const std::size_t before = m_engine->requests().size();
        say(text);
        ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    }
    [[nodiscard]] QString typed() { return part<ui::Composer>().draftText(); }
    [[nodiscard]] int numChips() {
        int count = 0;
        for (const ui::Chip* chip : part<ui::Composer>().findChildren<ui::Chip*>())
            count += chip->isVisible() ? 1 : 0;
        return count;
    }
    void paste(const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        QTest::keyClick(&part<ui::ComposerEdit>(), Qt::Key_V, Qt::ControlModifier);
    }
};

TEST_F(ChatFlowsTest, WhatWasTypedWaitsInItsChat) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("First chat");
    const ui::ChatId first = page().currentChat();
    type("half a thought");
    page().newChat();
    EXPECT_EQ(typed(), "");
    type("another one");
    const ui::ChatId second = page().currentChat();
    page().openChat(first);
    EXPECT_EQ(typed(), "half a thought");
    page().newChat(); // leads back to the one that was begun
    EXPECT_EQ(page().currentChat(), second);
    EXPECT_EQ(typed(), "another one");
    page().newChat();
    EXPECT_EQ(typed(), "another one");
}

TEST_F(ChatFlowsTest, EditingGivesBackWhatWasTypedBefore) {
    launch();
    m_engine->set_answer(answerOf(1));
    sayAndWait("Question");
    type("draft");
    page().editLastTurn();
    EXPECT_EQ(typed(), "Question");
    press(Qt::Key_Escape);
    EXPECT_EQ(typed(), "draft");
    page().editLastTurn();
    type("?");
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    EXPECT_EQ(currentTree().messages[2].content, "Question?");
    EXPECT_EQ(typed(), "draft");
}

TEST_F(ChatFlowsTest, TurnsQueueInOrderAndNoneIsLost) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    m_engine->set_answer(answerOf(400));
    say("one");
    ASSERT_TRUE(waitFor([&] { return page().isGenerating(); }));
    say("two");
    say("three");
    say("four");
    EXPECT_TRUE(waitFor([&] { return numChips() == 3; })) << "layouts show what is new a moment later";
    auto chips = part<ui::Composer>().findChildren<ui::Chip*>();
    type("five");
    for (ui::Chip* chip : std::as_const(chips))
        if (chip->isVisible() && chip->text().contains(QStringLiteral("three")))
            emit chip->clicked();
    EXPECT_EQ(typed(), "five\n\nthree") << "a click takes it back without losing the draft";
    EXPECT_TRUE(waitFor([&] { return numChips() == 2; }));
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 3; }));
    ASSERT_TRUE(waitFor([&] { return !page().isGenerating() && numChips() == 0; }));
    QStringList sent;
    for (const ui::MessageRecord& message : currentTree().messages)
        if (message.role == ui::MessageRole::user)
            sent += message.content;
    EXPECT_EQ(sent, (QStringList{"one", "two", "four"}));
}

TEST_F(ChatFlowsTest, WhatIsQueuedBehindAStoppedAnswerIsSentByEnter) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    m_engine->set_answer(answerOf(100'000));
    say("one");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    say("two");
    page().stop();
    ASSERT_TRUE(waitIdle() && waitFor([&] { return numChips() == 1; })) << "a stop sends nothing by itself";
    m_engine->set_answer(answerOf(1));
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    EXPECT_TRUE(waitFor([&] { return numChips() == 0; }));
    EXPECT_EQ(currentTree().messages[2].content, "two");
}

TEST_F(ChatFlowsTest, DeletingATurnTakesWhatFollowsAndUndoBringsItBack) {
    launch();
    m_engine->set_answer(answerOf(2));
    sayAndWait("one");
    sayAndWait("two");
    const ui::ChatTree before = currentTree();
    ASSERT_EQ(before.messages.size(), 4);
    auto& view = part<ui::MessageView>();
    emit view.actionTriggered(ui::TurnAction::remove, before.messages[2].id);
    EXPECT_EQ(currentTree().messages.size(), 2);
    EXPECT_EQ(view.model().rowCount(), 2);
    page().undo();
    const ui::ChatTree after = currentTree();
    ASSERT_EQ(after.messages.size(), 4);
    EXPECT_EQ(after.messages[3].content, before.messages[3].content);
    EXPECT_EQ(after.messages[3].stats.outputTokens, 2);
    EXPECT_EQ(after.chat.leaf, before.chat.leaf);
    EXPECT_EQ(view.model().rowCount(), 4);
}

TEST_F(ChatFlowsTest, NothingIsChangedUnderARunningAnswerAndItSaysSo) {
    launch();
    m_engine->set_answer(answerOf(1'000'000));
    say("go");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }));
    page().editLastTurn();
    EXPECT_EQ(typed(), "");
    bool isSaid = false;
    for (const ui::ErrorBanner* banner : page().findChildren<ui::ErrorBanner*>())
        isSaid = isSaid || (banner->isVisible() && banner->title().contains(QStringLiteral("still being written")));
    EXPECT_TRUE(isSaid);
    page().stop();
    EXPECT_TRUE(waitIdle());
}

TEST_F(ChatFlowsTest, EscStopsAlsoWhenTheButtonThatBeganIsGone) {
    launch({.step_time = std::chrono::microseconds(2'000)});
    m_engine->set_answer(answerOf(1));
    sayAndWait("go");
    m_engine->set_answer(answerOf(100'000));
    auto& view = part<ui::MessageView>();
    view.setFocus();
    emit view.actionTriggered(ui::TurnAction::regenerate, currentTree().messages.last().id);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }));
    EXPECT_TRUE(part<ui::ComposerEdit>().hasFocus()) << "what is typed next is the next message";
    QTest::keyClick(&part<ui::ComposerEdit>(), Qt::Key_Escape);
    EXPECT_TRUE(waitIdle());
    page().regenerateLast();
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 3; }));
    QTest::keyClick(&m_app->window(), Qt::Key_Escape); // nobody has the focus
    EXPECT_TRUE(waitIdle());
}

TEST_F(ChatFlowsTest, TurnsThatNobodyAnsweredAreOneTurnToTheModel) {
    launch();
    say("first");
    page().stop(); // before a word came
    ASSERT_TRUE(waitIdle());
    const std::size_t before = m_engine->requests().size();
    m_engine->set_answer(answerOf(1));
    say("second");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    const auto requests = m_engine->requests();
    const auto* prompt = std::get_if<engine::ChatPrompt>(&requests.back().prompt);
    ASSERT_NE(prompt, nullptr);
    const QJsonArray sent = QJsonDocument::fromJson(QByteArray::fromStdString(prompt->messages_json)).array();
    ASSERT_EQ(sent.size(), 1) << prompt->messages_json;
    EXPECT_EQ(sent[0][QStringLiteral("content")].toString(), "first\n\nsecond");
}

TEST_F(ChatFlowsTest, DamageToTheChatsIsSaidUntilItIsRead) {
    launch();
    say("one");
    ASSERT_TRUE(waitIdle());
    quit();
    QFile database(m_dir.filePath(QStringLiteral("chats/chats.sqlite")));
    ASSERT_TRUE(database.open(QIODevice::WriteOnly));
    database.write(QByteArray(12'288, 'x'));
    database.close();
    launch();
    const auto isSaid = [&] {
        for (const ui::ErrorBanner* banner : page().findChildren<ui::ErrorBanner*>())
            if (banner->isVisible() && banner->title().contains(QStringLiteral("damaged")))
                return true;
        return false;
    };
    ASSERT_TRUE(waitFor(isSaid));
    bool isLoaded = false;
    QObject::connect(&m_app->client(), &ui::EngineClient::loadChanged, m_app.get(),
        [&](const ui::LoadState& state) { isLoaded = isLoaded || state.stage == ui::LoadStage::done; });
    ASSERT_TRUE(m_app->client().load(QStringLiteral("/any.gguf"), {}).has_value());
    ASSERT_TRUE(waitFor([&] { return isLoaded; }));
    QTest::qWait(50);
    EXPECT_TRUE(isSaid()) << "a model that loads is no reason to take it away";
}

TEST_F(ChatFlowsTest, ABigPasteBecomesAChipAndASmallOneText) {
    launch();
    auto& edit = part<ui::ComposerEdit>();
    edit.setFocus();
    paste(QStringLiteral("short"));
    EXPECT_EQ(typed(), "short");
    EXPECT_EQ(numChips(), 0);
    paste(QString(1'000'000, u'x'));
    EXPECT_EQ(typed(), "short") << "what was typed stays text";
    EXPECT_EQ(numChips(), 1);
    m_engine->set_answer(answerOf(1));
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    const QString sent = currentTree().messages[0].content;
    EXPECT_GT(sent.size(), 1'000'000);
    EXPECT_TRUE(sent.endsWith("short"));
}

TEST_F(ChatFlowsTest, FilesDroppedOnTheComposerAreAttachedOrRefusedWithTheReason) {
    launch();
    const auto write = [this](const QString& name, const QByteArray& bytes) {
        QFile file(m_dir.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        return QUrl::fromLocalFile(file.fileName());
    };
    const auto drop = [this](const QUrl& url) {
        QMimeData data;
        data.setUrls({url});
        auto* target = part<ui::ComposerEdit>().viewport();
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &event);
    };
    drop(write(QString::fromUtf8("notes \"ü\" 日本.txt"), "hello file"));
    ASSERT_TRUE(waitFor([&] { return numChips() == 1; }));
    drop(write("wide.txt", QByteArray("\xff\xfeh\0i\0", 6))); // UTF-16 with its mark
    ASSERT_TRUE(waitFor([&] { return numChips() == 2; }));
    const auto refusal = [this] {
        for (const ui::ErrorBanner* banner : page().findChildren<ui::ErrorBanner*>())
            if (banner->isVisible())
                return banner->title() + u' ' + banner->cause();
        return QString();
    };
    drop(write("picture.png", QByteArray("\x89PNG\r\n\x1a\n\0\0", 10)));
    EXPECT_TRUE(waitFor([&] { return refusal().contains(QStringLiteral("picture.png")); }));
    drop(QUrl::fromLocalFile(m_dir.filePath("missing.txt")));
    EXPECT_TRUE(waitFor([&] { return refusal().contains(QStringLiteral("missing.txt")); }));
    EXPECT_TRUE(refusal().contains(QStringLiteral("No such file")));
    EXPECT_EQ(numChips(), 2);
    m_engine->set_answer(answerOf(1));
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    EXPECT_TRUE(currentTree().messages[0].content.contains("hello file"));
    EXPECT_TRUE(currentTree().messages[0].content.contains("```\nhi\n"));
}

TEST_F(ChatFlowsTest, ATemporaryChatNeverReachesTheDisk) {
    launch();
    page().newTemporaryChat();
    m_engine->set_answer(answerOf(3));
    sayAndWait("xylophone secret");
    EXPECT_EQ(currentTree().messages.size(), 2);
    quit();
    QDir folder(m_dir.path());
    QDirIterator files(m_dir.path(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_FALSE(file.readAll().contains("xylophone")) << file.fileName().toStdString();
    }
    launch();
    EXPECT_TRUE(m_app->store().chats().isEmpty());
}

TEST_F(ChatFlowsTest, TheSecondChatHasFindAttachmentsAndItsOwnKeys) {
    launch();
    m_engine->set_answer(answerOf(2));
    sayAndWait("left");
    page().showBeside(0);
    auto& pane = part<ui::ChatPane>();
    auto* edit = pane.findChild<ui::ComposerEdit*>();
    ASSERT_TRUE(waitFor([&] { return edit->hasFocus(); }));
    QTest::keyClicks(edit, "right");
    QTest::keyClick(edit, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }));
    ASSERT_TRUE(waitFor([&] { return !pane.session()->isGenerating(); }));
    page().regenerateLast(); // the focus is in the second chat
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 3; }));
    ASSERT_TRUE(waitFor([&] { return !pane.session()->isGenerating(); }));
    EXPECT_EQ(pane.session()->turns().last().numBranches, 2);
    EXPECT_EQ(currentTree().messages.size(), 2) << "the first chat is as it was";
    page().findInChat();
    auto* bar = pane.findChild<ui::FindBar*>();
    EXPECT_TRUE(bar->isVisible());
    auto* field = bar->findChild<QLineEdit*>();
    QTest::keyClicks(field, "right");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(pane.findChild<ui::MessageView*>()->selectedSource(), "right");
    pane.composer().addAttachment({"a.txt", "attached"});
    EXPECT_TRUE(pane.composer().draft().contains("attached"));
}

TEST_F(ChatFlowsTest, APresetBringsPromptAndSampling) {
    launch();
    m_app->settings().setRaw("chat.presets",
        QJsonObject{{"Poet",
            QJsonObject{{"system_prompt", "Rhyme."}, {"sampling", ui::ChatSampling{.temperature = 1.3}.toJson()}}}});
    page().toggleInspector();
    m_engine->set_answer(answerOf(1));
    auto* box = part<ui::PresetBar>().findChild<QComboBox*>();
    ASSERT_EQ(box->count(), 2);
    box->setCurrentIndex(1);
    emit box->activated(1);
    sayAndWait("hi");
    EXPECT_EQ(currentTree().chat.systemPrompt, "Rhyme.");
    EXPECT_DOUBLE_EQ(currentTree().chat.sampling.temperature, 1.3);
    EXPECT_EQ(box->currentText(), "Poet");
}

} // namespace

} // namespace vitrine::testing
