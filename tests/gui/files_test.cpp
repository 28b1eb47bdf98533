// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: files that come into the window and go out of it: drops, import, export, backups.
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>
#include <algorithm>

#include "tests/gui/window_fixture.h"
#include "tests/ui/support/stage.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/chat_pane.h"
#include "ui/chat/context_ring.h"
#include "ui/chat/message_list_model.h"
#include "ui/models/model_details.h"
#include "ui/models/models_page.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/error_banner.h"

namespace vitrine::testing {

namespace {

class FilesTest : public WindowTest {
protected:
    std::unique_ptr<ui::Dialogs> makeDialogs() override {
        auto made = std::make_unique<FakeDialogs>();
        m_dialogs = made.get();
        return made;
    }
    void sayAndWait(const QString& text) {
        const std::size_t before = m_engine->requests().size();
        say(text);
        ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    }
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(m_dir.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        return file.fileName();
    }
    QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// As the window system brings it: to the widget under the pointer, or the next above that takes drops.
    void drop(QWidget& at, const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        data.setText(path); // file managers offer the name as text too
        QDragEnterEvent enter(at.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QWidget* target = &at;
        while (target != nullptr) {
            if (target->acceptDrops())
                QCoreApplication::sendEvent(target, &enter);
            if (enter.isAccepted())
                break;
            target = target->parentWidget();
        }
        ASSERT_NE(target, nullptr) << "nobody takes it";
        QDropEvent event(at.mapTo(target, at.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &event);
    }
    static int numChips(const ui::Composer& composer) {
        const auto chips = composer.findChildren<ui::Chip*>();
        return static_cast<int>(
            std::count_if(chips.begin(), chips.end(), [](const ui::Chip* chip) { return chip->isVisible(); }));
    }
    [[nodiscard]] int numChips() { return numChips(part<ui::Composer>()); } // with one chat on screen
    [[nodiscard]] ui::ErrorBanner* banner() {
        for (auto* found : page().findChildren<ui::ErrorBanner*>())
            if (found->isVisible())
                return found;
        return nullptr;
    }
    void exportTo(const QString& name) {
        m_dialogs->saved = m_dir.filePath(name);
        emit part<ui::ChatList>().exportRequested(page().currentChat());
        ASSERT_TRUE(waitFor([&] { return QFile::exists(m_dialogs->saved); }));
    }

    FakeDialogs* m_dialogs = nullptr;
};

TEST_F(FilesTest, AModelFileOpensWhereverItFalls) {
    const QString model = write("other.gguf", "GGUF");
    launch();
    m_engine->set_answer({});
    sayAndWait("Hello");
    page().toggleInspector();
    const auto opens = [&](QWidget& at, const char* where) {
        ASSERT_TRUE(m_app->window().showPage("chat"));
        drop(at, model);
        EXPECT_EQ(m_app->window().page(), "models") << where;
        auto* models = m_app->window().findChild<ui::ModelsPage*>();
        EXPECT_TRUE(waitFor([&] { return models->details().path() == model; })) << where;
    };
    opens(*part<ui::MessageView>().viewport(), "messages");
    opens(*part<ui::ComposerEdit>().viewport(), "composer");
    opens(*part<ui::ChatList>().findChild<QLineEdit*>(), "search field");
    EXPECT_EQ(numChips(), 0) << "it is no attachment";
    EXPECT_TRUE(part<ui::ChatList>().findChild<QLineEdit*>()->text().isEmpty());
}

TEST_F(FilesTest, ATextFileIsAttachedWhereverItFallsOnAChat) {
    const QString notes = write("notes.txt", "hello file");
    launch();
    m_engine->set_answer({});
    drop(page(), notes); // a chat without a turn
    ASSERT_TRUE(waitFor([&] { return numChips() == 1; }));
    sayAndWait("read it");
    drop(*part<ui::MessageView>().viewport(), notes);
    ASSERT_TRUE(waitFor([&] { return numChips() == 1; }));
    page().showBeside(0);
    auto& second = part<ui::ChatPane>();
    drop(*second.findChild<ui::MessageView*>()->viewport(), notes);
    EXPECT_TRUE(waitFor([&] { return numChips(second.composer()) == 1; })) << "the second chat has its own composer";
}

TEST_F(FilesTest, WhatIsExportedComesBackWithItsBranches) {
    launch();
    m_engine->set_answer({});
    sayAndWait("First question");
    page().regenerateLast();
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    const ui::ChatTree before = currentTree();
    ASSERT_EQ(before.messages.size(), 3);
    exportTo("chat.json");
    exportTo("chat.md");
    EXPECT_TRUE(read(m_dir.filePath("chat.md")).contains("## User\n\nFirst question\n"));
    m_dialogs->files = {m_dir.filePath("chat.json")};
    page().importChats();
    ASSERT_TRUE(waitFor([&] { return page().currentChat() != before.chat.id; })) << "it is shown";
    const ui::ChatTree back = currentTree();
    ASSERT_EQ(back.messages.size(), 3);
    EXPECT_EQ(back.messages[2].content, before.messages[2].content);
    EXPECT_EQ(branchTo(back, back.chat.leaf).last().content, before.messages[2].content);
    ASSERT_NE(banner(), nullptr);
    EXPECT_EQ(banner()->kind(), ui::ErrorBanner::Kind::success);
}

/// Nobody counted the tokens of an imported chat: the context ring showed none until an answer had run.
TEST_F(FilesTest, AnImportedChatFillsTheContextRing) {
    launch();
    m_dialogs->files = {write("talk.json", R"({"vitrine_chat":1,"title":"t","messages":[
        {"id":"5","parent":"0","role":"user","content":"How many words are in this question of mine?"},
        {"id":"6","parent":"5","role":"assistant","content":"There are nine words in it."}]})")};
    page().importChats();
    const auto& ring = part<ui::ContextRing>();
    ASSERT_TRUE(waitFor([&] { return part<ui::MessageView>().model().rowCount() == 2; }));
    EXPECT_TRUE(waitFor([&] { return ring.use().history >= 15; })) << ring.accessibleName().toStdString();
    EXPECT_EQ(ring.use().system, 0);
}

TEST_F(FilesTest, AChatIsExportedWithTheAnswerThatRuns) {
    launch();
    ScriptedAnswer answer;
    answer.pieces = {"Half", " an", " answer", "."};
    answer.hang_after_tokens = 3;
    m_engine->set_answer(answer);
    say("Tell me");
    const auto& model = part<ui::MessageView>().model();
    ASSERT_TRUE(waitFor([&] { return model.index(1).data().toString() == "Half an answer"; }));
    exportTo("running.md");
    EXPECT_TRUE(read(m_dialogs->saved).contains("Tell me"));
    EXPECT_TRUE(read(m_dialogs->saved).contains("Half an answer"));
    press(Qt::Key_Escape);
    ASSERT_TRUE(waitIdle());
}

TEST_F(FilesTest, DamageInAnImportIsCounted) {
    const QString file = write("damaged.json", R"({"vitrine_chat":1,"title":"t","messages":[
        {"id":"5","parent":"0","role":"user","content":"a"}, {"id":"6","parent":"5"},
        {"id":"7","parent":"6","role":"assistant","content":"b"}]})");
    launch();
    m_dialogs->files = {file};
    page().importChats();
    ASSERT_TRUE(waitFor([&] { return banner() != nullptr; }));
    EXPECT_EQ(banner()->kind(), ui::ErrorBanner::Kind::warning);
    EXPECT_TRUE(banner()->cause().contains("messages 1")) << banner()->cause().toStdString();
    EXPECT_TRUE(waitFor([&] { return part<ui::MessageView>().model().rowCount() == 2; }));
}

TEST_F(FilesTest, ARestoredBackupIsSeenInTheChatOnScreen) {
    launch();
    m_engine->set_answer({});
    sayAndWait("One");
    sayAndWait("Two");
    const ui::ChatTree full = currentTree();
    ASSERT_EQ(full.messages.size(), 4);
    auto& view = part<ui::MessageView>();
    emit view.actionTriggered(ui::TurnAction::remove, full.messages[2].id);
    ASSERT_TRUE(waitFor([&] { return view.model().rowCount() == 2; }));
    bool isDone = false;
    m_app->store().merge({full}, m_app.get(), [&](const ui::ChatStore::Merged& merged) {
        EXPECT_EQ(merged.messages, 2);
        isDone = true;
    });
    ASSERT_TRUE(waitFor([&] { return isDone; }));
    EXPECT_EQ(view.model().rowCount(), 4);
    EXPECT_EQ(view.model().index(3).data().toString(), full.messages[3].content);
}

} // namespace

} // namespace vitrine::testing
