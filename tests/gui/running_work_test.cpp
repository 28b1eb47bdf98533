// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a window that is made anew, in another language, ends nothing that goes on behind it.
#include <QApplication>
#include <QCryptographicHash>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/gui/window_fixture.h"
#include "tests/ui/support/fake_hub.h"
#include "ui/bridge/session_file.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/chat_list_model.h"
#include "ui/chat/message_list_model.h"
#include "ui/engine/engine_page.h"
#include "ui/lab/lab_page.h"
#include "ui/models/download_row.h"
#include "ui/models/hub_panel.h"
#include "ui/models/model_details.h"
#include "ui/models/model_list_model.h"
#include "ui/models/models_page.h"

namespace vitrine::testing {

namespace {

class RunningWorkTest : public WindowTest {
protected:
    void TearDown() override {
        WindowTest::TearDown();
        qApp->setLayoutDirection(Qt::LeftToRight);
        QLocale::setDefault(QLocale::c());
    }
    /// The window speaks another language, and is another one.
    void speak(const QString& language) {
        const ui::MainWindow* before = &m_app->window();
        m_app->settings().set(ui::keys::kLanguage, language);
        ASSERT_TRUE(waitFor([&] { return &m_app->window() != before; }));
    }
    QAbstractButton* button(const QString& text) {
        for (auto* found : m_app->window().findChildren<QAbstractButton*>())
            if (found->isVisible() && found->text() == text)
                return found;
        return nullptr;
    }
    static ScriptedAnswer words(int count) {
        ScriptedAnswer answer;
        for (int i = 0; i < count; ++i)
            answer.pieces.push_back(" w" + std::to_string(i));
        return answer;
    }
};

TEST_F(RunningWorkTest, AnAnswerRunsOnAndWhatWaitsBehindItIsSent) {
    launch();
    m_engine->set_answer(words(6'000));
    say("Count");
    const auto shown = [&](int row) { // of the chat that has turns; the second one has none
        for (const auto* view : m_app->window().findChildren<ui::MessageView*>())
            if (view->model().rowCount() > row)
                return view->model().index(row).data().toString();
        return QString();
    };
    ASSERT_TRUE(waitFor([&] { return shown(1).contains("w20 "); }));
    say("And then?"); // waits
    const ui::ChatId chat = page().currentChat();
    page().showBeside(0);
    const ui::ChatId beside = page().chatBeside();
    speak(QStringLiteral("de"));
    EXPECT_TRUE(m_engine->cancelled().empty());
    EXPECT_EQ(page().currentChat(), chat);
    EXPECT_EQ(page().chatBeside(), beside) << "the second chat stands beside it again";
    EXPECT_TRUE(page().isGenerating());
    const int before = static_cast<int>(shown(1).size());
    EXPECT_GT(before, 40) << "what was answered so far is on screen";
    ASSERT_TRUE(waitFor([&] { return shown(1).size() > before; })) << "and it grows";
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }, 20'000)) << "the turn that waited is sent";
    press(Qt::Key_Escape);
    ASSERT_TRUE(waitIdle());
    const ui::ChatTree tree = currentTree();
    ASSERT_EQ(tree.messages.size(), 4);
    EXPECT_EQ(tree.messages[1].state, ui::MessageState::complete);
    EXPECT_TRUE(tree.messages[1].content.endsWith("w5999"));
    EXPECT_EQ(tree.messages[2].content, "And then?");
    speak(QStringLiteral("en"));
}

TEST_F(RunningWorkTest, ADownloadGoesOn) {
    FakeHub hub;
    hub.body = QByteArray(3'000'000, 'x');
    hub.hash = QCryptographicHash::hash(hub.body, QCryptographicHash::Sha256).toHex();
    hub.stallAfter = 1'000'000; // it still runs when the language changes
    qputenv("HF_ENDPOINT", hub.url().toEncoded());
    launch();
    ASSERT_TRUE(m_app->window().showPage("models"));
    ASSERT_NE(button("Get models"), nullptr);
    button("Get models")->click();
    auto* panel = m_app->window().findChild<ui::HubPanel*>();
    auto* search = panel->findChild<QLineEdit*>();
    QTest::keyClicks(search, "tiny");
    QTest::keyClick(search, Qt::Key_Return);
    const QList<QTableView*> tables = panel->findChildren<QTableView*>();
    ASSERT_TRUE(waitFor([&] { return tables[0]->model()->rowCount() == 1; }));
    tables[0]->setCurrentIndex(tables[0]->model()->index(0, 0));
    ASSERT_TRUE(waitFor([&] { return tables[1]->isVisible(); }));
    tables[1]->setCurrentIndex(tables[1]->model()->index(0, 0));
    button("Download")->click();
    const QString partFile = m_dir.filePath("models/tiny.gguf.part");
    ASSERT_TRUE(waitFor([&] { return QFileInfo(partFile).size() == 1'000'000; }));
    speak(QStringLiteral("de"));
    ASSERT_TRUE(m_app->window().showPage("models"));
    ASSERT_TRUE(waitFor([&] { return button("Modelle holen (1)") != nullptr; })) << "it is known there";
    button("Modelle holen (1)")->click();
    ASSERT_TRUE(waitFor([&] { return button("Anhalten") != nullptr; })) << "it runs";
    EXPECT_EQ(hub.ranges.size(), 1) << "and was not begun anew";
    button("Anhalten")->click();
    ASSERT_TRUE(waitFor([&] { return button("Weiter") != nullptr; }));
    button("Weiter")->click();
    ASSERT_TRUE(waitFor([&] { return QFileInfo::exists(m_dir.filePath("models/tiny.gguf")); }));
    EXPECT_EQ(hub.ranges.last(), "bytes=1000000-");
    speak(QStringLiteral("en"));
    qunsetenv("HF_ENDPOINT");
}

TEST_F(RunningWorkTest, OpenedFilesAndRecordingsStayOpen) {
    launch();
    const QString model = m_dir.filePath("elsewhere.gguf"), recording = m_dir.filePath("night.json");
    QFile file(model);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write("GGUF") == 4);
    file.close();
    ui::SessionHistory session;
    ui::StepRecord step;
    step.step = 1;
    step.forward_us = 40'000;
    session.add(step);
    session.add(m_engine->snapshot());
    QFile saved(recording);
    ASSERT_TRUE(saved.open(QIODevice::WriteOnly) && saved.write(ui::sessionToJson(session)) > 0);
    saved.close();
    m_app->window().openModelFile(model);
    const auto isListed = [&] { return part<ui::ModelsPage>().list().rowOf(model) >= 0; };
    ASSERT_TRUE(waitFor(isListed));
    ASSERT_TRUE(m_app->window().showPage("engine"));
    part<ui::EnginePage>().openRecording(recording);
    ASSERT_TRUE(waitFor([&] { return part<ui::EnginePage>().isRecording(); }));
    ASSERT_TRUE(m_app->window().showPage("lab"));
    part<ui::LabPage>().showExperiment("prefix");
    part<ui::LabPage>().useRecording(part<ui::EnginePage>().recording(), "night.json");
    speak(QStringLiteral("de"));
    ASSERT_TRUE(m_app->window().showPage("lab"));
    EXPECT_TRUE(part<ui::LabPage>().hasRecording());
    ASSERT_TRUE(m_app->window().showPage("engine"));
    EXPECT_TRUE(part<ui::EnginePage>().isRecording());
    EXPECT_EQ(part<ui::EnginePage>().recordingName(), "night.json");
    ASSERT_TRUE(m_app->window().showPage("models"));
    EXPECT_TRUE(waitFor(isListed));
    EXPECT_EQ(part<ui::ModelsPage>().details().path(), model);
    speak(QStringLiteral("en"));
}

TEST_F(RunningWorkTest, TokenAlternativesAreWantedInEveryChatAndWindow) {
    launch();
    m_engine->set_answer(words(2));
    page().toggleInspector();
    QAbstractButton* wanted = nullptr;
    const auto find = [&] {
        for (auto* found : m_app->window().findChildren<QAbstractButton*>())
            if (found->accessibleName() == "Record token alternatives")
                wanted = found;
        return wanted;
    };
    ASSERT_NE(find(), nullptr);
    wanted->click();
    say("One");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    page().newChat(); // made after the switch was set
    say("Two");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    EXPECT_EQ(m_engine->requests()[0].num_logprobs, 4);
    EXPECT_EQ(m_engine->requests()[1].num_logprobs, 4);
    speak(QStringLiteral("en_GB"));
    ASSERT_NE(find(), nullptr);
    EXPECT_TRUE(wanted->isChecked());
    speak(QStringLiteral("en"));
}

} // namespace

} // namespace vitrine::testing
