// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: what the X of the window does, with and without a tray, with and without the server.
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "tests/gui/window_fixture.h"
#include "tests/ui/support/stage.h"
#include "ui/bridge/endpoint_control.h"

namespace vitrine::testing {

namespace {

using ui::EndpointControl;

class ClosingTest : public WindowTest {
protected:
    [[nodiscard]] bool startEndlessAnswer() {
        ScriptedAnswer endless;
        endless.pieces = {"One", " two", " three"};
        endless.hang_after_tokens = 1;
        m_engine->set_answer(endless);
        say("Count");
        return waitFor([this] { return page().isGenerating(); });
    }
    void launchWith(bool hasTray) {
        m_hasTray = hasTray;
        auto dialogs = std::make_unique<FakeDialogs>();
        m_dialogs = dialogs.get();
        m_engine = std::make_unique<ScriptedEngine>(ScriptedEngineOptions{});
        m_app = std::make_unique<app::Application>(*qApp, app::Options{},
            app::Application::Parts{*m_engine, std::move(dialogs), m_dir.path(), {}, [this] { return m_hasTray; }});
        m_app->start();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_app->window()));
    }
    void startServer() {
        ui::EndpointSettings settings;
        settings.port = 0; // any free one
        m_app->endpoint().start(settings);
        ASSERT_TRUE(waitFor([this] { return m_app->endpoint().state() == EndpointControl::State::running; }));
    }
    /// Presses the X in a running event loop; true: the application quit.
    bool closeQuits() {
        QTimer::singleShot(0, &m_app->window(), &QWidget::close);
        return runsUntilQuit(400);
    }
    static bool runsUntilQuit(int ms) {
        QTimer end;
        end.setSingleShot(true);
        QObject::connect(&end, &QTimer::timeout, qApp, [] { QCoreApplication::exit(1); });
        end.start(ms);
        return QApplication::exec() == 0;
    }
    bool m_hasTray = false;
    FakeDialogs* m_dialogs = nullptr;
};

TEST_F(ClosingTest, QuitsWithoutTheServerAndAsksNothing) {
    launchWith(true);
    m_app->settings().set(ui::keys::kKeepServing, true);
    EXPECT_TRUE(closeQuits());
    EXPECT_TRUE(m_dialogs->asked.isEmpty());
}

TEST_F(ClosingTest, WithTheServerItAsksOnceAndKeepsServingWhenTold) {
    launchWith(true);
    startServer();
    m_dialogs->chosen = 0;
    EXPECT_FALSE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 1);
    EXPECT_TRUE(m_app->window().isHidden());
    EXPECT_EQ(m_app->endpoint().state(), EndpointControl::State::running);
    EXPECT_TRUE(m_app->settings().value(ui::keys::kKeepServing));
    m_app->raise({}); // a second start, or the icon
    EXPECT_TRUE(m_app->window().isVisible());
    EXPECT_FALSE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 1) << "asked once only";
    EXPECT_TRUE(m_app->window().isHidden());
}

TEST_F(ClosingTest, TheOtherAnswerQuitsNowAndLater) {
    launchWith(true);
    startServer();
    m_dialogs->chosen = 1;
    EXPECT_TRUE(closeQuits());
    EXPECT_FALSE(m_app->settings().value(ui::keys::kKeepServing));
    EXPECT_TRUE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 1);
}

TEST_F(ClosingTest, ADismissedQuestionChangesNothing) {
    launchWith(true);
    startServer();
    m_dialogs->chosen = -1;
    EXPECT_FALSE(closeQuits());
    EXPECT_TRUE(m_app->window().isVisible());
}

TEST_F(ClosingTest, WithoutATrayItNeverHides) {
    launchWith(false);
    m_app->settings().set(ui::keys::kKeepServing, true);
    startServer();
    m_dialogs->chosen = 0;
    EXPECT_TRUE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 1) << "the running server is mentioned";
    EXPECT_TRUE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 1) << "once";
}

TEST_F(ClosingTest, AServerThatEndsBehindAHiddenWindowBringsItBack) {
    launchWith(true);
    m_app->settings().set(ui::keys::kKeepServing, true);
    startServer();
    EXPECT_FALSE(closeQuits());
    ASSERT_TRUE(m_app->window().isHidden());
    m_app->endpoint().stop();
    EXPECT_TRUE(waitFor([this] { return m_app->window().isVisible(); }));
}

TEST_F(ClosingTest, AnAnswerThatIsWrittenIsMentionedBeforeAQuitByAnyWay) {
    launchWith(true);
    ASSERT_TRUE(startEndlessAnswer());
    m_dialogs->accept = false;
    EXPECT_FALSE(closeQuits());
    const auto ctrlQ = [this] {
        QTimer::singleShot(
            0, &m_app->window(), [this] { QTest::keyClick(&m_app->window(), Qt::Key_Q, Qt::ControlModifier); });
    };
    ctrlQ();
    EXPECT_FALSE(runsUntilQuit(400));
    EXPECT_EQ(m_dialogs->asked, QStringList({"Quit now?", "Quit now?"}));
    EXPECT_TRUE(page().isGenerating()) << "no harm is done by asking";
    m_dialogs->accept = true;
    ctrlQ();
    EXPECT_TRUE(runsUntilQuit(2'000));
    press(Qt::Key_Escape);
    ASSERT_TRUE(waitIdle());
    EXPECT_TRUE(closeQuits());
    EXPECT_EQ(m_dialogs->asked.size(), 3) << "nothing runs, nothing is asked";
}

TEST_F(ClosingTest, TheQuestionFollowsWhatEndsWhileItStands) {
    launchWith(true);
    ASSERT_TRUE(startEndlessAnswer());
    m_dialogs->accept = false;
    EXPECT_FALSE(closeQuits());
    ASSERT_TRUE(m_dialogs->textNow);
    EXPECT_FALSE(m_dialogs->textNow().contains("ended meanwhile")) << m_dialogs->textNow().toStdString();
    press(Qt::Key_Escape);
    ASSERT_TRUE(waitIdle());
    EXPECT_EQ(m_dialogs->textNow(), "Everything has ended meanwhile.");

    ui::QtDialogs dialogs; // and the real box asks again
    int asked = 0;
    ui::Dialogs::Question question{"Quit?", "0", "Quit", true, [&] { return QString::number(++asked); }};
    dialogs.confirm(&m_app->window(), question, [](bool) {});
    auto* box = m_app->window().findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    EXPECT_TRUE(waitFor([&] { return box->informativeText() == "1"; }));
    box->reject();
}

TEST_F(ClosingTest, QuitOfTheTraySaysItOnTheWindowThatWasHidden) {
    launchWith(true);
    m_app->settings().set(ui::keys::kKeepServing, true);
    startServer();
    ASSERT_TRUE(startEndlessAnswer());
    EXPECT_FALSE(closeQuits());
    ASSERT_TRUE(m_app->window().isHidden());
    EXPECT_TRUE(m_dialogs->asked.isEmpty()) << "it goes on behind the icon";
    m_dialogs->accept = false;
    QTimer::singleShot(0, m_app.get(), &app::Application::askToQuit);
    EXPECT_FALSE(runsUntilQuit(400));
    EXPECT_EQ(m_dialogs->asked.size(), 1);
    EXPECT_TRUE(m_app->window().isVisible());
    press(Qt::Key_Escape);
}

TEST_F(ClosingTest, CtrlQQuitsWhateverCloseMeans) {
    launchWith(true);
    m_app->settings().set(ui::keys::kKeepServing, true);
    startServer();
    QTimer::singleShot(
        0, &m_app->window(), [this] { QTest::keyClick(&m_app->window(), Qt::Key_Q, Qt::ControlModifier); });
    EXPECT_TRUE(runsUntilQuit(2'000));
}

} // namespace

} // namespace vitrine::testing
